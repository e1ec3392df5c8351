import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import { must } from '../../../src/base/assert.ts';
import { lastSeq } from '../../../src/journal/chain.ts';
import { encodeGroup, RECORD_END } from '../../../src/journal/codec.ts';
import { Committer } from '../../../src/journal/committer.ts';
import { REAL_DISK } from '../../../src/journal/disk/real-disk.ts';
import { makeReady } from '../../../src/journal/file-journal.ts';
import type { Group, StoredGroup } from '../../../src/journal/journal.ts';
import { type RecoverySource, recover } from '../../../src/journal/recovery.ts';
import { FRAME_HEADER_BYTES, openFrame } from '../../../src/journal/segments/layout.ts';
import { packSegments } from '../../../src/journal/segments/pack-segment.ts';
import { readingAhead } from '../../../src/journal/segments/read-ahead.ts';
import type { StoredJournal } from '../../../src/journal/segments/stored-journal.ts';
import { JournalDamaged } from '../../../src/journal/upkeep/damage.ts';
import { examine, type JournalPaths, journalPaths } from '../../../src/journal/upkeep/examine.ts';
import { ADDING } from '../../kit/journal/adding.ts';
import { scratchFolder } from '../../kit/journal/image.ts';
import { sampleGroup } from '../../kit/journal/sample.ts';

/** A thread that reads ahead of a recovery: the same groups, the same faults, and no thread that stays. */

const MIB = 1024 * 1024;
/** Far more than what a recovery reads without a thread. In bytes. */
const LONG = 48 * MIB;
const GROUP = 24;
/** A group of this many records is longer than what is read at once. */
const LARGE_GROUP = 300;
/** Records of this length, in bytes, make a long journal of few. */
const RECORD = 5_000;

const folder = scratchFolder();
const paths = journalPaths(join(folder, 'good'));
let stored: StoredJournal;
let ahead: RecoverySource;

before(() => {
  written(paths, LONG);
  ({ stored } = examine(REAL_DISK, paths));
  ahead = readingAhead(stored);
});

after(() => rmSync(folder, { recursive: true }));

/** Writes a journal of this length in segments of 8 MiB, with a large group in each, and at its end other groups. */
function written(to: JournalPaths, bytes: number, others: (firstSeq: number) => readonly Group[] = () => []): void {
  const options = { segmentBytes: 8 * MIB, reserveBytes: MIB, stepBytes: MIB };
  const committer = new Committer(REAL_DISK, to, makeReady(REAL_DISK, to).start, options);
  const commit = (group: Group): number => {
    const frame = openFrame(group);
    const head = must(committer.commit(frame), 'there is room');
    committer.prepare();
    length += frame.length;
    return head.seq + 1;
  };
  let length = 0;
  let seq = 1;
  for (let turn = 1; length < bytes; turn += 1) seq = commit(longGroup(seq, turn % 40 === 0 ? LARGE_GROUP : GROUP));
  for (const group of others(seq)) seq = commit(group);
  committer.close();
}

/** Sample records with blanks after each. */
function longGroup(firstSeq: number, count: number): Group {
  const group = sampleGroup(firstSeq, count);
  const lines = String(group.body).split(RECORD_END).slice(0, -1);
  return { ...group, body: lines.map((line) => line.padEnd(RECORD) + RECORD_END).join('') };
}

/** Groups as numbers and words: their bytes are there until the next group alone. */
function shapesOf(groups: Iterable<StoredGroup>): unknown[] {
  return Array.from(groups, ({ follows: _, body, ...others }) => ({ ...others, crc: crc32(body) }));
}

/** The result of a recovery, or its damage. */
function outcome(journal: RecoverySource): unknown {
  try {
    const { replica, head, records } = recover(journal, undefined, ADDING);
    return { sum: replica.sum, head, records };
  } catch (error) {
    return error instanceof JournalDamaged ? error.report : error;
  }
}

/** Expects that a recovery ends with the same damage with and without a thread, and gives its words. */
function sameDamage(journal: StoredJournal): string {
  const found = outcome(journal) as JournalDamaged['report'];
  assert.deepEqual(outcome(readingAhead(journal)), found);
  return found.what;
}

/** A group that the thread has read, near the end of the journal. */
function lateGroup(): { readonly file: string; readonly offset: number; readonly body: number; readonly end: number } {
  const groups = [...stored.groups(Math.floor(stored.head().seq * 0.9))];
  const { place, body } = must(
    groups.find(({ body: { length }, count }) => length % 512 < 400 && count === GROUP),
    'a group with fill',
  );
  const { file, offset } = must(place, 'a group lies somewhere');
  const end = Math.ceil((offset + FRAME_HEADER_BYTES + body.length + 40) / 512) * 512;
  return { file, offset, body: body.length, end };
}

