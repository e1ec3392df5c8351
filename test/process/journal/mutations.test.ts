import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { beforeEach, describe, it } from 'node:test';
import { FaultyDisk } from '../../../sim/faulty-disk.ts';
import { must } from '../../../src/base/assert.ts';
import type { EpochMs } from '../../../src/base/time.ts';
import { GENESIS } from '../../../src/journal/chain.ts';
import { makeReady } from '../../../src/journal/file-journal.ts';
import { createMark } from '../../../src/journal/high-water-mark.ts';
import type { Head } from '../../../src/journal/journal.ts';
import {
  frameBytesOf,
  openFrame,
  readFrameHeader,
  SECTOR_BYTES,
  sealFrame,
  segmentHeader,
} from '../../../src/journal/segments/layout.ts';
import { SnapshotFolder } from '../../../src/journal/snapshot-file.ts';
import { verificationText, verifyJournal } from '../../../src/journal/upkeep/verify.ts';
import { commit, diskOf, FOLDER, filesOf, open, PATHS, put, SMALL, segmentsOf } from '../../kit/journal/image.ts';
import { sampleGroup } from '../../kit/journal/sample.ts';

const RECORDS = 200;

/** Groups of 10 records: two segments of ten groups each. */
function journal(): FaultyDisk {
  const disk = new FaultyDisk();
  const committer = open(disk, { ...SMALL, segmentBytes: 10 * frameBytesOf(String(sampleGroup(1, 10).body).length) });
  for (let firstSeq = 1; firstSeq < RECORDS - 10; firstSeq += 10) commit(committer, firstSeq, 10);
  // A third segment is not begun.
  committer.commit(openFrame(sampleGroup(RECORDS - 9, 10)));
  committer.close();
  return disk;
}

const WHOLE = filesOf(journal());
let disk: FaultyDisk;
let first: string;
let second: string;

beforeEach(() => {
  disk = diskOf(WHOLE);
  [first = '', second = ''] = segmentsOf(disk);
});

/** A segment in pieces: its header and its frames, to be put together otherwise. */
function pieces(path: string): Uint8Array[] {
  const bytes = disk.bytesOf(path);
  const found = [bytes.slice(0, SECTOR_BYTES)];
  for (let at = SECTOR_BYTES; at < bytes.length; ) {
    const { frameBytes } = must(readFrameHeader(bytes.subarray(at)), 'a frame');
    found.push(bytes.slice(at, at + frameBytes));
    at += frameBytes;
  }
  return found;
}

function rearrange(path: string, change: (from: Uint8Array[]) => Uint8Array[]): void {
  put(disk, path, Buffer.concat(change(pieces(path))));
}

function found(): string {
  return verificationText(verifyJournal(FOLDER, { disk }));
}

