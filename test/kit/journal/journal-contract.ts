import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chainHash, GENESIS } from '../../../src/journal/chain.ts';
import { decodeGroup } from '../../../src/journal/codec.ts';
import type { Group, Journal } from '../../../src/journal/journal.ts';
import { readHistory } from '../../../src/journal/read-history.ts';
import type { JournalRecord } from '../../../src/journal/record.ts';
import { fill, sampleGroup, sampleRecord } from './sample.ts';

/** The knowledge that the suite needs of one kind of journal. */
export interface JournalKind {
  readonly name: string;
  /** True when what was appended is there again after `close` and `open`. */
  readonly lasts: boolean;
  /** Opens the journal of a test, which names a place of its own. */
  open(place: string): Promise<Journal>;
}

/** Runs the contract of `Journal` over one kind of it. */
export function journalContract(kind: JournalKind): void {
  describe(`the contract of a journal: ${kind.name}`, () => {
    it('starts at sequence 0 with the hash of nothing', async () => {
      const journal = await kind.open('empty');
      assert.deepEqual(journal.head(), GENESIS);
      assert.equal(journal.hashAt(0), GENESIS.hash);
      assert.deepEqual([...journal.groups(0)], []);
      await journal.close();
    });

    it('moves its head to the end of a group when the group is durable, and not before', async () => {
      const journal = await kind.open('head');
      const group = sampleGroup(1, 3);
      const appended = await journal.append(group);
      assert.deepEqual(appended, { seq: 3, hash: chainHash(GENESIS.hash, group) });
      assert.deepEqual(journal.head(), appended);
      await journal.close();
    });

    it('gives back every group as it was appended, from any of them on', async () => {
      const journal = await kind.open('groups');
      await fill(journal, 100);
      const whole = [...journal.groups(0)];
      assert.deepEqual(
        whole.flatMap(recordsOf),
        Array.from({ length: 100 }, (_, index) => sampleRecord(index + 1)),
      );
      for (const [index, group] of whole.entries()) {
        const after = group.firstSeq - 1;
        assert.deepEqual([...journal.groups(after)], whole.slice(index));
      }
      assert.deepEqual([...journal.groups(100)], []);
      await journal.close();
    });

    it('gives the group in the middle of which a record is, and those behind it', async () => {
      const journal = await kind.open('inside');
      await fill(journal, 30);
      const whole = [...journal.groups(0)];
      for (let after = 0; after < 30; after += 1) {
        const expected = whole.filter((group) => group.firstSeq + group.count - 1 > after);
        assert.deepEqual([...journal.groups(after)], expected, `after ${after}`);
      }
      assert.equal(journal.begin(), 0);
      await journal.close();
    });

    it('chains every group to the one before it', async () => {
      const journal = await kind.open('chain');
      await fill(journal, 100);
      let count = 0;
      const head = readHistory(journal, { ...GENESIS, at: 0 }, (records) => {
        count += records.length;
      });
      assert.deepEqual(head, journal.head());
      assert.equal(count, 100);
      await journal.close();
    });

    it('knows the chain hash where a group ends and nowhere else', async () => {
      const journal = await kind.open('hash-at');
      await journal.append(sampleGroup(1, 2));
      const head = await journal.append(sampleGroup(3, 4));
      assert.equal(journal.hashAt(6), head.hash);
      assert.notEqual(journal.hashAt(2), undefined);
      for (const inside of [1, 3, 5, 7]) assert.equal(journal.hashAt(inside), undefined);
      await journal.close();
    });

    it('keeps text of every script', async () => {
      const journal = await kind.open('text');
      const body = 'सौदा 🪙 naïve \u0000\n';
      await journal.append({ version: 1, firstSeq: 1, count: 1, body });
      const [group] = journal.groups(0);
      assert.equal(Buffer.from(group?.body ?? '').toString('utf8'), body);
      await journal.close();
    });

    it('takes no group that leaves a gap or comes again', async () => {
      const journal = await kind.open('dense');
      await journal.append(sampleGroup(1, 2));
      for (const wrong of [
        sampleGroup(2, 1),
        sampleGroup(4, 1),
        sampleGroup(1, 2),
        { ...sampleGroup(3, 1), count: 0 },
      ]) {
        await assert.rejects(async () => journal.append(wrong), { name: 'InvariantError' });
      }
      assert.equal((await journal.append(sampleGroup(3, 1))).seq, 3);
      await journal.close();
    });

    if (kind.lasts) {
      it('is after closing and opening what it was, and goes on from there', async () => {
        const first = await kind.open('again');
        await fill(first, 50);
        const groups = [...first.groups(0)];
        const head = first.head();
        await first.close();
        const second = await kind.open('again');
        assert.deepEqual(second.head(), head);
        assert.deepEqual([...second.groups(0)], groups);
        assert.equal((await second.append(sampleGroup(51, 2))).seq, 52);
        await second.close();
      });
    }
  });
}

function recordsOf(group: Group): JournalRecord[] {
  return decodeGroup(group);
}
