import assert from 'node:assert/strict';
import test from 'node:test';
import type { GttNumber, OrderNumber } from '../../../base/ids.ts';
import { dayOfCivil, type IstDay, istInstant } from '../../../base/time.ts';
import { nextGttNumber } from '../gtt/gtt-number.ts';
import { firstOrderNumber, nextOrderNumber } from './order-number.ts';

const NONE = 0 as OrderNumber;
const dayOf = (year: number, month: number, day: number) => dayOfCivil(year, month, day) as IstDay;
const noon = (year: number, month: number, day: number) => istInstant(dayOf(year, month, day), 12 * 3_600_000);
const TODAY = noon(2025, 4, 21);

function next(last: number, at = TODAY): number {
  return nextOrderNumber(last as OrderNumber, at, true) ?? Number.NaN;
}

test('a number is the IST date, two digits of the shard and eight digits that count on', () => {
  assert.equal(next(NONE), 2_504_210_000_000_001);
  assert.equal(next(2_504_210_000_000_001), 2_504_210_000_000_002);
  assert.equal(next(2_504_210_000_000_001, noon(2025, 4, 22)), 2_504_220_000_000_001);
});

test('numbers increase even when the date of the clock is behind the last number', () => {
  const last = next(NONE, noon(2026, 1, 1));
  assert.equal(next(last, noon(2025, 12, 31)), last + 1);
});

test('a number follows the date of its instant, whatever date was asked for before', () => {
  const days = [noon(2026, 11, 23), noon(2026, 11, 24), noon(2026, 11, 23)];
  assert.deepEqual(
    days.map((at) => next(NONE, at)),
    [2_611_230_000_000_001, 2_611_240_000_000_001, 2_611_230_000_000_001],
  );
});

test('the first number with a shard comes after the last of the same date without one', () => {
  assert.equal(next(25_042_199_999_999), 2_504_210_000_000_001);
});

test('the orders of clients end at 80 million a date, those of the service and of GTTs at 90 million', () => {
  const first = firstOrderNumber(dayOf(2025, 4, 21));
  const [lastOfClients, last] = [first + 80_000_000 - 1, (first + 90_000_000 - 1) as OrderNumber];
  assert.equal(next(lastOfClients - 1), lastOfClients);
  assert.deepEqual([next(lastOfClients), next(last), next(last + 5)], [Number.NaN, Number.NaN, Number.NaN]);
  assert.equal(nextOrderNumber(lastOfClients as OrderNumber, TODAY, false), lastOfClients + 1);
  assert.equal(nextOrderNumber((last - 1) as OrderNumber, TODAY, false), last);
  assert.equal(nextOrderNumber(last, TODAY, false), undefined);
  assert.equal(next(last, noon(2025, 4, 22)), 2_504_220_000_000_001, 'the next date has numbers again');
});

test('GTTs have the numbers behind the orders of a date, and none of the next date', () => {
  const first = nextGttNumber(0 as GttNumber, TODAY);
  assert.equal(first, 2_504_210_090_000_001);
  assert.equal(nextGttNumber(25_042_190_000_007 as GttNumber, TODAY), first, 'behind one without a shard');
  const last = 2_504_210_099_999_999 as GttNumber;
  assert.equal(nextGttNumber((last - 1) as GttNumber, TODAY), last);
  assert.equal(nextGttNumber(last, TODAY), undefined);
  assert.equal(nextGttNumber(last, noon(2025, 4, 22)), 2_504_220_090_000_001);
});

test('numbers are exact integers until 2090', () => {
  assert.ok(Number.isSafeInteger(firstOrderNumber(dayOf(2089, 12, 31)) + 99_999_998));
});
