import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultyDisk } from '../../sim/faulty-disk.ts';
import { type AnchorPlace, writeAnchor } from './anchor.ts';
import { expectNothingLost } from './missing-history.ts';
import { storedTrail } from './reading/stored-trail.ts';
import { bodiesOf } from './trail-line.ts';
import { TrailLog } from './trail-log.ts';

const DATA = '/data';
const FOLDER = '/data/audit';
const NOON = Date.UTC(2026, 10, 20, 6);
const ANCHOR: AnchorPlace = { path: '/anchor/anchor' };

/** A trail of a `Day` line and a line of each of these records, of a disk; `undefined` for a line that names none. */
function trailOf(disk: FaultyDisk, records: readonly (number | undefined)[]): TrailLog {
  const log = new TrailLog(disk, FOLDER, storedTrail(disk, FOLDER));
  for (const seq of records) {
    log.append(bodiesOf([`"utc":${NOON},"kind":"Own"${seq === undefined ? '' : `,"seq":${seq}`}`]));
  }
  log.close();
  return log;
}

/** The log of a start whose journal ends at `seq`; the refusal comes last. */
function told(disk: FaultyDisk, seq: number, acceptLoss?: number, anchor?: AnchorPlace): string[] {
  const said: string[] = [];
  const log = (message: string): void => void said.push(message);
  try {
    expectNothingLost(disk, storedTrail(disk, FOLDER), { data: DATA, anchor, seq, acceptLoss, log });
  } catch (error) {
    said.push(`${String(error)}`);
  }
  return said;
}

test('a journal that ends before a record that the trail names is refused, unless its end was accepted', () => {
  const disk = new FaultyDisk();
  assert.deepEqual(told(disk, 5), [], 'no trail');
  trailOf(disk, [4, 5, undefined]);
  for (const seq of [5, 6]) assert.deepEqual(told(disk, seq), []);
  const what =
    '/data/journal, sequence 5: durable history is shorter than acknowledged: the journal ends at 4, and the audit trail /data/audit ' +
    'names record 5; start with --accept-loss=4 to go on without what is missing; last good sequence 4';
  for (const accepted of [undefined, 3, 5]) assert.deepEqual(told(disk, 4, accepted), [`JournalDamaged: ${what}`]);
  assert.deepEqual(told(disk, 4, 4), [`${what}: accepted`]);
});

test('a trail that ends before the line which the anchor remembers last is refused, unless its end was accepted', () => {
  const disk = new FaultyDisk();
  const { head } = trailOf(disk, [4, 5]);
  for (const n of [head.n + 9, head.n]) writeAnchor(disk, ANCHOR, { ...head, n }, NOON);
  assert.deepEqual(told(disk, 5, undefined, ANCHOR), [], 'a start that was accepted went on behind an earlier line');
  writeAnchor(disk, ANCHOR, { ...head, n: head.n + 1 }, NOON);
  const file = disk.open(ANCHOR.path, 'write');
  file.write(file.size(), Buffer.from('no entry\n{"n":9'));
  const what =
    `the audit trail /data/audit ends at line ${head.n}, and /anchor/anchor remembers line ${head.n + 1}: its end was cut off, ` +
    'or an older copy was put back; start with --accept-loss=5 to go on without what is missing';
  assert.deepEqual(told(disk, 5, undefined, ANCHOR), [`TrailDamaged: ${what}`]);
  assert.deepEqual(told(disk, 5, 5, ANCHOR), [`${what}: accepted`]);
});

test('an anchor that remembers nothing beside a trail that has lines is logged, since its disk may be missing', () => {
  const disk = new FaultyDisk();
  assert.deepEqual(told(disk, 5, undefined, ANCHOR), [], 'a new trail');
  trailOf(disk, [5]);
  assert.deepEqual(told(disk, 5, undefined, ANCHOR), [
    'the anchor /anchor/anchor remembers nothing of the audit trail: it is new, or its disk is not there',
  ]);
});

test('an anchor that cannot be read is logged and does not stop the start', () => {
  const disk = new FaultyDisk();
  trailOf(disk, [5]);
  writeAnchor(disk, ANCHOR, { n: 99, hash: '' }, NOON);
  disk.onCall = (call, path) => {
    if (call === 'open' && path === ANCHOR.path) throw new Error('gone');
  };
  assert.deepEqual(told(disk, 5, undefined, ANCHOR), ['the anchor /anchor/anchor was not read: Error: gone']);
});
