/**
 * B14: sockets beside orders. Orders come at a rate alone, beside many sockets with 50 instruments each, alone again,
 * beside one socket with thousands of instruments, and alone once more: each run beside sockets is compared with the
 * runs before and after it, whose own difference is the noise. A process of its own reads the sockets. The delay of a
 * user's events is the histogram of the service. A bare server of `ws` sends as many texts of the same length.
 *
 *     node bench/sockets.ts [sockets] [instruments of the one socket] [orders a second] [seconds]
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../src/base/assert.ts';
import { LoadedService } from './load/service.ts';
import { cpuOf } from './process/process-figures.ts';
import type { BenchRow } from './rows.ts';
import { Delays } from './sockets/delays.ts';
import { OrderFlow, restingPrice } from './sockets/order-flow.ts';
import { Readers, type SocketWish } from './sockets/readers.ts';
import { logIn, type Session, sharesOf } from './sockets/sessions.ts';

const SOCKETS_OF_A_USER = 20;
const INSTRUMENTS_EACH = 50;
const SHARES_OF_MANY = 1_000;
const TRADERS = 8;
/** For the first looks of the day at the instruments, which make their tapes. */
const MOST_WARM_UP_MS = 120_000;
const QUIET_MS = 2_000;
/** The goal, as the service counts it. */
const MOST_DELAY_MS = 5;
const MOST_SLOWER = 1.1;

/** The processor time that a process has used, in milliseconds. */
function cpuMsOf(pid: number): number {
  return cpuOf(pid) / 1_000;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Sockets of our own stream with 50 shares each. */
async function manySockets(port: number, sessions: readonly Session[], sockets: number): Promise<SocketWish[]> {
  const shares = (await sharesOf(port, 'NSE')).slice(0, SHARES_OF_MANY);
  return Array.from({ length: sockets }, (_, index) => {
    const login = must(sessions[Math.floor(index / SOCKETS_OF_A_USER) % sessions.length], 'there are users');
    const instruments = Array.from({ length: INSTRUMENTS_EACH }, (_, nth) => {
      return shares[(index * 7 + nth * 13) % shares.length]?.name;
    });
    const subscription = { subscribe: 'ticks', instruments: [...new Set(instruments)] };
    return { path: '/stream', texts: [JSON.stringify({ login }), JSON.stringify(subscription)] };
  });
}

/** One V2 socket with as many instruments as are wanted. */
async function oneSocket(port: number, session: Session, instruments: number): Promise<SocketWish[]> {
  const shares = [...(await sharesOf(port, 'NSE')), ...(await sharesOf(port, 'BSE'))].slice(0, instruments);
  const tokens = shares.map(({ token }) => token).join('|');
  return [{ path: v2Path(session), texts: [JSON.stringify({ action: 'subscribe', tokens })] }];
}

function v2Path({ userId, jKey }: Session): string {
  return `/V2/ws?userId=${userId}&jKey=${jKey}`;
}

interface Phase {
  readonly name: string;
  readonly framesPerSecond: number;
  readonly bytesPerFrame: number;
  /** Looks that slow readers were not sent. */
  readonly conflated: number;
  /** Of a second, in milliseconds. */
  readonly cpu: number;
  readonly orderP50: number;
  readonly orderP99: number;
  /** Of the events of users, from durable to written, in milliseconds. */
  readonly delayP50: number;
  readonly delayP99: number;
  readonly failed: number;
}

interface Load {
  readonly service: LoadedService;
  readonly sessions: readonly Session[];
  readonly perSecond: number;
  readonly seconds: number;
  readonly price: string;
}

async function measure(name: string, load: Load, readers?: Readers): Promise<Phase> {
  const { service, sessions, perSecond, seconds } = load;
  const flow = new OrderFlow(service.port, sessions, load.price);
  await sleep(200);
  await flow.run(perSecond, 1);
  flow.took.length = 0;
  const look = async () => ({
    figures: await service.metrics(),
    cpu: cpuMsOf(service.pid),
    ...((await readers?.count()) ?? { frames: 0, bytes: 0 }),
    at: performance.now(),
  });
  const before = await look();
  await flow.run(perSecond, seconds);
  const after = await look();
  flow.end();
  const took = (after.at - before.at) / 1_000;
  const frames = after.frames - before.frames;
  const grown = (figure: string): number => (after.figures.get(figure) ?? 0) - (before.figures.get(figure) ?? 0);
  const delays = new Delays(before.figures, after.figures);
  return {
    name,
    framesPerSecond: frames / took,
    bytesPerFrame: (after.bytes - before.bytes) / Math.max(1, frames),
    conflated: grown('sauda_sockets_conflated_total'),
    cpu: (after.cpu - before.cpu) / took,
    orderP50: quantile(flow.took, 0.5),
    orderP99: quantile(flow.took, 0.99),
    delayP50: delays.quantile(0.5),
    delayP99: delays.quantile(0.99),
    failed: flow.failed,
  };
}

/** Waits until as many frames come in a second as will. */
async function warmUp(readers: Readers, wanted: number): Promise<void> {
  const end = performance.now() + MOST_WARM_UP_MS;
  for (let last = 0; performance.now() < end; ) {
    const before = (await readers.count()).frames;
    await sleep(QUIET_MS);
    const now = (await readers.count()).frames - before;
    if (now >= 0.8 * wanted * (QUIET_MS / 1_000) && now <= 1.2 * last) return;
    last = now;
  }
}

/** Measures orders beside sockets, which are opened for it. */
async function beside(name: string, load: Load, wishes: readonly SocketWish[], frames: number): Promise<Phase> {
  const readers = new Readers();
  try {
    await readers.open(load.service.port, wishes);
    await warmUp(readers, frames);
    return await measure(name, load, readers);
  } finally {
    await readers.close();
    await sleep(QUIET_MS);
  }
}

/** The processor time of a bare server of `ws` for as many texts, in milliseconds of a second. */
async function bare(sockets: number, texts: number, bytes: number, seconds: number): Promise<number> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'sockets/bare-sender.ts'), String(texts), String(Math.round(bytes))],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const readers = new Readers();
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const wishes = Array.from({ length: sockets }, () => ({ path: '/', texts: [] }));
    await readers.open(Number(String(line).trim()), wishes);
    await sleep(QUIET_MS);
    const [cpu, at] = [cpuMsOf(child.pid ?? 0), performance.now()];
    await sleep(seconds * 1_000);
    return (cpuMsOf(child.pid ?? 0) - cpu) / ((performance.now() - at) / 1_000);
  } finally {
    await readers.close();
    child.kill('SIGKILL');
  }
}

