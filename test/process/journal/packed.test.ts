import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { crc32, zstdCompressSync } from 'node:zlib';
import { FaultyDisk, MachineDied } from '../../../sim/faulty-disk.ts';
import { must } from '../../../src/base/assert.ts';
import { Random } from '../../../src/base/random.ts';
import { LIVE } from '../../../src/engine/live.ts';
import type { SnapshotTaken } from '../../../src/engine/snapshots/snapshot-worker.ts';
import { chainFault, GENESIS, lastSeq } from '../../../src/journal/chain.ts';
import { Committer } from '../../../src/journal/committer.ts';
import type { Disk, DiskFile } from '../../../src/journal/disk/disk.ts';
import { REAL_DISK } from '../../../src/journal/disk/real-disk.ts';
import { makeReady } from '../../../src/journal/file-journal.ts';
import type { Head } from '../../../src/journal/journal.ts';
import { recover } from '../../../src/journal/recovery.ts';
import { segmentSeq } from '../../../src/journal/segments/layout.ts';
import { type PackedPlace, packSegments } from '../../../src/journal/segments/pack-segment.ts';
import { packedHeader, packedHeaderBytes, readPackedHeader } from '../../../src/journal/segments/packed-layout.ts';
import type { SegmentLogOptions } from '../../../src/journal/segments/segment-log.ts';
import { StoredJournal } from '../../../src/journal/segments/stored-journal.ts';
import { copyFolder, type FilesBeside, restoreFolder } from '../../../src/journal/upkeep/backup.ts';
import { copyHistory } from '../../../src/journal/upkeep/copy-history.ts';
import { JournalDamaged } from '../../../src/journal/upkeep/damage.ts';
import { acknowledged, examine, journalPaths } from '../../../src/journal/upkeep/examine.ts';
import { verifyJournal } from '../../../src/journal/upkeep/verify.ts';
import {
  casesOf,
  commit,
  commitMany,
  diskOf,
  FOLDER,
  filesOf,
  open,
  PATHS,
  put,
  SMALL,
  scratchFolder,
  segmentsOf,
} from '../../kit/journal/image.ts';

/** Segments that are compressed: read as before, whole after a death at any call, and damage in them is found. */

const SEED = 20261123;
const RECORDS = 2_000;
const NOTHING: FilesBeside = { first: () => [], needed: () => [], naming: () => [] };
/** Segments of several blocks. */
const LARGE: SegmentLogOptions = { ...SMALL, segmentBytes: 2_500_000 };
const GOLDEN = join(import.meta.dirname, 'golden/v1/exchange');
const ARCHIVE = '/archive';
const BESIDE: PackedPlace = { folder: PATHS.journal };
const ARCHIVED: PackedPlace = { folder: PATHS.journal, archive: ARCHIVE };
const scratch = scratchFolder();
after(() => rmSync(scratch, { recursive: true }));

/** A journal of a few segments, the last of them open. */
function written(records = RECORDS, options = SMALL, largest = 64): FaultyDisk {
  const disk = new FaultyDisk();
  commitMany(open(disk, options), 1, records, largest);
  return disk;
}

function packed(disk: FaultyDisk): FaultyDisk {
  packSegments(disk, { folder: PATHS.journal });
  return disk;
}

function packedPaths(disk: FaultyDisk): string[] {
  return segmentsOf(disk).filter((path) => path.endsWith('.zst'));
}

/** The heads of all groups, read with every check; of the journal after `after`. */
function headsOf(stored: StoredJournal, after = 0): Head[] {
  let head: Head = { seq: after, hash: must(stored.hashAt(after), 'a group ends there') };
  return Array.from(stored.groups(after), (group) => {
    assert.equal(chainFault(head, group), undefined);
    head = { seq: lastSeq(group), hash: group.hash };
    return head;
  });
}

