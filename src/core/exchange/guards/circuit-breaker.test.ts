import assert from 'node:assert/strict';
import test from 'node:test';
import { price } from '../../../base/money.ts';
import { HOUR_MS, MINUTE_MS } from '../../../base/time.ts';
import { type BreakerStage, breakerStage, haltMs } from './circuit-breaker.ts';

const minutes = (stage: BreakerStage, hour: number, minute: number) =>
  haltMs(stage, hour * HOUR_MS + minute * MINUTE_MS) / MINUTE_MS;

test('NIFTY at 24,000 has its stages at 21,600, 20,400 and 19,200, and at 26,400, 27,600 and 28,800', () => {
  const stage = (level: number) => breakerStage(price(24_000_00), price(level));
  assert.deepEqual([21_600_05, 21_600_00, 20_400_00, 19_200_00].map(stage), [undefined, 10, 15, 20]);
  assert.deepEqual([26_399_95, 26_400_00, 27_600_00, 28_800_00].map(stage), [undefined, 10, 15, 20]);
});

test('SENSEX at 78,500 has its stages at 70,650, 66,725 and 62,800, and at 86,350, 90,275 and 94,200', () => {
  const stage = (level: number) => breakerStage(price(78_500_00), price(level));
  assert.deepEqual([70_650_00, 66_725_00, 62_800_00].map(stage), [10, 15, 20]);
  assert.deepEqual([86_350_00, 90_275_00, 94_200_00].map(stage), [10, 15, 20]);
  assert.equal(stage(66_725_05), 10);
});

test('10 % halts for 45 minutes before 13:00, for 15 before 14:30, and not after; the reopening takes 15 more', () => {
  assert.deepEqual([minutes(10, 9, 15), minutes(10, 12, 59)], [60, 60]);
  assert.deepEqual([minutes(10, 13, 0), minutes(10, 14, 29)], [30, 30]);
  assert.deepEqual([minutes(10, 14, 30), minutes(10, 14, 31)], [0, 0]);
});

test('15 % halts for an hour and three quarters before 13:00, for 45 minutes before 14:00, then for the day', () => {
  assert.deepEqual([minutes(15, 12, 59), minutes(15, 13, 0), minutes(15, 13, 59)], [120, 60, 60]);
  assert.equal(minutes(15, 14, 5), Number.POSITIVE_INFINITY);
});

test('20 % ends the day at any time', () => {
  assert.deepEqual([minutes(20, 9, 15), minutes(20, 15, 0)], [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
});
