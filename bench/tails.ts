/**
 * Where the slowest placements of an open loop spend their time. Placements come at random at a given rate. Each of the
 * slowest hundredth is explained by the instants that the traced service noted: what it waited for, and the other work
 * of the service meanwhile.
 *
 *     npm run tails [orders a second] [seconds] [options of Node for the service, such as --max-semi-space-size=16]
 */

import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { must } from '../src/base/assert.ts';
import { lowerBound } from '../src/base/lower-bound.ts';
import { LoadedService } from './load/service.ts';
import { restingPrice } from './sockets/order-flow.ts';
import { logIn } from './sockets/sessions.ts';
import { type Explained, explain, heldMs, PARTS } from './tails/causes.ts';
import type { Wish } from './tails/load.ts';
import { type LoadReport, type Trace, WORK } from './tails/steps.ts';

const SLOW_SHARE = 0.01;
const SHOWN = 12;
const MOST_OUTPUT = 1 << 28;
const TRACE_TRIES = 200;

async function measured(
  perSecond: number,
  seconds: number,
  options: readonly string[],
): Promise<{ report: LoadReport; trace: Trace }> {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-tails-'));
  const file = join(folder, 'trace.json');
  const preload = join(import.meta.dirname, 'tails/preload.ts');
  const service = await LoadedService.start(undefined, ['--import', preload, ...options], { TAILS_TRACE: file });
  try {
    const [user] = await service.register(1);
    const session = await logIn(service.port, must(user, 'a user was registered'));
    const order = { ...session, ...ORDER, price: await restingPrice(service.port, session) };
    const wish: Wish = { port: service.port, pid: service.pid, perSecond, seconds, order };
    const load = [join(import.meta.dirname, 'tails/load.ts'), JSON.stringify(wish)];
    const { stdout } = await promisify(execFile)(process.execPath, load, { maxBuffer: MOST_OUTPUT });
    process.kill(service.pid, 'SIGUSR2');
    return { report: JSON.parse(stdout), trace: await traceOf(file) };
  } finally {
    service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file is whole when it can be read as JSON. */
async function traceOf(file: string): Promise<Trace> {
  for (let tries = 0; tries < TRACE_TRIES; tries += 1) {
    await sleep(100);
    if (!existsSync(file)) continue;
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch {}
  }
  throw new Error('the service wrote no trace');
}

const ORDER = {
  exchange: 'NSE',
  tradingSymbol: 'ITC-EQ',
  product: 'C',
  transactionType: 'B',
  priceType: 'LMT',
  retention: 'DAY',
  quantity: '1',
  triggerPrice: '0',
};

/** All placements, the quickest first. */
function explained({ placements, waits }: LoadReport, trace: Trace): Explained[] {
  const served = new Map(trace.placements.map((one) => [one.id, one]));
  const work = [...trace.work].sort((one, other) => one.from - other.from);
  const longest = Math.max(0, ...work.map(({ from, to }) => to - from));
  return placements
    .map((sent) => {
      const from = lowerBound(0, work.length, (place) => must(work[place], 'a stretch').from < sent.due - longest);
      const until = lowerBound(from, work.length, (place) => must(work[place], 'a stretch').from < sent.received);
      return explain(sent, must(served.get(sent.id), 'a placement was served'), work.slice(from, until), waits);
    })
    .sort((one, other) => one.took - other.took);
}

function spentText({ spent }: Explained): Record<string, string> {
  const cells = [...PARTS, ...WORK].map((cause) => [cause, spent.get(cause) ?? 0] as const);
  return Object.fromEntries(cells.map(([cause, ms]) => [cause, ms < 0.05 ? '' : ms.toFixed(1)]));
}

/** The parts of some placements on average, in milliseconds. */
function averageOf(ones: readonly Explained[]): Record<string, string> {
  const parts = [...PARTS, ...WORK].map((cause) => {
    const sum = ones.reduce((before, { spent }) => before + (spent.get(cause) ?? 0), 0);
    return [cause, (sum / ones.length).toFixed(3)] as const;
  });
  return Object.fromEntries(parts);
}

/** The other work of the main thread while placements were measured. */
function printWork({ placements, waits }: LoadReport, { work }: Trace): void {
  const from = Math.min(...placements.map(({ due }) => due));
  const until = Math.max(...placements.map(({ received }) => received));
  const rows = WORK.map((kind) => {
    const ones = work.filter((one) => one.kind === kind && one.from >= from && one.to <= until);
    const most = (values: readonly number[]): string => Math.max(0, ...values).toFixed(1);
    return {
      work: kind,
      stretches: ones.length,
      'all, ms': ones.reduce((sum, one) => sum + one.to - one.from, 0).toFixed(0),
      'longest, ms': most(ones.map((one) => one.to - one.from)),
      'longest without waiting for a processor': most(ones.map((one) => heldMs(one, waits))),
    };
  });
  console.log('Work beside placements, of 0.2 ms and more:');
  console.table(rows);
}

function print(all: readonly Explained[]): void {
  const quantile = (share: number): string => (all[Math.floor(share * all.length)]?.took ?? Number.NaN).toFixed(2);
  console.log(`${all.length} placements, p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)}, p99.9 ${quantile(0.999)}`);
  console.log('The middle tenth, in milliseconds on average:');
  console.table([averageOf(all.slice(Math.floor(0.45 * all.length), Math.ceil(0.55 * all.length)))]);
  const slow = all.slice(-Math.max(1, Math.round(all.length * SLOW_SHARE)));
  const total = slow.reduce((sum, { took }) => sum + took, 0);
  const causes = [...Map.groupBy(slow, ({ cause }) => cause)].map(([cause, ones]) => ({
    cause,
    placements: ones.length,
    'share of their time': `${((ones.reduce((sum, { took }) => sum + took, 0) / total) * 100).toFixed(0)} %`,
    'longest, ms': Math.max(...ones.map(({ took }) => took)).toFixed(1),
  }));
  console.log(`The slowest ${slow.length}, by the largest part of their time:`);
  console.table(causes.sort((one, other) => other.placements - one.placements));
  console.log('The slowest, in milliseconds:');
  console.table(
    slow
      .slice(-SHOWN)
      .reverse()
      .map((one) => ({
        took: one.took.toFixed(1),
        cause: one.cause,
        waited: one.waited.toFixed(1),
        ...spentText(one),
      })),
  );
}

const [perSecond = '2500', seconds = '10', ...options] = process.argv.slice(2);
const { report, trace } = await measured(Number(perSecond), Number(seconds), options);
print(explained(report, trace));
printWork(report, trace);