/** All of a journal, read as a start and then `verify` do. */
function wholeUpTo(disk: FaultyDisk): Head {
  const { stored, end } = examine(disk, PATHS);
  const head = headsOf(stored).at(-1) ?? GENESIS;
  assert.deepEqual(head, end.head);
  const { damage, head: verified } = verifyJournal(FOLDER, { disk });
  assert.deepEqual([damage, verified.seq], [undefined, head.seq]);
  return head;
}

describe('a compressed segment', () => {
  it('takes the place of a closed one, is smaller, and leaves the last one as it is', () => {
    const plain = written();
    const before = segmentsOf(plain).map((path) => basename(path));
    const disk = diskOf(filesOf(plain));
    const { packed: done } = packSegments(disk, { folder: PATHS.journal });
    assert.ok(before.length > 3, `${before.length} segments`);
    assert.deepEqual(
      segmentsOf(disk).map((path) => basename(path)),
      before.map((name, index) => (index === before.length - 1 ? name : `${name}.zst`)),
    );
    for (const { name, from, to } of done) assert.ok(to * 3 < from, `${name}: ${from} to ${to}`);
    assert.deepEqual(packSegments(disk, BESIDE), { packed: [], faults: [] }, 'nothing is left to do');
  });

  it('is read as it was: groups, hashes, from any record on, and up to any', () => {
    const plain = written();
    const disk = packed(diskOf(filesOf(plain)));
    assert.deepEqual(wholeUpTo(disk), wholeUpTo(plain));
    const [one, other] = [acknowledged(plain, PATHS), acknowledged(disk, PATHS)];
    const heads = headsOf(one);
    assert.deepEqual(headsOf(other), heads);
    for (const { seq, hash } of heads) assert.equal(other.hashAt(seq), hash);
    for (const { seq } of heads.filter((_, index) => index % 17 === 0)) {
      assert.deepEqual(headsOf(other, seq), headsOf(one, seq));
      const upTo = new StoredJournal(disk, PATHS.journal);
      assert.equal(upTo.look({ upTo: seq }).head.seq, seq);
    }
    assert.equal(other.hashAt(3), one.hashAt(3));
  });

  it('of several blocks is read as it was, and a record in the middle costs two blocks', () => {
    const plain = written(40_000, LARGE, 16);
    const disk = packed(diskOf(filesOf(plain)));
    const [first] = packedPaths(disk);
    const index = readPackedHeader((at, length) => disk.bytesOf(must(first, 'one')).slice(at, at + length));
    assert.ok(typeof index !== 'string' && index.blocks.length === 3, 'a segment of three blocks');
    const [one, other] = [acknowledged(plain, PATHS), acknowledged(disk, PATHS)];
    assert.deepEqual(headsOf(other), headsOf(one));
    const random = new Random(SEED);
    const most = Math.max(...index.blocks.map(({ bytes }) => bytes));
    for (let round = 0; round < 30; round += 1) {
      const seq = random.between(1, 12_000);
      let read = 0;
      const counting = new StoredJournal(
        counted(disk, (bytes) => (read += bytes)),
        PATHS.journal,
      );
      counting.look();
      read = 0;
      for (const group of counting.groups(seq - 1)) {
        assert.ok(group.firstSeq <= seq && lastSeq(group) >= seq);
        break;
      }
      assert.ok(read <= 2 * most + packedHeaderBytes(3) + 64, `record ${seq}: ${read} bytes`);
    }
  });

  it('is the last one only after a loss, and then history goes on in a new segment', () => {
    const disk = packed(written());
    disk.remove(must(segmentsOf(disk).at(-1), 'an open segment'));
    const { head } = new StoredJournal(disk, PATHS.journal).look();
    assert.throws(() => makeReady(disk, PATHS), JournalDamaged);
    const { start } = makeReady(disk, PATHS, head.seq);
    assert.deepEqual(start, { head, path: undefined });
    commit(new Committer(disk, PATHS, start, SMALL), head.seq + 1, 5);
    assert.equal(wholeUpTo(disk).seq, head.seq + 5);
  });

  it('is not made of a segment that is damaged, which stays as it is', () => {
    const disk = written();
    const path = must(segmentsOf(disk)[1], 'a closed segment');
    disk.flip(path, 5_000, 3);
    const { packed: done, faults } = packSegments(disk, { folder: PATHS.journal });
    assert.ok(segmentsOf(disk).includes(path) && !segmentsOf(disk).includes(`${path}.zst`));
    assert.match(faults.join(), new RegExp(`^${path}, offset \\d+`));
    assert.equal(done.length, segmentsOf(disk).length - 2, 'all others are compressed');
  });

  it('is made after those that are damaged, however many these are, and after one that cannot be read', () => {
    const disk = written(6_000);
    const closed = segmentsOf(disk).slice(0, -1);
    assert.ok(closed.length > 12, `${closed.length} segments`);
    for (const path of closed.slice(0, 9)) disk.flip(path, 5_000, 3);
    const { packed: done, faults } = packSegments(unreadable(disk, must(closed[9], 'one')), BESIDE);
    assert.deepEqual([done.length, faults.length], [Math.min(8, closed.length - 10), 10]);
    assert.match(String(faults.at(-1)), /EIO/);
  });

  it('is made of all that have begun since a record, and of eight others', () => {
    const disk = written(9_000);
    const closed = segmentsOf(disk).slice(0, -1);
    assert.ok(closed.length > 17, `${closed.length} segments`);
    const since = segmentSeq(basename(must(closed[closed.length - 10], 'one'))) as number;
    const { packed: done } = packSegments(disk, BESIDE, since);
    assert.equal(done.length, 9 + 8, 'nine have begun since');
  });

  it('is read beside the thread that makes it, at whatever call', () => {
    const files = filesOf(written());
    const whole = wholeUpTo(diskOf(files));
    for (const call of casesOf(200, 40)) {
      const disk = diskOf(files);
      const stored = acknowledged(disk, PATHS);
      let readings = 0;
      disk.onCall = () => {
        readings += 1;
        if (readings !== call) return;
        disk.onCall = () => undefined;
        assert.deepEqual(headsOf(stored).at(-1), whole);
        assert.deepEqual(wholeUpTo(disk), whole);
      };
      packSegments(disk, { folder: PATHS.journal });
      assert.deepEqual(headsOf(stored).at(-1), whole, 'a look from before is good afterwards');
    }
  });
});

