import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, type EpochMs, MINUTE_MS } from '../../base/time.ts';
import { black76, type OptionTerms } from './black76.ts';
import { exp } from './elementary.ts';
import { SMILE_AVERAGE, smileVolatility, yearsToExpiry } from './smile.ts';

/** IV over IV at the money at -2, -1, 0, 1 and 2 deviations, NIFTY options of January to March 2026. */
const MEASURED = [
  { days: [8, 12, 16], ratios: [1.36, 1.15, 0.99, 0.93, 1.06] },
  { days: [1, 2], ratios: [1.35, 1.15, 1, 0.99, 1.17] },
] as const;
const YEAR = 365;

test('the wings are those of real options', () => {
  for (const { days, ratios } of MEASURED) {
    for (const left of days) {
      const deviation = 0.13 * Math.sqrt(left / YEAR);
      for (const [i, ratio] of ratios.entries()) {
        const shown = smileVolatility(0.13, exp((i - 2) * deviation), 1, left / YEAR) / 0.13;
        assert.ok(Math.abs(shown / ratio - 1) < 0.03, `${left} days, ${i - 2} deviations: ${shown} for ${ratio}`);
      }
    }
  }
});

test('the figures that R8.4 states of the fitted smile are those of the code', () => {
  const shown = [22_500, 24_000, 25_500].map((strike) => smileVolatility(0.125, strike, 24_100, 7 / YEAR) * 100);
  assert.deepEqual(
    shown.map((percent) => percent.toFixed(2)),
    ['21.29', '12.94', '16.44'],
  );
});

test('at the money a strike has the volatility at the money, and so has every strike without time', () => {
  for (const years of [1e-6, 1 / YEAR, 5 / YEAR, 1])
    assert.ok(Math.abs(smileVolatility(0.2, 100, 100, years) - 0.2) < 1e-15);
  assert.equal(smileVolatility(0.2, 110, 100, 0), 0.2);
});

test('of two expiries the later one has more variance at every moneyness', () => {
  for (const atm of [0.08, 0.13, 0.4, 0.9]) {
    for (let k = -0.5; k <= 0.5; k += 0.01) {
      let before = 0;
      for (let days = 0.05; days < 400; days *= 1.05) {
        const volatility = smileVolatility(atm, exp(k), 1, days / YEAR);
        const variance = volatility * volatility * days;
        assert.ok(variance > before, `${k} at ${days} days: ${variance} after ${before}`);
        before = variance;
      }
    }
  }
});

test('the options of all strikes of a month together price in the average of the smile', () => {
  const years = 30 / YEAR;
  const atm = 0.13;
  let sum = 0;
  const step = 0.0005;
  for (let strike = 0.5; strike < 2; strike += step) {
    const type = strike < 1 ? 'PE' : 'CE';
    sum += (black76({ type, strike }, 1, years, smileVolatility(atm, strike, 1, years), 0) / (strike * strike)) * step;
  }
  const index = Math.sqrt((2 * sum) / years);
  assert.ok(Math.abs(index / (atm * SMILE_AVERAGE) - 1) < 0.01, `${index / atm}`);
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

test('time to expiry is calendar time in years of 365 days, and at least a minute', () => {
  const expiry = 1_800_000_000_000 as EpochMs;
  assert.equal(yearsToExpiry((expiry - 73 * DAY_MS) as EpochMs, expiry), 0.2);
  assert.equal(yearsToExpiry(expiry, expiry), MINUTE_MS / (365 * DAY_MS));
  assert.equal(yearsToExpiry((expiry - 1_000) as EpochMs, expiry), MINUTE_MS / (365 * DAY_MS));
});
