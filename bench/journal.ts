import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { must } from '../src/base/assert.ts';
import { Random } from '../src/base/random.ts';
import { DAY_MS, type EpochMs, type IstDay, istInstant, SECOND_MS } from '../src/base/time.ts';
import { dueBoundary } from '../src/core/broker/settlement/boundary.ts';
import type { Command } from '../src/core/command.ts';
import { EVERY_DAY } from '../src/core/trading-days.ts';
import { LIVE, type Live } from '../src/engine/live.ts';
import { OpenGroup } from '../src/engine/open-group.ts';
import { REAL_DISK } from '../src/journal/disk/real-disk.ts';
import { openFileJournal } from '../src/journal/file-journal.ts';
import type { Group, Journal } from '../src/journal/journal.ts';
import { recover } from '../src/journal/recovery.ts';
import { readingAhead } from '../src/journal/segments/read-ahead.ts';
import { SnapshotFolder } from '../src/journal/snapshot-file.ts';
import { acknowledged, examine, journalPaths } from '../src/journal/upkeep/examine.ts';
import { SMALL_INSTRUMENTS, SmallMarket } from '../test/kit/journal/small-market.ts';
import { clientCommand, type Memory, opening } from '../test/kit/journal/trading.ts';
import { testPorts } from '../test/kit/ports.ts';
import { type BenchRow, inTurn, median, ratios, spreadOf, timed } from './rows.ts';

/*
 * The durable commit beside one fdatasync of an append of the same bytes, and recovery beside reading and JSON-parsing
 * the same bytes. The records are what the real core made of random trading.
 */

const ROUNDS = 5;
const COMMITS = 400;
/** Records in the journal that is recovered. */
const RECORDS = Number(process.env.SAUDA_BENCH_RECORDS ?? 1_000_000);
const GROUP = 200;
/** A day of the made-up history has about this many records, so that its books stay as large as a day's. */
const DAY_RECORDS = 20_000;
const PORTS = testPorts({ instruments: SMALL_INSTRUMENTS, market: new SmallMarket() });

