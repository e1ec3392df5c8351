import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Random } from '../base/random.ts';
import { DAY_MS, HOUR_MS } from '../base/time.ts';
import { type Disk, type DiskFile, DiskFull } from '../journal/disk/disk.ts';
import { REAL_DISK } from '../journal/disk/real-disk.ts';
import { IndexTally } from './reading/day-index.ts';
import { storedTrail } from './reading/stored-trail.ts';
import { verifyTrail } from './reading/verify-trail.ts';
import { bodiesOf, readLine } from './trail-line.ts';
import { TrailLog } from './trail-log.ts';

const NOON = Date.UTC(2026, 10, 20, 6);
const root = mkdtempSync(join(tmpdir(), 'sauda-trail-log-'));
after(() => rmSync(root, { recursive: true, force: true }));

const folderOf = (): string => mkdtempSync(join(root, 'log-'));
const opened = (folder: string, disk: Disk = REAL_DISK, years = 0): TrailLog =>
  new TrailLog(disk, folder, storedTrail(disk, folder), years);
const body = (utc: number, seq: number): string =>
  `"utc":${utc},"kind":"Command","user":"A","order":${seq + 100},"seq":${seq}`;
const names = (folder: string): string[] => readdirSync(folder).sort();

/**
 * A disk on which nothing can be written while `full`; the next flush of a file that was made fails with the code of
 * `flush`, and after it none does.
 */
function fillable(): { disk: Disk; room: { full: boolean; flush?: string } } {
  const room: { full: boolean; flush?: string } = { full: false };
  const refuse = (): void => {
    if (room.full) throw new DiskFull('no room');
  };
  const guarded = (file: DiskFile, isMade: boolean): DiskFile => ({
    size: () => file.size(),
    read: (at, length) => file.read(at, length),
    write: (at, bytes) => {
      if (room.full) file.write(at, bytes.subarray(0, 7));
      refuse();
      file.write(at, bytes);
    },
    flush: () => {
      const code = isMade ? room.flush : undefined;
      if (isMade) delete room.flush;
      if (code !== undefined) throw Object.assign(new Error('no room'), { code });
      file.flush();
    },
    truncate: (size) => file.truncate(size),
    close: () => file.close(),
  });
  const disk: Disk = {
    ...REAL_DISK,
    create: (path) => {
      refuse();
      return guarded(REAL_DISK.create(path), true);
    },
    open: (path, how) => guarded(REAL_DISK.open(path, how), false),
  };
  return { disk, room };
}

test('a log continues where it ended, and knows the last record that a line names', () => {
  const folder = folderOf();
  opened(folder).append(bodiesOf([body(NOON, 1), body(NOON, 2), `"utc":${NOON},"kind":"Refusal"`]));
  const stored = storedTrail(REAL_DISK, folder);
  assert.equal(stored.seq, 2);
  assert.equal(stored.head.n, 4);
  opened(folder).append(bodiesOf([body(NOON + 1, 3)]));
  assert.deepEqual(verifyTrail(REAL_DISK, folder).faults, []);
  assert.equal(storedTrail(REAL_DISK, folder).seq, 3);
});

test('the half-written line that a crash left is a remark, is cut off at the next opening, and the chain continues', () => {
  const folder = folderOf();
  opened(folder).append(bodiesOf([body(NOON, 1)]));
  appendFileSync(join(folder, names(folder)[0] ?? ''), '{"n":3,"utc":17952');
  const before = verifyTrail(REAL_DISK, folder);
  assert.deepEqual(before.faults, []);
  assert.match(before.remarks.join(), /18 bytes that are not whole lines after the one before/);
  assert.equal(storedTrail(REAL_DISK, folder).cut, 18);
  opened(folder).append(bodiesOf([body(NOON, 2)]));
  assert.deepEqual(verifyTrail(REAL_DISK, folder).faults, []);
});

test('a day is closed with its index, and a clock that goes back files nothing under a day that is over', () => {
  const folder = folderOf();
  const log = opened(folder);
  log.append(bodiesOf([body(NOON, 1), body(NOON + DAY_MS, 2), body(NOON, 3)]));
  log.close();
  assert.deepEqual(names(folder), ['2026-11-20.log', '2026-11-21.log']);
  const lines = readFileSync(join(folder, '2026-11-20.log'), 'latin1').trimEnd().split('\n');
  const last = readLine(lines.at(-1) ?? '');
  assert.ok(typeof last !== 'string');
  assert.equal(last.kind, 'Close');
  assert.deepEqual(last.index, {
    lines: 2,
    kinds: { Day: 1, Command: 1 },
    users: { A: 1 },
    orders: [101, 101],
    seqs: [1, 1],
  });
  assert.deepEqual(verifyTrail(REAL_DISK, folder).faults, []);
});

