/**
 * The clients of `bench/tails.ts`, a process of their own: placements that are sent when they are due, whatever the
 * answers do. It also samples for how long the main thread of the service has waited for a processor. Its one argument
 * is a `Wish` as JSON; it prints a `LoadReport`.
 */

import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { Random } from '../../src/base/random.ts';
import { type LoadReport, machineMs, type SentPlacement, type WaitSample } from './steps.ts';

/** The placements to send, and the process that they are sent to. */
export interface Wish {
  readonly port: number;
  readonly pid: number;
  readonly perSecond: number;
  readonly seconds: number;
  /** The fields of a placement but its remarks. */
  readonly order: object;
}

const CONNECTIONS = 64;
/** For the connections to be made. */
const DIALLING_MS = 500;
/** Before the count begins, this many placements are under way at a time, for this time. */
const WARM_UP_AT_ONCE = 8;
const WARM_UP_MS = 5_000;
/** For the answers of the last placements. */
const LAST_ANSWERS_MS = 1_000;
const SAMPLE_MS = 1;

interface Line {
  readonly socket: Socket;
  id: number;
  due: number;
  sent: number;
}

function requestOf(order: object, id: number): string {
  const body = JSON.stringify({ ...order, remarks: `tail${id}` });
  const head = 'POST /V1/placeOrder HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** The wait of the main thread as Linux counts it; `undefined` where it is not counted. */
function waitOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return undefined;
  }
}

function run({ port, pid, perSecond, seconds, order }: Wish): void {
  const random = new Random(5);
  const free: Line[] = [];
  const placements: SentPlacement[] = [];
  const waits: WaitSample[] = [];
  const warm = machineMs() + WARM_UP_MS;
  let counted = Number.POSITIVE_INFINITY;
  let end = Number.POSITIVE_INFINITY;
  let nextAt = 0;
  let nextSample = 0;
  let count = 0;
  for (let index = 0; index < CONNECTIONS; index += 1) {
    const socket = connect(port, '127.0.0.1').setNoDelay(true);
    const line: Line = { socket, id: 0, due: 0, sent: 0 };
    socket.once('connect', () => free.push(line));
    socket.on('data', (bytes: Buffer) => {
      if (!bytes.includes('"orderNumber"')) throw new Error(bytes.toString());
      const { id, due, sent } = line;
      if (due >= counted) placements.push({ id, due, sent, received: machineMs() });
      free.push(line);
    });
  }
  const send = (due: number): void => {
    const line = free.shift() as Line;
    count += 1;
    line.id = count;
    line.due = due;
    line.sent = machineMs();
    line.socket.write(requestOf(order, count));
  };
  const sample = (now: number): void => {
    if (now < nextSample) return;
    nextSample = now + SAMPLE_MS;
    const waited = waitOf(pid);
    if (waited !== undefined) waits.push([now, waited]);
  };
  const turn = (): void => {
    const now = machineMs();
    if (now < warm) {
      while (CONNECTIONS - free.length < WARM_UP_AT_ONCE) send(now);
    } else if (counted === Number.POSITIVE_INFINITY && free.length === CONNECTIONS) {
      counted = now;
      nextAt = now;
      end = now + seconds * 1_000;
    }
    while (nextAt <= now && nextAt < end && now >= counted && free.length > 0) {
      send(nextAt);
      nextAt += (-Math.log(1 - random.below(1_000_000) / 1_000_000) * 1_000) / perSecond;
    }
    sample(now);
    if (now < end + LAST_ANSWERS_MS) setImmediate(turn);
    else finish({ placements, waits });
  };
  setTimeout(turn, DIALLING_MS);
}

function finish(report: LoadReport): void {
  process.stdout.write(JSON.stringify(report), () => process.exit(0));
}

run(JSON.parse(process.argv[2] ?? ''));
