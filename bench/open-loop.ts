import { execFileSync } from 'node:child_process';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../src/base/random.ts';
import { type BenchRow, median, ratios, spreadOf, timed } from './rows.ts';

/*
 * B5: how long a placement takes from the moment it was due, when requests come at random at a given rate, whatever the
 * answers do. Beside it one fdatasync of an append of as many bytes as a record has. The same file is the load; its
 * first argument says so.
 */

const CONNECTIONS = 64;
const SECONDS = 3;
const WARM_UP_SECONDS = 1;
const ROUNDS = 3;
const APPENDS = 200;
const RECORD_BYTES = 600;

/** Where requests go, how many a second, and what they say. */
export interface Paced {
  readonly port: number;
  readonly path: string;
  readonly body: string;
  readonly perSecond: number;
}

/** One connection of the load; it has one request under way at a time. */
interface Line {
  readonly socket: Socket;
  dueAt: number;
}

/**
 * Sends requests when they are due, each on a free connection, and prints the quantiles of the times to their answers
 * in milliseconds.
 */
function load({ port, path, body, perSecond }: Paced): void {
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  const request = Buffer.from(head + body);
  const random = new Random(5);
  const free: Line[] = [];
  const took: number[] = [];
  const begin = performance.now() + 200;
  const counted = begin + WARM_UP_SECONDS * 1000;
  const end = counted + SECONDS * 1000;
  let nextAt = begin;
  const answered = (line: Line): void => {
    if (line.dueAt >= counted) took.push(performance.now() - line.dueAt);
    free.push(line);
  };
  for (let count = 0; count < CONNECTIONS; count += 1) {
    const socket = connect(port, '127.0.0.1').setNoDelay(true);
    const line: Line = { socket, dueAt: 0 };
    socket.once('connect', () => free.push(line));
    socket.on('data', (chunk: Buffer) => {
      if (!chunk.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(chunk.toString());
      answered(line);
    });
  }
  const turn = (): void => {
    const now = performance.now();
    while (nextAt <= now && free.length > 0) {
      const line = free.shift() as Line;
      line.dueAt = nextAt;
      line.socket.write(request);
      nextAt += (-Math.log(1 - random.below(1_000_000) / 1_000_000) * 1000) / perSecond;
    }
    if (now < end) setImmediate(turn);
    else finish(took);
  };
  turn();
}

function finish(took: readonly number[]): void {
  const sorted = [...took].sort((a, b) => a - b);
  const quantile = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
  console.log(JSON.stringify({ p50: quantile(0.5), p99: quantile(0.99) }));
  process.exit(0);
}

/** Both quantiles of placements at `paced.perSecond`, the load on `core`. */
export function openLoopRows(paced: Paced, core: string): BenchRow[] {
  const p50: number[] = [];
  const p99: number[] = [];
  const appends: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    appends.push(medianAppend());
    const args = ['-c', core, process.execPath, import.meta.filename, 'load', JSON.stringify(paced)];
    const seen = JSON.parse(execFileSync('taskset', args).toString());
    p50.push(seen.p50);
    p99.push(seen.p99);
  }
  const rate = `at ${(paced.perSecond / 1000).toFixed(1)} k/s, open loop`;
  return [row(`placeOrder ${rate}, p50`, p50, appends, 3), row(`placeOrder ${rate}, p99`, p99, appends, 10)];
}

function row(what: string, ours: readonly number[], reference: readonly number[], most: number): BenchRow {
  const all = ratios(ours, reference);
  return {
    id: 'B5',
    what,
    ours: `${median(ours).toFixed(2)} ms`,
    reference: `${median(reference).toFixed(2)} ms, one fdatasync append of a record's bytes`,
    ratio: median(all).toFixed(2),
    spread: spreadOf(all),
    goal: `at most ${most} times`,
    reached: median(all) <= most,
  };
}

function medianAppend(): number {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-bench-append-'));
  const file = openSync(join(folder, 'append'), 'a');
  const bytes = Buffer.alloc(RECORD_BYTES, 'x');
  try {
    return median(
      Array.from({ length: APPENDS }, () =>
        timed(() => {
          writeSync(file, bytes);
          fdatasyncSync(file);
        }),
      ),
    );
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const [, , , paced = ''] = process.argv;
  load(JSON.parse(paced));
}
