/**
 * B14: sockets beside orders. Orders come at a rate all the time; beside them, in turn and again and again: nothing,
 * many sockets of the service with 50 instruments each for twice as long, nothing again, and the same number of sockets
 * of a bare server with the same bytes; then the same for one socket with thousands of instruments. So what readers and
 * the kernel take is apart from what the service takes, and a machine whose speed drifts counts for both. The service
 * has a core of its own, everything else another one. Processes of their own read the sockets. The delay of a user's
 * events is the histogram of the service.
 *
 *     node bench/sockets.ts [rounds] [seconds of a stretch] [free]
 *
 * With `free` the service and everything else share the cores.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../src/base/assert.ts';
import type { Answered } from './load/line.ts';
import { LoadedService } from './load/service.ts';
import { cpuOf } from './process/process-figures.ts';
import { type BenchRow, median, ratios, spreadOf } from './rows.ts';
import { Bare, type Sending } from './sockets/bare.ts';
import { type Crowd, manySockets, oneSocket, SOCKETS_OF_A_USER, v2Path } from './sockets/crowds.ts';
import { Delays } from './sockets/delays.ts';
import { OrderFlow, restingPrice } from './sockets/order-flow.ts';
import { leaveACore } from './sockets/pins.ts';
import { Readers } from './sockets/readers.ts';
import { logIn, type Session } from './sockets/sessions.ts';

const SOCKETS = 1_000;
const INSTRUMENTS = 5_000;
const PER_SECOND = 2_000;
const TRADERS = 8;
/** For the first looks of the day at the instruments, which make their tapes. */
const MOST_WARM_UP_MS = 120_000;
const LOOK_MS = 2_000;
/** For the first looks after a subscription, which bring the market's tapes up to the second. */
const SETTLE_MS = 3_000;
/** The goal, as the service counts it. */
const MOST_DELAY_MS = 5;
const MOST_SLOWER = 1.1;
const NOTHING: Sending = { way: 'none', texts: 0, bytes: 0 };

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** A stretch of orders, and what it was beside. Times in milliseconds, processor times of a second. */
interface Stretch {
  readonly framesPerSecond: number;
  readonly bytesPerFrame: number;
  readonly cpu: number;
  readonly readersCpu: number;
  readonly orderP50: number;
  readonly orderP99: number;
  readonly failed: readonly Answered[];
  readonly delays: Delays;
}

/** The service under orders. */
class Stage {
  private readonly service: LoadedService;
  private readonly flow: OrderFlow;
  private readonly seconds: number;

  constructor(service: LoadedService, flow: OrderFlow, seconds: number) {
    this.service = service;
    this.flow = flow;
    this.seconds = seconds;
  }

  /** Measures a stretch of orders, of one time or `times` as long. `cpu`: the processor time that counts. */
  async measure(readers: Readers, times = 1, cpu = (): number => cpuOf(this.service.pid)): Promise<Stretch> {
    const { flow, service } = this;
    const look = async () => ({
      figures: await service.metrics(),
      cpu: cpu(),
      readersCpu: readers.cpu,
      ...(await readers.count()),
      at: performance.now(),
    });
    await flow.run(PER_SECOND, 1);
    flow.took.length = 0;
    flow.failed.length = 0;
    const before = await look();
    await flow.run(PER_SECOND, times * this.seconds);
    const after = await look();
    const took = (after.at - before.at) / 1_000;
    const frames = after.frames - before.frames;
    return {
      framesPerSecond: frames / took,
      bytesPerFrame: (after.bytes - before.bytes) / Math.max(1, frames),
      cpu: (after.cpu - before.cpu) / 1_000 / took,
      readersCpu: (after.readersCpu - before.readersCpu) / 1_000 / took,
      orderP50: quantile(flow.took, 0.5),
      orderP99: quantile(flow.took, 0.99),
      failed: flow.failed.slice(),
      delays: new Delays(before.figures, after.figures),
    };
  }
}

/** The stretches of all rounds. */
interface Course {
  /** Two of each round, before and after `ours`. */
  readonly alone: Stretch[];
  readonly ours: Stretch[];
  /** Beside a bare server that sends the same bytes with the fewest writes, and beside one that sends text by text. */
  readonly joined: Stretch[];
  readonly each: Stretch[];
}

