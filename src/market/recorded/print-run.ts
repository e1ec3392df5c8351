/**
 * The prints of a recorded day as a tape reads them: minute by minute, with the sums before each minute. Candles and
 * ticks give them in their own ways. These are types alone, and the search within a minute.
 */
import { lowerBound } from '../../base/lower-bound.ts';
import type { MinuteFold } from '../day-tape.ts';

/** The prints of one minute, in order: the places `from` to `to` - 1 of columns that may hold more. */
export interface PrintRun {
  readonly from: number;
  readonly to: number;
  /** After IST midnight; several prints may share a second. */
  readonly seconds: Int32Array;
  readonly ticks: Int32Array;
  /** Units of the day before a print; at `to` those after the last. */
  readonly unitsBefore: Float64Array;
  /** 1 where a buyer crossed the spread. */
  readonly bought: Uint8Array;
}

/** All prints of one day. Minutes count from IST midnight. */
export interface DayPrints {
  /** The first minute that has a print, and the one after the last. */
  readonly first: number;
  readonly end: number;
  /** Units of the whole day. */
  readonly units: number;
  has(minute: number): boolean;
  /** Units of all minutes before one. */
  unitsBefore(minute: number): number;
  /** The last minute before one that has a print; -1 when there is none. */
  minuteBefore(minute: number): number;
  /** The price of the last print before a minute, in ticks; 0 when there is none. */
  closeBefore(minute: number): number;
  /** The price of the day's first print, in ticks. */
  readonly open: number;
  /** Folds the prices of a whole minute that has prints into `out`, without turnover. */
  fold(minute: number, out: MinuteFold): void;
  /** The prints of a minute. Valid until a few other minutes are asked for. */
  run(minute: number): PrintRun;
  /** Open units at a second; `undefined` where the record does not have them. */
  openInterestAt(second: number): number | undefined;
  /** The recorded touch at a second, and since when; `undefined` where none is known. */
  quoteAt(second: number): RecordedQuote | undefined;
}

/** A recorded touch: paise and units, 0 where a side was empty. */
export interface RecordedQuote {
  readonly bid: number;
  readonly bidUnits: number;
  readonly ask: number;
  readonly askUnits: number;
  /** The second in which it came. */
  readonly since: number;
}

export const NO_PRINTS: PrintRun = {
  from: 0,
  to: 0,
  seconds: new Int32Array(0),
  ticks: new Int32Array(0),
  unitsBefore: new Float64Array(1),
  bought: new Uint8Array(0),
};

/** The place after the last print of a run at or before a second: `from` when there is none. */
export function placeAfter({ from, to, seconds }: PrintRun, second: number): number {
  return lowerBound(from, to, (place) => (seconds[place] as number) <= second);
}
