import assert from 'node:assert/strict';
import test from 'node:test';
import { quantity } from '../../../base/money.ts';
import { slicesOf } from './slices.ts';

const slices = (units: number, freeze: number, lot: number) =>
  slicesOf(quantity(units), { freeze: quantity(freeze), lot: quantity(lot) });

test('the worked slices of R1.29 are whole lots within the freeze quantity', () => {
  assert.deepEqual(slices(6_500, 1_800, 65), [1_755, 1_755, 1_755, 1_235]);
  assert.deepEqual(slices(1_500, 600, 30), [600, 600, 300]);
  assert.deepEqual(slices(5_640, 2_800, 120), [2_760, 2_760, 120]);
  assert.deepEqual(slices(2_500, 1_000, 20), [1_000, 1_000, 500]);
  assert.deepEqual(slices(3_600, 1_800, 60), [1_800, 1_800]);
  assert.deepEqual(slices(1_000, 600, 25), [600, 400]);
});

test('a lot and a freeze quantity of one unit make slices of one unit', () => {
  assert.deepEqual(slices(3, 1, 1), [1, 1, 1]);
});

test('ten slices are the most', () => {
  assert.equal(slices(17_550, 1_800, 65)?.length, 10);
  assert.equal(slices(17_615, 1_800, 65), undefined);
});

test('an order that needs no slicing, or would be refused anyway, stays whole', () => {
  assert.deepEqual(slices(1_800, 1_800, 60), [1_800]);
  assert.deepEqual(slices(50_000, 0, 1), [50_000]);
  assert.deepEqual(slices(1_901, 1_800, 65), [1_901]);
  assert.deepEqual(slices(130, 50, 65), [130], 'a freeze quantity below a lot lets none through');
});
