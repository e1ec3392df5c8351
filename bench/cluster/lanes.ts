import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFileLane } from '../../src/cluster/lanes/file-lane.ts';
import type { Lane } from '../../src/cluster/lanes/lane.ts';
import { MemoryLane, MemoryLog } from '../../src/cluster/lanes/memory-lane.ts';
import { openLanes } from '../../src/cluster/lanes/open-lanes.ts';
import { NatsCluster } from '../../test/kit/cluster/nats-cluster.ts';
import { makeLanes, streamsOf } from '../../test/kit/cluster/nats-lane-kind.ts';
import { median, ratios, spreadOf } from '../rows.ts';

/*
 * Appends to one lane, one at a time, beside one fdatasync of an append of the same bytes to a file: appends a second,
 * and the latency of each. Run by itself: `node bench/cluster/lanes.ts`. All servers are on this machine and share its
 * disk and its processors, so a log of three machines is faster.
 */

const ROUNDS = 5;
const APPENDS = 100;
const SIZES = [1_000, 20_000];

interface Series {
  readonly latencies: number[];
  unknown: number;
}

async function appends(lane: Lane, bytes: Uint8Array, series: Series): Promise<void> {
  let last = await lane.last();
  for (let count = 0; count < APPENDS; ) {
    const began = performance.now();
    const outcome = await lane.append(last, bytes);
    if (outcome.type === 'Stored') {
      series.latencies.push(performance.now() - began);
      count += 1;
      last = outcome.position;
    } else {
      series.unknown += 1;
      last = await lane.last();
    }
  }
}

function flushes(file: number, bytes: Uint8Array, series: Series): void {
  for (let count = 0; count < APPENDS; count += 1) {
    const began = performance.now();
    writeSync(file, bytes);
    fdatasyncSync(file);
    series.latencies.push(performance.now() - began);
  }
}

function quantile(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return `${(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(2)} ms`;
}

const folder = mkdtempSync(join(tmpdir(), 'sauda-bench-lanes-'));
const cluster = await NatsCluster.start();
try {
  await makeLanes(cluster, 'bench');
  const nats = await openLanes({ log: cluster.log(streamsOf('bench')) });
  const lanes: readonly (readonly [string, Lane])[] = [
    ['three NATS servers', nats.a],
    ['a folder', await openFileLane(join(folder, 'lane'), 'lane')],
    ['memory', new MemoryLane(new MemoryLog('lane'))],
  ];
  const file = openSync(join(folder, 'file'), 'a');
  const rows: Record<string, unknown>[] = [];
  for (const size of SIZES) {
    const bytes = new Uint8Array(size).fill(7);
    for (const [name, lane] of lanes) {
      const ours: Series[] = [];
      const reference: Series[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        reference.push({ latencies: [], unknown: 0 });
        ours.push({ latencies: [], unknown: 0 });
        flushes(file, bytes, reference[round] as Series);
        await appends(lane, bytes, ours[round] as Series);
      }
      const all = ours.flatMap(({ latencies }) => latencies);
      const plain = reference.flatMap(({ latencies }) => latencies);
      const means = (series: readonly Series[]): number[] => series.map(({ latencies }) => median(latencies));
      const factors = ratios(means(ours), means(reference));
      rows.push({
        lane: name,
        bytes: size,
        'appends/s': Math.round((1_000 * all.length) / all.reduce((sum, ms) => sum + ms, 0)),
        p50: quantile(all, 0.5),
        p99: quantile(all, 0.99),
        'fdatasync p50': quantile(plain, 0.5),
        'fdatasync p99': quantile(plain, 0.99),
        ratio: `${median(factors).toFixed(2)} (${spreadOf(factors)})`,
        unknown: ours.reduce((sum, { unknown }) => sum + unknown, 0),
      });
    }
  }
  console.table(rows);
  closeSync(file);
  await nats.close();
} finally {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
}
