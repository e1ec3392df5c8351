import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { must } from '../src/base/assert.ts';
import { LoadedService } from './load/service.ts';
import type { BenchRow } from './rows.ts';
import { OrderFlow, restingPrice } from './sockets/order-flow.ts';
import { logIn, type Session, sharesOf } from './sockets/sessions.ts';

/*
 * B14: sockets beside orders. Orders come at a rate alone, then beside many sockets with 50 instruments each, then
 * beside one socket with thousands of instruments. Beside it a bare server of `ws` sends as many texts of the same
 * length. Frames are counted in this process; the processor time is that of the servers.
 *
 *     node bench/sockets.ts [sockets] [instruments of the one socket] [orders a second] [seconds]
 */

const SOCKETS_OF_A_USER = 20;
const INSTRUMENTS_EACH = 50;
const SHARES_OF_MANY = 1_000;
/** For the first looks of the day at the instruments, which make their tapes. */
const MOST_WARM_UP_MS = 120_000;
const TICKS_A_SECOND = 100;
const QUIET_MS = 2_000;

interface Counted {
  frames: number;
  bytes: number;
}

/** The processor time that a process has used, in milliseconds. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_A_SECOND;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function openCounted(address: string, counted: Counted): Promise<WebSocket> {
  const socket = new WebSocket(address, { perMessageDeflate: false });
  socket.on('message', (data: Buffer) => {
    counted.frames += 1;
    counted.bytes += data.length;
  });
  await once(socket, 'open');
  return socket;
}

/** Sockets of our own stream with 50 shares each. */
async function openMany(port: number, sessions: readonly Session[], sockets: number, counted: Counted) {
  const shares = (await sharesOf(port, 'NSE')).slice(0, SHARES_OF_MANY);
  const opened: WebSocket[] = [];
  for (let index = 0; index < sockets; index += 1) {
    const socket = await openCounted(`ws://127.0.0.1:${port}/stream`, counted);
    const login = must(sessions[Math.floor(index / SOCKETS_OF_A_USER) % sessions.length], 'there are users');
    const instruments = Array.from({ length: INSTRUMENTS_EACH }, (_, nth) => {
      return shares[(index * 7 + nth * 13) % shares.length]?.name;
    });
    socket.send(JSON.stringify({ login }));
    socket.send(JSON.stringify({ subscribe: 'ticks', instruments: [...new Set(instruments)] }));
    opened.push(socket);
  }
  return opened;
}

/** One V2 socket with as many instruments as are wanted. */
async function openOne(port: number, { userId, jKey }: Session, instruments: number, counted: Counted) {
  const shares = [...(await sharesOf(port, 'NSE')), ...(await sharesOf(port, 'BSE'))].slice(0, instruments);
  const socket = await openCounted(`ws://127.0.0.1:${port}/V2/ws?userId=${userId}&jKey=${jKey}`, counted);
  socket.send(JSON.stringify({ action: 'subscribe', tokens: shares.map(({ token }) => token).join('|') }));
  return [socket];
}

/** The arrivals of the frames of new orders on a V2 socket of each of some users, by order number. */
async function openOrderReaders(port: number, sessions: readonly Session[], arrived: Map<string, number>) {
  return Promise.all(
    sessions.map(async ({ userId, jKey }) => {
      const socket = await openCounted(`ws://127.0.0.1:${port}/V2/ws?userId=${userId}&jKey=${jKey}`, {
        frames: 0,
        bytes: 0,
      });
      socket.on('message', (data: Buffer) => {
        const text = data.toString('latin1');
        if (!text.includes('"reporttype":"New"')) return;
        const number = /"norenordno":"(\d+)"/.exec(text)?.[1];
        if (number !== undefined) arrived.set(number, performance.now());
      });
      return socket;
    }),
  );
}

interface Phase {
  readonly name: string;
  readonly framesPerSecond: number;
  readonly bytesPerFrame: number;
  /** Of a second, in milliseconds. */
  readonly cpu: number;
  readonly orderP50: number;
  readonly orderP99: number;
  readonly behindP50: number;
  readonly behindP99: number;
  readonly failed: number;
}

interface Load {
  readonly service: LoadedService;
  readonly sessions: readonly Session[];
  readonly perSecond: number;
  readonly seconds: number;
  readonly price: string;
  readonly arrived: Map<string, number>;
}

async function measure(name: string, load: Load, counted: Counted): Promise<Phase> {
  const { service, sessions, perSecond, seconds, arrived } = load;
  const flow = new OrderFlow(service.port, sessions, load.price);
  await sleep(200);
  await flow.run(perSecond, 1);
  flow.took.length = 0;
  const before = { cpu: cpuOf(service.pid), ...counted, at: performance.now() };
  await flow.run(perSecond, seconds);
  const took = (performance.now() - before.at) / 1_000;
  const frames = counted.frames - before.frames;
  const cpu = (cpuOf(service.pid) - before.cpu) / took;
  await sleep(200);
  const behind = [...flow.answeredAt].map(([number, at]) => (arrived.get(number) ?? Number.POSITIVE_INFINITY) - at);
  flow.end();
  return {
    name,
    framesPerSecond: frames / took,
    bytesPerFrame: (counted.bytes - before.bytes) / Math.max(1, frames),
    cpu,
    orderP50: quantile(flow.took, 0.5),
    orderP99: quantile(flow.took, 0.99),
    behindP50: quantile(behind, 0.5),
    behindP99: quantile(behind, 0.99),
    failed: flow.failed,
  };
}

