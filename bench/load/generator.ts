import { createHash } from 'node:crypto';
import { Random } from '../../src/base/random.ts';
import type { Prepare, Report, Run, StageReport, Verification, Wanted } from './generator-process.ts';
import { Latencies, type Quantiles } from './latencies.ts';
import { type Answered, Line } from './line.ts';
import { type Credentials, type Kind, SYMBOLS, User, type Wish } from './user.ts';

/*
 * The load, a process of its own: requests begin when they are due, at random at a given rate, whatever the answers do.
 * The messages of its parent give the rate and the stages.
 */

/** The share of ten requests that are orders; the others ask. */
const ORDERS_OF_TEN = 5;
/** A request that found no free connection in this time is not sent. */
const GIVE_UP_MS = 2_000;
const SPIN_MS = 2;
/** The longest wait for an answer outside of a run. */
const CHECK_PATIENCE_MS = 120_000;
const FAULTS_KEPT = 20;
const FAULT_LENGTH = 300;

const random = new Random(7);
let port = 0;
let users: User[] = [];
let free: Line[] = [];
let all: Line[] = [];

async function prepare({ port: at, users: credentials, lines }: Prepare): Promise<void> {
  port = at;
  for (const line of all) line.close();
  users = await logAllIn(credentials);
  all = Array.from({ length: lines }, () => new Line(port));
  // Clients that trade keep their connections; what a storm of new ones does is another question.
  for (const line of all) await line.dial();
  free = [...all];
}

async function logAllIn(credentials: readonly Credentials[]): Promise<User[]> {
  const [first] = credentials;
  if (first === undefined) return [];
  const prices = await closes(first.userId, await logIn(first));
  const all: User[] = [];
  for (const one of credentials) {
    const user = new User(one, prices);
    user.jKey = await logIn(one);
    all.push(user);
  }
  return all;
}

/** The last closing prices in rupees, by trading symbol. */
async function closes(userId: string, jKey: string): Promise<ReadonlyMap<string, number>> {
  const prices = new Map<string, number>();
  for (const symbol of SYMBOLS) {
    const fields = { userId, jKey, exchange: 'NSE', tradingSymbol: `${symbol}-EQ` };
    const data = (await post('/getQuote', fields)) as { dayClosePrice: string };
    prices.set(`${symbol}-EQ`, Number(data.dayClosePrice));
  }
  return prices;
}

async function logIn({ userId, password, vendorCode, apiKey }: Credentials): Promise<string> {
  const digest = createHash('sha256').update(password).digest('hex');
  const data = await post('/login', { userId, password: digest, TOTP: '', vendorCode, apiKey });
  return (data as { susertoken: string }).susertoken;
}

async function post(path: string, body: object): Promise<unknown> {
  const answer = await send(path, body);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body).data;
}

function send(path: string, body: object): Promise<Answered> {
  const line = new Line(port, CHECK_PATIENCE_MS);
  return new Promise((resolve) => {
    line.post(`/V1${path}`, JSON.stringify(body), (answer) => {
      line.close();
      resolve(answer);
    });
  });
}

/** The outcome of the requests that were due in one span of time. */
class Tally {
  private readonly answered = new Latencies();
  private readonly shed = new Latencies();
  private readonly answeredKinds = new Map<Kind, Latencies>();
  private readonly shedKinds = new Map<Kind, Latencies>();
  bad = 0;
  notSent = 0;

  add(isShed: boolean, kind: Kind | undefined, ms: number): void {
    (isShed ? this.shed : this.answered).add(ms);
    if (kind === undefined) return;
    const kinds = isShed ? this.shedKinds : this.answeredKinds;
    const own = kinds.get(kind) ?? new Latencies();
    kinds.set(kind, own);
    own.add(ms);
  }

  report(): StageReport {
    return {
      bad: this.bad,
      notSent: this.notSent,
      answered: this.answered.summary(),
      shed: this.shed.summary(),
      answeredKinds: summaries(this.answeredKinds),
      shedKinds: summaries(this.shedKinds),
    };
  }
}

function summaries(kinds: ReadonlyMap<Kind, Latencies>): Partial<Record<Kind, Quantiles>> {
  return Object.fromEntries([...kinds].map(([kind, latencies]) => [kind, latencies.summary()]));
}

/** One open-loop run. */
class OpenLoop {
  private readonly plan: Run;
  private readonly begin = performance.now() + 20;
  private readonly end: number;
  private readonly stages: Tally[];
  private readonly seconds: Tally[];
  private readonly faults: string[] = [];
  private readonly finish: (report: Report) => void;
  private stage = 0;
  private stageEnd: number;
  private nextAt = this.begin;
  private underWay = 0;

  constructor(plan: Run, finish: (report: Report) => void) {
    this.plan = plan;
    this.finish = finish;
    const seconds = plan.stages.reduce((sum, stage) => sum + stage.seconds, 0);
    this.end = this.begin + seconds * 1000;
    this.stageEnd = this.begin + (plan.stages[0]?.seconds ?? 0) * 1000;
    this.stages = plan.stages.map(() => new Tally());
    this.seconds = Array.from({ length: seconds }, () => new Tally());
  }

