import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { FaultyDisk } from '../../../sim/faulty-disk.ts';
import { createMark } from '../../../src/journal/high-water-mark.ts';
import { recover } from '../../../src/journal/recovery.ts';
import { openFrame } from '../../../src/journal/segments/layout.ts';
import type { StoredJournal } from '../../../src/journal/segments/stored-journal.ts';
import { SnapshotFolder } from '../../../src/journal/snapshot-file.ts';
import { appendGroup, copyHistory } from '../../../src/journal/upkeep/copy-history.ts';
import { acknowledged, examineBeside, journalPaths } from '../../../src/journal/upkeep/examine.ts';
import { groupOf, instantOf, lastCommonRecord, lastRecordBy } from '../../../src/journal/upkeep/find-records.ts';
import { verifyJournal } from '../../../src/journal/upkeep/verify.ts';
import { UNWATCHED } from '../../../src/os/progress.ts';
import { ADDING } from '../../kit/journal/adding.ts';
import { commitMany, FOLDER, filesOf, open, PATHS, segmentsOf } from '../../kit/journal/image.ts';
import { sampleGroup, sampleRecord } from '../../kit/journal/sample.ts';

const RECORDS = 1_300;

/** A journal of several segments with two snapshots, whose writer still runs. */
function busy(): FaultyDisk {
  const disk = new FaultyDisk();
  const committer = open(disk);
  const snapshots = new SnapshotFolder(PATHS.snapshots, disk);
  let from = 1;
  for (const records of [200, 700]) {
    commitMany(committer, from, records);
    from = records + 1;
    const { replica, head } = recover(acknowledged(disk, PATHS), undefined, ADDING);
    const { seq, at } = replica;
    snapshots.write({ seq, at, chain: head.hash, stateHash: replica.hash(), lines: replica.lines() });
  }
  commitMany(committer, from, RECORDS);
  return disk;
}

const storedOf = (disk: FaultyDisk, folder = FOLDER): StoredJournal => examineBeside(disk, journalPaths(folder)).stored;

/** Copies the history up to a record, and adds a record that the parent does not have. */
function branchAt(disk: FaultyDisk, seq: number, folder: string) {
  const to = journalPaths(folder);
  const copied = copyHistory(disk, storedOf(disk), { from: PATHS, to, seq }, UNWATCHED);
  const head = appendGroup(disk, to, copied.head, { ...sampleGroup(seq + 1, 1), body: ownRecord(seq + 1) });
  createMark(disk, to.mark, head);
  return { ...copied, head };
}

function ownRecord(seq: number): string {
  const { at, ...record } = sampleRecord(seq);
  return `${JSON.stringify({ seq: record.seq, at: at + 1_000_000, command: record.command, events: record.events })}\n`;
}

/** Cuts at the ends of groups, within groups, at the ends of segments and at both ends of history. */
function cuts(disk: FaultyDisk): number[] {
  const firsts = segmentsOf(disk).map((path) => Number(path.slice(-16)));
  const around = firsts.flatMap((first) => [first - 1, first, first + 1, first + 40]);
  return [...new Set([1, 2, 3, 5, 199, 200, 201, 700, 701, 1_111, RECORDS - 1, RECORDS, ...around])]
    .filter((seq) => seq >= 1 && seq <= RECORDS)
    .sort((a, b) => a - b);
}

describe('a copied history', () => {
  it('is whole up to the record that was named, wherever that lies, and goes on with records of its own', () => {
    const disk = busy();
    assert.ok(segmentsOf(disk).length >= 4, 'several segments');
    const before = filesOf(disk);
    const all = cuts(disk);
    assert.ok(all.length > 20);
    for (const seq of all) {
      const folder = `/branch-${seq}`;
      const { head } = branchAt(disk, seq, folder);
      const verified = verifyJournal(folder, { disk });
      assert.deepEqual([verified.damage, verified.records, verified.head], [undefined, seq + 1, head], `cut at ${seq}`);
      const snapshots = new SnapshotFolder(journalPaths(folder).snapshots, disk);
      const { replica, fromSnapshot } = recover(storedOf(disk, folder), snapshots, ADDING);
      assert.equal(replica.sum, ((seq + 1) * (seq + 2)) / 2, `the sum at ${seq}`);
      assert.equal(fromSnapshot, seq >= 700 ? 700 : seq >= 200 ? 200 : 0, `the snapshot of ${seq}`);
      assert.equal(lastCommonRecord(storedOf(disk), storedOf(disk, folder)), seq);
      assert.equal(lastCommonRecord(storedOf(disk, folder), storedOf(disk)), seq);
    }
    for (const [path, bytes] of before) assert.deepEqual(disk.bytesOf(path), bytes, `${path} is as it was`);
  });

  it('shares the segments that no longer change, and stays whole when the parent is removed', () => {
    const disk = busy();
    const { files, linked } = branchAt(disk, RECORDS, '/branch');
    const segments = segmentsOf(disk).length;
    assert.deepEqual([files, linked], [segments + 2, segments + 1], 'all but the last segment, and both snapshots');
    for (const path of filesOf(disk).keys()) if (path.startsWith(`${FOLDER}/`)) disk.remove(path);
    assert.equal(verifyJournal('/branch', { disk }).damage, undefined);
  });

  it('is copied where the disk has no links', () => {
    const disk = busy();
    disk.hasLinks = false;
    assert.equal(branchAt(disk, RECORDS, '/branch').linked, 0);
    disk.flip(join(PATHS.journal, 'segment-0000000000000001'), 700, 1);
    assert.equal(verifyJournal('/branch', { disk }).damage, undefined, 'another file');
  });

  it('of two branches has in common what the earlier one took, and nothing with another history', () => {
    const disk = busy();
    branchAt(disk, 905, '/one');
    branchAt(disk, 1_204, '/two');
    branchAt(disk, 905, '/three');
    assert.equal(lastCommonRecord(storedOf(disk, '/one'), storedOf(disk, '/two')), 905);
    assert.equal(
      lastCommonRecord(storedOf(disk, '/one'), storedOf(disk, '/three')),
      906,
      'their own records are equal',
    );
    const other = new FaultyDisk();
    open(other).commit(openFrame({ ...sampleGroup(1, 1), body: ownRecord(1) }));
    assert.equal(lastCommonRecord(storedOf(disk), storedOf(other)), 0);
  });
});

describe('a record of a journal', () => {
  it('is found by its number and by an instant', () => {
    const stored = storedOf(busy());
    for (const seq of [1, 2, 77, 700, RECORDS]) {
      const at = instantOf(stored, seq);
      assert.equal(at, sampleRecord(seq).at);
      assert.equal(lastRecordBy(stored, at), seq);
      const group = groupOf(stored, seq);
      assert.ok(group.firstSeq <= seq && seq < group.firstSeq + group.count);
    }
    const first = sampleRecord(1).at;
    assert.equal(lastRecordBy(stored, (first - 1) as typeof first), 0);
    assert.equal(lastRecordBy(stored, (first + 1e9) as typeof first), RECORDS);
  });
});
