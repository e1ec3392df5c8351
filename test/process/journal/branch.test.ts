/**
 * Branches of data folders, made in this process: the parent's history is a day of random trading with resting orders,
 * cut at its end, within it, and where it cannot be cut.
 */
import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { branch } from '../../../src/app/branches/branch-folder.ts';
import type { AccountId } from '../../../src/base/ids.ts';
import { Random } from '../../../src/base/random.ts';
import { type EpochMs, formatIstMoment, type IstDay, istInstant } from '../../../src/base/time.ts';
import { LIVE, type Live } from '../../../src/engine/live.ts';
import { MarketClock } from '../../../src/engine/time/market-clock.ts';
import { dataFolder } from '../../../src/folder/data-folder.ts';
import { createIdentity } from '../../../src/folder/identity.ts';
import { createKeyFile, newKeys } from '../../../src/gateway/credentials/key-file.ts';
import { encodeGroup, encodeRecord, RECORD_END } from '../../../src/journal/codec.ts';
import { REAL_DISK } from '../../../src/journal/disk/real-disk.ts';
import { openFileJournal } from '../../../src/journal/file-journal.ts';
import type { JournalRecord } from '../../../src/journal/record.ts';
import { recover } from '../../../src/journal/recovery.ts';
import { SnapshotFolder } from '../../../src/journal/snapshot-file.ts';
import { examineBeside, journalPaths } from '../../../src/journal/upkeep/examine.ts';
import { verificationText, verifyJournal } from '../../../src/journal/upkeep/verify.ts';
import type { BranchWish } from '../../../src/operator/cli/folder/branch-command.ts';
import { readDemoFile, writeDemoFile } from '../../../src/operator/demo/demo-file.ts';
import { issueCredentials } from '../../../src/operator/operations/issued-credentials.ts';
import { wallClock } from '../../../src/os/wall-clock.ts';
import { scratchFolder } from '../../kit/journal/image.ts';
import { SMALL_INSTRUMENTS, SmallMarket } from '../../kit/journal/small-market.ts';
import { clientCommand, type Memory, opening } from '../../kit/journal/trading.ts';
import { testPorts } from '../../kit/ports.ts';
import { assertSameState } from '../../kit/same-state.ts';

const DAY = 20_500 as IstDay;
const TEN = 36_000_000;
const scratch = scratchFolder();
const PARENT = join(scratch, 'parent');
after(() => rmSync(scratch, { recursive: true }));

/** Settings that are of the parent alone, or of one of its starts. */
const OF_THE_PARENT = {
  auditAnchor: '/elsewhere',
  auditAnchorKey: '/elsewhere.key',
  clock: '2026-11-20T09:00:00',
  speed: '60',
  cluster: '/cluster.json',
  member: 'a',
};

const records: JournalRecord[] = [];

/** A day of random trading, one order a second, in groups of seven records. */
before(async () => {
  const ports = testPorts({ instruments: SMALL_INSTRUMENTS, market: new SmallMarket() });
  const live = LIVE.empty();
  const random = new Random(30);
  const memory: Memory = { orders: [], sessions: [] };
  const take = (command: JournalRecord['command'], second: number): void => {
    const [seq, at] = [live.seq + 1, istInstant(DAY, TEN + second * 1_000)];
    const { events } = live.step(ports, { seq, at, command });
    if (events.length > 0) records.push({ seq, at, command, events });
  };
  take({ type: 'RollDay', day: DAY }, 0);
  for (const command of opening()) take(command, 0);
  take({ type: 'OpenSession', account: 0 as AccountId, tokenDigest: 'ab'.repeat(32) }, 0);
  for (let number = 1; number < 250; number += 1) take(clientCommand(random, memory, `order ${number}`), number);
  const data = dataFolder(PARENT);
  const journal = await openFileJournal({ folder: PARENT });
  for (let from = 0; from < records.length; from += 7) {
    const some = records.slice(from, from + 7);
    const body = some.map(({ seq, at, command, events }) => encodeRecord(seq, at, command, events) + RECORD_END);
    await journal.append(encodeGroup(from + 1, some.length, body.join('')));
  }
  const keys = newKeys();
  createKeyFile(data.keys, keys);
  createIdentity(data.identity, { market: 'synthetic', seed: 7, hours: 'exchange', keyFingerprint: keys.fingerprint });
  writeFileSync(data.settings, JSON.stringify({ log: 'info', port: 8080, ...OF_THE_PARENT }));
  writeFileSync(data.operatorToken, 'token');
  mkdirSync(data.spanFiles);
  writeFileSync(join(data.spanFiles, 'figures'), 'figures');
  writeDemoFile(data.demoUsers, { complete: true, users: [issueCredentials('USER0', false)] });
  // The writer goes on: the service runs.
  after(() => journal.close());
});

