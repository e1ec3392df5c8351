/**
 * Paths through the days, drawn over a tree, so that any day is found at once and in any order. The minutes of a day
 * are in `path-day.ts`. A path has no unit; sources make prices of it.
 */
import { hashAt, hashText } from '../../../base/random.ts';
import type { IstDay } from '../../../base/time.ts';
import { MINUTES_IN_DAY } from '../../day-tape.ts';
import type { PathKind } from '../trades/profile.ts';
import type { DayClock } from './day-clock.ts';
import { normalOf, signedOf } from './draws.ts';
import { FIRST_DAY, TREE_DAYS } from './span-of-days.ts';
import type { Texture } from './texture.ts';

/** How unevenly a node shares its variance between its halves, up to a span of a year; longer ones share evenly. */
const CLUSTERING_SPAN = 256;
const CLUSTERING = 0.35;
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

/** A walk of variance 1 a trading day through the days. */
export abstract class Path {
  abstract readonly kind: PathKind;
  readonly seed: number;
  /** Distinguishes paths in caches. */
  readonly number: number;
  /** How it moves within a day. */
  readonly texture: Texture;
  protected readonly clock: DayClock;
  private readonly walkSeed: number;

  constructor(seed: number, number: number, clock: DayClock, texture: Texture) {
    this.seed = seed;
    this.number = number;
    this.clock = clock;
    this.texture = texture;
    this.walkSeed = hashText(seed, 'walk');
  }

  /** The seed of the walk within a minute of `minuteNumber`. */
  walkOf(minute: number): number {
    return hashAt(this.walkSeed, minute);
  }

  /**
   * Sets where the path and the variance of a day within [FIRST_DAY, LAST_DAY] stand at the hours of KNOWN_HOURS, at
   * their minutes.
   */
  abstract fill(day: IstDay, values: Float64Array, variances: Float64Array): void;
}

/** A path of which a day knows both ends. */
export abstract class SpanPath extends Path {
  readonly kind = 'own';

  /** The span of a day within [FIRST_DAY, LAST_DAY]. */
  abstract span(day: IstDay): DaySpan;

  fill(day: IstDay, values: Float64Array, variances: Float64Array): void {
    const { start, end, variance } = this.span(day);
    values[0] = start;
    values[MINUTES_IN_DAY] = end;
    variances[0] = 0;
    variances[MINUTES_IN_DAY] = variance;
  }
}

/**
 * The path of a sector or of a company, from its name alone. Source: architecture 2.6. Brownian bridge by midpoint
 * displacement over a tree of days, then over the minutes of a day; each midpoint is drawn from the hash of (seed,
 * path, midpoint), and every node shares its variance unevenly, which makes volatility cluster.
 */
export class TreePath extends SpanPath {
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
function unevenly(even: number, hash: number, strength: number): number {
  const tilt = strength * signedOf(hash);
  return (even * (1 + tilt)) / (1 + tilt * (2 * even - 1));
}
