import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DAY_MS, type WallMs } from '../../base/time.ts';
import type { Disk } from '../../journal/disk/disk.ts';
import { REAL_DISK } from '../../journal/disk/real-disk.ts';
import { bodiesOf } from '../trail-line.ts';
import { TrailLog } from '../trail-log.ts';
import { newestLines, searchTrail, type TrailQuery } from './search-trail.ts';
import { storedTrail } from './stored-trail.ts';
import { CSV_HEAD, csvRow } from './trail-text.ts';

const NOON = Date.UTC(2026, 10, 2, 6);
const DAYS = 30;
const FIRST_FILE = '2026-11-02.log';
const folder = mkdtempSync(join(tmpdir(), 'sauda-search-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const log = new TrailLog(REAL_DISK, folder, storedTrail(REAL_DISK, folder));
for (let day = 0; day < DAYS; day += 1) {
  for (let i = 0; i < 5; i += 1) {
    const kind = i === 4 ? 'Login' : 'Command';
    log.append(
      bodiesOf([
        `"utc":${NOON + day * DAY_MS + i},"kind":"${kind}","op":"x","user":"U${day % 7}","order":${day * 10 + i}`,
      ]),
    );
  }
}
log.close();

/** A disk that counts the bytes that are read. */
function counting(): { disk: Disk; opened: string[] } {
  const opened: string[] = [];
  const disk: Disk = {
    ...REAL_DISK,
    open: (path, how) => {
      opened.push(path);
      return REAL_DISK.open(path, how);
    },
  };
  return { disk, opened };
}

const found = (query: TrailQuery): number[] =>
  [...searchTrail(REAL_DISK, folder, query)].map(({ order = -1 }) => order);

test('a search gives exactly the lines that are asked for, as a search through all of them does', () => {
  const all = [...searchTrail(REAL_DISK, folder, {})];
  const queries: TrailQuery[] = [
    { user: 'U3' },
    { user: 'U30' },
    { order: 123 },
    { kind: 'Login' },
    { user: 'U0', kind: 'Login', from: (NOON + 8 * DAY_MS) as WallMs },
    { from: (NOON + 2 * DAY_MS + 1) as WallMs, to: (NOON + 3 * DAY_MS + 1) as WallMs },
  ];
  for (const query of queries) {
    const expected = all.filter(
      ({ user, order, kind, utc }) =>
        (query.user ?? user) === user &&
        (query.order ?? order) === order &&
        (query.kind ?? kind) === kind &&
        utc >= (query.from ?? 0) &&
        utc <= (query.to ?? Number.POSITIVE_INFINITY),
    );
    assert.deepEqual([...searchTrail(REAL_DISK, folder, query)], expected, JSON.stringify(query));
  }
  assert.deepEqual(found({ order: 123 }), [123]);
  assert.deepEqual(found({ user: 'U30' }), []);
});

test('days that cannot hold matching lines are read up to their index at most', () => {
  const { disk, opened } = counting();
  assert.equal([...searchTrail(disk, folder, { order: 123 })].length, 1);
  // Each day once for its index, the day of the order and the open one for their lines.
  assert.equal(opened.length, DAYS + 2);
  opened.length = 0;
  const at = (NOON + 3 * DAY_MS) as WallMs;
  assert.equal(
    [...searchTrail(disk, folder, { from: at, to: at })].length,
    2,
    'what opens the day, and its first command',
  );
  assert.equal(opened.length, 2);
});

test('a row has a cell for each column, and no cell is a formula', () => {
  const line = { n: 1, utc: NOON, kind: 'Act', why: '=1+1', message: 'a "b", c', hash: 'h' } as const;
  const row = csvRow(line);
  assert.ok(row.startsWith('1,2026-11-02T06:00:00.000Z,,Act,'));
  assert.ok(row.includes(`,'=1+1,`) && row.includes(',"a ""b"", c",'));
  assert.equal(row.replace(/"[^"]*(?:""[^"]*)*"/g, '').split(',').length, CSV_HEAD.split(',').length);
});

test('a reading from the end gives the same lines as a search, the newest first', () => {
  const queries: TrailQuery[] = [
    {},
    { user: 'U3' },
    { op: 'x', kind: 'Login' },
    { op: 'y' },
    { from: (NOON + 2 * DAY_MS + 1) as WallMs, to: (NOON + 3 * DAY_MS + 1) as WallMs },
  ];
  for (const query of queries) {
    const forward = [...searchTrail(REAL_DISK, folder, query)].map(({ n }) => n);
    const { lines, reached } = newestLines(REAL_DISK, folder, query, { most: 1_000, isOver: () => false });
    assert.deepEqual([lines.map(({ n }) => n), reached], [forward.toReversed(), undefined], JSON.stringify(query));
  }
});

test('pages of a reading from the end join without a gap and without a line twice', () => {
  const query: TrailQuery = { kind: 'Command' };
  const all = [...searchTrail(REAL_DISK, folder, query)].map(({ n }) => n).toReversed();
  const read: number[] = [];
  let before: number | undefined;
  do {
    const bounds = { most: 7, isOver: () => false, ...(before !== undefined && { before }) };
    const page = newestLines(REAL_DISK, folder, query, bounds);
    assert.ok(page.lines.length <= 7);
    read.push(...page.lines.map(({ n }) => n));
    before = page.reached;
  } while (before !== undefined);
  assert.deepEqual(read, all);
});

test('a page far from the end opens no file of later days but for its first line', () => {
  const first = [...searchTrail(REAL_DISK, folder, {})];
  const { disk, opened } = counting();
  const bounds = { most: 1, isOver: () => false, before: first[3]?.n ?? 0 };
  assert.deepEqual(
    newestLines(disk, folder, {}, bounds).lines.map(({ n }) => n),
    [first[2]?.n],
  );
  assert.equal(opened.filter((path) => path.endsWith(FIRST_FILE)).length, 3);
});
