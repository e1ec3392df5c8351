import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultyDisk, SECTOR_BYTES } from '../../../sim/faulty-disk.ts';
import { Random } from '../../base/random.ts';
import { DAY_MS } from '../../base/time.ts';
import { expectNothingLost } from '../missing-history.ts';
import { bodiesOf } from '../trail-line.ts';
import { TrailLog } from '../trail-log.ts';
import { readTrailMark, trailMark } from '../trail-mark.ts';
import { cutText, storedTrail } from './stored-trail.ts';
import { verifyTrail } from './verify-trail.ts';

const DATA = '/data';
const FOLDER = '/data/audit';
const NOON = Date.UTC(2026, 10, 20, 6);
const FILE = '/data/audit/2026-11-20.log';
const BLOCKS = [SECTOR_BYTES, 4_096];
const SEEDS = 200;
/** A start beside a journal of 80 records, without a log. */
const START = { data: DATA, anchor: undefined, seq: 80, acceptLoss: undefined, log: assert.fail };

const opened = (disk: FaultyDisk): TrailLog => new TrailLog(disk, FOLDER, storedTrail(disk, FOLDER));
const body = (i: number, utc = NOON): string => `"utc":${utc},"kind":"Own","op":"${'x'.repeat(i % 90)}","seq":${i}`;

/** Appends lines of the records after `from`, each in a write of its own. */
function append(log: TrailLog, from: number, count: number, utc = NOON): void {
  for (let i = from + 1; i <= from + count; i += 1) log.append(bodiesOf([body(i, utc)]));
}

/** A trail on a disk, how many bytes of its file were flushed, and all of them. */
interface Written {
  readonly disk: FaultyDisk;
  readonly flushed: number;
  readonly bytes: Uint8Array;
}

/** Lines of which the last fifty were not flushed. */
function written(): Written {
  const disk = new FaultyDisk();
  const log = opened(disk);
  append(log, 0, 30);
  log.flush();
  const flushed = disk.bytesOf(FILE).length;
  append(log, 30, 50);
  return { disk, flushed, bytes: disk.bytesOf(FILE) };
}

function lay(disk: FaultyDisk, bytes: Uint8Array, path = FILE): void {
  const file = disk.open(path, 'write');
  file.truncate(0);
  file.write(0, bytes);
  file.flush();
}

/** The states in which a power cut may leave blocks that were not flushed, each with its name. */
function* remains({ bytes, flushed }: Written, block: number): Iterable<[string, Uint8Array]> {
  for (let at = Math.floor(flushed / block) * block; at < bytes.length; at += block) {
    const from = Math.max(at, flushed);
    const to = Math.min(at + block, bytes.length);
    yield [`ends at ${from}`, bytes.slice(0, from)];
    yield [`ends within the block of ${from}`, bytes.slice(0, Math.floor((from + to) / 2))];
    yield [`zeros from ${from} to ${to}`, bytes.slice().fill(0, from, to)];
    yield [`zeros but from ${from} to ${to}`, bytes.slice().fill(0, flushed, from).fill(0, to)];
    yield [`zeros from ${from} on`, bytes.slice().fill(0, from)];
    const stale = bytes.slice();
    stale.set(bytes.subarray(0, to - from), from);
    yield [`older lines from ${from} to ${to}`, stale];
  }
}

/** Where the lines of a file end whose first bytes are as they were written. */
function endOfWhole(bytes: Uint8Array, left: Uint8Array): number {
  const differs = bytes.findIndex((byte, at) => byte !== left[at]);
  return differs < 0 ? bytes.length : Buffer.from(bytes.subarray(0, differs)).lastIndexOf('\n') + 1;
}

/** A start that refuses nothing, and the reports of `verify` before and after it. */
function expectCut(disk: FaultyDisk, size: number, what: string): void {
  const before = disk.bytesOf(FILE);
  const cut = before.length - size;
  const { faults, remarks } = verifyTrail(disk, FOLDER);
  assert.deepEqual(faults, [], what);
  const reported = `${cut} bytes that are not whole lines after the one before and were never known to be on the disk; the next start cuts them off`;
  assert.equal(remarks.filter((remark) => remark.endsWith(reported)).length, cut > 0 ? 1 : 0, what);
  const stored = storedTrail(disk, FOLDER);
  assert.deepEqual([stored.size, stored.cut], [size, cut], what);
  assert.deepEqual(disk.bytesOf(FILE), before, 'a look changes nothing');
  expectNothingLost(disk, stored, START);
  append(new TrailLog(disk, FOLDER, stored), stored.seq ?? 0, 3);
  assert.deepEqual(disk.bytesOf(FILE).subarray(0, size), before.subarray(0, size), what);
  const after = verifyTrail(disk, FOLDER);
  assert.deepEqual([after.faults, after.remarks.length], [[], 1], what);
}