/** A disk that counts the bytes that are read of the days' files. */
function metered(): { disk: Disk; read: { bytes: number } } {
  const read = { bytes: 0 };
  const disk: Disk = {
    ...REAL_DISK,
    open: (path, how) => {
      const file = REAL_DISK.open(path, how);
      return {
        size: () => file.size(),
        read: (at, length) => {
          const bytes = file.read(at, length);
          if (path.endsWith('.log')) read.bytes += bytes.length;
          return bytes;
        },
        write: (at, bytes) => file.write(at, bytes),
        flush: () => file.flush(),
        truncate: (size) => file.truncate(size),
        close: () => file.close(),
      };
    },
  };
  return { disk, read };
}

const MANY = 20_000;
const manyBodies = (): Buffer => bodiesOf(Array.from({ length: MANY }, (_, i) => body(NOON, i + 1)));

test('the turn of the day reads none of the lines that the log wrote', () => {
  const { disk, read } = metered();
  const folder = folderOf();
  const log = opened(folder, disk);
  log.append(manyBodies());
  read.bytes = 0;
  log.append(bodiesOf([body(NOON + DAY_MS, MANY + 1)]));
  assert.equal(log.waitingBytes, 0);
  assert.equal(read.bytes, 0);
  log.close();
});

test('the first line of a later day waits while what a start found of the day before is counted, in slices', () => {
  const { disk, read } = metered();
  const folder = folderOf();
  opened(folder).append(manyBodies());
  const log = opened(folder, disk);
  const most = statSync(join(folder, '2026-11-20.log')).size / 3;
  let slices = 0;
  read.bytes = 0;
  log.append(bodiesOf([body(NOON + DAY_MS, MANY + 1)]));
  assert.ok(log.waitingBytes > 0);
  for (let more = true; more; slices += 1) {
    assert.ok(read.bytes < most, `${read.bytes} bytes in one slice`);
    read.bytes = 0;
    more = !log.count();
  }
  assert.ok(slices > 3, `${slices}`);
  assert.equal(log.write(), true);
  log.close();
  assert.deepEqual(verifyTrail(REAL_DISK, folder).faults, []);
  assert.equal(verifyTrail(REAL_DISK, folder).lines, MANY + 4);
});

test('a start on a later day than the day that was closed begins the file of its day at once', () => {
  const folder = folderOf();
  const { disk, room } = fillable();
  const log = opened(folder, disk);
  log.append(manyBodies());
  log.close();
  room.flush = 'ENOSPC';
  log.append(bodiesOf([body(NOON + DAY_MS, MANY + 1)]));
  log.close();
  const again = opened(folder);
  again.append(bodiesOf([body(NOON + DAY_MS, MANY + 1)]));
  assert.equal(again.waitingBytes, 0);
  again.close();
  assert.deepEqual(verifyTrail(REAL_DISK, folder).faults, []);
});

/** The index that the lines of a file before its last one have, and the one that its last line states. */
function indexesOf(path: string): readonly [unknown, unknown] {
  const lines = readFileSync(path, 'latin1').trimEnd().split('\n').map(readLine);
  const last = lines.pop();
  const tally = new IndexTally();
  for (const line of lines) if (typeof line !== 'string') tally.add(line);
  return [tally.index(), typeof last === 'string' ? last : last?.index];
}

test('the index of each day is that of the lines in its file, whatever starts and full disks came between', () => {
  let days = 0;
  for (let seed = 1; seed <= 10; seed += 1) {
    const random = new Random(seed);
    const folder = folderOf();
    const { disk, room } = fillable();
    let log = opened(folder, disk);
    for (let step = 0, utc = NOON; step < 40; step += 1) {
      if (random.chance(15)) utc += DAY_MS;
      room.full = random.chance(10);
      const users = Array.from(
        { length: random.between(1, 9) },
        () => `"utc":${utc},"kind":"Own","user":"U${random.between(1, 5)}"`,
      );
      log.append(bodiesOf([...users, body(utc, random.between(1, 500))]));
      if (random.chance(20)) log.count(random.between(1, 20));
      if (!random.chance(20)) continue;
      room.full = false;
      log.close();
      log = opened(folder, disk);
    }
    room.full = false;
    assert.equal(log.write(), true);
    log.close();
    assert.deepEqual(verifyTrail(REAL_DISK, folder).faults, []);
    for (const name of names(folder).slice(0, -1)) {
      const [found, stated] = indexesOf(join(folder, name));
      assert.deepEqual(stated, found, `seed ${seed}, ${name}`);
      days += 1;
    }
  }
  assert.ok(days > 30, `${days}`);
});

