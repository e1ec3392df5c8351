import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, type EpochMs, MINUTE_MS } from '../../base/time.ts';
import { smileVolatility, yearsToExpiry } from './smile.ts';

test('the smile has the volatilities of R8.4 and of the numbers file', () => {
  const shown = [22_500, 23_500, 24_000, 24_100, 24_500, 25_500].map((strike) =>
    smileVolatility(0.125, strike, 24_100, 7 / 365).toFixed(4),
  );
  assert.deepEqual(shown, ['0.1719', '0.1353', '0.1262', '0.1250', '0.1225', '0.1307']);
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