const PORTS = { port: 1_234, operatorPort: 1_235 };
const make = (to: string, more: Partial<BranchWish> = {}): Promise<string> =>
  branch({ from: PARENT, to: join(scratch, to), by: 'desk', why: 'a trial', ...PORTS, ...more });

/** The state that the parent had at a record. */
function stateAt(seq: number): Live {
  const live = LIVE.empty();
  for (const record of records.slice(0, seq)) live.fold(record);
  return live;
}

/** The branch as a start recovers it. */
function recovered(folder: string) {
  const { stored } = examineBeside(REAL_DISK, journalPaths(join(scratch, folder)));
  return recover(stored, new SnapshotFolder(journalPaths(join(scratch, folder)).snapshots), LIVE);
}

/** The branch is the parent at a record, but for its own first record. */
function assertBranchAt(folder: string, seq: number, at: EpochMs): void {
  const { replica, fromSnapshot } = recovered(folder);
  assert.deepEqual([replica.seq, fromSnapshot], [seq + 1, seq + 1], 'a snapshot stands at its first own record');
  const { state } = replica;
  const expected = stateAt(seq).state;
  const point = state.branches.at(-1);
  assert.deepEqual([point?.name, point?.record], [folder, seq]);
  const { clock } = state;
  assert.deepEqual([clock?.market, clock?.speed, clock?.by, clock?.why], [at, 0, 'desk', 'a trial']);
  Object.assign(expected, { seq: state.seq, at, clock, branches: state.branches });
  assertSameState(state, expected);
  assert.ok([...expected.books.values()].length > 0, 'orders rest');
}

test('a branch of a running service is the parent as it is, with a market that stands still there', async () => {
  const report = await make('now');
  const last = records.at(-1);
  assert.ok(last);
  assertBranchAt('now', last.seq, last.at);
  assert.match(report, /is a branch of parent, which it left at record \d+: head/);
  const { state } = recovered('now').replica;
  const clock = new MarketClock({ wall: wallClock, elapsed: () => 1e6, state });
  assert.equal(clock.now(), last.at, 'a start stands there too, whatever the wall shows');
  const verification = verifyJournal(join(scratch, 'now'));
  assert.equal(verification.damage, undefined);
  assert.match(
    verificationText(verification),
    /now is a branch of parent \(journal [0-9a-f]{16}\), which it left at record/,
  );
});

test('a branch at an instant has the last record before it, and its market stands at that instant', async () => {
  const at = istInstant(DAY, TEN + 100_000);
  const seq = records.findLastIndex((record) => record.at <= at) + 1;
  await make('past', { place: { timeOfDay: TEN + 100_000 } });
  assertBranchAt('past', seq, at);
  await make('named', { place: { timeOfDay: TEN + 100_000, day: DAY } });
  assertBranchAt('named', seq, at);
  await make('numbered', { place: { record: seq - 2 } });
  assertBranchAt('numbered', seq - 2, records[seq - 3]?.at as EpochMs);
});

test('a branch has keys, users and files of its parent, and ports, settings and secrets of its own', async () => {
  await make('files', { place: { record: 200 } });
  const [from, to] = [dataFolder(PARENT), dataFolder(join(scratch, 'files'))];
  for (const name of ['keys', 'identity'] as const) {
    assert.equal(readFileSync(to[name], 'utf8'), readFileSync(from[name], 'utf8'), name);
  }
  assert.equal(readFileSync(join(to.spanFiles, 'figures'), 'utf8'), 'figures');
  assert.deepEqual(JSON.parse(readFileSync(to.settings, 'utf8')), { log: 'info', ...PORTS });
  assert.equal(existsSync(to.operatorToken), false, 'a command for one service never reaches the other');
  assert.equal(existsSync(to.audit), false, 'its audit trail is its own');
  assert.deepEqual(readDemoFile(to.demoUsers), { ...readDemoFile(from.demoUsers), renewing: true });
  for (const path of [to.keys, to.demoUsers, to.settings]) assert.equal(statSync(path).mode & 0o077, 0, path);
  assert.equal(statSync(to.folder).mode & 0o077, 0);
});

test('free ports are found where none are named, others for each folder', async () => {
  const portsOf = async (to: string) => {
    await make(to, { port: undefined, operatorPort: undefined } as object);
    return JSON.parse(readFileSync(dataFolder(join(scratch, to)).settings, 'utf8')) as typeof PORTS;
  };
  const [one, other] = [await portsOf('ports-1'), await portsOf('ports-2')];
  assert.equal(new Set([one.port, one.operatorPort, other.port, other.operatorPort]).size, 4);
});

