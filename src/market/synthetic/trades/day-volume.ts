import { hashAt, mix } from '../../../base/random.ts';
import type { IstDay } from '../../../base/time.ts';
import { exp, log } from '../../options/elementary.ts';
import { normalOf } from '../paths/draws.ts';

/**
 * The parts of the logarithm of a day's volume. Source: 24 shares of NSE, daily from January 2024 to August 2026:
 * correlation with the day before 0.50, with two to twenty days before 0.38, 0.33 (3), 0.29 (5), 0.22 (10), 0.16 (20),
 * with the logarithm of the day's range 0.57, deviation 0.58; of two shares' volumes of a day 0.30 (0.10 to 0.48). The
 * common part of shares' volumes comes with the variance that they have in common.
 */
const WITH_VARIANCE = 0.5;
const MEMORY_DEVIATION = 0.19;
const FRESH_DEVIATION = 0.31;
/**
 * A day's variance is below its average more often than above: this much is added so that the middle day trades the
 * typical volume.
 */
const MIDDLE = 0.1;
/** The part that a memory keeps from one day to the next, and how far back it goes. */
const KEPT = 0.9;
const MEMORY_DAYS = 32;
const MEMORY_SCALE = MEMORY_DEVIATION * Math.sqrt((1 - KEPT * KEPT) / (1 - KEPT ** (2 * MEMORY_DAYS)));

/**
 * How many times the typical volume an instrument trades on a day. It remembers the days before, and follows how much
 * the day moves against an ordinary one (`variance`, 1 on average), never which way.
 */
export function busyness(seed: number, day: IstDay, variance: number): number {
  const memorySeed = mix(seed, 4);
  let memory = 0;
  let kept = MEMORY_SCALE;
  for (let back = 0; back < MEMORY_DAYS; back += 1) {
    memory += kept * normalOf(hashAt(memorySeed, day - back));
    kept *= KEPT;
  }
  const fresh = FRESH_DEVIATION * normalOf(hashAt(seed, day));
  return exp(WITH_VARIANCE * log(variance) + MIDDLE + memory + fresh);
}