describe('a machine that dies while it compresses', () => {
  /** Compresses with the machine dying at each call in turn; how many records were lost at most. */
  function lossOf(how: 'kill' | 'power', place: PackedPlace, spoil: (disk: FaultyDisk) => Disk): number {
    const random = new Random(SEED);
    const files = filesOf(written(700));
    const whole = wholeUpTo(diskOf(files)).seq;
    let lost = 0;
    for (let call = 0, done = false; !done; call += 1) {
      const disk = diskOf(files);
      disk.dieAfter = disk.calls + call;
      try {
        packSegments(spoil(disk), place);
        done = true;
      } catch (error) {
        assert.ok(error instanceof MachineDied, String(error));
      }
      disk.end(how, random);
      lost = Math.max(lost, whole - foundOn(disk));
      if (lost > 0) continue;
      makeReady(disk, PATHS);
      packSegments(disk, place);
      assert.deepEqual([wholeUpTo(disk).seq, packedPaths(disk).length], [whole, segmentsOf(disk).length - 1]);
    }
    return lost;
  }

  function foundOn(disk: FaultyDisk): number {
    try {
      return wholeUpTo(disk).seq;
    } catch (error) {
      if (error instanceof JournalDamaged) return 0;
      throw error;
    }
  }

  for (const [words, place] of [
    ['beside the journal', BESIDE],
    ['into an archive', ARCHIVED],
  ] as const) {
    for (const how of ['kill', 'power'] as const) {
      it(`${words}, at any call, leaves every record, and the next run ends the work (${how})`, () => {
        assert.equal(
          lossOf(how, place, (disk) => disk),
          0,
        );
      });
    }
  }

  it('loses records by the same check when the compressed segment is not flushed', () => {
    const unflushed = (disk: FaultyDisk): Disk => {
      disk.lies = () => true;
      return disk;
    };
    assert.ok(lossOf('power', BESIDE, unflushed) > 0);
  });

  it('loses records by the same check when the plain segment goes before the other has its name', () => {
    const tooEarly = (disk: FaultyDisk): Disk => {
      const rename = (from: string, to: string): void => {
        disk.remove(to.replace(/\.zst$/, ''));
        disk.flushFolder(PATHS.journal);
        disk.rename(from, to);
        disk.create(to.replace(/\.zst$/, '')).close();
      };
      return withOwn(disk, { rename });
    };
    assert.ok(lossOf('kill', BESIDE, tooEarly) > 0);
  });

  it('loses records by the same check when the folder of the archive is not flushed', () => {
    const unflushed = (disk: FaultyDisk): Disk => {
      return withOwn(disk, { flushFolder: (folder) => void (folder === ARCHIVE || disk.flushFolder(folder)) });
    };
    assert.ok(lossOf('power', ARCHIVED, unflushed) > 0);
  });
});

