/**
 * One day of one path, minute by minute, and the memory of the days that were read last. The seconds within a minute
 * are in `walk.ts`; the ends of a day come from `path.ts`.
 */

import type { HoursRegime } from '../../../base/market/hours-regime.ts';
import { hashAt, mix } from '../../../base/random.ts';
import type { IstDay } from '../../../base/time.ts';
import { MINUTES_IN_DAY } from '../../day-tape.ts';
import { activityProfile, type PathKind } from '../trades/profile.ts';
import { addCoarseDraws, COARSE_DRAWS, makeBridge, type Strands } from './bridges.ts';
import { STRETCH_HOURS } from './day-clock.ts';
import { NORMALS, UNIFORM_BITS, UNIFORM_MASK, UNIFORM_SCALE } from './draws.ts';
import type { Path } from './path.ts';

export const HOUR_MINUTES = 60;
const HOURS = 24;
/** The bridge of a quiet hour while it is filled. */
const QUIET: Strands = { count: 1, seeds: [0], amplitudes: [0] };
const QUIET_ENDS = new Float64Array(COARSE_DRAWS);
const INTRADAY_CLUSTERING = 0.58;
/** The hours that hold a part of 09:15 to 15:40. */
const FIRST_BUSY_HOUR = 9;
const LAST_BUSY_HOUR = 15;
/** Fields of a split: the ends between which a midpoint is displaced, and the midpoint. */
const SPLIT_FIELDS = 3;
/**
 * The hours at which a path itself gives its value: for most paths the ends of a day, for the market the ends of its
 * stretches.
 */
const KNOWN_HOURS: Readonly<Record<PathKind, readonly number[]>> = { own: [0, HOURS], market: STRETCH_HOURS };
/** The hours between those. */
const HOUR_SPLITS: Readonly<Record<PathKind, Int32Array>> = {
  own: splitsBetween(KNOWN_HOURS.own),
  market: splitsBetween(KNOWN_HOURS.market),
};
const MINUTE_SPLITS = Int32Array.from(splits(0, HOUR_MINUTES, []));

/** The midpoints between two ends, each after those that it depends on: low, middle, high, low, middle, high... */
function splits(low: number, high: number, order: number[]): number[] {
  if (high - low < 2) return order;
  const middle = (low + high) >> 1;
  order.push(low, middle, high);
  splits(low, middle, order);
  return splits(middle, high, order);
}

function splitsBetween(known: readonly number[]): Int32Array {
  const places = known.slice(1).flatMap((high, stretch) => splits(known[stretch] as number, high, []));
  return Int32Array.from(places, (hour) => hour * HOUR_MINUTES);
}

/**
 * For each minute of the day the share of a profile that falls to its left in the one split that it is the middle of.
 */
function evenShares(profile: Float64Array, kind: PathKind): Float64Array {
  const shares = new Float64Array(MINUTES_IN_DAY + 1);
  const add = (order: Int32Array, from: number) => {
    for (let i = 0; i < order.length; i += SPLIT_FIELDS) {
      const [low, middle, high] = Array.from(
        order.subarray(i, i + SPLIT_FIELDS),
        (place) => profile[from + place] as number,
      );
      shares[from + (order[i + 1] as number)] = share(low as number, middle as number, high as number);
    }
  };
  add(HOUR_SPLITS[kind], 0);
  for (let hour = 0; hour < HOURS; hour += 1) add(MINUTE_SPLITS, hour * HOUR_MINUTES);
  return shares;
}

type EvenShares = Readonly<Record<PathKind, Float64Array>>;

function share(low: number, middle: number, high: number): number {
  return (middle - low) / (high - low);
}

/** True of an hour of the night, whose minutes all hold the same variance. */
export function isQuiet(hour: number): boolean {
  return hour < FIRST_BUSY_HOUR || hour > LAST_BUSY_HOUR;
}

/** One day of one path by minutes; hours are filled when they are first read. */
export class PathDay {
  path: Path;
  day: IstDay;
  /** The path at each minute of the day, and its end. Read through `reach`. */
  readonly values: Float64Array;
  /** The cumulative variance of the day at each minute. */
  readonly variances: Float64Array;
  private readonly evensOf: EvenShares;
  private evens: Float64Array;
  /** The clock of the cache when it was last asked for. */
  askedAt = 0;
  private seed = 0;
  private filledHours = 0;

  /** `values` and `variances`: its memory. */
  constructor(evensOf: EvenShares, path: Path, day: IstDay, values: Float64Array, variances: Float64Array) {
    this.values = values;
    this.variances = variances;
    this.evensOf = evensOf;
    this.evens = evensOf[path.kind];
    this.path = path;
    this.day = day;
    this.reset(path, day);
  }

  /** Makes this the day of another path, in the same memory. */
  reset(path: Path, day: IstDay): void {
    this.path = path;
    this.day = day;
    this.seed = mix(mix(path.seed, day), MINUTES_IN_DAY);
    this.filledHours = 0;
    this.evens = this.evensOf[path.kind];
    path.fill(day, this.values, this.variances);
    this.split(HOUR_SPLITS[path.kind], 0);
  }

  /** Makes this the day of no path, whose memory is gone: who holds it as a hint asks again. */
  end(): void {
    this.day = NO_DAY;
  }

  /**
   * Fills the hour that begins at or before a minute, so that `values` and `variances` hold there and at the next
   * minute.
   */
  reach(minute: number): void {
    const hour = minute < MINUTES_IN_DAY ? (minute / HOUR_MINUTES) | 0 : HOURS - 1;
    if (this.filledHours & (1 << hour)) return;
    this.filledHours |= 1 << hour;
    if (isQuiet(hour)) this.fillQuietHour(hour * HOUR_MINUTES);
    else this.split(MINUTE_SPLITS, hour * HOUR_MINUTES);
  }