/** One crowd of sockets, open all the time, beside a bare server with as many. Each follows instruments in its turn. */
class Contest {
  readonly course: Course = { alone: [], ours: [], joined: [], each: [] };
  private readonly crowd: Crowd;
  private readonly readers = new Readers();
  private readonly bare: Bare;

  private constructor(crowd: Crowd, bare: Bare) {
    this.crowd = crowd;
    this.bare = bare;
  }

  static async open(service: LoadedService, crowd: Crowd): Promise<Contest> {
    const contest = new Contest(crowd, await Bare.open(crowd.sockets.length));
    await contest.readers.open(service.port, crowd.sockets);
    await contest.warmUp();
    return contest;
  }

  async round(stage: Stage): Promise<void> {
    const { course, crowd, readers, bare } = this;
    course.alone.push(await stage.measure(readers));
    await readers.say(crowd.subscribe);
    await sleep(SETTLE_MS);
    const ours = await stage.measure(readers, 2);
    course.ours.push(ours);
    await readers.say(crowd.unsubscribe);
    course.alone.push(await stage.measure(readers));
    const texts = Math.round(ours.framesPerSecond / crowd.sockets.length);
    for (const way of ['joined', 'each'] as const) {
      bare.send({ way, texts, bytes: Math.round(ours.bytesPerFrame) });
      course[way].push(await stage.measure(bare.readers, 1, () => bare.cpu));
    }
    bare.send(NOTHING);
  }

  async close(): Promise<void> {
    await this.readers.close();
    await this.bare.close();
  }

  /** Waits until as many frames come in a second as will. */
  private async warmUp(): Promise<void> {
    const { crowd, readers } = this;
    await readers.say(crowd.subscribe);
    const end = performance.now() + MOST_WARM_UP_MS;
    for (let last = 0; performance.now() < end; ) {
      const before = (await readers.count()).frames;
      await sleep(LOOK_MS);
      const now = (await readers.count()).frames - before;
      if (now >= 0.8 * crowd.frames * (LOOK_MS / 1_000) && now <= 1.2 * last) break;
      last = now;
    }
    await readers.say(crowd.unsubscribe);
  }
}

const p50 = ({ orderP50 }: Stretch): number => orderP50;
const cpuOfStretch = (stretch: Stretch): number => stretch.cpu;

/** The mean of each two values. */
function inPairs(values: readonly number[]): number[] {
  return values.flatMap((value, place) => (place % 2 === 1 ? [((values[place - 1] as number) + value) / 2] : []));
}

function differences(values: readonly number[], others: readonly number[]): number[] {
  return values.map((value, place) => value - (others[place] as number));
}

function print(name: string, { alone, ours, joined, each }: Course): void {
  const line = (stretches: readonly Stretch[]) => {
    const of = (figure: (stretch: Stretch) => number) => median(stretches.map(figure)).toFixed(2);
    const delays = Delays.of(stretches.map((stretch) => stretch.delays));
    return {
      'frames/s': of(({ framesPerSecond }) => framesPerSecond),
      bytes: of(({ bytesPerFrame }) => bytesPerFrame),
      'cpu ms/s': of(cpuOfStretch),
      'readers ms/s': of(({ readersCpu }) => readersCpu),
      p50: of(p50),
      'p50 of': spreadOf(stretches.map(p50)),
      p99: of(({ orderP99 }) => orderP99),
      'delay p50': delays.quantile(0.5).toFixed(2),
      'delay p99': delays.quantile(0.99).toFixed(2),
      'delay p99 of': spreadOf(stretches.map((stretch) => stretch.delays.quantile(0.99))),
      failed: stretches.reduce((sum, { failed }) => sum + failed.length, 0),
    };
  };
  const [failed] = [...alone, ...ours, ...joined, ...each].flatMap((stretch) => stretch.failed);
  if (failed !== undefined) console.log('a placement that failed:', failed);
  console.log(name);
  console.table({ alone: line(alone), ours: line(ours), 'bare, joined': line(joined), 'bare, each': line(each) });
}