test('on a full disk lines wait, also over midnight, and are all written when there is room again', () => {
  const folder = folderOf();
  const { disk, room } = fillable();
  const log = opened(folder, disk);
  log.append(bodiesOf([body(NOON, 1)]));
  log.close();
  room.full = true;
  log.append(bodiesOf([body(NOON, 2)]));
  log.append(bodiesOf([body(NOON + DAY_MS, 3)]));
  assert.ok(log.waitingBytes > 0);
  assert.equal(log.write(), false);
  room.full = false;
  assert.equal(log.write(), true);
  assert.equal(log.waitingBytes, 0);
  log.close();
  const { faults, lines } = verifyTrail(REAL_DISK, folder);
  assert.deepEqual(faults, []);
  assert.equal(lines, 6, 'two days, three lines, one index');
});

test('a day whose file finds no room at the flush is begun again, and the chain continues', () => {
  for (const code of ['ENOSPC', 'EDQUOT']) {
    for (const days of [0, 1]) {
      const folder = folderOf();
      const { disk, room } = fillable();
      const log = opened(folder, disk);
      if (days > 0) log.append(bodiesOf([body(NOON, 1)]));
      log.close();
      const { head } = log;
      room.flush = code;
      log.append(bodiesOf([body(NOON + days * DAY_MS, 2)]));
      assert.ok(log.waitingBytes > 0, 'the line waits');
      assert.equal(names(folder).length, days, 'what was begun is taken back');
      assert.equal(log.head.n, head.n + days, 'of what was written only the line that closes the day before is left');
      assert.equal(log.write(), true);
      log.close();
      const { faults, lines } = verifyTrail(REAL_DISK, folder);
      assert.deepEqual(faults, []);
      assert.equal(lines, days === 0 ? 2 : 5);
    }
  }
});

test('a flush of lines that were written and have no other place is not tried again, also when the day is over', () => {
  for (const code of ['ENOSPC', 'EDQUOT', 'EIO']) {
    const { disk, room } = fillable();
    const log = opened(folderOf(), disk);
    log.append(bodiesOf([body(NOON, 1)]));
    room.flush = code;
    assert.throws(() => log.append(bodiesOf([body(NOON + DAY_MS, 2)])), /was not flushed/);
  }
});

test('files are removed after the given number of years, never before five, with a line that names them', () => {
  const folder = folderOf();
  const log = opened(folder, REAL_DISK, 1);
  log.append(bodiesOf([body(NOON, 1), body(NOON + DAY_MS, 2), body(NOON + 4 * 366 * DAY_MS, 3)]));
  assert.equal(names(folder).length, 3, 'four years are too few');
  log.append(bodiesOf([body(NOON + (5 * 366 + 1) * DAY_MS, 4)]));
  assert.equal(names(folder).length, 4, 'the day before counts');
  log.append(bodiesOf([body(NOON + (5 * 366 + 2) * DAY_MS, 5)]));
  log.close();
  assert.deepEqual(names(folder)[0], '2026-11-21.log');
  assert.equal(names(folder).length, 4);
  assert.deepEqual(verifyTrail(REAL_DISK, folder).faults, []);
});

test('a clock that jumps ten years ahead and is set right again removes no file', () => {
  const folder = folderOf();
  const log = opened(folder, REAL_DISK, 5);
  log.append(bodiesOf([0, 1, 3_660, 2].map((day) => body(NOON + day * DAY_MS, day + 1))));
  log.close();
  assert.deepEqual(names(folder), ['2026-11-20.log', '2026-11-21.log', '2036-11-27.log']);
});

test('lines of a clock that stands at 1970 go on in the file of the last day', () => {
  for (const utc of [0, 5, HOUR_MS, 999_999_999_999, -HOUR_MS]) {
    const folder = folderOf();
    const log = opened(folder);
    log.append(bodiesOf([body(NOON, 1)]));
    log.append(bodiesOf([body(utc, 2), body(NOON, 3)]));
    log.close();
    assert.deepEqual(names(folder), ['2026-11-20.log'], `${utc}`);
    assert.deepEqual(verifyTrail(REAL_DISK, folder).faults, []);
  }
});