  /** Begins what is due, and comes back as long as something will be. */
  readonly turn = (): void => {
    const now = performance.now();
    while (this.nextAt <= now && this.nextAt < this.end) {
      if (free.length > 0) this.begins();
      else if (now - this.nextAt < GIVE_UP_MS) break;
      else for (const tally of this.talliesNow()) tally.notSent += 1;
      this.advance();
    }
    if (this.nextAt >= this.end && now >= this.end) this.finishIfDone();
    else if (this.nextAt - now > SPIN_MS) setTimeout(this.turn, 1);
    else setImmediate(this.turn);
  };

  private advance(): void {
    const { stages } = this.plan;
    this.nextAt += gap(stages[this.stage]?.rate ?? 1);
    while (this.nextAt >= this.stageEnd && this.stage + 1 < stages.length) {
      this.stage += 1;
      this.stageEnd += (stages[this.stage]?.seconds ?? 0) * 1000;
    }
  }

  private begins(): void {
    const { echo } = this.plan;
    const wish = echo === undefined ? nextWish() : undefined;
    // The longest idle one, so that none is idle for as long as the service lets connections be.
    const line = free.shift() as Line;
    const tallies = this.talliesNow();
    const dueAt = this.nextAt;
    this.underWay += 1;
    line.post(wish?.path ?? '/', wish?.body ?? echo ?? '', (answer) => {
      free.push(line);
      this.underWay -= 1;
      this.judge(tallies, wish, answer, performance.now() - dueAt);
      if (this.nextAt >= this.end) this.finishIfDone();
    });
  }

  /** Where a request that is due now is counted. */
  private talliesNow(): readonly Tally[] {
    const second = this.seconds[Math.floor((this.nextAt - this.begin) / 1000)];
    return [this.stages[this.stage] as Tally, ...(second === undefined ? [] : [second])];
  }

  private judge(tallies: readonly Tally[], wish: Wish | undefined, answer: Answered, took: number): void {
    const fault = wish === undefined ? faultOfEcho(answer) : faultOf(wish, answer);
    for (const tally of tallies) {
      if (fault === undefined) tally.add(answer.status !== 200, wish?.kind, took);
      else tally.bad += 1;
    }
    if (fault !== undefined && this.faults.length < FAULTS_KEPT) this.faults.push(fault.slice(0, FAULT_LENGTH));
  }

  private finishIfDone(): void {
    if (this.underWay > 0 || performance.now() < this.end) return;
    const reports = (tallies: readonly Tally[]): StageReport[] => tallies.map((tally) => tally.report());
    const elapsedSeconds = (performance.now() - this.begin) / 1000;
    this.finish({
      stages: reports(this.stages),
      seconds: reports(this.seconds),
      elapsedSeconds,
      faults: this.faults,
    });
  }
}

/** Resolves when every request that was sent is answered or given up. */
function run(plan: Run): Promise<Report> {
  return new Promise((resolve) => {
    new OpenLoop(plan, resolve).turn();
  });
}

function gap(rate: number): number {
  return (-Math.log(1 - random.below(1_000_000) / 1_000_000) * 1000) / rate;
}

function nextWish(): Wish {
  const user = users[random.below(users.length)] as User;
  return random.below(10) < ORDERS_OF_TEN ? user.nextOrder(random) : user.nextPoll(random);
}

function faultOfEcho({ status, body }: Answered): string | undefined {
  return status === 200 ? undefined : `echo: ${status} ${body}`;
}

/**
 * The fault of an answer: none, when it is a success that agrees with the ledger, or a refusal of load in the envelope.
 */
function faultOf(wish: Wish, answer: Answered): string | undefined {
  if (answer.status === 0) {
    wish.failed(false);
    return `${wish.kind}: ${answer.body}`;
  }
  const envelope = parsed(answer.body);
  if (answer.status === 200 && envelope?.status === 'success') return wish.taken(envelope.data);
  wish.failed(true);
  const isShed = answer.status === 503 || answer.status === 429;
  if (isShed && envelope?.status === 'failed' && envelope.code === String(answer.status)) return undefined;
  return `${wish.kind}: ${answer.status} ${answer.body}`;
}

interface Envelope {
  readonly status?: unknown;
  readonly code?: unknown;
  readonly data?: unknown;
}

function parsed(text: string): Envelope | undefined {
  try {
    return JSON.parse(text) as Envelope;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Compares every user's order book with what was acknowledged to him. */
async function verify(): Promise<Verification> {
  const found = { acknowledged: 0, missing: 0, unwanted: 0, unanswered: 0, wrong: 0 };
  const examples: string[] = [];
  for (const user of users) {
    const rows = await post('/orderBook', { userId: user.credentials.userId, jKey: user.jKey });
    const { acknowledged, missing, unwanted, unanswered, wrong } = user.compare(rows as never);
    found.acknowledged += acknowledged;
    found.missing += missing.length;
    found.unwanted += unwanted.length;
    found.unanswered += unanswered;
    found.wrong += wrong.length;
    examples.push(...missing, ...unwanted, ...wrong);
  }
  return { ...found, examples: examples.slice(0, FAULTS_KEPT) };
}

function carryOut(message: Wanted): Promise<unknown> {
  switch (message.do) {
    case 'prepare':
      return prepare(message);
    case 'run':
      return run(message);
    case 'verify':
      return verify();
  }
}

process.on('message', (message: Wanted) => {
  carryOut(message).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.stack ?? error.message }),
  );
});
process.on('disconnect', () => process.exit(0));