describe('damage in a compressed segment', () => {
  it('is found and named with its file and place, whichever bit is flipped', () => {
    const disk = packed(written(700));
    const path = must(packedPaths(disk)[0], 'a compressed segment');
    const bits = disk.bytesOf(path).length * 8;
    const places: number[] = [];
    for (const bit of casesOf(bits, 400)) {
      disk.flip(path, bit >>> 3, bit & 7);
      const { damage } = verifyJournal(FOLDER, { disk });
      disk.flip(path, bit >>> 3, bit & 7);
      assert.equal(damage?.file, path, `bit ${bit}`);
      assert.equal(damage.lastGood, 0);
      places.push(must(damage.offset, 'a place'));
    }
    assert.deepEqual(new Set(places), new Set([0, packedHeaderBytes(1)]));
    assert.equal(verifyJournal(FOLDER, { disk }).damage, undefined);
  });

  it('is found when bytes are missing at the end or too many', () => {
    for (const change of [
      (bytes: Uint8Array) => bytes.subarray(0, -1),
      (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.of(0)]),
    ]) {
      const disk = packed(written(700));
      const path = must(packedPaths(disk)[0], 'a compressed segment');
      put(disk, path, change(disk.bytesOf(path)));
      assert.match(String(verifyJournal(FOLDER, { disk }).damage?.what), /its header says/);
    }
  });

  it('is refused before anything is unpacked where the header claims 10 GB', () => {
    const disk = packed(written(700));
    const path = must(packedPaths(disk)[0], 'a compressed segment');
    const bytes = Buffer.from(disk.bytesOf(path));
    bytes.writeBigUInt64BE(10_000_000_000n, 16);
    bytes.writeUInt32BE(9_537, 12);
    put(disk, path, bytes);
    assert.match(String(verifyJournal(FOLDER, { disk }).damage?.what), /claims 10000000000 bytes/);
  });

  it('is refused where a block unpacks to more than its place has', () => {
    const disk = packed(written(700));
    const path = must(packedPaths(disk)[0], 'a compressed segment');
    const index = readPackedHeader((at, length) => disk.bytesOf(path).subarray(at, at + length));
    assert.ok(typeof index !== 'string');
    const bomb = zstdCompressSync(Buffer.alloc(200 * 1024 * 1024));
    const first = index.blocks[0]?.first;
    const header = packedHeader({ ...index, blocks: [{ bytes: bomb.length, crc: crc32(bomb), first }] });
    put(disk, path, Buffer.concat([header, bomb]));
    const before = process.memoryUsage().arrayBuffers;
    const { damage } = verifyJournal(FOLDER, { disk });
    assert.match(String(damage?.what), /a compressed block cannot be read/);
    assert.ok(process.memoryUsage().arrayBuffers - before < 50 * 1024 * 1024);
  });
});

