import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { must } from '../src/base/assert.ts';
import { openFileJournal } from '../src/journal/file-journal.ts';
import { FollowedEngine } from '../test/process/feed/followed-engine.ts';
import type { FollowerTerms } from '../test/process/feed/protocol.ts';
import { history } from './journal.ts';
import { type BenchRow, median } from './rows.ts';

/*
 * B13: the feed of durable records. Ten subscribers of an engine under load over a journal of a million records: eight
 * at the head, one of them slow and one that joins in the middle of the journal. The process is killed in the middle of
 * that, started again, and each goes on with its last number. Each has to be handed each record once and in order; the
 * time from durable to handed over is that of the eight at the head.
 */

const RECORDS = Number(process.env.SAUDA_BENCH_RECORDS ?? 1_000_000);
const GROUP = 200;
/** Commands a second. */
const RATE = 1_000;
const LOAD_MS = 12_000;
const MOST_MS = 2;

export async function feedRows(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-bench-feed-'));
  try {
    return await measured(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measured(folder: string): Promise<BenchRow[]> {
  const head = await write(folder);
  const terms = { since: head, pauseMs: 0, joinsAfterMs: 0 };
  const followers: FollowerTerms[] = [
    ...Array.from({ length: 8 }, (_, index) => ({ ...terms, name: `quick ${index}` })),
    { ...terms, name: 'slow', pauseMs: 50 },
    { ...terms, name: 'late', since: head / 2, joinsAfterMs: 1 },
  ];
  const engine = new FollowedEngine(folder, false);
  await engine.live(followers, { rate: RATE, loadMs: LOAD_MS / 4, comesToRest: false });
  const half = engine.lastOf('late', head / 2);
  const last = await engine.live(followers, { rate: RATE, loadMs: LOAD_MS, comesToRest: true });
  engine.check(followers, last);
  console.log(`the late one had ${half - head / 2} records when the process was killed; ${last} records at the end`);
  return [
    row('from durable to handed over, p50', engine.sinceDurable, 0.5),
    row('from durable to handed over, p99', engine.sinceDurable, 0.99),
    row('of that from the end of the wait for the disk, p99', engine.sinceHeard, 0.99),
  ];
}

async function write(folder: string): Promise<number> {
  const journal = await openFileJournal({ folder });
  const records = history(4, GROUP);
  while (journal.head().seq < RECORDS) await journal.append(must(records.next().value, 'history goes on').group);
  await journal.close();
  return journal.head().seq;
}

function row(what: string, times: readonly number[], quantile: number): BenchRow {
  const sorted = [...times].sort((a, b) => a - b);
  const value = must(sorted[Math.floor(sorted.length * quantile)], 'something was measured');
  const isGoal = what.includes('from durable') && quantile === 0.99;
  return {
    id: 'B13',
    what: `${what}; ten subscribers`,
    ours: `${value.toFixed(2)} ms`,
    reference: 'none',
    ratio: 'none',
    spread: `${sorted.length} groups, median ${median(sorted).toFixed(2)} ms`,
    goal: isGoal ? `at most ${MOST_MS} ms` : 'reported',
    reached: !isGoal || value <= MOST_MS,
  };
}

if (import.meta.main) console.table(await feedRows());
