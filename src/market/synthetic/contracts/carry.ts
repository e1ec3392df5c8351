import type { IstDay } from '../../../base/time.ts';
import { MINUTES_IN_DAY } from '../../day-tape.ts';
import { exp } from '../../options/elementary.ts';
import { type Mood, sumOfMoods } from '../paths/moods.ts';

/**
 * How far a forward lies above the spot, per year, on average. NIFTY and stock futures of January to March 2026: 6.4 %,
 * by day 4.3 to 7.7 %.
 */
const MEAN_RATE = 0.064;
/**
 * How far the basis strays from that mean: the days that a mood lasts, and its size as a logarithm. Real futures stray
 * by 10 to 13 bp.
 */
const MOODS: readonly Mood[] = [
  { days: 4, swing: 0.0019 },
  { days: 15, swing: 0.0025 },
];
/** A mood shows in half at this many years before expiry, and ends at expiry. */
const HALF_YEARS = 3 / 365;

/**
 * The carry of one underlying: the forward of each of its expiries over its spot. All expiries share its moods, so that
 * a spread between two expiries gains less than the cost of trading both. Source: market-rules R8.8.
 */
export class Carry {
  private readonly seed: number;

  constructor(seed: number) {
    this.seed = seed;
  }

  /** The forward of an expiry `years` away, for a unit of spot. `minute` may have a fraction. */
  factor(day: IstDay, minute: number, years: number): number {
    const mood = sumOfMoods(MOODS, this.seed, day + minute / MINUTES_IN_DAY);
    return exp(MEAN_RATE * years + (mood * years) / (years + HALF_YEARS));
  }
}