test('after any power cut that loses unflushed lines the start goes on after the last whole line', (t) => {
  const trail = written();
  let count = 0;
  for (const block of BLOCKS) {
    for (const [what, left] of remains(trail, block)) {
      const { disk, bytes } = written();
      lay(disk, left);
      const size = endOfWhole(bytes, left);
      assert.ok(size >= trail.flushed);
      expectCut(disk, size, `blocks of ${block}, ${what}`);
      count += 1;
    }
  }
  t.diagnostic(`${count} remains`);
});

test('older lines that a power cut left after the mark, with the line that the mark names among them, are cut off', () => {
  const { disk, flushed, bytes } = written();
  const [from, to] = [flushed + 20, 2 * flushed + 20];
  const left = Buffer.concat([bytes.subarray(0, from), bytes.subarray(0, flushed), bytes.subarray(to)]);
  assert.ok(to < bytes.length);
  lay(disk, left);
  expectCut(disk, flushed, 'the line of the mark stands twice');
});

test('missing lines that were flushed refuse the start, which changes nothing, and sauda verify names them', () => {
  const trail = written();
  const lastLine = Buffer.from(trail.bytes.subarray(0, trail.flushed - 1)).lastIndexOf('\n') + 1;
  const damages = new Map<string, Uint8Array>();
  for (let at = lastLine; at < trail.flushed; at += 1) {
    damages.set(`cut at ${at}`, trail.bytes.slice(0, at));
    damages.set(`zeros from ${at} on`, trail.bytes.slice().fill(0, at));
    damages.set(`zeros up to the end of the block behind ${at}`, trail.bytes.slice().fill(0, at, at + SECTOR_BYTES));
  }
  for (const [what, bytes] of damages) {
    const { disk } = written();
    lay(disk, bytes);
    assert.ok(verifyTrail(disk, FOLDER).faults.length > 0, what);
    const start = (): void => {
      const stored = storedTrail(disk, FOLDER);
      expectNothingLost(disk, stored, START);
    };
    assert.throws(start, { name: 'TrailDamaged' }, what);
    assert.deepEqual(disk.bytesOf(FILE), bytes, 'a refused start changes nothing');
  }
});

test('without its mark a trail is taken for flushed: a hole refuses the start, and the next start makes the mark', () => {
  const { disk, flushed, bytes } = written();
  disk.remove(trailMark(FOLDER));
  lay(disk, bytes.slice().fill(0, flushed, flushed + SECTOR_BYTES));
  assert.ok(verifyTrail(disk, FOLDER).faults.length > 0);
  lay(disk, bytes.slice(0, -3));
  append(opened(disk), 79, 9);
  lay(disk, disk.bytesOf(FILE).fill(0, bytes.length));
  expectCut(disk, bytes.length, 'the mark was made');
});

test('a trail that ends before its mark, or is missing, is refused, and is continued when the operator accepted that', () => {
  for (const without of [[FILE], []]) {
    const { disk, flushed, bytes } = written();
    lay(disk, bytes.slice(0, Buffer.from(bytes).lastIndexOf('\n', flushed - 2) + 1));
    for (const path of without) disk.remove(path);
    assert.match(
      verifyTrail(disk, FOLDER).faults.join(),
      /ends at line (30|0), and \/data\/audit-mark remembers line 31/,
    );
    const said: string[] = [];
    const elsewhere = { data: DATA, anchor: undefined, seq: 80, log: (text: string) => void said.push(text) };
    const stored = storedTrail(disk, FOLDER);
    assert.throws(
      () => expectNothingLost(disk, stored, { ...elsewhere, acceptLoss: undefined }),
      /audit-mark remembers line 31: .* start with --accept-loss=80/,
    );
    expectNothingLost(disk, stored, { ...elsewhere, acceptLoss: 80 });
    assert.match(said.join(), /: accepted$/);
    append(new TrailLog(disk, FOLDER, stored), 80, 1);
    assert.deepEqual(verifyTrail(disk, FOLDER).faults, []);
  }
});

