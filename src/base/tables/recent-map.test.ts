import assert from 'node:assert/strict';
import test from 'node:test';
import { RecentMap } from './recent-map.ts';

const LIMIT = 100;

/** Asks for keys in turn, round after round; returns how many had to be made in the last round. */
function madeInTurn(map: RecentMap<number, { readonly key: number }>, keys: number): number {
  let made = 0;
  for (let round = 0; round < 5; round += 1) {
    made = 0;
    for (let key = 0; key < keys; key += 1) {
      const known = map.get(key);
      assert.ok(known === undefined || known.key === key);
      if (known !== undefined) continue;
      made += 1;
      map.set(key, { key });
    }
  }
  return made;
}

test('as many entries as the limit stay, and a few more cost a few', () => {
  assert.equal(madeInTurn(new RecentMap(LIMIT), LIMIT), 0);
  const made = madeInTurn(new RecentMap(LIMIT), LIMIT + 5);
  assert.ok(made <= 10, `${made} entries were made again`);
});

test('an entry that nobody asks for is forgotten, and one that is asked for stays', () => {
  const map = new RecentMap<number, { readonly key: number }>(LIMIT);
  map.set(-1, { key: -1 });
  map.set(-2, { key: -2 });
  for (let key = 0; key < 10 * LIMIT; key += 1) {
    map.set(key, { key });
    if (key % 10 === 0) assert.deepEqual(map.get(-1), { key: -1 });
  }
  assert.equal(map.get(-2), undefined);
  let kept = 0;
  for (let key = 0; key < 10 * LIMIT; key += 1) if (map.get(key) !== undefined) kept += 1;
  assert.ok(kept <= 2 * LIMIT, `${kept} entries are kept`);
});

test('an entry that is set again has its new value', () => {
  const map = new RecentMap<string, { value: number }>(1);
  map.set('a', { value: 1 });
  map.set('a', { value: 2 });
  assert.deepEqual(map.get('a'), { value: 2 });
  map.set('b', { value: 3 });
  assert.deepEqual([map.get('a'), map.get('b')], [{ value: 2 }, { value: 3 }]);
});
