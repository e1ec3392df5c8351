import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateSync } from 'otplib';
import { openLoopRows } from './open-loop.ts';
import { cpuOf } from './process/process-figures.ts';
import { type BenchRow, median, ratios, spreadOf } from './rows.ts';

/*
 * B4 to B7: the started service under 64 connections without pipelining, beside bare node:http servers. Server and load
 * run in processes of their own, pinned to one core each. The same file is all of the processes; its first argument
 * says which.
 */

const ROOT = join(import.meta.dirname, '..');
const SERVER_CORE = '0';
const LOAD_CORE = '1';
const CONNECTIONS = 64;
const SECONDS = 2;
const ROUNDS = 5;
const POSITIONS = 50;
/** Enough for all orders of all rounds: one that is refused for want of money is not what is measured. */
const RUPEES = '100000000';

interface Target {
  readonly port: number;
  readonly path: string;
  readonly body: string;
  /** The process that answers. */
  readonly pid: number;
}

/** Answers with its own request, parsed and written again: the least that the wire can cost. */
function serveEcho(): void {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      const body = JSON.stringify(JSON.parse(text));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      response.end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(`PORT ${(server.address() as AddressInfo).port}`));
}

/** Answers every request with as many bytes as asked, from one buffer. */
function serveBytes(size: number): void {
  const body = Buffer.alloc(size, 'x');
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(`PORT ${(server.address() as AddressInfo).port}`));
}

/**
 * Keeps `CONNECTIONS` requests under way for `SECONDS` after a short start; prints answers a second, all answers, and
 * how many were no success.
 */
function load({ port, path, body }: Target): void {
  const request = Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  let answers = 0;
  let all = 0;
  let failures = 0;
  const dial = () => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.setNoDelay(true);
    let pending = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      pending += chunk;
      const headEnd = pending.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const length = /content-length: (\d+)/i.exec(pending.slice(0, headEnd))?.[1];
      if (pending.length < headEnd + 4 + Number(length)) return;
      answers += 1;
      all += 1;
      if (!pending.startsWith('HTTP/1.1 200')) failures += 1;
      pending = '';
      socket.write(request);
    });
  };
  for (let i = 0; i < CONNECTIONS; i += 1) dial();
  setTimeout(() => {
    answers = 0;
    const start = process.hrtime.bigint();
    setTimeout(() => {
      const seconds = Number(process.hrtime.bigint() - start) / 1e9;
      console.log(JSON.stringify({ perSecond: answers / seconds, all, failures }));
      process.exit(0);
    }, SECONDS * 1000);
  }, 500);
}

/** Starts this file in a role on the server's core; resolves with its port. */
async function startRole(...role: string[]): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn('taskset', ['-c', SERVER_CORE, process.execPath, import.meta.filename, ...role], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, port: Number(await firstMatch(child, /PORT (\d+)/)) };
}

