import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  amountOf,
  averagePriceHalfUp,
  ceilToTick,
  floorToTick,
  paise,
  price,
  quantity,
  roundToTick,
  scaleHalfUp,
} from './money.ts';

test('a price times a quantity is an exact amount, and an unsafe product ends the process', () => {
  assert.equal(amountOf(price(140_405), quantity(75)), 10_530_375);
  assert.throws(() => amountOf(price(2 ** 40), quantity(2 ** 20)), /not a safe integer/);
});

test('a fraction is never money', () => {
  assert.throws(() => paise(0.5), /not a safe integer/);
  assert.throws(() => price(Number.NaN), /not a safe integer/);
});

test('scaling rounds halves away from zero and agrees with exact arithmetic', () => {
  assert.equal(scaleHalfUp(paise(5), 1, 2), 3);
  assert.equal(scaleHalfUp(paise(-5), 1, 2), -3);
  fc.assert(
    fc.property(
      fc.maxSafeInteger(),
      fc.integer({ min: 0, max: 10_000 }),
      fc.integer({ min: 1, max: 10_000 }),
      (a, n, d) => {
        const exact = (BigInt(Math.abs(a)) * BigInt(n) * 2n + BigInt(d)) / (2n * BigInt(d));
        if (exact > BigInt(Number.MAX_SAFE_INTEGER)) return;
        assert.equal(Math.abs(scaleHalfUp(paise(a), n, d)), Number(exact));
      },
    ),
  );
});

test('an average of nothing is 0, and an average is rounded half up to the paisa', () => {
  assert.equal(averagePriceHalfUp(paise(0), quantity(0)), 0);
  assert.equal(averagePriceHalfUp(paise(2_015_000), quantity(195)), 10_333);
});

test('prices meet their tick from below, from above and at the nearest', () => {
  assert.equal(floorToTick(85_890.4, price(5)), 85_890);
  assert.equal(ceilToTick(84_189.6, price(5)), 84_190);
  assert.equal(roundToTick(9_996.67, price(1)), 9_997);
});
