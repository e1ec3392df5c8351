import type { IstDay } from '../../base/time.ts';
import { BRIDGES } from './bridges.ts';
import { MINUTES_IN_DAY } from './profile.ts';

/**
 * A fair value in paise through the seconds of one minute: straight from one minute to the next, plus two walks that are 0 at both
 * ends. The first walk is the whole market's, the second the instrument's own. Filled in place, because a day has many.
 */
export interface Line {
  /** At second 0. */
  value: number;
  /** The change a second of the straight part. */
  slope: number;
  /** The amplitude of the market's walk, and where its shape stands in BRIDGES. */
  market: number;
  marketShape: number;
  /** The same of the own walk. */
  own: number;
  ownShape: number;
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
  return { value: 0, slope: 0, market: 0, marketShape: 0, own: 0, ownShape: 0, curve: undefined };
}

/** The fair value at a second in [0, 60) of the minute that the line was filled for. */
export function valueAt(line: Line, second: number): number {
  const base =
    line.value +
    line.slope * second +
    line.market * (BRIDGES[line.marketShape + second] as number) +
    line.own * (BRIDGES[line.ownShape + second] as number);
  return line.curve === undefined ? base : line.curve.valueAt(base, second);
}

/** The extreme of the values of a line that follows a curve: of two values `choose` takes one. */
export function curveExtreme(line: Line, choose: (a: number, b: number) => number): number {
  let found = valueAt(line, 0);
  for (let second = 1; second < 60; second += 1) found = choose(found, valueAt(line, second));
  return found;
}

/** Fills the straight part from the values at both ends of the minute. */
export function straight(line: Line, from: number, to: number): void {
  line.value = from;
  line.slope = (to - from) / 60;
}

/** Takes both walks away. */
export function still(line: Line): void {
  line.market = 0;
  line.marketShape = 0;
  line.own = 0;
  line.ownShape = 0;
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
  line.market *= factor;
  line.own *= factor;
}

/** A number for each minute of all days, for hashing. */
export function minuteNumber(day: IstDay, minute: number): number {
  return day * MINUTES_IN_DAY + minute;
}
