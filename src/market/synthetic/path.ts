import { hashText } from '../../base/random.ts';
import type { IstDay } from '../../base/time.ts';
import type { DayClock } from './day-clock.ts';
import { hashAt, normalOf, signedOf } from './draws.ts';
import type { PathKind } from './profile.ts';
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
export interface Path {
  readonly seed: number;
  /** Distinguishes paths in caches. */
  readonly number: number;
  readonly kind: PathKind;
  /** How it moves within a day. */
  readonly texture: Texture;
  /** The seed of the walk within a minute of `minuteNumber`. */
  walkOf(minute: number): number;
  /** The span of a day within [FIRST_DAY, LAST_DAY]. */
  span(day: IstDay): DaySpan;
}

/**
 * The path of a sector or of a company, from its name alone. Source: architecture 2.6.
 * Brownian bridge by midpoint displacement over a tree of days, then over the minutes of a day; each midpoint is drawn from the hash of
 * (seed, path, midpoint), and every node shares its variance unevenly, which makes volatility cluster.
 */
export class TreePath implements Path {
  readonly kind = 'own';
  readonly seed: number;
  readonly number: number;
  readonly texture: Texture;
  private readonly walkSeed: number;
  private readonly clock: DayClock;

  constructor(seed: number, number: number, clock: DayClock, texture: Texture) {
    this.seed = seed;
    this.number = number;
    this.clock = clock;
    this.texture = texture;
    this.walkSeed = hashText(seed, 'walk');
  }

  walkOf(minute: number): number {
    return hashAt(this.walkSeed, minute);
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
  return (even * (1 + tilt)) / (1 + tilt * (2 * even - 1));
}
