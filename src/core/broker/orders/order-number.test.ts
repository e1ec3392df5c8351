import assert from 'node:assert/strict';
import test from 'node:test';
import type { OrderNumber } from '../../../base/ids.ts';
import { dayOfCivil, type IstDay, istInstant } from '../../../base/time.ts';
import { nextOrderNumber } from './order-number.ts';

const NONE = 0 as OrderNumber;
const noon = (year: number, month: number, day: number) =>
  istInstant(dayOfCivil(year, month, day) as IstDay, 12 * 3_600_000);

test('a number is the IST date and eight digits that count on', () => {
  const first = nextOrderNumber(NONE, noon(2025, 4, 21));
  assert.equal(first, 25_042_100_000_001);
  assert.equal(nextOrderNumber(first, noon(2025, 4, 21)), 25_042_100_000_002);
  assert.equal(nextOrderNumber(first, noon(2025, 4, 22)), 25_042_200_000_001);
});

test('numbers increase even when the date of the clock is behind the last number', () => {
  const last = nextOrderNumber(NONE, noon(2026, 1, 1));
  assert.equal(nextOrderNumber(last, noon(2025, 12, 31)), last + 1);
});

test('a number follows the date of its instant, whatever date was asked for before', () => {
  const days = [noon(2026, 11, 23), noon(2026, 11, 24), noon(2026, 11, 23)];
  assert.deepEqual(
    days.map((at) => nextOrderNumber(NONE, at)),
    [26_112_300_000_001, 26_112_400_000_001, 26_112_300_000_001],
  );
});
