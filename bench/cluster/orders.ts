import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Sauda } from '../../client/src/sauda.ts';
import type { Lane } from '../../src/cluster/lanes/lane.ts';
import { openLanes } from '../../src/cluster/lanes/open-lanes.ts';
import { MemberProcesses } from '../../test/kit/cluster/member-processes.ts';
import { NatsCluster } from '../../test/kit/cluster/nats-cluster.ts';
import { makeLanes, streamsOf } from '../../test/kit/cluster/nats-lane-kind.ts';
import { hasServerProgram } from '../../test/kit/cluster/nats-server.ts';
import { StartedService } from '../../test/process/start/started-service.ts';
import { cpuOf } from '../process/process-figures.ts';
import { type BenchRow, median, ratios, spreadOf } from '../rows.ts';
import type { LoadFigures, OrderLoad } from './order-load.ts';

/*
 * B20: durable placements a second in a cluster, beside the embedded default in the same run, and the time of one
 * beside an append to the log of the cluster. A leader, a follower and three NATS servers are processes of this
 * machine and share its disk and its processors with the load. By itself: `node bench/cluster/orders.ts`.
 */

const ROUNDS = 3;
const SECONDS = 3;
const MOST_CONNECTIONS = 512;
const CONNECTIONS = [64, MOST_CONNECTIONS];
const LOW_LOAD_PAUSE_MS = 20;
const APPENDS = 60;
/** About a group of one placement. */
const GROUP_BYTES = 1_000;
const USER = 'SD1001';

/** A service that takes placements. */
interface Target {
  readonly port: number;
  readonly pid: number;
  readonly request: string;
}

/** The placement of a resting order by a demo user, as low as the day's band lets it: nothing trades. */
async function targetOf(url: string, pid: number): Promise<Target> {
  const sauda = new Sauda({ url, userId: USER });
  const { susertoken: jKey } = await sauda.demoLogin();
  const instrument = { exchange: 'NSE', tradingSymbol: 'IDEA-EQ' };
  const response = await fetch(`${url}/V1/getQuote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId: USER, jKey, ...instrument }),
  });
  const { data } = (await response.json()) as { data: { dayClosePrice: string } };
  const price = (Math.ceil(Number(data.dayClosePrice) * 0.92 * 20) / 20).toFixed(2);
  const order = { retention: 'DAY', product: 'I', priceType: 'LMT', transactionType: 'B', triggerPrice: '0' };
  const body = JSON.stringify({ userId: USER, jKey, ...instrument, ...order, price, quantity: '1', remarks: 'bench' });
  const head = `POST /V1/placeOrder HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
  const request = `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  return { port: Number(new URL(url).port), pid, request };
}

async function load(target: Target, connections: number, pauseMs = 0): Promise<LoadFigures & { readonly cpu: number }> {
  const plan: OrderLoad = { port: target.port, request: target.request, connections, seconds: SECONDS, pauseMs };
  const before = cpuOf(target.pid);
  const child = join(import.meta.dirname, 'order-load.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [child, JSON.stringify(plan)]);
  const figures = JSON.parse(stdout) as LoadFigures;
  if (figures.failure !== undefined) throw new Error(`a placement was no success: ${figures.failure}`);
  return { ...figures, cpu: (cpuOf(target.pid) - before) / (figures.perSecond * SECONDS) };
}

/** The median time of an append to a lane, one after the other with the pauses of the low load. */
async function appendTime(lane: Lane): Promise<number> {
  const bytes = new Uint8Array(GROUP_BYTES).fill(7);
  const took: number[] = [];
  let last = await lane.last();
  while (took.length < APPENDS) {
    const began = performance.now();
    const outcome = await lane.append(last, bytes);
    if (outcome.type === 'Stored') took.push(performance.now() - began);
    last = outcome.type === 'Stored' ? outcome.position : await lane.last();
    await new Promise((resolve) => setTimeout(resolve, LOW_LOAD_PAUSE_MS));
  }
  return median(took);
}

async function rateRow(cluster: Target, embedded: Target, connections: number): Promise<BenchRow> {
  const ours: Awaited<ReturnType<typeof load>>[] = [];
  const reference: typeof ours = [];
  for (const target of [embedded, cluster]) await load(target, connections);
  for (let round = 0; round < ROUNDS; round += 1) {
    reference.push(await load(embedded, connections));
    ours.push(await load(cluster, connections));
  }
  const rates = (series: typeof ours): number[] => series.map(({ perSecond }) => perSecond);
  const words = (series: typeof ours): string => {
    const cpu = median(series.map((figures) => figures.cpu)).toFixed(0);
    return `${(median(rates(series)) / 1_000).toFixed(1)} k/s, ${cpu} µs of CPU`;
  };
  const refused = (series: typeof ours): number => series.reduce((sum, figures) => sum + figures.refused, 0);
  console.log(`${connections} connections: ${refused(ours)} and, of one process, ${refused(reference)} were refused`);
  const all = ratios(rates(ours), rates(reference));
  return {
    id: 'B20',
    what: `placeOrder in a cluster, ${connections} connections`,
    ours: words(ours),
    reference: `one process: ${words(reference)}`,
    ratio: median(all).toFixed(2),
    spread: spreadOf(all),
    goal: connections < MOST_CONNECTIONS ? 'reported' : 'at least 20 k/s',
    reached: connections < MOST_CONNECTIONS || median(rates(ours)) >= 20_000,
  };
}

async function timeRow(cluster: Target, lane: Lane): Promise<BenchRow> {
  const ours: number[] = [];
  const reference: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    reference.push(await appendTime(lane));
    ours.push((await load(cluster, 1, LOW_LOAD_PAUSE_MS)).p50);
  }
  const all = ratios(ours, reference);
  return {
    id: 'B20',
    what: 'placeOrder in a cluster at low load, p50, beside one append to its log',
    ours: `${median(ours).toFixed(2)} ms`,
    reference: `${median(reference).toFixed(2)} ms`,
    ratio: median(all).toFixed(2),
    spread: spreadOf(all),
    goal: 'at most 2 times, and 3 ms',
    reached: median(all) <= 2 && median(ours) <= 3,
  };
}

/** A cluster of a leader and a follower, and a service of one process, beside each other; no rows without the log. */
export async function clusterOrderRows(): Promise<BenchRow[]> {
  if (!hasServerProgram()) return [];
  const folder = mkdtempSync(join(tmpdir(), 'sauda-bench-cluster-'));
  const log = await NatsCluster.start();
  const { servers, lanes } = log.log({ a: 'orders-a', b: 'orders-b' });
  const members = await MemberProcesses.start(join(folder, 'members'), { servers, lanes });
  const service = await StartedService.start(join(folder, 'embedded'));
  try {
    await members.end('three');
    await makeLanes(log, 'bench');
    const plain = await openLanes({ log: log.log(streamsOf('bench')) });
    const cluster = await targetOf(members.url('one'), members.pid('one'));
    const embedded = await targetOf(service.base.replace(/\/V1$/, ''), service.child.pid ?? 0);
    const rows = [await timeRow(cluster, plain.a)];
    for (const connections of CONNECTIONS) rows.push(await rateRow(cluster, embedded, connections));
    await plain.close();
    return rows;
  } finally {
    await service.end('SIGKILL');
    await members.close();
    await log.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) console.table(await clusterOrderRows());
