import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FaultyDisk } from '../../../sim/faulty-disk.ts';
import { Random } from '../../base/random.ts';
import { DAY_MS } from '../../base/time.ts';
import { REAL_DISK } from '../../journal/disk/real-disk.ts';
import { writeAnchor } from '../anchor.ts';
import type { TrailHead } from '../trail-line.ts';
import { bodiesOf } from '../trail-line.ts';
import { TrailLog } from '../trail-log.ts';
import { trailMark } from '../trail-mark.ts';
import { storedTrail } from './stored-trail.ts';
import { verifyTrail } from './verify-trail.ts';

const NOON = Date.UTC(2026, 10, 20, 6);
const root = mkdtempSync(join(tmpdir(), 'sauda-trail-'));
after(() => rmSync(root, { recursive: true, force: true }));

const body = (utc: number, i: number): string =>
  `"utc":${utc},"kind":"Command","op":"placeOrder","user":"U${i}","order":${i}`;

/** A trail of three days with four lines each; the heads after each line. */
function trail(): { folder: string; heads: TrailHead[] } {
  const folder = mkdtempSync(join(root, 'days-'));
  const log = new TrailLog(REAL_DISK, folder, storedTrail(REAL_DISK, folder));
  const heads: TrailHead[] = [];
  for (let i = 0; i < 12; i += 1) {
    log.append(bodiesOf([body(NOON + Math.floor(i / 4) * DAY_MS + i, i)]));
    heads.push(log.head);
  }
  log.close();
  return { folder, heads };
}

const names = (folder: string): string[] => readdirSync(folder).sort();
const faultsOf = (folder: string): readonly string[] => verifyTrail(REAL_DISK, folder).faults;

/** Writes a file with other lines and gives the faults that are found. */
function changed(which: number, change: (lines: string[]) => string[]): readonly string[] {
  const { folder } = trail();
  const path = join(folder, names(folder)[which] ?? '');
  const lines = readFileSync(path, 'latin1').trimEnd().split('\n');
  writeFileSync(path, `${change(lines).join('\n')}\n`, 'latin1');
  return faultsOf(folder);
}

test('a trail as it was written is whole, and its files are for their owner only', () => {
  const { folder } = trail();
  const { faults, lines, files, head } = verifyTrail(REAL_DISK, folder);
  assert.deepEqual(faults, []);
  assert.equal(files, 3);
  assert.equal(lines, head.n);
  for (const name of names(folder)) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
});

test('lines that a copy keeps aside after a cut of the other trail are a remark, and any other file is a fault', () => {
  const { folder } = trail();
  const [first] = names(folder);
  for (const end of ['.cut-512', '.cut-512-2']) writeFileSync(join(folder, `${first}${end}`), 'lines\n');
  const { faults, remarks } = verifyTrail(REAL_DISK, folder);
  assert.deepEqual(faults, []);
  assert.equal(remarks.filter((remark) => remark.includes('.cut-512')).length, 2);
  writeFileSync(join(folder, 'notes.cut-1'), 'lines\n');
  assert.match(String(faultsOf(folder)), /notes.cut-1, line 0: this is not a file of the trail/);
});

test('every flipped bit of every file is found', () => {
  const { folder } = trail();
  for (const name of names(folder)) {
    const path = join(folder, name);
    const bytes = readFileSync(path);
    for (let at = 0; at < bytes.length; at += 1) {
      const bit = 1 << (at % 8);
      bytes[at] = (bytes[at] ?? 0) ^ bit;
      writeFileSync(path, bytes);
      assert.notDeepEqual(faultsOf(folder), [], `${name}, byte ${at}, bit ${bit}`);
      bytes[at] = (bytes[at] ?? 0) ^ bit;
    }
    writeFileSync(path, bytes);
  }
  assert.deepEqual(faultsOf(folder), []);
});

test('a line that is removed, repeated, swapped, inserted or changed is found, with file and line', () => {
  const cases: [string, (lines: string[]) => string[]][] = [
    ['removed', (lines) => lines.toSpliced(2, 1)],
    ['repeated', (lines) => lines.toSpliced(2, 0, lines[1] ?? '')],
    ['swapped', ([a = '', b = '', c = '', ...rest]) => [a, c, b, ...rest]],
    ['inserted', (lines) => lines.toSpliced(2, 0, '{"n":3,"utc":1795280499094,"kind":"Command","hash":"00"}')],
    [
      'changed',
      (lines) => lines.map((line, i) => (i === 2 ? line.replace('"op":"placeOrder"', '"op":"cancelOrder"') : line)),
    ],
  ];
  for (const [what, change] of cases) {
    for (const which of [0, 1, 2]) {
      assert.match(changed(which, change)[0] ?? '', /2026-11-2\d\.log, line [23]: /, `${what} in file ${which}`);
    }
  }
});

