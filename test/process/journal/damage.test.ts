import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { FaultyDisk } from '../../../sim/faulty-disk.ts';
import { must } from '../../../src/base/assert.ts';
import { Random } from '../../../src/base/random.ts';
import { chainFault, GENESIS, lastSeq } from '../../../src/journal/chain.ts';
import type { Head } from '../../../src/journal/journal.ts';
import { SECTOR_BYTES } from '../../../src/journal/segments/layout.ts';
import type { Tail } from '../../../src/journal/segments/tail.ts';
import { JournalDamaged } from '../../../src/journal/upkeep/damage.ts';
import { examine } from '../../../src/journal/upkeep/examine.ts';
import {
  casesOf,
  commit,
  commitMany,
  diskOf,
  EXHAUSTIVE,
  filesOf,
  lastSegment,
  open,
  PATHS,
  put,
  segmentsOf,
  whileHolding,
} from '../../kit/journal/image.ts';

const RECORDS = 1_000;
/** How many cases of each kind run by default; SAUDA_EXHAUSTIVE=1 runs them all. */
const SAMPLE = 800;
/** The number of records of the last group; with them it takes ten sectors. */
const LAST = 20;
const BEFORE = RECORDS - LAST;

/** A journal of a thousand records in several segments. */
function journalOf(end: 'closed' | 'killed' | 'unmarked'): FaultyDisk {
  const disk = new FaultyDisk();
  const committer = open(disk);
  commitMany(committer, 1, BEFORE);
  const mark = disk.bytesOf(PATHS.mark);
  commit(committer, BEFORE + 1, LAST);
  if (end === 'closed') committer.close();
  const files = filesOf(disk);
  if (end === 'unmarked') files.set(PATHS.mark, mark);
  return diskOf(files);
}

interface Found {
  readonly head: Head;
  readonly tail: Tail['kind'] | undefined;
}

/** The result of a start for a fault in every byte of a journal: where it ends, or the damage. */
function look(disk: FaultyDisk): Found | JournalDamaged {
  try {
    const { stored, end } = examine(disk, PATHS);
    let head = GENESIS;
    for (const group of stored.groups(0)) {
      const fault = chainFault(head, group);
      if (fault !== undefined)
        return new JournalDamaged({ file: stored.name, seq: group.firstSeq, what: fault, lastGood: head.seq });
      head = { seq: lastSeq(group), hash: group.hash };
    }
    assert.deepEqual(head, end.head);
    return { head, tail: end.tail?.kind };
  } catch (error) {
    if (error instanceof JournalDamaged) return error;
    throw error;
  }
}

function whole(disk: FaultyDisk): Found {
  const found = look(disk);
  assert.ok(!(found instanceof Error), String(found));
  return found;
}

function flips(
  disk: FaultyDisk,
  path: string,
  wanted: number,
  judge: (found: Found | JournalDamaged, byte: number) => void,
): number {
  const cases = casesOf(disk.bytesOf(path).length * 8, wanted);
  for (const bit of cases) {
    disk.flip(path, bit >> 3, bit & 7);
    judge(look(disk), bit >> 3);
    disk.flip(path, bit >> 3, bit & 7);
  }
  return cases.length;
}

