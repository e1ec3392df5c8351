import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BROWNIAN, QUARTER_REACH } from './bridges.ts';
import { emptyLine, fillBounds, scale, straight, valueAt } from './line.ts';
import { Walk } from './walk.ts';

const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const amplitudes = fc.double({ min: -50, max: 50, noNaN: true });
const parts = fc.array(fc.tuple(seeds, amplitudes), { maxLength: 5 });

/** The bridge of a seed that follows from a number, at the steps 0 to 60. */
function bridge(number: number): Float64Array {
  const walk = new Walk();
  walk.add(Math.imul(number, 0x9e3779b1) >>> 0, 1);
  return walk.seconds();
}

test('no bridge goes beyond the ends of its quarters by more than the reach', () => {
  let farthest = 0;
  for (let number = 0; number < 20_000; number += 1) {
    const values = bridge(number);
    for (let step = 0; step < 60; step += 1) {
      const quarter = step - (step % 15);
      const [start, end] = [values[quarter] as number, values[quarter + 15] as number];
      const value = values[step] as number;
      farthest = Math.max(farthest, value - Math.max(start, end), Math.min(start, end) - value);
    }
  }
  assert.ok(farthest <= QUARTER_REACH && farthest > QUARTER_REACH / 3, `${farthest} of ${QUARTER_REACH}`);
});

test('bridges have the variance of a Brownian bridge at every step, and their steps are unrelated', () => {
  const count = 20_000;
  const squares = new Float64Array(60);
  let [steps, pairs] = [0, 0];
  for (let number = 0; number < count; number += 1) {
    const values = bridge(number);
    for (let step = 1; step < 60; step += 1) {
      const [before, here, after] = [values[step - 1] as number, values[step] as number, values[step + 1] as number];
      squares[step] = (squares[step] as number) + here ** 2;
      steps += (here - before) ** 2;
      pairs += (here - before) * (after - here);
    }
  }
  for (let step = 1; step < 60; step += 1) {
    const wanted = (step / 60) * (1 - step / 60);
    assert.ok(Math.abs((squares[step] as number) / count / wanted - 1) < 0.05, `step ${step}`);
  }
  // The steps of a bridge add up to 0, so that each two of them go against each other by a 59th.
  assert.ok(Math.abs(pairs / steps + 1 / 59) < 0.01, `${pairs / steps}`);
  assert.equal(BROWNIAN[60], 0.5);
});

test('the bounds of a minute hold at each of its seconds, which are the same in every order of asking', () => {
  const lines = fc.record({
    from: fc.double({ min: 1_000, max: 1_000_000, noNaN: true }),
    change: amplitudes,
    whole: parts,
    coarse: parts,
    fine: parts,
    factor: fc.double({ min: -2, max: 2, noNaN: true }),
    first: fc.integer({ min: 0, max: 59 }),
  });
  fc.assert(
    fc.property(lines, ({ from, change, whole, coarse, fine, factor, first }) => {
      const line = emptyLine();
      const fill = () => {
        straight(line, from, from + change);
        line.walk.clear();
        for (const [seed, amplitude] of whole) line.walk.add(seed, amplitude);
        for (const [seed, amplitude] of coarse) line.walk.addCoarse(seed, amplitude);
        for (const [seed, amplitude] of fine) line.walk.addFine(seed, amplitude);
        scale(line, factor);
      };
      fill();
      const bounds = { high: 0, low: 0 };
      fillBounds(line, bounds);
      const { low, high } = bounds;
      const alone = valueAt(line, first) + 0;
      const seconds = Array.from({ length: 60 }, (_, second) => valueAt(line, second) + 0);
      assert.equal(seconds[first], alone);
      fill();
      line.walk.seconds();
      assert.deepEqual(
        Array.from({ length: 60 }, (_, second) => valueAt(line, second) + 0),
        seconds,
      );
      const rounding = 1e-9 * (Math.abs(low) + Math.abs(high));
      for (const value of seconds) {
        assert.ok(value <= high + rounding && value >= low - rounding, `${low} ${value} ${high}`);
      }
      assert.equal(seconds[0], line.value + 0);
    }),
  );
});
