import assert from 'node:assert/strict';
import test from 'node:test';
import { RULES } from '../../../../test/kit/rules.ts';
import type { Tick } from '../../../base/ids.ts';
import { price } from '../../../base/money.ts';
import { executionRange, protectionRange, stopGap } from './price-range.ts';

const WIDTHS = RULES.guards.at(0 as Tick);
const option = (reference: number) => Object.values(protectionRange(WIDTHS, 'option', price(reference)));
const future = (reference: number) => Object.values(protectionRange(WIDTHS, 'future', price(reference)));

test('the protection ranges of R1.46 are exact to the paisa', () => {
  assert.deepEqual(option(120_00), [72_00, 168_00]);
  assert.deepEqual(option(35_00), [15_00, 55_00]);
  assert.deepEqual(option(8_00), [0, 28_00]);
  assert.deepEqual(option(50_00), [30_00, 70_00]);
  assert.deepEqual(option(50_05), [30_03, 70_07]);
  assert.deepEqual(future(23_800_00), [23_086_00, 24_514_00]);
  assert.deepEqual(future(40_00), [38_50, 41_50]);
  assert.deepEqual(future(1_260_00), [1_222_20, 1_297_80]);
});

test('a range around a reference between two ticks holds whole paise only', () => {
  assert.deepEqual(option(60_01), [36_01, 84_01]);
});

test('the execution range is 5 % for futures, and 20 rupees or two fifths for options', () => {
  const range = (kind: 'future' | 'option', reference: number) =>
    Object.values(executionRange(WIDTHS, kind, price(reference)));
  assert.deepEqual(range('future', 24_000_00), [22_800_00, 25_200_00]);
  assert.deepEqual(range('future', 40_00), [38_00, 42_00]);
  assert.deepEqual(range('option', 50_00), [30_00, 70_00]);
  assert.deepEqual(range('option', 120_00), [72_00, 168_00]);
});

test('the gaps of R1.48 are exact to the paisa', () => {
  assert.deepEqual([stopGap(WIDTHS, 'equity', price(40_00)), stopGap(WIDTHS, 'future', price(50_00))], [1_50, 1_50]);
  assert.equal(stopGap(WIDTHS, 'equity', price(850_00)), 25_50);
  assert.equal(stopGap(WIDTHS, 'option', price(30_00)), 10_00);
  assert.equal(stopGap(WIDTHS, 'option', price(180_00)), 36_00);
  assert.equal(stopGap(WIDTHS, 'option', price(50_00)), 10_00);
});