/** `alone`: the runs before and after. */
function row(phase: Phase, alone: readonly [Phase, Phase], reference: number): BenchRow {
  const [before, after] = alone;
  const own = phase.cpu - (before.cpu + after.cpu) / 2;
  const slower = phase.orderP50 / ((before.orderP50 + after.orderP50) / 2);
  const noise = after.orderP50 / before.orderP50;
  return {
    id: 'B14',
    what: `${phase.name}: ${phase.framesPerSecond.toFixed(0)} frames a second of ${phase.bytesPerFrame.toFixed(0)} bytes`,
    ours: `${own.toFixed(0)} ms of a second; orders p50 ${phase.orderP50.toFixed(2)}, p99 ${phase.orderP99.toFixed(2)} ms`,
    reference: `${reference.toFixed(0)} ms of a second by bare ws`,
    ratio: (own / reference).toFixed(2),
    spread:
      `orders ${slower.toFixed(2)} of alone, alone after ${noise.toFixed(2)} of alone before, ${phase.failed} failed; ` +
      `durable to written p50 ${phase.delayP50.toFixed(2)}, p99 ${phase.delayP99.toFixed(2)} ms`,
    goal: `orders at most ${MOST_SLOWER} of alone, durable to written p99 at most ${MOST_DELAY_MS} ms`,
    reached: slower <= MOST_SLOWER && phase.delayP99 <= MOST_DELAY_MS,
  };
}

export async function socketRows(
  many = 1_000,
  instruments = 5_000,
  perSecond = 2_000,
  seconds = 8,
): Promise<BenchRow[]> {
  const service = await LoadedService.start();
  const orderReaders = new Readers();
  try {
    const users = await service.register(Math.max(TRADERS, Math.ceil(many / SOCKETS_OF_A_USER)));
    const sessions: Session[] = [];
    for (const user of users) sessions.push(await logIn(service.port, user));
    const traders = sessions.slice(0, TRADERS);
    await orderReaders.open(
      service.port,
      traders.map((session) => ({ path: v2Path(session), texts: [] })),
    );
    await sleep(1_000);
    const price = await restingPrice(service.port, must(sessions[0], 'there are users'));
    const load: Load = { service, sessions: traders, perSecond, seconds, price };
    await measure('warm-up', load);
    const first = await measure('orders alone', load);
    const wishes = await manySockets(service.port, sessions, many);
    const manyName = `${many} sockets with ${INSTRUMENTS_EACH} instruments`;
    const besideMany = await beside(manyName, load, wishes, many * INSTRUMENTS_EACH);
    const second = await measure('orders alone', load);
    const wish = await oneSocket(service.port, must(sessions.at(-1), 'there are users'), instruments);
    const besideOne = await beside(`one socket with ${instruments} instruments`, load, wish, instruments);
    const third = await measure('orders alone', load);
    service.stop();
    console.table([first, besideMany, second, besideOne, third]);
    const bareMany = await bare(many, besideMany.framesPerSecond / many, besideMany.bytesPerFrame, seconds);
    const bareOne = await bare(1, besideOne.framesPerSecond, besideOne.bytesPerFrame, seconds);
    return [row(besideMany, [first, second], bareMany), row(besideOne, [second, third], bareOne)];
  } finally {
    await orderReaders.close();
    service.stop();
  }
}

if (import.meta.main) console.table(await socketRows(...process.argv.slice(2).map(Number)));
