import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaOf, heightOf, nearest, pathOf, scaleOf, spotsOf } from './shape.ts';

const BOX = { width: 100, height: 50 };

test('a scale holds every amount and 0, and is never flat', () => {
  for (const amounts of [[], ['0.00'], ['5.00', '9.50'], ['-3.00', '-1.00'], ['-100000.00', '250000.00']]) {
    const { low, high } = scaleOf(amounts);
    assert.ok(low < high);
    for (const amount of ['0', ...amounts]) assert.ok(Number(amount) >= low && Number(amount) <= high);
  }
});

test('places go from the left to the right edge, and higher amounts stand higher', () => {
  const scale = { low: 0, high: 10 };
  const spots = spotsOf(['0.00', '5.00', '10.00'], scale, BOX);
  assert.deepEqual(spots, [
    { x: 0, y: 50 },
    { x: 50, y: 25 },
    { x: 100, y: 0 },
  ]);
  assert.equal(pathOf(spots), 'M0.0,50.0L50.0,25.0L100.0,0.0');
  assert.equal(areaOf(spots, heightOf(0, scale, BOX)), 'M0.0,50.0L50.0,25.0L100.0,0.0L100.0,50.0L0.0,50.0Z');
  assert.equal(areaOf([], 0), '');
});

test('the nearest point of a place is one of the curve, also beyond the edges', () => {
  assert.deepEqual(
    [-5, 0, 26, 74, 75, 400].map((x) => nearest(x, 3, BOX)),
    [0, 0, 1, 1, 2, 2],
  );
  assert.equal(nearest(30, 1, BOX), 0);
});
