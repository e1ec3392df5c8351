import assert from 'node:assert/strict';
import test from 'node:test';
import { dailyDeviation, priceScanRange, volatilityScanRange } from './scan-range.ts';
import { DELTA_POINTS, SCENARIOS } from './scenarios.ts';

test('price scan ranges are six deviations over two days, at least their floors', () => {
  assert.equal(dailyDeviation(0.12).toFixed(5), '0.00756');
  assert.equal(priceScanRange(0.12, 0).toFixed(5), '0.06414');
  assert.equal(priceScanRange(0.12, 0.093), 0.093);
  assert.equal(priceScanRange(0.2, 0.093).toFixed(4), '0.1069');
  assert.equal(priceScanRange(0.28, 0.142).toFixed(5), '0.14967');
  assert.equal(priceScanRange(0.4, 0.142).toFixed(5), '0.21381');
});

test('volatility scan ranges are a quarter of volatility, at least their floors', () => {
  assert.deepEqual(
    [volatilityScanRange(0.12, 0.04), volatilityScanRange(0.28, 0.1), volatilityScanRange(0.5, 0.1)],
    [0.04, 0.1, 0.125],
  );
});

test('the scenarios are those of the parameter files, in their order', () => {
  assert.deepEqual(
    SCENARIOS.map(({ thirds }) => thirds),
    [0, 0, 1, 1, -1, -1, 2, 2, -2, -2, 3, 3, -3, -3, 6, -6],
  );
  assert.deepEqual(
    SCENARIOS.map(({ volatility }) => volatility),
    [1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0],
  );
  assert.deepEqual(
    SCENARIOS.map(({ percent }) => percent),
    [...Array.from({ length: 14 }, () => 100), 35, 35],
  );
});

test('the weights of the composite delta are the normal density at two deviations to the scan range', () => {
  const density = DELTA_POINTS.map(([thirds]) => Math.exp(-(((2 * thirds) / 3) ** 2) / 2));
  const sum = density.reduce((total, one) => total + one, 0);
  DELTA_POINTS.forEach(([, weight], i) => {
    assert.ok(Math.abs(weight - (density[i] ?? 0) / sum) < 0.001, `point ${i}`);
  });
  assert.ok(Math.abs(DELTA_POINTS.reduce((total, [, weight]) => total + weight, 0) - 1) < 1e-12);
});
