import assert from 'node:assert/strict';
import test from 'node:test';
import { PagedList } from './paged-list.ts';

test('a paged list holds what an array holds, over many pages', () => {
  const list = new PagedList<{ readonly number: number }>();
  const known: { readonly number: number }[] = [];
  assert.deepEqual([list.length, list.at(0), [...list]], [0, undefined, []]);
  for (let number = 0; number < 20_000; number += 1) {
    const member = { number };
    assert.equal(list.push(member), known.push(member));
    if (number % 500 !== 0) continue;
    for (const place of [0, 4_095, 4_096, number - 1, number, number + 1, number + 5_000]) {
      assert.equal(list.at(place), place < 0 ? undefined : known[place]);
    }
  }
  assert.equal(list.length, known.length);
  assert.deepEqual([...list], known);
});

test('a member that is added while a list is walked is walked too', () => {
  const list = new PagedList<number>();
  for (let number = 0; number < 4_096; number += 1) list.push(number);
  let last = -1;
  for (const number of list) {
    last = number;
    if (number === 4_095) list.push(9_999);
  }
  assert.equal(last, 9_999);
});
