/**
 * B18: orders of a service while branches of its folder are made, beside the same orders without branches, in turn; and
 * how long a branch takes. Then every branch is verified, and all are compared.
 *
 *     node bench/time/branches.ts [requests a second] [seconds of history]
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { must } from '../../src/base/assert.ts';
import { Generator } from '../load/generator-process.ts';
import type { Quantiles } from '../load/latencies.ts';
import { LoadedService } from '../load/service.ts';
import { type BenchRow, median, ratios, spreadOf } from '../rows.ts';

const LAUNCHER = join(import.meta.dirname, '../../bin/sauda.mjs');
const ROUNDS = 3;
const BRANCHES = 10;
const USERS = 20;
const LINES = 64;
const RATE = 200;
const HISTORY_RATE = 1_500;
const HISTORY_SECONDS = 30;
/** The load begins before the first branch, in milliseconds. */
const LEAD_MS = 1_000;
/** A run without branches, in seconds; one with branches ends when they are made. */
const ALONE_SECONDS = 10;

/** The rows of docs/benchmarks.md, measured now. */
export async function branchRows(rate = RATE, historySeconds = HISTORY_SECONDS): Promise<readonly BenchRow[]> {
  const service = await LoadedService.start();
  const generator = new Generator();
  const scratch = mkdtempSync(join(tmpdir(), 'sauda-branches-'));
  try {
    const users = await service.register(USERS);
    await generator.prepare({ port: service.port, users, lines: LINES });
    await placed(generator, HISTORY_RATE, historySeconds);
    const alone: Quantiles[] = [];
    const beside: Quantiles[] = [];
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push(await placed(generator, rate, ALONE_SECONDS));
      const making = new Promise((resolve) => setTimeout(resolve, LEAD_MS)).then(() =>
        makeBranches(service.folder, join(scratch, `round-${round}`)),
      );
      const running = placedWhile(generator, rate, making);
      took.push(...(await making));
      beside.push(await running);
    }
    const records = await service.metric('sauda_journal_records_total');
    await verifyAll(service.folder, join(scratch, 'round-0'));
    return rowsOf({ alone, beside, took, records, rate });
  } finally {
    generator.stop();
    service.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function placed(generator: Generator, rate: number, seconds: number): Promise<Quantiles> {
  const { stages } = await generator.run({ stages: [{ rate, seconds }] });
  return must(must(stages[0], 'a run of one stage has its report').answeredKinds.place, 'orders were placed');
}

/** The load in runs of a second each, as long as work goes on: the quantiles of the middle of the runs. */
async function placedWhile(generator: Generator, rate: number, work: Promise<unknown>): Promise<Quantiles> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isDone = false;
  work.then(() => {
    isDone = true;
    resolve();
  }, resolve);
  const all: Quantiles[] = [];
  while (!isDone) all.push(await placed(generator, rate, ALONE_SECONDS));
  await promise;
  const of = (name: keyof Quantiles): number => median(all.map((one) => one[name]));
  return { count: of('count'), p50: of('p50'), p99: of('p99'), max: Math.max(...all.map(({ max }) => max)) };
}

/** Makes branches one after the other; how long each took, in milliseconds. */
async function makeBranches(from: string, to: string): Promise<number[]> {
  const took: number[] = [];
  for (let number = 0; number < BRANCHES; number += 1) {
    const began = performance.now();
    await sauda('branch', from, join(to, `branch-${number}`));
    took.push(performance.now() - began);
  }
  return took;
}

async function verifyAll(parent: string, folder: string): Promise<void> {
  const branches = Array.from({ length: BRANCHES }, (_, number) => join(folder, `branch-${number}`));
  for (const branch of branches) await sauda('verify', '--data', branch);
  const { since, rows } = JSON.parse(await sauda('compare', '--json', '--all', ...branches, parent));
  if (!(since > 0 && rows.length === (BRANCHES + 1) * USERS))
    throw new Error(`compared since ${since}, ${rows.length} rows`);
}

async function sauda(...words: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [LAUNCHER, ...words], { maxBuffer: 1 << 26 });
  return stdout;
}

interface Measured {
  readonly alone: readonly Quantiles[];
  readonly beside: readonly Quantiles[];
  readonly took: readonly number[];
  readonly records: number;
  readonly rate: number;
}

function rowsOf({ alone, beside, took, records, rate }: Measured): BenchRow[] {
  const rows = (['p50', 'p99'] as const).map((name): BenchRow => {
    const [with_, without] = [beside.map((one) => one[name]), alone.map((one) => one[name])];
    const found = ratios(with_, without);
    return {
      id: 'B18',
      what: `placeOrder at ${rate}/s while ten branches are made, ${name}`,
      ours: `${median(with_).toFixed(2)} ms`,
      reference: `without branches: ${median(without).toFixed(2)} ms`,
      ratio: median(found).toFixed(2),
      spread: spreadOf(found),
      goal: name === 'p50' ? 'at most 1.2 times' : 'at most 1.5 times',
      reached: median(found) <= (name === 'p50' ? 1.2 : 1.5),
    };
  });
  return [
    ...rows,
    {
      id: 'B18',
      what: `a branch of a running service with ${records} records`,
      ours: `${(median(took) / 1_000).toFixed(2)} s`,
      reference: 'none',
      ratio: 'none',
      spread: `${spreadOf(took.map((ms) => ms / 1_000))} s`,
      goal: 'at most 5 s',
      reached: median(took) <= 5_000,
    },
  ];
}

if (import.meta.main) {
  const [rate, seconds] = process.argv.slice(2).map(Number);
  console.table(await branchRows(rate, seconds));
}
