import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IstDay } from '../../../base/time.ts';
import { FIRST_DAY } from '../paths/span-of-days.ts';
import { Carry } from './carry.ts';

const YEAR = 365;
const DAYS = 2_000;
const BASIS_POINT = 0.0001;

/** The basis beside 6.4 % a year, in basis points, on each day of some years. */
function moods(seed: number, daysLeft: number): number[] {
  const carry = new Carry(seed);
  const years = daysLeft / YEAR;
  return Array.from({ length: DAYS }, (_, i) => {
    const basis = Math.log(carry.factor((FIRST_DAY + i) as IstDay, 600, years));
    return (basis - 0.064 * years) / BASIS_POINT;
  });
}

test('a month before expiry the basis strays by about ten basis points from 6.4 % a year, slowly', () => {
  for (const seed of [1, 2, 3]) {
    const found = moods(seed, 25);
    const deviation = Math.sqrt(found.reduce((sum, x) => sum + x * x, 0) / DAYS);
    assert.ok(deviation > 8.5 && deviation < 15, `seed ${seed}: ${deviation}`);
    for (let i = 1; i < DAYS; i += 1) {
      const step = Math.abs((found[i] as number) - (found[i - 1] as number));
      assert.ok(step < 15, `seed ${seed}, day ${i}: ${step}`);
    }
  }
});

test('the basis ends with the contract', () => {
  for (const seed of [1, 2, 3]) {
    for (const [days, most] of [
      [1, 11],
      [0.1, 1.5],
      [0.001, 0.02],
    ] as const) {
      assert.ok(
        moods(seed, days).every((basis) => Math.abs(basis) < most),
        `seed ${seed}, ${days} days`,
      );
    }
  }
});

test('one expiry against the next strays by less than trading the two twice costs, until the last week', () => {
  for (const seed of [1, 2, 3]) {
    const [near, next] = [moods(seed, 8), moods(seed, 38)];
    assert.ok(
      near.every((basis, i) => Math.abs(basis - (next[i] as number)) < 9),
      `seed ${seed}`,
    );
  }
});
