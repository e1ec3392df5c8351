import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId } from '../../base/ids.ts';
import { Random } from '../../base/random.ts';
import { AccountTable } from './account-table.ts';

const SEED = 47;

/** The entries of a map from `from` on and below `to`, ascending. */
function within(known: ReadonlyMap<AccountId, object>, from: number, to: number): [AccountId, object][] {
  return [...known].filter(([id]) => id >= from && id < to).sort(([one], [other]) => one - other);
}

test(`a table of accounts holds what a map holds, in the order of the accounts, seed ${SEED}`, () => {
  const random = new Random(SEED);
  const table = new AccountTable<object>();
  const known = new Map<AccountId, object>();
  for (let done = 0; done < 4_000; done += 1) {
    const id = random.below(done % 2 === 0 ? 100_000 : 700) as AccountId;
    if (random.below(3) === 0) {
      table.delete(id);
      known.delete(id);
    } else {
      const entry = { done };
      table.set(id, entry);
      known.set(id, entry);
    }
    assert.equal(table.get(id), known.get(id));
    if (done % 100 !== 0) continue;
    assert.equal(table.size, known.size);
    const [from, to] = [random.below(1_000), random.below(110_000)];
    assert.deepEqual([...table.within(from, to)], within(known, from, to));
  }
  assert.deepEqual([...table], within(known, 0, Number.POSITIVE_INFINITY));
  for (const [id] of table) table.delete(id);
  assert.deepEqual([table.size, [...table]], [0, []]);
  table.set(5 as AccountId, known);
  table.clear();
  assert.deepEqual([table.size, table.get(5 as AccountId)], [0, undefined]);
});
