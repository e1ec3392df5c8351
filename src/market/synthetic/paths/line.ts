/**
 * The fair value through the seconds of one minute, and the interface of everything that has a fair value. Bids, asks
 * and prints around it are in `trades/tape.ts`.
 */
import type { IstDay } from '../../../base/time.ts';
import { type Bounds, MINUTES_IN_DAY } from '../../day-tape.ts';
import { FEW, Walk } from './walk.ts';

/**
 * A fair value in paise through the seconds of one minute: straight from one minute to the next, plus a walk that is 0
 * at both ends. Filled in place, because a day has many.
 */
export interface Line {
  /** At second 0. */
  value: number;
  /** The change a second of the straight part. */
  slope: number;
  readonly walk: Walk;
  /** Makes the value at a second from the rest of the line; the line itself is the value when left out. */
  curve: Curve | undefined;
}

/** A value that depends on another one through the seconds of a minute. */
export interface Curve {
  /** `base` is the line's own value at a second in [0, 60). */
  valueAt(base: number, second: number): number;
}

/** A fair value as a function of time alone. */
export interface Source {
  /** At the start of a minute of a day; minute 1440 is the end of the day. */
  at(day: IstDay, minute: number): number;
  /** Fills `line` for a minute in [0, 1440) of a day. */
  fill(day: IstDay, minute: number, line: Line): void;
}

export function emptyLine(): Line {
  return { value: 0, slope: 0, walk: new Walk(), curve: undefined };
}

/** The fair value at a second in [0, 60) of the minute that the line was filled for. */
export function valueAt(line: Line, second: number): number {
  const base = line.value + line.slope * second + line.walk.at(second);
  return line.curve === undefined ? base : line.curve.valueAt(base, second);
}

/** Fills `values` with the fair values at `count` seconds in [0, 60), to the last bit as `valueAt` has them. */
export function fillValues(line: Line, seconds: Uint8Array, count: number, values: Float64Array): void {
  const { value, slope, walk, curve } = line;
  if (curve !== undefined || count <= FEW) {
    for (let i = 0; i < count; i += 1) values[i] = valueAt(line, seconds[i] as number);
    return;
  }
  const steps = walk.seconds();
  for (let i = 0; i < count; i += 1) {
    const second = seconds[i] as number;
    values[i] = value + slope * second + (steps[second] as number);
  }
}

/** Fills the straight part from the values at both ends of the minute. */
export function straight(line: Line, from: number, to: number): void {
  line.value = from;
  line.slope = (to - from) / 60;
}

/** Brings a line to another unit. */
export function scale(line: Line, factor: number): void {
  const { curve } = line;
  if (curve !== undefined) {
    line.curve = { valueAt: (base, second) => curve.valueAt(base, second) * factor };
    return;
  }
  line.value *= factor;
  line.slope *= factor;
  line.walk.scale(factor);
}

export function emptyBounds(): Bounds {
  return { high: 0, low: 0 };
}

/** Fills the bounds of a line by how far its walk goes at most beyond the ends of the quarters of the minute. */
export function fillBounds(line: Line, bounds: Bounds): void {
  if (line.curve !== undefined) {
    fillNearBounds(line, bounds);
    return;
  }
  const { value, slope, walk } = line;
  const end = value + slope * 60;
  let high = value > end ? value : end;
  let low = value < end ? value : end;
  for (let quarter = 0; quarter < 3; quarter += 1) {
    const here = value + slope * 15 * (quarter + 1) + walk.quarterEnd(quarter);
    if (here > high) high = here;
    if (here < low) low = here;
  }
  const reach = walk.reach();
  bounds.high = high + reach;
  bounds.low = low - reach;
}

/** Fills the bounds of a line by the values of its seconds: its extremes. */
export function fillNearBounds(line: Line, bounds: Bounds): void {
  let high = valueAt(line, 0);
  let low = high;
  for (let second = 1; second < 60; second += 1) {
    const value = valueAt(line, second);
    if (value > high) high = value;
    if (value < low) low = value;
  }
  bounds.high = high;
  bounds.low = low;
}

/** A number for each minute of all days, for hashing. */
export function minuteNumber(day: IstDay, minute: number): number {
  return day * MINUTES_IN_DAY + minute;
}
