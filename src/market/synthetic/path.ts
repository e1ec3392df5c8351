import { type IstDay, weekday } from '../../base/time.ts';
import { hashAt, normalOf, signedOf } from './draws.ts';
import { dayVariance, type HoursRegime } from './profile.ts';

/** The first day of history: 2020-01-01 in IST. */
export const FIRST_DAY = 18_262 as IstDay;
const TREE_LEVELS = 15;
const TREE_DAYS = 1 << TREE_LEVELS;
/** The last day that the path reaches: in September 2109. */
export const LAST_DAY = (FIRST_DAY + TREE_DAYS - 1) as IstDay;

/** The day itself, or the nearest that the path reaches. */
export function withinPath(day: IstDay): IstDay {
  if (day < FIRST_DAY) return FIRST_DAY;
  return day > LAST_DAY ? LAST_DAY : day;
}

/**
 * How unevenly a node shares its variance between its halves, by the days that it spans. Spans of up to half a year make calm and
 * wild weeks; longer ones share evenly, so that a year's volatility stays near its target.
 */
const CLUSTERING_SPAN = 256;
const CLUSTERING = 0.34;
const LONG_CLUSTERING = 0.05;
/** Spans above this many days wander less than a free walk: prices stay within reach of the reference for decades. */
const WANDERING_SPAN = 1_024;
const WANDERING = 0.5;

/** Where a path stands at the ends of a day, and the variance that the day holds; an ordinary day's is 1 on average. */
export interface DaySpan {
  readonly start: number;
  readonly end: number;
  readonly variance: number;
}

/**
 * A path: a walk of variance 1 a trading day, from its name alone. Source: architecture 2.6.
 * Brownian bridge by midpoint displacement over a tree of days, then over the minutes of a day; each midpoint is drawn from the hash of
 * (seed, path, midpoint), and every node shares its variance unevenly, which makes volatility cluster.
 */
export class Path {
  readonly seed: number;
  /** Distinguishes paths in caches. */
  readonly number: number;
  private readonly clock: DayClock;

  constructor(seed: number, number: number, clock: DayClock) {
    this.seed = seed;
    this.number = number;
    this.clock = clock;
  }

  /** The span of a day within [FIRST_DAY, LAST_DAY]; costs the depth of the tree. */
  span(day: IstDay): DaySpan {
    const target = day - FIRST_DAY;
    let low = 0;
    let high = TREE_DAYS;
    let start = 0;
    let end = 0;
    let variance = this.clock.between(0, TREE_DAYS);
    for (let days = TREE_DAYS; days > 1; days /= 2) {
      const middle = low + days / 2;
      const hash = hashAt(this.seed, middle);
      const left = unevenly(this.clock.between(low, middle) / this.clock.between(low, high), hash, clusteringOf(days));
      const wander = days > WANDERING_SPAN ? WANDERING : 1;
      const displacement = normalOf(hash) * Math.sqrt(variance * left * (1 - left)) * wander;
      const value = start + (end - start) * left + displacement;
      if (target < middle) {
        high = middle;
        end = value;
        variance *= left;
      } else {
        low = middle;
        start = value;
        variance *= 1 - left;
      }
    }
    return { start, end, variance };
  }
}

function clusteringOf(days: number): number {
  return days > CLUSTERING_SPAN ? LONG_CLUSTERING : CLUSTERING;
}

/** The share of the left half, whose even share is `even`, moved by the uniform draw of a hash. */
export function unevenly(even: number, hash: number, strength: number): number {
  const tilt = strength * signedOf(hash);
  const left = even * (1 + tilt);
  return left / (left + (1 - even) * (1 - tilt));
}

/** The calm clock of days: how much variance the calendar puts between two days, whatever the holidays. */
export class DayClock {
  private readonly cumulative: Float64Array;

  constructor(regime: HoursRegime) {
    this.cumulative = new Float64Array(TREE_DAYS + 1);
    for (let i = 0; i < TREE_DAYS; i += 1) {
      const variance = dayVariance(regime, weekday((FIRST_DAY + i) as IstDay));
      this.cumulative[i + 1] = (this.cumulative[i] as number) + variance;
    }
  }

  /** Between two days counted from FIRST_DAY. */
  between(from: number, to: number): number {
    return (this.cumulative[to] as number) - (this.cumulative[from] as number);
  }
}
