import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId } from '../base/ids.ts';
import type { Paise } from '../base/money.ts';
import type { EpochMs } from '../base/time.ts';
import { chainHash, GENESIS } from './chain.ts';
import { encodeGroup, encodeRecord, RECORD_END } from './codec.ts';
import type { StoredGroup } from './journal.ts';
import { readHistory } from './read-history.ts';
import { JournalDamaged } from './upkeep/damage.ts';

const DEPOSIT = { account: 1 as AccountId, amount: 5 as Paise, opening: false };
const COMMAND = { ...DEPOSIT, type: 'DepositCash' } as const;
const EVENTS = [{ ...DEPOSIT, type: 'CashDeposited' }] as const;

/** Groups of one record each, at these instants, under a whole chain. */
function chained(...instants: readonly number[]): StoredGroup[] {
  let { hash } = GENESIS;
  return instants.map((at, index) => {
    const seq = index + 1;
    const { version, body } = encodeGroup(seq, 1, encodeRecord(seq, at as EpochMs, COMMAND, EVENTS) + RECORD_END);
    const group = { version, firstSeq: seq, count: 1, body: Buffer.from(body) };
    hash = chainHash(hash, group);
    return { ...group, hash };
  });
}

/** The sequence numbers that are handed over, and the words of the damage that ends the reading. */
function walked(groups: readonly StoredGroup[]): readonly [seqs: number[], fault: string] {
  const seqs: number[] = [];
  try {
    readHistory({ name: 'memory', groups: () => groups }, { ...GENESIS, at: 0 }, (records) => {
      for (const { seq } of records) seqs.push(seq);
    });
    return [seqs, ''];
  } catch (error) {
    assert.ok(error instanceof JournalDamaged);
    return [seqs, error.message];
  }
}

test('a whole chain is read to its end', () => {
  assert.deepEqual(walked(chained(10, 10, 11)), [[1, 2, 3], '']);
});

test('a group with a different chain hash, and one that does not follow, end the reading after the good ones', () => {
  const [first, second, third] = chained(10, 11, 12) as [StoredGroup, StoredGroup, StoredGroup];
  const [forged, why] = walked([first, { ...second, hash: third.hash }, third]);
  assert.deepEqual(forged, [1]);
  assert.match(why, /the chain hash does not match what is stored/);
  const [short, gap] = walked([first, third]);
  assert.deepEqual(short, [1]);
  assert.match(gap, /a group that starts with 3 follows sequence 1/);
});

test('a record before the time of the one in front of it ends the reading, however whole the chain is', () => {
  const [seqs, why] = walked(chained(10, 12, 11));
  assert.deepEqual(seqs, [1, 2]);
  assert.match(why, /time goes back/);
});