test('a file that is cut at any byte is found while another follows, and a missing file is too', () => {
  const { folder } = trail();
  const [first = '', second = ''] = names(folder);
  const path = join(folder, first);
  const bytes = readFileSync(path);
  for (let size = 0; size < bytes.length; size += 1) {
    writeFileSync(path, bytes.subarray(0, size));
    assert.notDeepEqual(faultsOf(folder), [], `cut at ${size}`);
  }
  writeFileSync(path, bytes);
  rmSync(join(folder, second));
  assert.notDeepEqual(faultsOf(folder), []);
});

test('the first files may be missing only when a line says that they were removed', () => {
  const { folder } = trail();
  rmSync(join(folder, names(folder)[0] ?? ''));
  assert.match(faultsOf(folder)[0] ?? '', /files up to 2026-11-20\.log are missing/);
});

test('a death at any call while old files are removed leaves a trail that is whole', (t) => {
  const told = new Set<number>();
  for (let call = 0; ; call += 1) {
    const disk = new FaultyDisk();
    const log = new TrailLog(disk, '/audit', storedTrail(disk, '/audit'), 5);
    for (const day of [0, 1, 2, 3, 5 * 366 + 3]) log.append(bodiesOf([body(NOON + day * DAY_MS, day)]));
    disk.dieAfter = disk.calls + call;
    let isDone = true;
    try {
      log.append(bodiesOf([body(NOON + (5 * 366 + 4) * DAY_MS, 9)]));
    } catch {
      isDone = false;
    }
    disk.end('kill', new Random(call));
    const { faults, files } = verifyTrail(disk, '/audit');
    assert.deepEqual(faults, [], `call ${call}, ${files} files`);
    told.add(files);
    if (isDone) break;
  }
  assert.deepEqual([...told].sort(), [3, 4, 5, 6]);
  t.diagnostic(`${told.size} counts of files`);
});

test('an end that was cut off with the mark is found by the anchor alone, and without one the verification says so', () => {
  const { folder, heads } = trail();
  const anchor = { path: join(mkdtempSync(join(root, 'anchor-')), 'anchor'), key: 'a key' };
  for (const head of [heads[3], heads[11]]) if (head) writeAnchor(REAL_DISK, anchor, head, NOON);
  assert.deepEqual(verifyTrail(REAL_DISK, folder, anchor).faults, []);
  const path = join(folder, names(folder)[2] ?? '');
  writeFileSync(path, readFileSync(path, 'latin1').split('\n').slice(0, -2).join('\n').concat('\n'));
  assert.match(faultsOf(folder).join(), /days-\w+-mark remembers line 17: the end was cut off/);
  rmSync(trailMark(folder));
  const alone = verifyTrail(REAL_DISK, folder);
  assert.deepEqual(alone.faults, []);
  assert.match(alone.remarks.join(), /no anchor is named/);
  assert.match(verifyTrail(REAL_DISK, folder, anchor).faults.join(), /the end was cut off/);
  assert.match(verifyTrail(REAL_DISK, folder, { ...anchor, key: 'another' }).faults[0] ?? '', /anchor, line 1: /);
  rmSync(anchor.path);
  assert.match(verifyTrail(REAL_DISK, folder, anchor).faults.join(), /the anchor is missing/);
});

test('a trail that was rewritten with a whole chain is found by the anchor', () => {
  const { folder, heads } = trail();
  const anchor = { path: join(mkdtempSync(join(root, 'anchor-')), 'anchor') };
  if (heads[11]) writeAnchor(REAL_DISK, anchor, heads[11], NOON);
  rmSync(folder, { recursive: true });
  assert.match(faultsOf(folder).join(), /-mark remembers line 17/);
  rmSync(trailMark(folder));
  const log = new TrailLog(REAL_DISK, folder, storedTrail(REAL_DISK, folder));
  for (let i = 0; i < 30; i += 1) log.append(bodiesOf([body(NOON + i, i + 1)]));
  log.close();
  assert.deepEqual(faultsOf(folder), []);
  assert.match(verifyTrail(REAL_DISK, folder, anchor).faults.join(), /was rewritten/);
});
