import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import { Random } from '../../../src/base/random.ts';
import { MemoryJournal } from '../../../src/journal/memory-journal.ts';
import { type RecoverySource, recover } from '../../../src/journal/recovery.ts';
import { type Snapshot, SnapshotFolder } from '../../../src/journal/snapshot-file.ts';
import { ADDING, type Adding } from '../../kit/journal/adding.ts';
import { casesOf, scratchFolder } from '../../kit/journal/image.ts';
import { fill } from '../../kit/journal/sample.ts';

const folder = scratchFolder();
after(() => rmSync(folder, { recursive: true, force: true }));

let journal: MemoryJournal;
let snapshots: SnapshotFolder;

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  journal = new MemoryJournal();
  snapshots = new SnapshotFolder(folder);
});

function snapshotOf(replica: Adding): Snapshot {
  const { seq, at } = replica;
  return {
    seq,
    at,
    chain: must(journal.hashAt(seq), 'a group ends here'),
    stateHash: replica.hash(),
    lines: replica.lines(),
  };
}

/** Grows the journal to `records` and takes a snapshot there; returns its path. */
async function snapshotAt(records: number): Promise<string> {
  await fill(journal, records);
  return snapshots.write(snapshotOf(recover(journal, undefined, ADDING).replica));
}

/** The lines with one text in the place of another. */
function changed(lines: Iterable<string>, text: string, other: string): string[] {
  return Array.from(lines, (line) => line.replace(text, other));
}

/** The sum of 1 to `records`, to which the records add up. */
function sumTo(records: number): number {
  return (records * (records + 1)) / 2;
}

describe('recovery', () => {
  it('folds every record when there is no snapshot', async () => {
    await fill(journal, 500);
    const { replica, fromSnapshot, records, head } = recover(journal, snapshots, ADDING);
    assert.deepEqual([replica.sum, fromSnapshot, records, head], [sumTo(500), 0, 500, journal.head()]);
  });

  it('folds only the tail after a snapshot, to the same state', async () => {
    await snapshotAt(300);
    await fill(journal, 500);
    const { replica, fromSnapshot, records } = recover(journal, snapshots, ADDING);
    assert.deepEqual([replica.sum, fromSnapshot, records], [sumTo(500), 300, 200]);
  });

  it('keeps two generations', async () => {
    for (const records of [100, 200, 300, 400]) await snapshotAt(records);
    assert.deepEqual(
      snapshots.list().map((path) => path.slice(-3)),
      ['400', '300'],
    );
  });

  it('falls back to the older snapshot, then to none, and says why', async () => {
    const older = await snapshotAt(100);
    const newer = await snapshotAt(200);
    await fill(journal, 250);
    truncateSync(newer, 40);
    const first = recover(journal, snapshots, ADDING);
    assert.deepEqual([first.fromSnapshot, first.replica.sum], [100, sumTo(250)]);
    assert.deepEqual(first.notes, [`snapshot ${newer} is skipped: the checksum does not match`]);

    writeFileSync(older, '');
    const second = recover(journal, snapshots, ADDING);
    assert.deepEqual([second.fromSnapshot, second.replica.sum], [0, sumTo(250)]);
    assert.deepEqual(readdirSync(folder).sort(), [`${older.slice(-25)}.unusable`, `${newer.slice(-25)}.unusable`]);
  });

  it('keeps the newest of the snapshots that were set aside', async () => {
    for (const records of [100, 200, 300]) snapshots.setAside(await snapshotAt(records));
    await snapshotAt(400);
    assert.deepEqual(readdirSync(folder).sort(), ['snapshot-0000000000000300.unusable', 'snapshot-0000000000000400']);
  });

  const LIES: readonly (readonly [what: string, lie: (snapshot: Snapshot) => Snapshot, note: RegExp])[] = [
    ['newer than the journal', (it) => ({ ...it, seq: 900 }), /it is at 900, the journal ends at 200/],
    [
      'of another journal',
      (it) => ({ ...it, chain: 'ab'.repeat(32) }),
      /the journal has a different chain hash at 200/,
    ],
    ['between two groups', (it) => ({ ...it, seq: 199 }), /different chain hash at 199/],
    [
      'with a dump of another place',
      (it) => ({ ...it, lines: changed(it.lines, '200', '100') }),
      /the dump is at 100, not at 200/,
    ],
    [
      'that loads into another state',
      (it) => ({ ...it, lines: changed(it.lines, '20100', '20101') }),
      /state hash is 200:20101/,
    ],
    ['with text that is not a dump', (it) => ({ ...it, lines: ['{'] }), /JSON/],
  ];
  for (const [what, lie, note] of LIES) {
    it(`passes over a snapshot ${what}`, async () => {
      await fill(journal, 200);
      snapshots.write(lie(snapshotOf(recover(journal, undefined, ADDING).replica)));
      const { replica, fromSnapshot, notes } = recover(journal, snapshots, ADDING);
      assert.deepEqual([fromSnapshot, replica.sum, notes.length], [0, sumTo(200), 1]);
      assert.match(String(notes[0]), note);
    });
  }

  it('keeps its snapshots when it is the journal that cannot be read', async () => {
    await snapshotAt(100);
    await snapshotAt(200);
    const failure = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
    const broken: RecoverySource = {
      name: journal.name,
      head: () => journal.head(),
      groups: (after) => journal.groups(after),
      hashAt: () => {
        throw failure;
      },
    };
    assert.throws(() => recover(broken, snapshots, ADDING), failure);
    assert.equal(snapshots.list().length, 2);
    assert.equal(recover(journal, snapshots, ADDING).fromSnapshot, 200);
  });

  it('ignores and removes what a crash left half written', async () => {
    await snapshotAt(100);
    writeFileSync(join(folder, 'snapshot-0000000000000200.123.new'), 'half');
    assert.equal(recover(journal, snapshots, ADDING).fromSnapshot, 100);
    snapshots.removeDrafts();
    assert.deepEqual(readdirSync(folder), ['snapshot-0000000000000100']);
  });
});