test('a mark that was accepted as lost while the disk was full does not come back with the next line', () => {
  const { disk, flushed, bytes } = written();
  lay(disk, bytes.slice(0, Math.floor(flushed / 2)));
  const stored = storedTrail(disk, FOLDER);
  disk.fault = { call: 'create', code: 'ENOSPC', forever: true };
  const log = new TrailLog(disk, FOLDER, stored);
  disk.fault = undefined;
  append(log, 80, 1);
  log.flush();
  assert.deepEqual(readTrailMark(disk, FOLDER), log.head);
  assert.deepEqual(verifyTrail(disk, FOLDER).faults, []);
});

test('a file that was emptied beneath a service is reported as damage, in words that control no terminal, with the way out', () => {
  const { disk, bytes } = written();
  lay(disk, bytes.slice().fill(0, 0, bytes.length - 90));
  assert.throws(
    () => storedTrail(disk, FOLDER),
    (error: Error) => {
      assert.equal(error.name, 'TrailDamaged');
      assert.match(
        error.message,
        /^the audit trail is damaged: \/data\/audit\/2026-11-20\.log: not a line of the trail: [ -~]*$/,
      );
      assert.match(error.message, /put back a copy, or move \/data\/audit away and accept the loss of it$/);
      return true;
    },
  );
});

test('a flipped bit in the mark does not stop a whole trail from starting', () => {
  const { disk, bytes } = written();
  const path = trailMark(FOLDER);
  for (let byte = 0; byte < disk.bytesOf(path).length; byte += 1) {
    disk.flip(path, byte, byte % 8);
    assert.deepEqual(verifyTrail(disk, FOLDER).faults, [], `byte ${byte}`);
    const stored = storedTrail(disk, FOLDER);
    assert.equal(stored.size, bytes.length);
    expectNothingLost(disk, stored, START);
    disk.flip(path, byte, byte % 8);
  }
});

test('a mark that is days old is searched in the file that may hold its line, and in none before', () => {
  for (const flip of [false, true]) {
    const disk = new FaultyDisk();
    let mark: Uint8Array = new Uint8Array();
    for (const day of [0, 1, 2, 3]) {
      const log = opened(disk);
      append(log, day, 1, NOON + day * DAY_MS);
      log.close();
      if (day === 1) mark = disk.bytesOf(trailMark(FOLDER));
    }
    lay(disk, mark, trailMark(FOLDER));
    const second = '/data/audit/2026-11-21.log';
    const marked = Buffer.from(disk.bytesOf(second)).indexOf(readTrailMark(disk, FOLDER)?.hash ?? '');
    assert.ok(marked > 0);
    if (flip) disk.flip(second, marked, 0);
    const looked = new Set<string>();
    disk.onCall = (call, path) => void (call === 'read' && looked.add(path));
    const { flushed, cut, head } = storedTrail(disk, FOLDER);
    assert.deepEqual([flushed, cut, head.n], [flip ? undefined : 0, 0, 11]);
    assert.equal(looked.has(FILE), false, 'the first day');
  }
});

test('the log names the place of the bytes that are cut off', () => {
  const { disk, flushed, bytes } = written();
  lay(disk, bytes.slice().fill(0, flushed));
  assert.match(
    cutText(FOLDER, storedTrail(disk, FOLDER)),
    new RegExp(`^${FILE}, offset ${flushed}: ${bytes.length - flushed} bytes after line 31 .* are cut off$`),
  );
});

test('no cut of the power leaves a trail that a start refuses or a verification finds damaged', (t) => {
  let cut = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const random = new Random(seed);
    const disk = new FaultyDisk();
    let utc = NOON;
    for (let start = 0; start < 5; start += 1) {
      const stored = storedTrail(disk, FOLDER);
      assert.ok(
        start === 0 || stored.flushed !== undefined,
        `seed ${seed}, start ${start}: the mark is behind the lines`,
      );
      if (stored.cut > 0) cut += 1;
      const log = new TrailLog(disk, FOLDER, stored);
      for (let i = random.between(1, 12); i > 0; i -= 1) {
        append(log, i, random.between(1, 60), utc);
        if (random.chance(20)) log.flush();
        if (random.chance(5)) utc += DAY_MS;
      }
      disk.end(random.pick(['kill', 'power'] as const), random);
      assert.deepEqual(verifyTrail(disk, FOLDER).faults, [], `seed ${seed}, start ${start}`);
    }
  }
  assert.ok(cut > SEEDS / 2, `${cut} were cut`);
  t.diagnostic(`${cut} were cut`);
});
