import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { FaultyDisk } from '../../../sim/faulty-disk.ts';
import { must } from '../../../src/base/assert.ts';
import { lastSeq } from '../../../src/journal/chain.ts';
import { openFrame } from '../../../src/journal/segments/layout.ts';
import { StoredJournal } from '../../../src/journal/segments/stored-journal.ts';
import { commit, commitMany, open, PATHS, SMALL, segmentsOf } from '../../kit/journal/image.ts';
import { sampleGroup } from '../../kit/journal/sample.ts';

const MIB = 1024 * 1024;
const OPTIONS = { segmentBytes: 5 * MIB, reserveBytes: MIB, stepBytes: MIB };

test('a journal that grows gives its groups from any record on, in however many segments, as one that is looked at afterwards', () => {
  const disk = new FaultyDisk();
  const committer = open(disk, OPTIONS);
  const growing = new StoredJournal(disk, PATHS.journal);
  growing.look();
  const firsts: number[] = [];
  for (let seq = 1; segmentsOf(disk).length < 3; seq += 1_500) {
    firsts.push(seq);
    const head = must(committer.commit(openFrame(sampleGroup(seq, 1_500))), 'there is room');
    growing.grow(head, committer.lastOffset);
    committer.prepare();
  }
  const looked = new StoredJournal(disk, PATHS.journal);
  looked.look();
  assert.ok(firsts.length > 20, `${firsts.length} groups`);
  for (const first of firsts) {
    const inside = first + 700;
    const [group] = growing.groups(inside);
    assert.equal(group?.firstSeq, first, 'the group that holds the next record');
    assert.deepEqual(group, [...looked.groups(inside)][0]);
    assert.equal(growing.hashAt(first - 1), looked.hashAt(first - 1));
  }
  assert.equal([...growing.groups(0)].length, firsts.length);
});

test('a journal that was looked at knows where it begins, also as it grows, and lists its folder no more for that', (t) => {
  const disk = new FaultyDisk();
  const committer = open(disk, SMALL);
  const begun = new StoredJournal(disk, PATHS.journal);
  begun.look();
  assert.equal(begun.begin(), 0);
  begun.grow(commit(committer, 1, 5), committer.lastOffset);
  commitMany(committer, 6, 2_000);
  const looked = new StoredJournal(disk, PATHS.journal);
  looked.look();
  assert.ok(segmentsOf(disk).length > 1);
  const names = t.mock.method(disk, 'names');
  assert.equal(begun.begin(), 0);
  assert.equal(looked.begin(), 0);
  assert.equal(names.mock.callCount(), 0);
});

test('the segments with known groups are those that the folder lists, found without a list and in one pass', (t) => {
  const disk = new FaultyDisk();
  commitMany(open(disk, SMALL), 1, 4_000);
  const stored = new StoredJournal(disk, PATHS.journal);
  stored.look();
  const listed = segmentsOf(disk).map((path) => basename(path));
  const names = t.mock.method(disk, 'names');
  const extents = stored.extents();
  assert.equal(names.mock.callCount(), 0);
  assert.deepEqual(
    extents.map(({ name }) => name),
    listed,
  );
  assert.ok(extents.length > 3);
  assert.ok(extents.slice(0, -1).every(({ bytes }) => bytes === Number.POSITIVE_INFINITY));
  assert.ok(Number.isFinite(extents.at(-1)?.bytes));
});

test('groups that are written while others are read are left for the next reading', () => {
  const disk = new FaultyDisk();
  const committer = open(disk, OPTIONS);
  const growing = new StoredJournal(disk, PATHS.journal);
  growing.look();
  const append = (seq: number): void => {
    const head = must(committer.commit(openFrame(sampleGroup(seq, 1))), 'there is room');
    growing.grow(head, committer.lastOffset);
  };
  append(1);
  append(2);
  const seqs: number[] = [];
  for (const group of growing.groups(0)) {
    seqs.push(lastSeq(group));
    append(group.firstSeq + 2);
  }
  assert.deepEqual(seqs, [1, 2]);
  assert.deepEqual([...growing.groups(2)].map(lastSeq), [3, 4]);
});