/** The frames of a segment, numbered from 1: the header is number 0. */
const MUTATIONS: readonly (readonly [what: string, mutate: () => void, damage: RegExp])[] = [
  [
    'a group removed',
    () => rearrange(first, (all) => all.toSpliced(5, 1)),
    /offset \d+, sequence 41: .* not a group that follows sequence 40/,
  ],
  ['the first group removed', () => rearrange(first, (all) => all.toSpliced(1, 1)), /offset 512, sequence 1: /],
  [
    'the last group of a segment removed',
    () => rearrange(first, (all) => all.slice(0, -1)),
    /0101, offset 0, sequence 91: a segment that starts with 101 follows sequence 90/,
  ],
  [
    'the last group of all removed',
    () => rearrange(second, (all) => all.slice(0, -1)),
    /sequence 191: durable history is shorter than acknowledged: the journal ends at 190, .* stands at 200/,
  ],
  [
    'two groups swapped',
    () => rearrange(first, ([head, a, b, ...rest]) => [must(head, ''), must(b, ''), must(a, ''), ...rest]),
    /offset 512, sequence 1: /,
  ],
  [
    'a group repeated',
    () => rearrange(second, (all) => all.toSpliced(3, 0, must(all[2], ''))),
    /sequence 121: .* a group of 121 comes after it/,
  ],
  [
    'a group repeated at the end',
    () => rearrange(second, (all) => [...all, must(all[1], '')]),
    /sequence 201: a group that starts with 101 follows sequence 200/,
  ],
  [
    "the other segment's groups at the end",
    () => rearrange(second, (all) => [...all, ...pieces(first).slice(5)]),
    /sequence 201: .* comes after it/,
  ],
  [
    'a group inserted that was sealed for its place',
    () => rearrange(first, (all) => all.toSpliced(5, 0, sealed(all, 5))),
    /sequence 42: .* not a group that follows sequence 41/,
  ],
  [
    'a whole segment removed',
    () => disk.remove(first),
    /offset 0, sequence 1: a segment that starts with 101 follows sequence 0/,
  ],
  ['the last segment removed', () => disk.remove(second), /shorter than acknowledged: the journal ends at 100/],
  [
    'a segment under another name',
    () => disk.rename(first, second.replace('101', '301')),
    /0101, offset 0, sequence 1: a segment that starts/,
  ],
  [
    'a copy of a segment',
    () => put(disk, create('segment-0000000000000201'), disk.bytesOf(second)),
    /0201, offset 0, sequence 201: the segment's header says that it starts with 101/,
  ],
  [
    'an empty segment',
    () => put(disk, create('segment-0000000000000201'), new Uint8Array()),
    /0201, offset 0, sequence 201: the file ends in its header/,
  ],
  [
    'a segment of another history',
    () => put(disk, create('segment-0000000000000201'), segmentHeader({ seq: 200, hash: 'ab'.repeat(32) })),
    /0201, offset 0, sequence 201: the segment is of another history/,
  ],
  [
    'a newer layout',
    () => relayout(),
    /offset 0, sequence 1: journal layout version 2 is unknown: this program reads version 1/,
  ],
  [
    'a newer record version',
    () => renew(),
    /offset \d+, group of 191, sequence 191: record version 2 is unknown: this program reads version 1/,
  ],
  [
    'a body that is not a record, with a right chain',
    () => forge('{"seq":191}\n'.repeat(10)),
    /group of 191, sequence 191: not a record/,
  ],
];

/** A frame with records that belong into its place, sealed after the group before it. */
function sealed(all: readonly Uint8Array[], at: number): Uint8Array {
  const next = must(readFrameHeader(must(all[at], 'a frame')), 'a header');
  const frame = openFrame(sampleGroup(next.firstSeq, 1));
  sealFrame(frame, { seq: next.firstSeq - 1, hash: next.previous });
  return frame;
}

function create(name: string): string {
  const path = `${PATHS.journal}/${name}`;
  disk.create(path).close();
  return path;
}

/** The first segment as a later layout would have it. */
function relayout(): void {
  const header = Buffer.from(segmentHeader(GENESIS));
  header.writeUInt32BE(2, 8);
  hash('sha256', header.subarray(0, 56), 'buffer').copy(header, 56);
  rearrange(first, ([, ...frames]) => [header, ...frames]);
}

/** The last group written again with other content, sealed in its place, and the mark with it. */
function reseal(version: number, body: string): void {
  rearrange(second, (all) => {
    const old = must(readFrameHeader(must(all.at(-1), 'a frame')), 'a header');
    const frame = openFrame({ version, firstSeq: old.firstSeq, count: old.count, body });
    const head: Head = sealFrame(frame, { seq: old.firstSeq - 1, hash: old.previous });
    createMark(disk, PATHS.mark, head);
    return [...all.slice(0, -1), frame];
  });
}

function renew(): void {
  reseal(2, String(sampleGroup(191, 10).body));
}

function forge(body: string): void {
  reseal(1, body);
}

describe('a journal that somebody changed', () => {
  for (const [what, mutate, damage] of MUTATIONS) {
    it(`is found out: ${what}`, () => {
      mutate();
      assert.match(found(), damage);
    });
  }

  it('is found out when the chain was made again after a change', () => {
    const mark = disk.bytesOf(PATHS.mark);
    forge(String(sampleGroup(191, 10).body).replace('"amount":191', '"amount":999'));
    assert.equal(verifyJournal(FOLDER, { disk }).damage, undefined, 'the mark was forged too');
    put(disk, PATHS.mark, mark);
    assert.match(found(), /is not the one that .*high-water-mark was written for/);
  });

  it('is not touched by a start that refuses it', () => {
    for (const [what, mutate] of MUTATIONS.filter(([, , damage]) => !String(damage).includes('not a record'))) {
      disk = diskOf(WHOLE);
      mutate();
      const before = filesOf(disk);
      assert.throws(() => makeReady(disk, PATHS), { name: 'JournalDamaged' }, what);
      assert.deepEqual(filesOf(disk), before, what);
    }
  });
});