describe('a folder with compressed segments', () => {
  it('is backed up and restored, compressed as it is', () => {
    const disk = packed(written());
    const head = wholeUpTo(disk);
    assert.deepEqual(copyFolder(disk, FOLDER, '/backup', NOTHING).head, head);
    assert.deepEqual(restoreFolder(disk, '/backup', '/restored', NOTHING).head, head);
    const names = (folder: string) => disk.names(journalPaths(folder).journal).sort();
    assert.deepEqual(names('/restored'), names(FOLDER));
    assert.equal(verifyJournal('/restored', { disk }).damage, undefined);
  });

  it('is the parent of a branch, at any record: whole segments are shared, the last one is its own', () => {
    const disk = packed(written());
    const stored = acknowledged(disk, PATHS);
    const heads = headsOf(stored);
    for (const [index, seq] of [5, 300, 301, 640, RECORDS].entries()) {
      const to = journalPaths(`/branch-${index}`);
      const { head } = copyHistory(disk, stored, { from: PATHS, to, seq }, () => () => undefined);
      assert.equal(head.seq, seq);
      const branch = new StoredJournal(disk, to.journal);
      branch.look();
      assert.deepEqual(headsOf(branch).at(-1), head);
      const whole = heads.filter((one) => one.seq <= seq);
      assert.deepEqual(headsOf(branch).slice(0, whole.length), whole);
      assert.ok(!disk.names(to.journal).sort().at(-1)?.endsWith('.zst'));
    }
  });

  it('may have them in an archive, also those that were compressed before, and says when it is not there', () => {
    const disk = packed(written(700));
    const head = wholeUpTo(disk);
    const compressed = packedPaths(disk).length;
    assert.equal(packSegments(disk, ARCHIVED).packed.length, compressed);
    assert.deepEqual(packSegments(disk, ARCHIVED), { packed: [], faults: [] });
    assert.equal(disk.names(ARCHIVE).length, compressed);
    assert.deepEqual(wholeUpTo(disk), head);
    assert.deepEqual(copyFolder(disk, FOLDER, '/whole', NOTHING).head, head);
    const running = open(disk);
    const [lost] = disk.names(ARCHIVE).sort();
    disk.remove(join(ARCHIVE, must(lost, 'a segment')));
    const { damage } = verifyJournal(FOLDER, { disk });
    assert.equal(damage?.file, packedPaths(disk)[0]);
    assert.match(String(damage?.what), /the archive that the segment was moved to is not there, or lacks it/);
    assert.equal(verifyJournal('/whole', { disk }).damage, undefined, 'a backup has segments of its own');
    commitMany(running, 701, 1_400, 64);
    const files = filesOf(disk);
    const { packed: moved, faults } = packSegments(disk, ARCHIVED);
    assert.deepEqual(moved, []);
    assert.match(String(faults), /segment-.*zst: the archive that the segment was moved to is not there, or lacks it/);
    assert.deepEqual(filesOf(disk), files, 'no segment goes where an archive is not mounted');
  });

  it('shares an archive with other journals, whose segments have other names', () => {
    const [one, other] = [written(700), written(700, SMALL, 32)];
    const files = filesOf(other);
    for (const [path, bytes] of files) one.create(path.replace(FOLDER, '/other')).write(0, bytes);
    packSegments(one, ARCHIVED);
    packSegments(one, { folder: journalPaths('/other').journal, archive: ARCHIVE });
    assert.equal(verifyJournal(FOLDER, { disk: one }).damage, undefined);
    assert.equal(verifyJournal('/other', { disk: one }).damage, undefined);
  });

  it('gets them from the thread that takes snapshots, and folds into the same state', async () => {
    const [folder, archive] = [join(scratch, 'exchange'), join(scratch, 'archive')];
    cpSync(GOLDEN, folder, { recursive: true });
    const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'));
    const taken = () =>
      new Promise<SnapshotTaken>((resolve, reject) => {
        const worker = new Worker(new URL('../../../src/engine/snapshots/snapshot-worker.ts', import.meta.url), {
          workerData: { folder, archive },
        });
        worker.once('message', resolve).once('error', reject);
      });
    const { packed: none, packFault } = await taken();
    assert.deepEqual([none, packFault], [[], `the archive ${archive} is not there: segments stay in the journal`]);
    assert.equal(existsSync(archive), false, 'a disk that is not mounted gets no folder in its place');
    mkdirSync(archive);
    const moved = await taken();
    assert.deepEqual([moved.packed.length, moved.packFault], [2, undefined]);
    assert.equal(readdirSync(join(folder, 'journal')).filter((name) => name.endsWith('.zst')).length, 2);
    assert.equal(readdirSync(archive).filter((name) => name.endsWith('.zst')).length, 2);
    const { head, damage } = verifyJournal(folder);
    assert.deepEqual([damage, head.hash], [undefined, expected.hash]);
    const { replica } = recover(acknowledged(REAL_DISK, journalPaths(folder)), undefined, LIVE);
    assert.equal(replica.hash(), expected.stateHash);
  });

  it('gets them also when the snapshot fails, as on a full disk: it gets room by it', async () => {
    const folder = join(scratch, 'full');
    cpSync(GOLDEN, folder, { recursive: true });
    rmSync(join(folder, 'snapshots'), { recursive: true, force: true });
    writeFileSync(join(folder, 'snapshots'), 'not a folder');
    const worker = new Worker(new URL('../../../src/engine/snapshots/snapshot-worker.ts', import.meta.url), {
      workerData: { folder },
    });
    await assert.rejects(
      new Promise((resolve, reject) => {
        worker.once('message', resolve).once('error', reject);
      }),
      /ENOTDIR/,
    );
    assert.equal(readdirSync(join(folder, 'journal')).filter((name) => name.endsWith('.zst')).length, 2);
  });
});

