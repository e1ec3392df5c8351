import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { chargeOf, PER_UNIT } from './fixed-point.ts';

/** Half up, by integers without bounds. */
function exact(units: number, rate: number): bigint {
  return (2n * BigInt(units) * BigInt(rate) + BigInt(PER_UNIT)) / (2n * BigInt(PER_UNIT));
}

test('a charge is exact to a hundredth of a paisa, halves up, for any number of units', () => {
  const rate = fc.integer({ min: 0, max: 50_000_000 });
  const units = fc.oneof(
    fc.nat(),
    fc.maxSafeNat(),
    fc.integer({ min: 0, max: 2 ** 40 }).map((whole) => 50_000 + whole),
  );
  fc.assert(
    fc.property(units, rate, (of, at) => {
      fc.pre(BigInt(of) * BigInt(at) < 10n ** 19n);
      assert.equal(BigInt(chargeOf(of, at)), exact(of, at));
    }),
    { numRuns: 20_000 },
  );
});

test('a charge is exact for products that one division cannot round safely', () => {
  for (const around of [2 ** 50, 2 ** 50 / 3, 2 ** 51]) {
    for (const rate of [1, 3, 7, 4_200_001, 9_999_999]) {
      const middle = Math.floor(around / rate);
      for (let units = middle - 2_000; units < middle + 2_000; units += 1) {
        assert.equal(BigInt(chargeOf(units, rate)), exact(units, rate), `${units} at ${rate}`);
      }
    }
  }
});