function rowsOf(name: string, { alone, ours, joined, each }: Course): BenchRow[] {
  const aloneP50 = inPairs(alone.map(p50));
  const own = differences(ours.map(cpuOfStretch), inPairs(alone.map(cpuOfStretch)));
  const bare = each.map(cpuOfStretch);
  const ofBare = ratios(own, bare);
  const ofAlone = ratios(ours.map(p50), aloneP50);
  const ofJoined = ratios(ours.map(p50), joined.map(p50));
  const joinedOfAlone = ratios(joined.map(p50), aloneP50);
  const delay = (stretches: readonly Stretch[]): number => {
    return Delays.of(stretches.map(({ delays }) => delays)).quantile(0.99);
  };
  const frames = median(ours.map(({ framesPerSecond }) => framesPerSecond));
  const bytes = median(ours.map(({ bytesPerFrame }) => bytesPerFrame));
  return [
    {
      id: 'B14',
      what: `${name}: ${frames.toFixed(0)} frames a second of ${bytes.toFixed(0)} bytes`,
      ours: `${median(own).toFixed(0)} ms of a second`,
      reference: `bare ws: ${median(bare).toFixed(0)} ms`,
      ratio: median(ofBare).toFixed(2),
      spread: spreadOf(ofBare),
      goal: 'reported',
      reached: true,
    },
    {
      id: 'B14',
      what: 'the same: orders p50, beside orders alone',
      ours: `${median(ours.map(p50)).toFixed(2)} ms`,
      reference: `alone: ${median(alone.map(p50)).toFixed(2)} ms; beside a bare sender: ${median(joined.map(p50)).toFixed(2)} ms`,
      ratio: `${median(ofAlone).toFixed(2)} (of the bare sender ${median(ofJoined).toFixed(2)})`,
      spread: `${spreadOf(ofAlone)}; bare of alone ${spreadOf(joinedOfAlone)}`,
      goal: `at most ${MOST_SLOWER} of alone`,
      reached: median(ofAlone) <= MOST_SLOWER,
    },
    {
      id: 'B14',
      what: 'the same: durable to written, p99',
      ours: `${delay(ours).toFixed(1)} ms`,
      reference: `orders alone: ${delay(alone).toFixed(1)} ms`,
      ratio: 'none',
      spread: spreadOf(
        ours.map(({ delays }) => delays.quantile(0.99)),
        1,
      ),
      goal: `at most ${MOST_DELAY_MS} ms`,
      reached: delay(ours) <= MOST_DELAY_MS,
    },
  ];
}

export async function socketRows(rounds = 7, seconds = 3, isFree = false): Promise<BenchRow[]> {
  const service = await LoadedService.start(isFree ? undefined : leaveACore());
  const orderReaders = new Readers();
  const contests = new Map<string, Contest>();
  try {
    const users = await service.register(Math.max(TRADERS, Math.ceil(SOCKETS / SOCKETS_OF_A_USER)));
    const sessions: Session[] = [];
    for (const user of users) sessions.push(await logIn(service.port, user));
    const traders = sessions.slice(0, TRADERS);
    await orderReaders.open(
      service.port,
      traders.map((session) => ({ path: v2Path(session), texts: [] })),
    );
    const first = must(sessions[0], 'there are users');
    const many = await manySockets(service.port, sessions, SOCKETS);
    contests.set('1,000 sockets with 50 instruments', await Contest.open(service, many));
    const one = await oneSocket(service.port, must(sessions.at(-1), 'there are users'), INSTRUMENTS);
    contests.set('one socket with 5,000 instruments', await Contest.open(service, one));
    const flow = await OrderFlow.open(service.port, traders, await restingPrice(service.port, first));
    const stage = new Stage(service, flow, seconds);
    await stage.measure(orderReaders);
    for (let round = 0; round < rounds; round += 1) {
      for (const contest of contests.values()) await contest.round(stage);
    }
    flow.end();
    for (const [name, { course }] of contests) print(name, course);
    return [...contests].flatMap(([name, { course }]) => rowsOf(name, course));
  } finally {
    await orderReaders.close();
    for (const contest of contests.values()) await contest.close();
    service.stop();
  }
}

if (import.meta.main) {
  const [rounds, seconds, free] = process.argv.slice(2);
  console.table(await socketRows(Number(rounds ?? 7), Number(seconds ?? 3), free === 'free'));
  process.exit();
}
