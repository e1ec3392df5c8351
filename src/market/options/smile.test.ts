import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, type EpochMs, MINUTE_MS } from '../../base/time.ts';
import { black76, type OptionTerms } from './black76.ts';
import { exp, log } from './elementary.ts';
import { smileVolatility, yearsToExpiry } from './smile.ts';

test('the smile has the volatilities of R8.4 and of the numbers file', () => {
  const shown = [22_500, 23_500, 24_000, 24_100, 24_500, 25_500].map((strike) =>
    smileVolatility(0.125, strike, 24_100, 7 / 365).toFixed(4),
  );
  assert.deepEqual(shown, ['0.1719', '0.1353', '0.1262', '0.1250', '0.1225', '0.1307']);
});

test('as far as the rules show it the smile is theirs to the last bit', () => {
  const years = 7 / 365;
  for (let strike = 22_500; strike <= 25_800; strike += 50) {
    const k = log(strike / 24_100) / Math.sqrt(years);
    assert.ok(k > -0.5 && k < 0.5);
    assert.equal(smileVolatility(0.125, strike, 24_100, years), 0.125 + 0.1 * (-0.35 * k + 1.2 * k * k));
  }
});

test('beyond it the smile bends without a kink and stays flat', () => {
  const at = (k: number) => smileVolatility(0.3, exp(k), 1, 1);
  for (const side of [-1, 1]) {
    for (const k of [0.5, 1]) {
      const [before, after] = [at(side * k) - at(side * (k - 1e-6)), at(side * (k + 1e-6)) - at(side * k)];
      assert.ok(Math.abs(after - before) < 1e-11, `${side * k}`);
    }
    assert.equal(at(side * 1), at(side * 7));
  }
  assert.ok(at(-1) > at(-0.75) && at(-0.75) > at(-0.5) && at(1) > at(0.75));
});

test('over strikes calls fall, puts rise, and both are convex, however near expiry is', () => {
  const forward = 1_000;
  for (const atm of [0.05, 0.08, 0.125, 0.2, 0.35, 0.7, 1.2]) {
    for (const days of [0.001, 0.02, 0.2, 0.6, 1, 2, 4, 8, 20, 60, 120, 365]) {
      const years = days / 365;
      for (const type of ['CE', 'PE'] as const) {
        const value = (strike: number): number => {
          const terms: OptionTerms = { type, strike };
          return black76(terms, forward, years, smileVolatility(atm, strike, forward, years));
        };
        for (let strike = 100; strike <= 2_500; strike += 5) {
          const [low, middle, high] = [value(strike - 5), value(strike), value(strike + 5)];
          const about = `${type} ${strike}, ${atm}, ${days} days`;
          const rise = type === 'CE' ? low - high : high - low;
          assert.ok(rise >= -1e-9 && rise <= 10 + 1e-9, `${about}: from ${low} to ${high}`);
          assert.ok(low + high - 2 * middle >= -1e-9, `${about}: ${low} ${middle} ${high}`);
        }
      }
    }
  }
});

test('no strike has less than 5 % volatility', () => {
  assert.equal(smileVolatility(0.03, 24_500, 24_100, 7 / 365), 0.05);
});

test('within the last day the smile stops getting steeper', () => {
  assert.equal(smileVolatility(0.125, 24_500, 24_100, 1 / 3650), smileVolatility(0.125, 24_500, 24_100, 1 / 365));
});

test('time to expiry is calendar time in years of 365 days, and at least a minute', () => {
  const expiry = 1_800_000_000_000 as EpochMs;
  assert.equal(yearsToExpiry((expiry - 73 * DAY_MS) as EpochMs, expiry), 0.2);
  assert.equal(yearsToExpiry(expiry, expiry), MINUTE_MS / (365 * DAY_MS));
  assert.equal(yearsToExpiry((expiry - 1_000) as EpochMs, expiry), MINUTE_MS / (365 * DAY_MS));
});