describe('a snapshot file', () => {
  it('is never read with any bit flipped or cut at any byte', async (t) => {
    const path = await snapshotAt(100);
    const bytes = readFileSync(path);
    const refused = (copy: Uint8Array, what: string): void => {
      writeFileSync(path, copy);
      assert.throws(() => snapshots.check(path), { name: 'SnapshotUnusable' }, what);
    };
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const copy = Buffer.from(bytes);
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      refused(copy, `bit ${bit}`);
    }
    for (let length = 0; length < bytes.length; length += 1) {
      refused(bytes.subarray(0, length), `cut at ${length}`);
    }
    t.diagnostic(`${bytes.length * 8} flips and ${bytes.length} cuts, all found`);
  });

  it('never leads recovery to another state, whatever was done to it', async (t) => {
    const seed = 20261121;
    const random = new Random(seed);
    await snapshotAt(50);
    const newest = await snapshotAt(100);
    const bytes = readFileSync(newest);
    const cases = casesOf(5_000, 1_000);
    for (const number of cases) {
      writeFileSync(newest, mutated(bytes, random));
      const { replica } = recover(journal, snapshots, ADDING);
      assert.equal(replica.sum, sumTo(100), `seed ${seed}, case ${number}`);
    }
    t.diagnostic(`${cases.length} mutations, seed ${seed}`);
  });

  it('reads back what was written', () => {
    const header = { seq: 7, at: 8 as Snapshot['at'], chain: 'c', stateHash: 'h' };
    // Lines that end before, at and after the end of a piece of the file, and one that is longer than several.
    const lengths = [0, 1, 100, 262_000, 144, 1_000_000, 0, 3];
    const lines = [
      ...lengths.map((length) => 'सौदा'.repeat(length / 4) + 'x'.repeat(length % 4)),
      ...Array(9_000).fill('{}'),
    ];
    const path = snapshots.write({ ...header, lines });
    assert.deepEqual(snapshots.check(path), header);
    assert.deepEqual(
      snapshots.read(path, (read) => [...read]),
      lines,
    );
  });

  it('of the form before is passed over, and the journal replayed', async () => {
    await fill(journal, 200);
    const { seq, at, chain, stateHash } = snapshotOf(recover(journal, undefined, ADDING).replica);
    const dump = JSON.stringify({ seq, at, sum: sumTo(200) });
    const header = { format: 'sauda-snapshot', version: 2, seq, at, chain, stateHash, bytes: dump.length };
    const content = `${JSON.stringify(header)}\n${dump}\n`;
    const digest = createHash('sha256').update(content).digest('hex');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'snapshot-0000000000000200'), `${content}${digest}\n`);
    const { replica, fromSnapshot, notes } = recover(journal, snapshots, ADDING);
    assert.deepEqual([replica.sum, fromSnapshot], [sumTo(200), 0]);
    assert.match(String(notes[0]), /skipped: form sauda-snapshot of version 2 is unknown/);
  });

  function mutated(bytes: Buffer, random: Random): Buffer {
    const copy = Buffer.from(bytes);
    const at = random.below(copy.length);
    switch (random.below(5)) {
      case 0:
        return copy.subarray(0, at);
      case 1:
        return copy.fill(0, at, Math.min(copy.length, at + random.between(1, 64)));
      case 2:
        return Buffer.concat([copy, copy.subarray(at)]);
      case 3:
        return Buffer.concat([copy.subarray(0, at), copy.subarray(at + random.between(1, 9))]);
      default:
        copy[at] = random.below(256);
        return copy;
    }
  }
});