/** The disk, on which one file cannot be read. */
function unreadable(disk: FaultyDisk, path: string): Disk {
  const failing = (): never => {
    throw Object.assign(new Error(`EIO: ${path}`), { code: 'EIO' });
  };
  return new Proxy(disk, {
    get: (target, name) => {
      if (name === 'open')
        return (...args: Parameters<Disk['open']>) => (args[0] === path ? failing() : target.open(...args));
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** The disk, with the bytes of its reads counted. */
function counted(disk: FaultyDisk, count: (bytes: number) => void): Disk {
  const open = (path: string, how: Parameters<Disk['open']>[1]): DiskFile => {
    const file = disk.open(path, how);
    const read = (position: number, length: number): Uint8Array => {
      const bytes = file.read(position, length);
      count(bytes.length);
      return bytes;
    };
    return { ...file, read };
  };
  return withOwn(disk, { open });
}

/** The disk with other calls in place of some of its own. */
function withOwn(disk: FaultyDisk, own: Partial<Disk>): Disk {
  return {
    names: (folder) => disk.names(folder),
    open: (path, how) => disk.open(path, how),
    create: (path) => disk.create(path),
    rename: (from, to) => disk.rename(from, to),
    link: (path, other) => disk.link(path, other),
    refer: (path, target) => disk.refer(path, target),
    isReference: (path) => disk.isReference(path),
    remove: (path) => disk.remove(path),
    flushFolder: (folder) => disk.flushFolder(folder),
    ...own,
  };
}
