import type { IstDay } from '../../base/time.ts';
import { MINUTES_IN_DAY } from './profile.ts';
import { Walk } from './walk.ts';

/**
 * A fair value in paise through the seconds of one minute: straight from one minute to the next, plus a walk that is 0 at both ends.
 * Filled in place, because a day has many.
 */
export interface Line {
  /** At second 0. */
  value: number;
  /** The change a second of the straight part. */
  slope: number;
  readonly walk: Walk;
  /** Makes the value at a second from what the rest of the line says; the line itself is the value when left out. */
  curve: Curve | undefined;
}

/** A value that follows another one through the seconds of a minute. */
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

/** The extreme of the values of a line that follows a curve: of two values `choose` takes one. */
function curveExtreme(line: Line, choose: (a: number, b: number) => number): number {
  let found = valueAt(line, 0);
  for (let second = 1; second < 60; second += 1) found = choose(found, valueAt(line, second));
  return found;
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

/** No value of the line is above this. */
export function highestOf(line: Line): number {
  if (line.curve !== undefined) return curveExtreme(line, Math.max);
  return line.walk.reach() + farthestEnd(line, Math.max);
}

/** No value of the line is below this. */
export function lowestOf(line: Line): number {
  if (line.curve !== undefined) return curveExtreme(line, Math.min);
  return farthestEnd(line, Math.min) - line.walk.reach();
}

/** Of the values at the ends of the quarters of the minute the one that `choose` takes. */
function farthestEnd({ value, slope, walk }: Line, choose: (a: number, b: number) => number): number {
  let found = choose(value, value + slope * 60);
  for (let quarter = 0; quarter < 3; quarter += 1) {
    found = choose(found, value + slope * 15 * (quarter + 1) + walk.quarterEnd(quarter));
  }
  return found;
}

/** A number for each minute of all days, for hashing. */
export function minuteNumber(day: IstDay, minute: number): number {
  return day * MINUTES_IN_DAY + minute;
}
