/**
 * Prices in a row that fold back to a candle: the first is its open, the last its close, the highest its high, the
 * lowest its low. All chance is a hash of a seed. Prices are whole ticks.
 */
import { unitOf } from '../../base/random.ts';
import { drawOf, normalOf } from '../synthetic/paths/draws.ts';

/** The prices of a candle, in whole ticks: `low <= open, close <= high`. */
export interface CandlePrices {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** How far one price goes from the one before, as a share of what an even walk through the whole range would need. */
const STEP_SHARE = 0.6;
/** How often a candle that rises has its low before its high. */
const LOW_FIRST = 0.7;
/** Draws of the places of high and low, before those of the steps. */
const PLACE_DRAWS = 3;

/** The fewest prices that fold to a candle: 1 where it has one price, at most 4. */
export function pricesNeeded({ open, high, low, close }: CandlePrices): number {
  if (high === low) return 1;
  return 2 + (high > open && high > close ? 1 : 0) + (low < open && low < close ? 1 : 0);
}

/**
 * Fills the first `count` places of `out` with prices that fold to the candle. `count` is `pricesNeeded` at least.
 */
export function fillTiedPath(candle: CandlePrices, count: number, seed: number, out: Int32Array): void {
  out[0] = candle.open;
  if (count === 1) return;
  const last = count - 1;
  let from = 0;
  for (const [place, price] of [...extremesInside(candle, last, seed), [last, candle.close] as const]) {
    walk(candle, out, { from, to: place, price, seed });
    from = place;
  }
}

/** A place of the path and its price. */
type Anchor = readonly [place: number, price: number];

/** Where the high and the low stand between the two ends, in order, as far as neither end has them. */
function extremesInside({ open, high, low, close }: CandlePrices, last: number, seed: number): readonly Anchor[] {
  const needsHigh = high > open && high > close;
  const needsLow = low < open && low < close;
  if (!needsHigh && !needsLow) return [];
  const inside = last - 1;
  const one = 1 + Math.floor(unitOf(drawOf(seed, 0)) * inside);
  if (!needsHigh || !needsLow) return [[one, needsHigh ? high : low]];
  const other = 1 + Math.floor(unitOf(drawOf(seed, 1)) * (inside - 1));
  const [early, late] = other < one ? [other, one] : [one, other + 1];
  // A candle that rises has its low first more often.
  const lowFirst = unitOf(drawOf(seed, 2)) < (close >= open ? LOW_FIRST : 1 - LOW_FIRST);
  return [
    [early, lowFirst ? low : high],
    [late, lowFirst ? high : low],
  ];
}

interface Stretch {
  readonly from: number;
  readonly to: number;
  /** At `to`. */
  readonly price: number;
  readonly seed: number;
}

/** A random walk from the price at one place to a price at a later one, inside the range of the candle. */
function walk({ high, low }: CandlePrices, out: Int32Array, { from, to, price, seed }: Stretch): void {
  const steps = to - from;
  const size = ((high - low) * STEP_SHARE) / Math.sqrt(steps + 1);
  let here = out[from] as number;
  for (let step = 1; step < steps; step += 1) {
    const left = steps - step + 1;
    const drawn = size * Math.sqrt((left - 1) / left) * normalOf(drawOf(seed, PLACE_DRAWS + from + step));
    here += (price - here) / left + drawn;
    if (here > high) here = high;
    if (here < low) here = low;
    out[from + step] = Math.round(here);
  }
  out[to] = price;
}
