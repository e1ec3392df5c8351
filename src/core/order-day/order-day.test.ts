import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderNumber } from '../../base/ids.ts';
import { Random } from '../../base/random.ts';
import { OrderDay } from './order-day.ts';

const numbered = (number: number): OrderNumber => number as OrderNumber;

test('a day of orders answers as a map does, with gaps and over pages', () => {
  const seed = 20_260_101;
  const random = new Random(seed);
  const day = new OrderDay<string>();
  const map = new Map<OrderNumber, string>();
  let number = 26_010_100_000_001;
  for (let i = 0; i < 5_000; i += 1) {
    number += random.below(1_000) === 0 ? 100_000_000 - random.below(50) : 1;
    day.set(numbered(number), `order ${number}`);
    map.set(numbered(number), `order ${number}`);
  }
  assert.equal(day.size, map.size);
  assert.deepEqual([...day.keys()], [...map.keys()], `seed ${seed}`);
  assert.deepEqual([...day.values()], [...map.values()], `seed ${seed}`);
  for (const known of map.keys()) {
    for (const asked of [known - 1, known, known + 1]) {
      assert.equal(day.get(numbered(asked)), map.get(numbered(asked)), `seed ${seed}, number ${asked}`);
      assert.equal(day.has(numbered(asked)), map.has(numbered(asked)), `seed ${seed}, number ${asked}`);
    }
  }
});

test('a number that is not an order number of the day is unknown', () => {
  const day = new OrderDay<string>();
  assert.equal(day.get(numbered(1)), undefined);
  day.set(numbered(26_010_100_000_001), 'first');
  for (const odd of [0, -1, 1.5, 26_010_100_000_001.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    assert.equal(day.get(numbered(odd)), undefined, String(odd));
  }
});

test('an order number that does not increase is a bug', () => {
  const day = new OrderDay<string>();
  day.set(numbered(10), 'ten');
  for (const low of [9, 10]) assert.throws(() => day.set(numbered(low), 'again'), /order numbers increase/);
});

test('a cleared day begins empty', () => {
  const day = new OrderDay<string>();
  day.set(numbered(10), 'ten');
  day.clear();
  assert.equal(day.size, 0);
  assert.equal(day.get(numbered(10)), undefined);
  day.set(numbered(5), 'five');
  assert.deepEqual([...day.values()], ['five']);
});