describe('damage to a journal of 1,000 records', () => {
  const closed = journalOf('closed');
  const killed = journalOf('killed');
  const unmarked = journalOf('unmarked');

  it('starts from journals that are whole', () => {
    assert.ok(segmentsOf(closed).length >= 3);
    assert.deepEqual([whole(closed).head.seq, whole(closed).tail], [RECORDS, 'none']);
    for (const disk of [killed, unmarked]) assert.deepEqual(whole(disk), { head: whole(closed).head, tail: 'blank' });
  });

  it('is found for every flipped bit of every segment that was closed in order', (t) => {
    let count = 0;
    for (const path of segmentsOf(closed)) {
      count += flips(closed, path, SAMPLE, (found, byte) => {
        assert.ok(found instanceof JournalDamaged, `byte ${byte} of ${path}`);
      });
    }
    t.diagnostic(`${count} flips, every one refused`);
  });

  it('is found for every flipped bit of a segment that was left open, zeros included', (t) => {
    const tally = { refused: 0, tail: 0 };
    const path = lastSegment(killed);
    const { head } = whole(killed);
    const count = flips(killed, path, SAMPLE, (found, byte) => {
      if (found instanceof JournalDamaged) tally.refused += 1;
      else {
        assert.deepEqual(found, { head, tail: 'torn' }, `byte ${byte}`);
        tally.tail += 1;
      }
    });
    assert.ok(tally.refused > 0 && tally.tail > 0);
    t.diagnostic(
      `${count} flips: ${tally.refused} refused, ${tally.tail} in the zeros behind the last group, which are cut off`,
    );
  });

  it('is found for every flipped bit of a group that was not acknowledged, too', (t) => {
    const tally = { refused: 0, cut: 0 };
    flips(unmarked, lastSegment(unmarked), SAMPLE, (found, byte) => {
      if (found instanceof JournalDamaged) tally.refused += 1;
      else {
        assert.equal(found.tail, 'torn', `byte ${byte}`);
        tally.cut += 1;
      }
    });
    assert.ok(tally.refused > 0);
    t.diagnostic(`${tally.refused} refused, ${tally.cut} cut off`);
  });

  it('of the high-water mark misleads nobody', (t) => {
    const { head } = whole(closed);
    const count = flips(closed, PATHS.mark, SAMPLE / 4, (found, byte) => {
      assert.ok(!(found instanceof Error), `byte ${byte}`);
      assert.deepEqual(found.head, head);
    });
    t.diagnostic(`${count} flips of the mark: the other slot stands in`);
  });

  it('is found for a journal that is cut at any byte when all of it was acknowledged', (t) => {
    for (const disk of [closed, killed]) {
      for (const path of segmentsOf(disk)) t.diagnostic(`${cuts(disk, path, 0)} cuts of ${path}, all refused`);
    }
  });

  it('cuts exactly the torn group when it was never acknowledged, wherever its bytes end', (t) => {
    const path = lastSegment(unmarked);
    const from = endBeforeLast(unmarked);
    const bytes = unmarked.bytesOf(path);
    const end = lastSegmentEnd(unmarked);
    const before = whileHolding(unmarked, path, bytes.slice(0, from), () => whole(unmarked));
    assert.deepEqual([before.head.seq, before.tail], [BEFORE, 'none']);
    const lengths = casesOf(end - from - 1, SAMPLE / 2).map((offset) => from + 1 + offset);
    for (const length of lengths) {
      const short = whileHolding(unmarked, path, bytes.slice(0, length), () => whole(unmarked));
      assert.deepEqual(short, { head: before.head, tail: 'torn' }, `cut at ${length}`);
      const torn = bytes.slice();
      torn.fill(0, length);
      assert.deepEqual(
        whileHolding(unmarked, path, torn, () => whole(unmarked)).head,
        before.head,
        `written up to ${length}`,
      );
    }
    t.diagnostic(`${lengths.length} lengths of the last group: each time the ${BEFORE} records before it, and no more`);
    assert.ok(cuts(unmarked, path, bytes.length - from) > 0);
  });

  it('accepts a group when all of its sectors came through, and no other subset of them', (t) => {
    const path = lastSegment(unmarked);
    const from = endBeforeLast(unmarked);
    const sectors = (lastSegmentEnd(unmarked) - from) / SECTOR_BYTES;
    assert.ok(sectors >= 8 && sectors <= 12, `${sectors} sectors`);
    const bytes = unmarked.bytesOf(path);
    const all = 2 ** sectors - 1;
    for (let subset = 0; subset <= all; subset += 1) {
      const some = bytes.slice();
      for (let sector = 0; sector < sectors; sector += 1) {
        if ((subset >> sector) % 2 === 0)
          some.fill(0, from + sector * SECTOR_BYTES, from + (sector + 1) * SECTOR_BYTES);
      }
      const found = whileHolding(unmarked, path, some, () => whole(unmarked));
      assert.equal(found.head.seq, subset === all ? RECORDS : BEFORE, `subset ${subset.toString(2)}`);
    }
    t.diagnostic(`${all + 1} subsets of ${sectors} sectors`);
  });

  it('cuts a group of which a sector came through in part', () => {
    const seed = 20261121;
    const random = new Random(seed);
    const path = lastSegment(unmarked);
    const from = endBeforeLast(unmarked);
    const bytes = unmarked.bytesOf(path);
    const sectors = (lastSegmentEnd(unmarked) - from) / SECTOR_BYTES;
    for (let number = 0; number < (EXHAUSTIVE ? 20_000 : 200); number += 1) {
      const torn = bytes.slice();
      const sector = from + random.below(sectors) * SECTOR_BYTES;
      torn.fill(0, sector + random.below(SECTOR_BYTES), sector + SECTOR_BYTES);
      const found = whileHolding(unmarked, path, torn, () => whole(unmarked));
      // Of a sector that ends with zeros anyway nothing may be missing.
      const same = Buffer.compare(torn, bytes) === 0;
      assert.equal(found.head.seq, same ? RECORDS : BEFORE, `seed ${seed}, case ${number}`);
    }
  });

  /** Cuts a file everywhere but in its last `spared` bytes: each cut of what was acknowledged must be found. */
  function cuts(disk: FaultyDisk, path: string, spared: number): number {
    const bytes = disk.bytesOf(path);
    const used = path === lastSegment(disk) && spared === 0 ? lastSegmentEnd(disk) : bytes.length - spared;
    const cases = casesOf(used, SAMPLE / 4);
    for (const length of cases) {
      const found = whileHolding(disk, path, bytes.slice(0, length), () => look(disk));
      assert.ok(found instanceof JournalDamaged, `${path} cut at ${length}: ${JSON.stringify(found)}`);
    }
    return cases.length;
  }

  function lastSegmentEnd(disk: FaultyDisk): number {
    return must(examine(disk, PATHS).end.tail, 'the end was looked at').offset;
  }

  function endBeforeLast(disk: FaultyDisk): number {
    const { stored } = examine(disk, PATHS);
    return must([...stored.groups(BEFORE)][0]?.place, 'the last group lies somewhere').offset;
  }
});