function firstMatch(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = pattern.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it was ready:\n${text}`)));
  });
}

interface Measured {
  readonly perSecond: number;
  /** The processor time of one answer, all threads of its server together. In microseconds. */
  readonly cpu: number;
}

/** One target, measured from the load's core. */
function measure(target: Target): Measured {
  const args = ['-c', LOAD_CORE, process.execPath, import.meta.filename, 'load', JSON.stringify(target)];
  const before = cpuOf(target.pid);
  const { perSecond, all, failures } = JSON.parse(execFileSync('taskset', args).toString());
  if (failures > 0) throw new Error(`${failures} answers of ${target.path} were no success`);
  return { perSecond, cpu: (cpuOf(target.pid) - before) / all };
}

/** The service as `npm start` runs it, on the server's core, with a new data folder. */
class Service {
  readonly port: number;
  readonly pid: number;
  private readonly child: ChildProcess;
  private readonly folder: string;

  private constructor(port: number, child: ChildProcess, folder: string) {
    this.port = port;
    this.pid = pidOf(child);
    this.child = child;
    this.folder = folder;
  }

  static async start(): Promise<Service> {
    const folder = mkdtempSync(join(tmpdir(), 'sauda-bench-'));
    const port = 20_000 + Math.floor(Math.random() * 20_000);
    const env = { ...process.env, SAUDA_PORT: String(port), SAUDA_OPERATOR_PORT: String(port + 1), SAUDA_DATA: folder };
    const child = spawn('taskset', ['-c', SERVER_CORE, process.execPath, join(ROOT, 'bin/sauda.mjs'), 'start'], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const service = new Service(port, child, folder);
    await service.ready();
    return service;
  }

  private async ready(): Promise<void> {
    for (let tries = 0; tries < 300; tries += 1) {
      const answer = await fetch(`http://127.0.0.1:${this.port}/readyz`).catch(() => undefined);
      if (answer?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('the service did not become ready');
  }

  async post(path: string, body: object): Promise<{ data: unknown; text: string }> {
    const answer = await fetch(`http://127.0.0.1:${this.port}/V1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${text}`);
    return { data: JSON.parse(text).data, text };
  }

  /** The output of a command line of the operator. */
  private operate(...words: readonly string[]): string {
    const env = { ...process.env, SAUDA_DATA: this.folder, SAUDA_OPERATOR_PORT: String(this.port + 1) };
    return execFileSync(process.execPath, [join(ROOT, 'bin/sauda.mjs'), ...words], { env }).toString();
  }

  /** Logs the first demo user in, with money enough. */
  async logIn(): Promise<{ userId: string; jKey: string }> {
    const [user] = JSON.parse(this.operate('demo', 'credentials', '--json'));
    this.operate('user', 'deposit', user.userId, RUPEES);
    const { data } = await this.post('/login', {
      userId: user.userId,
      password: createHash('sha256').update(user.password).digest('hex'),
      TOTP: user.totpSecret === undefined ? '' : oneTimeCode(user.totpSecret),
      vendorCode: user.vendorCode,
      apiKey: user.apiKey,
    });
    return { userId: user.userId, jKey: (data as { susertoken: string }).susertoken };
  }

  stop(): void {
    this.child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The one-time code of this moment. */
function oneTimeCode(secret: string): string {
  return generateSync({ secret });
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('a process did not start');
  return pid;
}

interface Figure {
  readonly id: string;
  readonly what: string;
  readonly goal: number;
  readonly target: Target;
  readonly reference: Target;
}

function rowOf({ id, what, goal, target, reference }: Figure): BenchRow {
  const ours: Measured[] = [];
  const theirs: Measured[] = [];
  // Once for nothing: what is compiled in the first seconds is compiled on the server's core.
  measure(reference);
  measure(target);
  for (let round = 0; round < ROUNDS; round += 1) {
    theirs.push(measure(reference));
    ours.push(measure(target));
  }
  const all = ratios(ours.map(rateOf), theirs.map(rateOf));
  return {
    id,
    what,
    ours: textOf(ours),
    reference: textOf(theirs),
    ratio: median(all).toFixed(2),
    spread: spreadOf(all),
    goal: `at least ${goal}`,
    reached: median(all) >= goal,
  };
}

function rateOf({ perSecond }: Measured): number {
  return perSecond;
}

function textOf(rounds: readonly Measured[]): string {
  return `${(median(rounds.map(rateOf)) / 1000).toFixed(1)} k/s, ${median(rounds.map(({ cpu }) => cpu)).toFixed(1)} µs of CPU`;
}

const ORDER = {
  exchange: 'NSE',
  retention: 'DAY',
  product: 'I',
  priceType: 'LMT',
  tradingSymbol: 'IDEA-EQ',
  transactionType: 'B',
  triggerPrice: '0',
  quantity: '1',
  remarks: 'bench',
};

const TEN = ['RELIANCE', 'TCS', 'INFY', 'HDFCBANK', 'ICICIBANK', 'SBIN', 'ITC', 'AXISBANK', 'LT', 'MARUTI'];

/** Positions in that many instruments, one share each. */
async function openPositions(service: Service, user: object, count: number): Promise<void> {
  const file = await fetch(`http://127.0.0.1:${service.port}/V1/symbols/NFO`).then((answer) => answer.text());
  const underlyings = [
    ...new Set(
      file
        .split('\n')
        .slice(1)
        .map((line) => line.split(',')[3] ?? ''),
    ),
  ];
  let opened = 0;
  for (const symbol of underlyings) {
    if (opened === count) return;
    const order = { ...ORDER, ...user, tradingSymbol: `${symbol}-EQ`, priceType: 'MKT', price: '0', quantity: '1' };
    opened += await service.post('/placeOrder', order).then(
      () => 1,
      () => 0,
    );
  }
}

/** The started service and its user, with the requests that are measured. */
interface Measuring {
  readonly service: Service;
  readonly user: object;
  readonly place: Target;
  readonly echoed: Target;
  readonly v1: (path: string, body: object) => Target;
}

/** B4 to B7 of the started service. */
export function wireRows(): Promise<BenchRow[]> {
  return withService(async (measuring) => [...(await readRows(measuring)), ...placementRows(measuring)]);
}

/** B4 and B5 alone. */
export function orderRows(): Promise<BenchRow[]> {
  return withService((measuring) => Promise.resolve(placementRows(measuring)));
}

async function withService(measured: (measuring: Measuring) => Promise<BenchRow[]>): Promise<BenchRow[]> {
  if (!existsSync(join(ROOT, 'src/main.ts'))) throw new Error('there is no service to measure');
  const service = await Service.start();
  const echo = await startRole('echo');
  try {
    const user = await service.logIn();
    const { port, pid } = service;
    const v1 = (path: string, body: object): Target => ({
      port,
      pid,
      path: `/V1${path}`,
      body: JSON.stringify({ ...user, ...body }),
    });
    const low = await lowPrice(service, user);
    const place = v1('/placeOrder', { ...ORDER, price: low });
    const echoed = { port: echo.port, pid: pidOf(echo.child), path: '/', body: place.body };
    const rows = await measured({ service, user, place, echoed, v1 });
    await expectToRest(service, user, low);
    return rows;
  } finally {
    service.stop();
    echo.child.kill('SIGKILL');
  }
}

async function readRows({ service, user, echoed, v1 }: Measuring): Promise<BenchRow[]> {
  const quotes = { data: TEN.map((symbol) => ({ exchange: 'NSE', tradingSymbol: `${symbol}-EQ` })) };
  const ltp = v1('/getQuote/ltp', { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ' });
  const ten = v1('/getMultiQuotes', quotes);
  return [
    rowOf({ id: 'B6', what: 'getQuote/ltp, 64 connections', goal: 0.75, target: ltp, reference: echoed }),
    rowOf({ id: 'B6', what: 'getMultiQuotes of 10', goal: 0.5, target: ten, reference: echoed }),
    await positionRow(service, user, v1('/positionBook', {})),
  ];
}

function placementRows({ place, echoed }: Measuring): BenchRow[] {
  const what = 'durable placeOrder, 64 connections';
  const closed = rowOf({ id: 'B4', what, goal: 0.85, target: place, reference: echoed });
  const { perSecond: ceiling } = measure(place);
  return [closed, ...openLoopRows({ ...place, perSecond: ceiling / 10 }, LOAD_CORE)];
}

/** A price that rests: as low as the day's band lets it, so that the books grow and nothing trades. */
async function lowPrice(service: Service, user: object): Promise<string> {
  const { data } = await service.post('/getQuote', { ...user, exchange: 'NSE', tradingSymbol: ORDER.tradingSymbol });
  const close = Number((data as { dayClosePrice: string }).dayClosePrice);
  return (Math.ceil(close * 0.92 * 20) / 20).toFixed(2);
}

/**
 * Throws unless one more order of the kind rests: then all before it did, since each left less money and no more room.
 */
async function expectToRest(service: Service, user: object, price: string): Promise<void> {
  // The rounds block this process: a turn of its loop, in which it hears that its idle connections were closed.
  await sleep(10);
  const placed = await service.post('/placeOrder', { ...ORDER, ...user, price });
  const { orderNumber } = placed.data as { orderNumber: string };
  const { data } = await service.post('/singleOrderHistory', { ...user, orderNumber });
  const statuses = (data as { status: string }[]).map(({ status }) => status);
  if (!statuses.includes('OPEN')) throw new Error(`the orders that were measured do not rest: ${statuses}`);
}

async function positionRow(service: Service, user: object, target: Target): Promise<BenchRow> {
  await openPositions(service, user, POSITIONS);
  const { data, text } = await service.post('/positionBook', user);
  const count = (data as unknown[]).length;
  const bytes = await startRole('bytes', String(Buffer.byteLength(text)));
  try {
    const reference = { port: bytes.port, pid: pidOf(bytes.child), path: '/', body: target.body };
    return rowOf({ id: 'B7', what: `positionBook with ${count} rows`, goal: 0.5, target, reference });
  } finally {
    bytes.child.kill('SIGKILL');
  }
}

if (process.argv[1] === import.meta.filename) {
  const [, , role, argument = ''] = process.argv;
  if (role === 'echo') serveEcho();
  else if (role === 'bytes') serveBytes(Number(argument));
  else if (role === 'load') load(JSON.parse(argument));
  else console.log(JSON.stringify(await wireRows(), undefined, 2));
}
