/**
 * The seam between the sources of a market and the rules that every market obeys. A source makes one tape a day of an
 * instrument: synthetic ones are drawn, recorded ones would be read. Sessions, bands, closes, auctions, candles,
 * figures of the day and margins use nothing else of a day.
 */
import type { Price, Quantity } from '../base/money.ts';
import type { IstDay } from '../base/time.ts';
import type { Side } from '../core/order.ts';

export const MINUTE_SECONDS = 60;
export const MINUTES_IN_DAY = 1_440;

/** The fold of the prints of one minute. Prices in ticks; `prints` 0 when there was none. */
export interface MinuteFold {
  prints: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** Sum of price in ticks times lots; only when it was asked for. */
  turnover: number;
}

/** A lowest and a highest value; every value lies between the two. */
export interface Bounds {
  high: number;
  low: number;
}

/** The close that follows continuous trading. Seconds after IST midnight, paise, lots. */
export interface ClosingTape {
  readonly second: number;
  /** 0 of an index. */
  readonly lots: number;
  /** No answer may show it before `second`. */
  readonly price: Price;
}

/**
 * The market's own trading of one instrument on one day: its prints, one at most a second. A print is named by its
 * second, and any second's last print is found at once. Seconds and minutes count from IST midnight.
 */
export interface DayTape {
  readonly day: IstDay;
  /** In paise. */
  readonly tick: Price;
  /** Units; 0 for an index, which prints no quantity. */
  readonly lot: Quantity;
  /** Lots traded in continuous trading. */
  readonly lots: number;
  /** The seed of the market's own orders in the day's auctions. */
  readonly seed: number;
  /** The first second of continuous trading, which has the first print, and the second after its last. */
  readonly open: number;
  readonly close: number;
  /** The second after the last minute that has a print. */
  readonly end: number;
  /** `undefined` where no print follows continuous trading. */
  readonly closing: ClosingTape | undefined;

  /** The instrument's value at a minute, also outside trading hours; in paise, not rounded to the tick. */
  fairValue(minute: number): number;

  /** The second of the last print at or before a second; -1 when there is none yet. */
  lastPrint(second: number): number;
  /** The second of the last print in continuous trading. */
  lastContinuous(): number;
  /** True when continuous trading has a print in the minute. */
  hasPrints(minute: number): boolean;
  /** The price of the print of a second, and the side that crossed the spread. */
  printPrice(second: number): { readonly price: Price; readonly aggressor: Side };
  /** The units of the print of a second. */
  printQuantity(second: number): Quantity;
  /** How many prints of a minute were at `level` (paise) or above it, or below it when not `up`. */
  printsBeyond(minute: number, level: number, up: boolean): number;

  /** Lots traded up to and including a second. */
  lotsUpTo(second: number): number;
  /** Lots and turnover of the prints in the seconds after `from`, up to and including `to`. */
  tradedWithin(from: number, to: number): { readonly lots: number; readonly ticksTimesLots: number };
  /** Turnover in paise of a sum of ticks times lots. */
  turnoverOf(ticksTimesLots: number): number;
  /** Folds the prints of a minute whose seconds are at most `until`, into `out`. */
  fold(minute: number, until: number, withTurnover: boolean, out: MinuteFold): void;

  /** Every print of the minute lies between these two, in ticks. Found without its prints. */
  highBound(minute: number): number;
  lowBound(minute: number): number;
  /** Closer bounds of the same kind, from the fair values of each second. */
  nearBounds(minute: number): Bounds;
}
