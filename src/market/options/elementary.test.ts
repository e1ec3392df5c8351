import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exp, log, normalCumulative, normalDensity, normalQuantile } from './elementary.ts';

test('the exponential agrees with the machine to 2 parts in 10^15', () => {
  for (let i = -60_000; i <= 60_000; i += 7) {
    const x = i / 100;
    assert.ok(Math.abs(exp(x) / Math.exp(x) - 1) < 2e-15, `exp(${x})`);
  }
  assert.equal(exp(0), 1);
  assert.equal(exp(-800), 0);
  assert.equal(exp(800), Number.POSITIVE_INFINITY);
});

test('the logarithm agrees with the machine and undoes the exponential', () => {
  for (let i = 1; i < 50_000; i += 13) {
    const x = i / 331;
    assert.ok(Math.abs(log(x) - Math.log(x)) < 1e-14 * Math.max(1, Math.abs(Math.log(x))), `log(${x})`);
    assert.ok(Math.abs(log(exp(x / 10)) - x / 10) < 1e-14, `log(exp(${x / 10}))`);
  }
});

test('the cumulative normal has its known values, rises and is symmetric', () => {
  const known: readonly (readonly [number, number])[] = [
    [0, 0.5],
    [1, 0.841_344_746_068_542_9],
    [-1.959_963_984_540_054, 0.025],
    [-3, 0.001_349_898_031_630_094_6],
    [-6, 9.865_876_450_376_946e-10],
  ];
  for (const [x, expected] of known) assert.ok(Math.abs(normalCumulative(x) - expected) < 1e-15, `N(${x})`);
  for (let i = -900; i < 900; i += 1) {
    const x = i / 100;
    assert.ok(normalCumulative(x + 0.01) >= normalCumulative(x) - 1e-16, `rises at ${x}`);
    assert.ok(Math.abs(normalCumulative(x) + normalCumulative(-x) - 1) < 1e-15, `symmetric at ${x}`);
  }
});

test('the density is the slope of the cumulative normal', () => {
  for (const x of [-2.5, -1, 0, 0.3, 1.7]) {
    const slope = (normalCumulative(x + 1e-5) - normalCumulative(x - 1e-5)) / 2e-5;
    assert.ok(Math.abs(slope - normalDensity(x)) < 1e-9, `at ${x}`);
  }
});

test('the quantile undoes the cumulative normal', () => {
  for (const p of [0.0002, 0.025, 0.5, 0.84, 0.9999])
    assert.ok(Math.abs(normalCumulative(normalQuantile(p)) - p) < 1e-14);
});
