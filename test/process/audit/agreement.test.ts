import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FaultyDisk } from '../../../sim/faulty-disk.ts';
import { verifyWithJournal } from '../../../src/audit/reading/compare-with-journal.ts';
import { storedTrail } from '../../../src/audit/reading/stored-trail.ts';
import { Trail } from '../../../src/audit/trail.ts';
import { trailFolder } from '../../../src/audit/trail-file.ts';
import { bodiesOf } from '../../../src/audit/trail-line.ts';
import { TrailLog } from '../../../src/audit/trail-log.ts';
import { DAY_MS, type WallMs } from '../../../src/base/time.ts';
import { emptyState } from '../../../src/core/state.ts';
import { REAL_DISK } from '../../../src/journal/disk/real-disk.ts';
import { openFileJournal } from '../../../src/journal/file-journal.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { commit, commitMany, FOLDER, meanwhile, open } from '../../kit/journal/image.ts';
import { sampleGroup, sampleRecord } from '../../kit/journal/sample.ts';

const NOON = Date.UTC(2026, 10, 20, 6);
const root = mkdtempSync(join(tmpdir(), 'sauda-agreement-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** The body of the line of a sample record. */
const named = (seq: number, utc = NOON): string =>
  `"utc":${utc},"at":${sampleRecord(seq).at},"kind":"Act","op":"DepositCash","seq":${seq},"code":200`;
const to = (last: number): string[] => Array.from({ length: last }, (_, index) => named(index + 1));
const recovered = (seq: number): string => named(seq).replace('"Act"', '"Recovered"');
const started = (seq: number, utc = NOON): string => `"utc":${utc},"kind":"Start","seq":${seq}`;
const refused = (utc: number): string => `"utc":${utc},"kind":"Refusal","op":"login","code":401`;
const sealed = (journal: Journal, seq: number, utc = NOON): string =>
  `"utc":${utc},"kind":"Seal","seq":${seq},"journal":"${journal.hashAt(seq)}"`;

/**
 * A data folder whose journal has `count` sample records, each in a group of its own, and the lines of a trail beside
 * it.
 */
async function folderWith(records: number, lines: (journal: Journal) => readonly string[]): Promise<string> {
  const data = mkdtempSync(join(root, 'data-'));
  const journal = await openFileJournal({ folder: data });
  for (let seq = 1; seq <= records; seq += 1) await journal.append(sampleGroup(seq, 1));
  write(data, lines(journal));
  await journal.close();
  return data;
}

function write(data: string, lines: readonly string[]): void {
  const folder = trailFolder(data);
  const log = new TrailLog(REAL_DISK, folder, storedTrail(REAL_DISK, folder));
  for (const line of lines) log.append(bodiesOf([line]));
  log.close();
}

/** Opens the trail as a start does whose journal was recovered up to `seq`. */
function start(data: string, seq: number): string[] {
  const said: string[] = [];
  const trail = new Trail({
    data,
    years: 0,
    anchor: undefined,
    wall: () => (NOON + DAY_MS) as WallMs,
    failStop: (error) => {
      throw error;
    },
    log: (message) => void said.push(message),
  });
  trail.open({ ...emptyState(), seq });
  return said;
}

function told(data: string): string {
  return verifyWithJournal(REAL_DISK, data, undefined).text;
}

test('a start after a kill makes no line again of a record that is named before a seal of an earlier head', async () => {
  const data = await folderWith(9, (journal) => [started(0), ...to(8), sealed(journal, 6)]);
  assert.match(told(data), /from record 1 to 8; 1 later records have no line yet/);
  start(data, 9);
  assert.match(
    told(data),
    /is whole: 15 lines in 2 files/,
    '11 lines, then a Close, a Day, that of record 9 and a Start',
  );
});

test('a start after a kill makes the lines that are missing behind a day in which no line names a record', async () => {
  const data = await folderWith(3, () => [started(0), named(1), refused(NOON + DAY_MS)]);
  start(data, 3);
  assert.match(told(data), /agrees with the journal from record 1 to 3; no anchor/);
});

test('a start after a cut of the power that left a hole in what was not flushed cuts it off, says so and makes the lines of records again', async () => {
  const data = await folderWith(9, () => [started(0), ...to(4)]);
  const mark = join(data, 'audit-mark');
  const path = join(trailFolder(data), '2026-11-20.log');
  const flushed = readFileSync(mark);
  const size = statSync(path).size;
  write(data, [refused(NOON), ...[5, 6, 7, 8, 9].map((seq) => named(seq))]);
  writeFileSync(mark, flushed);
  const bytes = readFileSync(path);
  const second = bytes.indexOf('\n', bytes.indexOf('"seq":5'));
  writeFileSync(path, bytes.fill(0, second + 1, second + 200));
  const hole = bytes.length - second - 1;
  assert.match(
    told(data),
    new RegExp(
      `from record 1 to 5; 4 later records .*; .*2026-11-20.log, line 9: ${hole} bytes that are not whole lines .* cuts them off`,
    ),
  );
  const said = start(data, 9);
  assert.match(
    said.join('\n'),
    new RegExp(`2026-11-20.log, offset ${second + 1}: ${hole} bytes after line 8 of .* cut off`),
  );
  assert.match(said.join('\n'), /4 lines of the audit trail were made from the journal/);
  assert.match(told(data), /agrees with the journal from record 1 to 9; no anchor/);

  writeFileSync(path, readFileSync(path).fill(0, size - 100, size));
  assert.match(told(data), /DAMAGED/);
});

test('lines that a start made again of records that are named before a seal are not a fault when they say the same', async () => {
  const again = [recovered(7), recovered(8), recovered(9), started(9)];
  const lines = (journal: Journal): string[] => [started(0), ...to(8), sealed(journal, 6)];
  assert.match(told(await folderWith(9, (journal) => [...lines(journal), ...again])), / from record 1 to 9;/);
  const other = [recovered(7).replace('"at":1', '"at":2'), ...again.slice(1)];
  assert.match(
    told(await folderWith(9, (journal) => [...lines(journal), ...other])),
    /DAMAGED .* record 7 .* differs from the line/,
  );
  const fewer = again.toSpliced(1, 1);
  assert.match(told(await folderWith(9, (journal) => [...lines(journal), ...fewer])), /DAMAGED .* record 8 .* no line/);
});

test('groups that are added to the journal while it is compared are not a fault, whenever they come', (t) => {
  let call = 0;
  for (let more = true; more; call += 1) {
    const disk = new FaultyDisk();
    const committer = open(disk);
    commitMany(committer, 1, 20);
    const folder = trailFolder(FOLDER);
    const log = new TrailLog(disk, folder, storedTrail(disk, folder));
    log.append(bodiesOf([started(0), ...to(20)]));
    const isReached = meanwhile(disk, call, () => {
      commit(committer, 21, 3);
      commit(committer, 24, 40);
    });
    const { text } = verifyWithJournal(disk, FOLDER, undefined);
    assert.match(text, /agrees with the journal from record 1 to 20;/, `call ${call}`);
    more = isReached();
  }
  t.diagnostic(`${call} calls`);
});

test('a trail whose first files were removed is compared from the first record on that a line names', async () => {
  const next = NOON + DAY_MS;
  const removed = `"utc":${next},"kind":"Removed","files":1,"before":"2026-11-21","last":"2026-11-20"`;
  const later = [named(9, next), named(10, next)];
  const cases: [string, (journal: Journal) => readonly string[], RegExp][] = [
    ['a seal', (journal) => [sealed(journal, 8, next), ...later], / from record 9 to 10;/],
    ['a seal of an earlier head', (journal) => [sealed(journal, 6, next), ...later], / from record 9 to 10;/],
    ['a start', () => [started(8, next), ...later], / from record 9 to 10;/],
    ['a record', () => later, / from record 9 to 10;/],
    [
      'another seal',
      () => [`"utc":${next},"kind":"Seal","seq":8,"journal":"00"`, ...later],
      /another history at record 8/,
    ],
    [
      'a seal, and a record less',
      (journal) => [sealed(journal, 8, next), named(8, next), named(10, next)],
      /record 9 .* no line/,
    ],
    [
      'a record that was lost',
      () => [named(30, next), started(8, next), ...later],
      / from record 9 to 10; 1 lines are of records that were lost/,
    ],
  ];
  for (const [what, lines, expected] of cases) {
    const data = await folderWith(10, (journal) => [started(0), ...to(8), removed, ...lines(journal)]);
    rmSync(join(trailFolder(data), '2026-11-20.log'));
    assert.match(told(data), expected, what);
  }
});
