/**
 * The result of a strategy some of whose legs live on when the nearest ones settle: those are valued by the model. Its
 * zeros and its extremes are searched for on the curve. Work comes in pieces.
 */

import type { Payoff } from './payoff.ts';

/** The prices that are looked at: dense in the range that is shown, and sparse from 0 up to a price far above. */
const DENSE_STEPS = 240;
const SPARSE_STEPS = 60;
/** A search ends when its range is this narrow, in paise. */
const NARROW = 0.01;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** The curve, and where to look at it. */
export interface Curve {
  at(price: number): number;
  /** Prices at which its slope may jump. */
  readonly kinks: readonly number[];
  /** The range that is shown. */
  readonly from: number;
  readonly to: number;
  /** Beyond every strike. */
  readonly farAbove: number;
  /** The units that gain with the price beyond every strike, below 0 when they lose. */
  readonly unitsAbove: number;
}

/** The payoff of a curve. Yields after each piece of work. */
export function* modelPayoff(curve: Curve): Generator<undefined, Payoff> {
  const prices = pricesOf(curve);
  const results: number[] = [];
  for (const price of prices) {
    results.push(curve.at(price));
    yield;
  }
  const breakevens = new Set<number>();
  for (let place = 1; place < prices.length; place += 1) {
    const [before, after] = [results[place - 1] as number, results[place] as number];
    if (before === 0) breakevens.add(Math.round(prices[place - 1] as number));
    if (before * after < 0) breakevens.add(yield* zeroBetween(curve, at(prices, place - 1), at(prices, place)));
  }
  const { unitsAbove } = curve;
  return {
    at: curve.at,
    breakevens: [...breakevens].sort((a, b) => a - b),
    greatest: unitsAbove > 0 ? undefined : yield* highest(curve, prices, results, 1),
    least: unitsAbove < 0 ? undefined : yield* highest(curve, prices, results, -1),
  };
}

function pricesOf({ kinks, from, to, farAbove }: Curve): readonly number[] {
  const prices = new Set(kinks);
  for (let step = 0; step <= DENSE_STEPS; step += 1) prices.add(from + ((to - from) * step) / DENSE_STEPS);
  for (let step = 0; step <= SPARSE_STEPS; step += 1) prices.add((farAbove * step) / SPARSE_STEPS);
  return [...prices].sort((a, b) => a - b);
}

function* zeroBetween({ at: resultAt }: Curve, from: number, to: number): Generator<undefined, number> {
  let [low, high] = [from, to];
  const sign = Math.sign(resultAt(low));
  while (high - low > NARROW) {
    const middle = (low + high) / 2;
    if (Math.sign(resultAt(middle)) === sign) low = middle;
    else high = middle;
    yield;
  }
  return Math.round((low + high) / 2);
}

/** The highest result beside the best price that was looked at; with `sign` -1 the lowest. */
function* highest(
  { at: resultAt }: Curve,
  prices: readonly number[],
  results: readonly number[],
  sign: 1 | -1,
): Generator<undefined, number> {
  let best = 0;
  for (let place = 1; place < results.length; place += 1) {
    if (sign * at(results, place) > sign * at(results, best)) best = place;
  }
  let low = at(prices, Math.max(0, best - 1));
  let high = at(prices, Math.min(prices.length - 1, best + 1));
  let found = at(results, best);
  while (high - low > NARROW) {
    const [left, right] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    const [onLeft, onRight] = [resultAt(left), resultAt(right)];
    if (sign * onLeft > sign * onRight) high = right;
    else low = left;
    found = sign * Math.max(sign * found, sign * onLeft, sign * onRight);
    yield;
  }
  return found;
}

function at(list: readonly number[], place: number): number {
  return list[place] as number;
}