/** Waits until as many frames come in a second as will. */
async function warmUp(counted: Counted, wanted: number): Promise<void> {
  const end = performance.now() + MOST_WARM_UP_MS;
  for (let last = 0; performance.now() < end; ) {
    const before = counted.frames;
    await sleep(QUIET_MS);
    const now = counted.frames - before;
    if (now >= 0.8 * wanted * (QUIET_MS / 1_000) && now <= 1.2 * last) return;
    last = now;
  }
}

async function closeAll(sockets: readonly WebSocket[]): Promise<void> {
  for (const socket of sockets) socket.terminate();
  await sleep(500);
}

/** The processor time of a bare server of `ws` for as many texts, in milliseconds of a second. */
async function bare(sockets: number, texts: number, bytes: number, seconds: number): Promise<number> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'sockets/bare-sender.ts'), String(texts), String(Math.round(bytes))],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const counted: Counted = { frames: 0, bytes: 0 };
    const opened: WebSocket[] = [];
    for (let index = 0; index < sockets; index += 1) {
      opened.push(await openCounted(`ws://127.0.0.1:${String(line).trim()}`, counted));
    }
    await sleep(QUIET_MS);
    const [cpu, at] = [cpuOf(child.pid ?? 0), performance.now()];
    await sleep(seconds * 1_000);
    const used = (cpuOf(child.pid ?? 0) - cpu) / ((performance.now() - at) / 1_000);
    await closeAll(opened);
    return used;
  } finally {
    child.kill('SIGKILL');
  }
}

function row(phase: Phase, alone: Phase, reference: number): BenchRow {
  const own = phase.cpu - alone.cpu;
  const slower = phase.orderP50 / alone.orderP50;
  return {
    id: 'B14',
    what: `${phase.name}: ${phase.framesPerSecond.toFixed(0)} frames a second of ${phase.bytesPerFrame.toFixed(0)} bytes`,
    ours: `${own.toFixed(0)} ms of a second; orders p50 ${phase.orderP50.toFixed(2)}, p99 ${phase.orderP99.toFixed(2)} ms`,
    reference: `${reference.toFixed(0)} ms of a second by bare ws`,
    ratio: (own / reference).toFixed(2),
    spread: `orders ${slower.toFixed(2)} of alone, ${phase.failed} failed; frame behind its reply p50 ${phase.behindP50.toFixed(2)}, p99 ${phase.behindP99.toFixed(2)} ms`,
    goal: 'orders at most 1.1 of alone, frame p99 at most 5 ms',
    reached: slower <= 1.1 && phase.behindP99 <= 5,
  };
}

export async function socketRows(
  many = 1_000,
  instruments = 5_000,
  perSecond = 2_000,
  seconds = 8,
): Promise<BenchRow[]> {
  const service = await LoadedService.start();
  try {
    const users = await service.register(Math.max(8, Math.ceil(many / SOCKETS_OF_A_USER)));
    const sessions: Session[] = [];
    for (const user of users) sessions.push(await logIn(service.port, user));
    const arrived = new Map<string, number>();
    const readers = await openOrderReaders(service.port, sessions.slice(0, 8), arrived);
    await sleep(1_000);
    const price = await restingPrice(service.port, must(sessions[0], 'there are users'));
    const load: Load = { service, sessions: sessions.slice(0, 8), perSecond, seconds, price, arrived };
    const alone = await measure('orders alone', load, { frames: 0, bytes: 0 });
    const ofMany: Counted = { frames: 0, bytes: 0 };
    const opened = await openMany(service.port, sessions, many, ofMany);
    await warmUp(ofMany, many * INSTRUMENTS_EACH);
    const beside = await measure(`${many} sockets with ${INSTRUMENTS_EACH} instruments`, load, ofMany);
    await closeAll(opened);
    const ofOne: Counted = { frames: 0, bytes: 0 };
    const one = await openOne(service.port, must(sessions.at(-1), 'there are users'), instruments, ofOne);
    await warmUp(ofOne, instruments);
    const besideOne = await measure(`one socket with ${instruments} instruments`, load, ofOne);
    await closeAll([...one, ...readers]);
    service.stop();
    console.table([alone, beside, besideOne]);
    const bareMany = await bare(many, beside.framesPerSecond / many, beside.bytesPerFrame, seconds);
    const bareOne = await bare(1, besideOne.framesPerSecond, besideOne.bytesPerFrame, seconds);
    return [row(beside, alone, bareMany), row(besideOne, alone, bareOne)];
  } finally {
    service.stop();
  }
}

if (import.meta.main) console.table(await socketRows(...process.argv.slice(2).map(Number)));
