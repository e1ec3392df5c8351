/**
 * B23: how long a start takes until it says that it is ready, on a new data folder and again on the same, and the
 * memory of a service at rest. The page is built before, as it is by the second start of a new checkout.
 *
 *     node bench/starts.ts [rounds]
 */
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROJECT, StartedService, temporaryFolder } from '../test/process/start/started-service.ts';
import { cpuOf, residentBytesOf } from './process/process-figures.ts';
import { type BenchRow, median, ratios, spreadOf } from './rows.ts';

const ROUNDS = 7;
const MOST_FRESH_MS = 1_500;
const MOST_AGAIN_MS = 1_000;
const MOST_RESIDENT_MB = 180;
/** The contracts of the day are listed by then, and the collector had time. */
const REST_MS = 8_000;
const MB = 1_000_000;
/** The reference: what Node itself and the largest package take. */
const BARE = "await import('typebox'); process.exit(0);";

interface Started {
  readonly wallMs: number;
  /** Of all threads, in milliseconds. */
  readonly cpuMs: number;
}

/** Rows of the starts. Linux only: processor time and memory are read from `/proc`. */
export async function startRows(rounds = ROUNDS): Promise<BenchRow[]> {
  const [fresh, again, bare, resident]: [Started[], Started[], number[], number[]] = [[], [], [], []];
  await onFolder((folder) => start(folder));
  for (let round = 0; round < rounds; round += 1) {
    await onFolder(async (folder) => {
      bare.push(bareStart());
      fresh.push(await start(folder));
      again.push(await start(folder, async (pid) => resident.push(await residentAtRest(pid))));
    });
  }
  return [
    row('a start on a new data folder, until it is ready', fresh, bare, MOST_FRESH_MS),
    row('a start again', again, bare, MOST_AGAIN_MS),
    {
      id: 'B23',
      what: 'memory of a service at rest',
      ours: `${median(resident).toFixed(0)} MB`,
      reference: 'none',
      ratio: 'none',
      spread: `${spreadOf(resident, 0)} MB`,
      goal: `at most ${MOST_RESIDENT_MB} MB`,
      reached: median(resident) <= MOST_RESIDENT_MB,
    },
  ];
}

function row(what: string, starts: readonly Started[], bare: readonly number[], mostMs: number): BenchRow {
  const wall = starts.map(({ wallMs }) => wallMs);
  const times = ratios(wall, bare);
  return {
    id: 'B23',
    what,
    ours: `${seconds(wall)}, ${seconds(starts.map(({ cpuMs }) => cpuMs))} of CPU`,
    reference: `node with typebox: ${seconds(bare)}`,
    ratio: median(times).toFixed(1),
    spread: `${spreadOf(wall.map((ms) => ms / 1_000))} s`,
    goal: `at most ${mostMs / 1_000} s`,
    reached: median(wall) <= mostMs,
  };
}

async function onFolder(run: (folder: string) => Promise<unknown>): Promise<void> {
  const folder = temporaryFolder();
  try {
    await run(folder.path);
  } finally {
    await folder.remove();
  }
}

/** Starts a service and ends it. `rest`: called with its process while it runs. */
async function start(folder: string, rest?: (pid: number) => Promise<unknown>): Promise<Started> {
  const began = performance.now();
  const service = await StartedService.start(folder);
  const wallMs = performance.now() - began;
  const { pid = 0 } = service.child;
  const cpuMs = cpuOf(pid) / 1_000;
  await rest?.(pid);
  await service.end('SIGTERM');
  return { wallMs, cpuMs };
}

function bareStart(): number {
  const began = performance.now();
  spawnSync(process.execPath, ['--input-type=module', '-e', BARE], { cwd: PROJECT });
  return performance.now() - began;
}

async function residentAtRest(pid: number): Promise<number> {
  await sleep(REST_MS);
  return residentBytesOf(pid) / MB;
}

function seconds(times: readonly number[]): string {
  return `${(median(times) / 1_000).toFixed(2)} s`;
}

if (import.meta.main) console.table(await startRows(Number(process.argv[2] ?? ROUNDS)));