describe('the high-water mark', () => {
  it('stops the start of a journal whose tail is gone', () => {
    restoreOldCopy();
    const before = filesOf(disk);
    const message =
      /segment-0000000000000101, offset \d+, sequence 201: durable history is shorter than acknowledged: the journal ends at 200, .* stands at 220; start with --accept-loss=200 .*last good sequence 200/;
    assert.throws(() => makeReady(disk, PATHS), { name: 'JournalDamaged', message });
    for (const wrong of [199, 201, 220]) assert.throws(() => makeReady(disk, PATHS, wrong), { name: 'JournalDamaged' });
    assert.deepEqual(filesOf(disk), before);
  });

  it('lets the start go on when the loss is accepted at exactly that sequence, once', () => {
    restoreOldCopy();
    const ready = makeReady(disk, PATHS, 200);
    assert.equal(ready.start.head.seq, 200);
    assert.match(ready.notes.join(), /ends at 200, .* stands at 220: accepted, history goes on after 200$/);
    assert.deepEqual(makeReady(disk, PATHS, 200).notes, [], 'what was accepted is over');
    const committer = open(disk);
    commit(committer, 201, 1);
    committer.close();
    assert.deepEqual(
      [verifyJournal(FOLDER, { disk }).damage, verifyJournal(FOLDER, { disk }).records],
      [undefined, 201],
    );
  });

  it('is missed when it is gone, and when neither slot can be read; a look without it goes on', () => {
    disk.remove(PATHS.mark);
    assert.throws(() => makeReady(disk, PATHS), /high-water-mark is missing; start with --accept-loss=200/);
    const alone = verifyJournal(FOLDER, { disk, mark: 'none' });
    assert.deepEqual([alone.damage, alone.records], [undefined, RECORDS]);
    disk.create(PATHS.mark).write(0, new Uint8Array(1_024));
    assert.throws(() => makeReady(disk, PATHS), /high-water-mark cannot be read; start with --accept-loss=200/);
  });

  it('says so when the journal itself is gone', () => {
    disk.remove(first);
    disk.remove(second);
    assert.throws(() => makeReady(disk, PATHS), /there is no journal, and .*high-water-mark belongs to one/);
  });

  it('is not needed to know that a journal is gone of which there are snapshots', () => {
    const snapshots = new SnapshotFolder(PATHS.snapshots, disk);
    snapshots.write({ seq: 100, at: 1 as EpochMs, chain: '', stateHash: '', lines: [] });
    for (const path of [first, second, PATHS.mark]) disk.remove(path);
    assert.throws(() => makeReady(disk, PATHS), {
      name: 'JournalDamaged',
      message: /there is no journal, and .*snapshot-0000000000000100 belongs to one/,
    });
  });

  it('may stand behind the journal: the process was killed between the two writes; then it is brought up', () => {
    const older = disk.bytesOf(PATHS.mark);
    const committer = open(disk);
    commit(committer, 201, 5);
    put(disk, PATHS.mark, older);
    assert.equal(makeReady(disk, PATHS).start.head.seq, 205);
    disk = diskOf(filesOf(disk));
    rearrange(second, (all) => all.slice(0, -1));
    assert.match(found(), /the journal ends at 200, .* stands at 205/);
  });

  /** The journal grows by 20 records; then its files come back as they were before. */
  function restoreOldCopy(): void {
    const committer = open(disk);
    commit(committer, 201, 20);
    committer.close();
    put(disk, second, must(WHOLE.get(second), 'the old copy'));
  }
});

it('a journal of a layout from before there were segments is refused', () => {
  disk.create(`${FOLDER}/journal.db`);
  const message = /journal\.db is a journal of a layout that this program does not read/;
  assert.throws(() => makeReady(disk, PATHS), { name: 'JournalDamaged', message });
  assert.match(found(), message);
});