  /** An hour of the night: a bridge over its minutes, at an even pace. */
  private fillQuietHour(from: number): void {
    const { values, variances } = this;
    const before = variances[from] as number;
    const variance = (variances[from + HOUR_MINUTES] as number) - before;
    const seed = hashAt(this.seed, from + 1);
    const amplitude = Math.sqrt(variance);
    QUIET.seeds[0] = seed;
    QUIET.amplitudes[0] = amplitude;
    QUIET_ENDS.fill(0);
    addCoarseDraws(seed, amplitude, QUIET_ENDS);
    makeBridge(QUIET_ENDS, QUIET, this.path.texture.quiet, values, from);
    const pace = variance / HOUR_MINUTES;
    for (let minute = 1; minute < HOUR_MINUTES; minute += 1) variances[from + minute] = before + pace * minute;
  }

  /** The deviation of the change within a minute. */
  deviation(minute: number): number {
    const variance = (this.variances[minute + 1] as number) - (this.variances[minute] as number);
    return Math.sqrt(variance * this.path.texture.minuteVariance);
  }

  /**
   * Displaces the midpoints of an order of splits, whose places are minutes after `from`. The shares of `unevenly` and
   * the draw of `normalOf` are written out: as calls of another module they take a third of the time.
   */
  private split(order: Int32Array, from: number): void {
    const { values, variances, evens, seed } = this;
    const { factors } = this.path.texture;
    const normals = NORMALS;
    for (let i = 0; i < order.length; i += SPLIT_FIELDS) {
      const a = from + (order[i] as number);
      const m = from + (order[i + 1] as number);
      const b = from + (order[i + 2] as number);
      const hash = hashAt(seed, m);
      const even = evens[m] as number;
      const tilt = INTRADAY_CLUSTERING * ((hash & UNIFORM_MASK) * UNIFORM_SCALE - 1);
      const left = (even * (1 + tilt)) / (1 + tilt * (2 * even - 1));
      const before = variances[a] as number;
      const variance = (variances[b] as number) - before;
      const start = values[a] as number;
      const draw = normals[hash >>> UNIFORM_BITS] as number;
      const displacement = draw * Math.sqrt(variance * left * (1 - left)) * (factors[b - a] as number);
      variances[m] = before + variance * left;
      values[m] = start + ((values[b] as number) - start) * left + displacement;
    }
  }
}

/** How many days of paths are kept, of about 23 KB each. */
const KEPT_DAYS = 1_024;
/** The memory of this many days is taken in one piece, which costs less than as many small ones. */
const DAYS_OF_A_SLAB = 32;
const DAY_LENGTH = MINUTES_IN_DAY + 1;
/** A day among this many asked for last is not recycled, so that a caller may hold a few at once. */
const HELD_DAYS = 16;
const DAY_KEYS = 65_536;
const NO_DAY = -1 as IstDay;

/** The days of paths that were read last. Keeping them never changes an answer, only its cost. */
export class PathDays {
  private readonly byKey = new Map<number, PathDay>();
  private readonly ring: PathDay[] = [];
  /** The memory of the days of the ring; the last has room for those to come. */
  private readonly slabs: Float64Array<ArrayBuffer>[] = [];
  private next = 0;
  private clock = 0;
  private readonly evens: EvenShares;

  constructor(regime: HoursRegime) {
    this.evens = {
      market: evenShares(activityProfile(regime, 'market'), 'market'),
      own: evenShares(activityProfile(regime, 'own'), 'own'),
    };
  }

  /** The day of a path; `hint` is looked at first. Valid until 15 others have been asked for. */
  get(path: Path, day: IstDay, hint?: PathDay): PathDay {
    this.clock += 1;
    const found = hint !== undefined && hint.path === path && hint.day === day ? hint : this.find(path, day);
    found.askedAt = this.clock;
    return found;
  }

  private find(path: Path, day: IstDay): PathDay {
    const key = path.number * DAY_KEYS + day;
    const known = this.byKey.get(key);
    if (known !== undefined) return known;
    const made = this.make(path, day);
    this.byKey.set(key, made);
    return made;
  }

  private make(path: Path, day: IstDay): PathDay {
    if (this.ring.length < KEPT_DAYS) {
      const fresh = new PathDay(this.evens, path, day, this.room(0), this.room(1));
      this.ring.push(fresh);
      return fresh;
    }
    let oldest = this.ring[this.next] as PathDay;
    while (oldest.askedAt > this.clock - HELD_DAYS) {
      this.next = (this.next + 1) % KEPT_DAYS;
      oldest = this.ring[this.next] as PathDay;
    }
    this.next = (this.next + 1) % KEPT_DAYS;
    this.byKey.delete(oldest.path.number * DAY_KEYS + oldest.day);
    oldest.reset(path, day);
    return oldest;
  }

  /** The memory of the first or the second list of the day that comes next into the ring. */
  private room(list: 0 | 1): Float64Array {
    const place = this.ring.length % DAYS_OF_A_SLAB;
    if (place === 0 && list === 0) this.slabs.push(new Float64Array(DAYS_OF_A_SLAB * 2 * DAY_LENGTH));
    const from = (2 * place + list) * DAY_LENGTH;
    return (this.slabs.at(-1) as Float64Array).subarray(from, from + DAY_LENGTH);
  }

  /**
   * Drops all days and gives their memory back at once: the collector comes to it only when it goes through all
   * objects. No day that was given before is read again.
   */
  forget(): void {
    for (const day of this.ring) day.end();
    for (const { buffer } of this.slabs) buffer.transfer(0);
    this.ring.length = 0;
    this.slabs.length = 0;
    this.next = 0;
    this.byKey.clear();
  }
}