/** The rows of this file: the commit's latency, and B10 without and with a snapshot. */
export async function journalRows(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-bench-journal-'));
  try {
    return [await commitRow(join(folder, 'commit')), ...(await recoveryRows(join(folder, 'recovery')))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Groups of one record each, made by trading of one seed. */
export function* history(seed: number, groupSize: number): Generator<{ group: Group; live: Live }> {
  const random = new Random(seed);
  const live = LIVE.empty();
  const memory: Memory = { orders: [], sessions: [] };
  const open = new OpenGroup();
  let at = istInstant(20_500 as IstDay, SECOND_MS);
  let day = 20_500 as IstDay;
  const first: Command[] = [{ type: 'RollDay', day }, ...opening()];
  for (let number = 0; ; number += 1) {
    if (number % DAY_RECORDS === DAY_RECORDS - 1) day = (day + 1) as IstDay;
    const due = number < first.length ? undefined : dueBoundary(live.state, EVERY_DAY, istInstant(day))?.command;
    const command = first[number] ?? due ?? clientCommand(random, memory, `order ${number}`);
    if (due === undefined) at = (at + random.below(2 * (DAY_MS / DAY_RECORDS / 3))) as EpochMs;
    else at = Math.max(at, istInstant(day)) as EpochMs;
    if (command.type === 'RollDay') memory.orders.length = 0;
    const seq = live.seq + 1;
    const { events, reply } = live.step(PORTS, { seq, at, command });
    if (reply.type === 'OrderPlaced' && command.type === 'PlaceOrder') {
      memory.orders.push({ number: reply.order, account: command.account });
    }
    if (command.type === 'OpenSession') memory.sessions.push(command.tokenDigest);
    if (events.length === 0) continue;
    open.add(seq, at, command, events);
    if (seq % groupSize === 0) yield { group: open.take(), live };
  }
}

async function commitRow(folder: string): Promise<BenchRow> {
  const journal = await openFileJournal({ folder });
  const append = openSync(join(folder, 'append'), 'a');
  const records = history(1, 1);
  const ours: number[] = [];
  const reference: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const groups = Array.from({ length: COMMITS }, () => must(records.next().value, 'history goes on').group);
      reference.push(median(groups.map(({ body }) => timed(() => appendDurably(append, body)))));
      ours.push(await medianCommit(journal, groups));
    }
  } finally {
    closeSync(append);
    await journal.close();
  }
  const all = ratios(ours, reference);
  return {
    id: 'B5',
    what: 'durable commit of one record between threads, p50',
    ours: `${median(ours).toFixed(3)} ms`,
    reference: `${median(reference).toFixed(3)} ms, one fdatasync append of the same bytes`,
    ratio: median(all).toFixed(2),
    spread: spreadOf(all),
    goal: 'at most 3',
    reached: median(all) <= 3,
  };
}

function appendDurably(file: number, body: string | Uint8Array): void {
  writeSync(file, Buffer.from(body));
  fdatasyncSync(file);
}

async function medianCommit(journal: Journal, groups: readonly Group[]): Promise<number> {
  const took: number[] = [];
  for (const group of groups) {
    const start = process.hrtime.bigint();
    await journal.append(group);
    took.push(Number(process.hrtime.bigint() - start) / 1e6);
  }
  return median(took);
}

async function recoveryRows(folder: string): Promise<BenchRow[]> {
  const last = await writeHistory(folder);
  const { ours, reference } = inTurn(
    3,
    () => timed(() => recoverFrom(folder)),
    () => timed(() => parseAll(folder)),
  );
  const all = ratios(ours, reference);
  const millions = `${RECORDS / 1_000_000} million records`;
  const plain: BenchRow = {
    id: 'B10',
    what: `recovery of ${millions} without a snapshot`,
    ours: `${(median(ours) / 1000).toFixed(2)} s`,
    reference: `${(median(reference) / 1000).toFixed(2)} s, reading and JSON-parsing the same bytes`,
    ratio: median(all).toFixed(2),
    spread: spreadOf(all),
    goal: 'at most 3',
    reached: median(all) <= 3,
  };
  const { seq, at } = last;
  const snapshots = new SnapshotFolder(join(folder, 'snapshots'));
  const chain = recoverFrom(folder).head.hash;
  snapshots.write({ seq, at, chain, stateHash: last.hash(), lines: last.lines() });
  const seconds = Array.from({ length: 3 }, () => timed(() => recoverFrom(folder, snapshots)) / 1000);
  const withSnapshot: BenchRow = {
    id: 'B10',
    what: `recovery of ${millions} from a snapshot, the look at the files included`,
    ours: `${median(seconds).toFixed(2)} s`,
    reference: '–',
    ratio: 'none',
    spread: spreadOf(seconds),
    goal: 'at most 2 s',
    reached: median(seconds) <= 2,
  };
  return [plain, withSnapshot];
}

async function writeHistory(folder: string): Promise<Live> {
  const journal = await openFileJournal({ folder });
  for (const { group, live } of history(2, GROUP)) {
    await journal.append(group);
    if (journal.head().seq < RECORDS) continue;
    await journal.close();
    return live;
  }
  throw new Error('history ended');
}

/** A whole recovery as at a start: looking at the files first, then the fold. */
function recoverFrom(folder: string, snapshots?: SnapshotFolder) {
  return recover(readingAhead(examine(REAL_DISK, journalPaths(folder)).stored), snapshots, LIVE);
}

function parseAll(folder: string): void {
  let count = 0;
  for (const { body } of acknowledged(REAL_DISK, journalPaths(folder)).groups(0)) {
    for (const line of Buffer.from(body).toString('utf8').split('\n')) {
      if (line !== '') count += typeof JSON.parse(line) === 'object' ? 1 : 0;
    }
  }
  if (count < RECORDS) throw new Error(`only ${count} records were read`);
}
