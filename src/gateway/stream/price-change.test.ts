import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { price } from '../../base/money.ts';
import { changeFields } from './price-change.ts';

function fieldsOf(last: number, previousClose: number): string {
  return changeFields({ last: price(last), previousClose: price(previousClose) });
}

test('a change is exact in paise, and its percent is rounded half away from zero', () => {
  equal(fieldsOf(405_05, 400_00), '"change":"5.05","changePercent":"1.26",');
  equal(fieldsOf(400_00, 405_05), '"change":"-5.05","changePercent":"-1.25",');
  equal(fieldsOf(10, 30), '"change":"-0.20","changePercent":"-66.67",');
  equal(fieldsOf(1_00_000_05, 99_999_95), '"change":"0.10","changePercent":"0.00",');
  equal(fieldsOf(99_999_95, 1_00_000_05), '"change":"-0.10","changePercent":"0.00",');
  equal(fieldsOf(7_10, 7_10), '"change":"0.00","changePercent":"0.00",');
});

test('an instrument without a close of the day before has no percent', () => {
  equal(fieldsOf(12_00, 0), '"change":"12.00","changePercent":"",');
});