test('a branch of a branch knows both points, and the journal that each left', async () => {
  await make('first', { place: { record: 120 } });
  await branch({ from: join(scratch, 'first'), to: join(scratch, 'second'), by: 'desk', why: 'more', ...PORTS });
  const { state } = recovered('second').replica;
  const [one, two] = state.branches;
  assert.deepEqual([one?.parent, one?.record, two?.parent, two?.record], ['parent', 120, 'first', 121]);
  assert.notEqual(one?.journal, two?.journal);
  assert.equal(state.clock?.why, 'more');
  assert.equal(verifyJournal(join(scratch, 'second')).branch?.parent, 'first');
  await branch({
    from: join(scratch, 'first'),
    to: join(scratch, 'early'),
    place: { record: 50 },
    by: 'd',
    why: 'w',
    ...PORTS,
  });
  const [only, ...others] = recovered('early').replica.state.branches;
  assert.deepEqual([only?.journal, only?.record, others], [one?.journal, 50, []], 'cut before the branch began');
});

const last = (): string => formatIstMoment(records.at(-1)?.at as EpochMs);
const REFUSED: readonly (readonly [what: string, wish: Partial<BranchWish>, words: () => RegExp])[] = [
  [
    'an instant before the first record',
    { place: { timeOfDay: TEN - 1_000 } },
    () => /09:59:59 is before the first record: the history has the records 1 to \d+, from /,
  ],
  [
    'an instant after the last record',
    { place: { timeOfDay: TEN + 9_000_000 } },
    () => new RegExp(`12:30:00 is after the last record: .* to ${last()}`),
  ],
  ['a record that is not there', { place: { record: 90_000 } }, () => /there is no record 90000/],
  ['record 0', { place: { record: 0 } }, () => /there is no record 0/],
  ['the same folder', { to: PARENT }, () => /is in the data folder/],
  ['a folder within it', { to: join(PARENT, 'sub') }, () => /is in the data folder/],
  [
    'a folder that is no data folder',
    { from: scratch },
    () => /is not a data folder|holds the data folder|is in the data folder/,
  ],
  ['a folder that is not there', { from: join(scratch, 'nowhere') }, () => /is not a data folder/],
  ['a folder that holds something', { to: join(scratch, 'now') }, () => /is not empty/],
];
for (const [what, wish, words] of REFUSED) {
  test(`${what} is refused, and nothing is left`, async () => {
    const names = readdirSync(scratch);
    await assert.rejects(make('refused', wish), { message: words() });
    assert.deepEqual(readdirSync(scratch), names);
  });
}

test('a folder of another version is refused, and settings that no start would take', async () => {
  const other = join(scratch, 'other');
  mkdirSync(other);
  writeFileSync(dataFolder(other).identity, 'sauda-identity 99 market=synthetic\n');
  await assert.rejects(make('refused', { from: other }), { message: /identity is damaged or of another version/ });
  const { settings } = dataFolder(PARENT);
  const text = readFileSync(settings, 'utf8');
  writeFileSync(settings, '[]');
  const names = readdirSync(scratch);
  await assert.rejects(make('refused'), { message: /sauda.json is not a JSON object/ });
  assert.deepEqual(readdirSync(scratch), names, 'what was copied by then is removed');
  writeFileSync(settings, text);
});

test('the remains of a killed command are hidden, no start takes them, and the next command removes them', async () => {
  // No process has this number.
  const draft = join(scratch, '.late.branch-4194305');
  mkdirSync(join(draft, 'journal'), { recursive: true });
  assert.throws(() => examineBeside(REAL_DISK, journalPaths(draft)), { name: 'JournalDamaged' });
  mkdirSync(join(scratch, 'late'));
  await make('late');
  assert.equal(existsSync(draft), false);
  assert.equal(verifyJournal(join(scratch, 'late')).damage, undefined, 'an empty folder is used');
});

test('a link to an empty folder is followed, and a broken one is refused before any work', async () => {
  mkdirSync(join(scratch, 'linked'));
  symlinkSync(join(scratch, 'linked'), join(scratch, 'link'));
  await make('link');
  assert.ok(lstatSync(join(scratch, 'link')).isSymbolicLink());
  assertBranchAt('linked', records.length, records.at(-1)?.at as EpochMs);
  symlinkSync(join(scratch, 'gone'), join(scratch, 'dangling'));
  const names = readdirSync(scratch);
  await assert.rejects(make('dangling'), { message: /dangling is a broken link/ });
  assert.deepEqual(readdirSync(scratch), names);
});

/** A file system in memory, where the system has one. */
const MOUNTED = '/dev/shm';

if (existsSync(MOUNTED)) {
  test('a mount point is refused before any work, as no folder can take its place', async (context) => {
    const from = mkdtempSync(join(tmpdir(), 'sauda-'));
    context.after(() => rmSync(from, { recursive: true }));
    for (const file of ['keys', 'identity'] as const) copyFileSync(dataFolder(PARENT)[file], dataFolder(from)[file]);
    const names = readdirSync(dirname(MOUNTED));
    await assert.rejects(make('mounted', { from, to: MOUNTED }), {
      message: `${MOUNTED} is a mount point: name a folder in it`,
    });
    assert.deepEqual(readdirSync(dirname(MOUNTED)), names);
  });
}