/** Runs `work` while a byte of a file is another one. */
function whileFlipped<T>(path: string, at: number, work: () => T): T {
  const bytes = readFileSync(path);
  const flipped = Buffer.from(bytes);
  flipped[at] = (flipped[at] as number) ^ 1;
  writeFileSync(path, flipped);
  try {
    return work();
  } finally {
    writeFileSync(path, bytes);
  }
}

describe('a thread that reads ahead', () => {
  it('gives the groups that are there, each after the hash that its own follows', () => {
    assert.deepEqual(shapesOf(ahead.groups(0)), shapesOf(stored.groups(0)));
    let previous = '';
    let known = 0;
    for (const { hash, follows } of ahead.groups(0)) {
      if (follows !== undefined) assert.equal(follows, previous);
      known += follows === undefined ? 0 : 1;
      previous = hash;
    }
    assert.ok(known > [...stored.groups(0)].length / 2, `${known} groups came from the thread`);
  });

  it('gives the groups after any record', () => {
    const some = [1, GROUP, GROUP + 1, 3 * GROUP + 7, 50 * GROUP];
    for (const seq of some) assert.deepEqual(shapesOf(ahead.groups(seq)), shapesOf(stored.groups(seq)), `${seq}`);
  });

  it('recovers what a recovery without it does', () => {
    assert.deepEqual(outcome(ahead), outcome(stored));
  });

  it('is not begun where little is to be read', () => {
    const begun: Worker[] = [];
    const note = (worker: Worker): number => begun.push(worker);
    process.on('worker', note);
    const groups = [...ahead.groups(Math.floor(stored.head().seq / 2))];
    process.off('worker', note);
    assert.deepEqual([begun.length, groups.some(({ follows }) => follows !== undefined)], [0, false]);
  });

  it('ends when all groups are read, and when its reader leaves before', async () => {
    for (const most of [Number.POSITIVE_INFINITY, 2, 100]) {
      const begins = once(process, 'worker');
      let read = 0;
      for (const _ of ahead.groups(0)) {
        read += 1;
        if (read === most) break;
      }
      const [worker] = await begins;
      if (worker.threadId !== -1) await once(worker, 'exit');
      assert.equal(worker.threadId, -1);
    }
  });

  it('leaves each fault to its reader, which says the same', () => {
    const { file, offset, body, end } = lateGroup();
    const faults: readonly (readonly [place: number, what: RegExp])[] = [
      [offset, /is not there any more|groups end/],
      [offset + FRAME_HEADER_BYTES, /chain hash/],
      [offset + FRAME_HEADER_BYTES + body - 1, /chain hash/],
      [offset + FRAME_HEADER_BYTES + body, /not filled up with zeros/],
      [end - 40, /chain hash/],
    ];
    for (const [place, what] of faults) {
      assert.match(
        whileFlipped(file, place, () => sameDamage(stored)),
        what,
      );
    }
  });

  it('leaves a file that ends early, and one that is gone, to its reader', () => {
    const { file, offset } = lateGroup();
    const bytes = readFileSync(file);
    truncateSync(file, offset + 1);
    assert.match(sameDamage(stored), /is not there any more|groups end/);
    writeFileSync(file, bytes);
    renameSync(file, join(folder, basename(file)));
    assert.match(sameDamage(stored), /groups end/);
    renameSync(join(folder, basename(file)), file);
  });

  it('leaves records that cannot be read to its reader', () => {
    const cases: readonly (readonly [line: string, what: RegExp])[] = [
      ['no record', /not JSON/],
      ['{}', /not a record/],
    ];
    for (const [line, what] of cases) {
      const other = journalPaths(join(folder, 'bad'));
      written(other, LONG, (firstSeq) => [encodeGroup(firstSeq, 1, line + RECORD_END)]);
      assert.match(sameDamage(examine(REAL_DISK, other).stored), what);
      rmSync(other.folder, { recursive: true });
    }
  });

  it('reads compressed segments', () => {
    const shapes = (groups: Iterable<StoredGroup>): unknown[] =>
      Array.from(groups, ({ hash, body }) => [hash, crc32(body)]);
    const plain = shapes(stored.groups(0));
    assert.ok(packSegments(REAL_DISK, { folder: paths.journal }).packed.length > 2);
    assert.deepEqual(shapes(ahead.groups(0)), plain);
    const looked = examine(REAL_DISK, paths).stored;
    assert.deepEqual(shapes(readingAhead(looked).groups(0)), plain);
    assert.equal(lastSeq(must([...readingAhead(looked).groups(0)].at(-1), 'groups')), stored.head().seq);
  });
});
