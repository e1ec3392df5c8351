/**
 * Property test of the exact payoff: beside a naive one that looks at every price of a small world, and worked examples
 * of the usual strategies.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../base/random.ts';
import { exactPayoff, type SettledLeg } from './exact-payoff.ts';

const HIGHEST = 400;
const SEEDS = 2_000;

/** The result at a price, leg by leg, from the definition of each. */
function naive(legs: readonly SettledLeg[], price: number): number {
  let sum = 0;
  for (const { pays, strike, units, entry } of legs) {
    let worth = price;
    if (pays === 'call') worth = price > strike ? price - strike : 0;
    if (pays === 'put') worth = price < strike ? strike - price : 0;
    sum += units * worth - units * entry;
  }
  return sum;
}

function someLeg(random: Random): SettledLeg {
  const pays = random.pick(['price', 'call', 'put'] as const);
  const strike = pays === 'price' ? 0 : random.between(1, 20) * 10;
  return { pays, strike, units: random.pick([-3, -2, -1, 1, 2, 3]), entry: random.between(1, 60) };
}

test('payoff, breakevens and bounds are those of a naive look at every price', () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const random = new Random(seed);
    const legs = Array.from({ length: random.between(1, 6) }, () => someLeg(random));
    const { at, breakevens, greatest, least } = exactPayoff(legs);
    const results = Array.from({ length: HIGHEST + 1 }, (_, price) => naive(legs, price));
    for (const [price, result] of results.entries()) assert.equal(at(price), result, `seed ${seed} at ${price}`);
    const slope = (results[HIGHEST] as number) - (results[HIGHEST - 1] as number);
    assert.equal(greatest, slope > 0 ? undefined : Math.max(...results), `seed ${seed}`);
    assert.equal(least, slope < 0 ? undefined : Math.min(...results), `seed ${seed}`);
    for (let price = 0; price < HIGHEST; price += 1) {
      const [here, next] = [results[price] as number, results[price + 1] as number];
      const crosses = here * next < 0 || (here === 0) !== (next === 0);
      const found = breakevens.some((one) => one >= price && one <= price + 1);
      if (crosses) assert.ok(found, `seed ${seed}: the result crosses 0 between ${price} and ${price + 1}`);
    }
    for (const one of breakevens) {
      if (one >= HIGHEST) continue;
      const around = [one - 1, one, one + 1].map((price) => naive(legs, price));
      const [before, , after] = around as [number, number, number];
      assert.ok(around[1] === 0 || before * after <= 0, `seed ${seed}: ${one} is where the result is 0`);
    }
  }
});

const call = (strike: number, units: number, entry: number): SettledLeg => ({ pays: 'call', strike, units, entry });
const put = (strike: number, units: number, entry: number): SettledLeg => ({ pays: 'put', strike, units, entry });

test('a sold straddle gains its premium at the strike and has no bound of its loss above', () => {
  const { breakevens, greatest, least } = exactPayoff([call(24_000_00, -65, 150_05), put(24_000_00, -65, 140_00)]);
  assert.deepEqual(breakevens, [24_000_00 - 290_05, 24_000_00 + 290_05]);
  assert.equal(greatest, 65 * 290_05);
  assert.equal(least, undefined);
});

test('an iron condor is bounded on both sides', () => {
  const condor = [put(23_800_00, 65, 60_00), put(23_900_00, -65, 90_00), call(24_100_00, -65, 95_00)];
  const { breakevens, greatest, least } = exactPayoff([...condor, call(24_200_00, 65, 65_00)]);
  assert.deepEqual(breakevens, [23_840_00, 24_160_00]);
  assert.equal(greatest, 65 * 60_00);
  assert.equal(least, 65 * -40_00);
});

test('a breakeven between two paise is rounded half up', () => {
  const ratio = [call(100_00, 2, 5_01), call(110_00, -4, 2_00)];
  assert.deepEqual(exactPayoff(ratio).breakevens, [101_01, 118_99]);
  assert.deepEqual(exactPayoff([call(100, 2, 1), put(100, 1, 1)]).breakevens, [97, 102], '101.5 is 102');
});

test('a bought share breaks even at its price and loses at most what it cost', () => {
  const { breakevens, greatest, least } = exactPayoff([{ pays: 'price', strike: 0, units: 10, entry: 1_260_00 }]);
  assert.deepEqual(breakevens, [1_260_00]);
  assert.equal(greatest, undefined);
  assert.equal(least, -10 * 1_260_00);
});
