import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { aroundPlace, nearestStrike } from './around.ts';

const STRIKES = ['23900.00', '23950.00', '24000.00', '24050.00'].map((price) => ({ price }));

test('the strike at the money is the nearest one, and the lower of two', () => {
  equal(nearestStrike(STRIKES, '23990.05'), 2);
  equal(nearestStrike(STRIKES, '23975.00'), 1);
  equal(nearestStrike(STRIKES, '99999.00'), 3);
  equal(nearestStrike(STRIKES, undefined), -1);
  equal(nearestStrike([], '24000.00'), -1);
});

test('strikes are shown on both sides of the money, as far as there are any', () => {
  deepEqual(aroundPlace([1, 2, 3, 4, 5], 2, 1), [2, 3, 4]);
  deepEqual(aroundPlace([1, 2, 3, 4, 5], 0, 2), [1, 2, 3]);
  deepEqual(aroundPlace([1, 2, 3], -1, 1), [1, 2, 3]);
});