it('a long journal is walked over as a short one', (t: TestContext) => {
  const disk = new FaultyDisk();
  const committer = open(disk, { segmentBytes: 1024 * 1024, reserveBytes: 64 * 1024, stepBytes: 64 * 1024 });
  commitMany(committer, 1, 20_000, 512);
  committer.close();
  const { stored, end } = examine(disk, PATHS);
  const heads = [...stored.groups(0)].map((group) => ({ seq: lastSeq(group), hash: group.hash }));
  assert.deepEqual(heads.at(-1), end.head);
  for (const { seq, hash } of heads) assert.equal(stored.hashAt(seq), hash);
  assert.equal(stored.hashAt(4), undefined);
  t.diagnostic(`${heads.length} groups in ${segmentsOf(disk).length} segments`);
  put(disk, must(segmentsOf(disk)[1], 'a second segment'), new Uint8Array(700));
  assert.throws(() => examine(disk, PATHS), {
    name: 'JournalDamaged',
    message: /offset 0, .*not a segment of a journal/,
  });
});

it('a group that goes away after the look ends the reading of any segment with the damage', () => {
  const disk = journalOf('closed');
  const { stored } = examine(disk, PATHS);
  for (const path of segmentsOf(disk)) {
    disk.flip(path, SECTOR_BYTES, 0);
    assert.throws(() => [...stored.groups(0)], { name: 'JournalDamaged', message: /is not there any more/ }, path);
    disk.flip(path, SECTOR_BYTES, 0);
  }
});
