/**
 * The seam between the sources of a market and the rules that every market obeys. A source makes one tape a day of an
 * instrument: synthetic ones are drawn, recorded ones are read. Sessions, bands, closes, auctions, candles,
 * figures of the day and margins use nothing else of a day.
 */
import type { Price, Quantity } from '../base/money.ts';
import type { IstDay } from '../base/time.ts';
import type { Side } from '../core/order.ts';

export const MINUTE_SECONDS = 60;
export const MINUTES_IN_DAY = 1_440;
/** The minute at which the continuous trading of an ordinary day ends: 15:30. */
export const CLOSE_MINUTE = 930;
/** The days over whose root an annual volatility becomes that of one day. */
export const TRADING_DAYS = 252;

/** The minute of the day in which a second of it lies. */
export function minuteOf(second: number): number {
  return Math.floor(second / MINUTE_SECONDS);
}

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

/** One of several prints of a second. */
export interface TapePrint {
  readonly price: Price;
  /** Units. */
  readonly quantity: Quantity;
  readonly aggressor: Side;
}

/**
 * The market's own trading of one instrument on one day: its prints. A print is named by its second, and any second's
 * last print is found at once; a recorded second may have several. Seconds and minutes count from IST midnight.
 */
export interface DayTape {
  readonly day: IstDay;
  /** In paise. */
  readonly tick: Price;
  /** Units that count as one lot here; 0 where nothing has a quantity. A recorded tape counts units. */
  readonly lot: Quantity;
  /** Lots traded in continuous trading; of a recorded day all of them. */
  readonly lots: number;
  /** The seed of the market's own orders in the day's auctions. */
  readonly seed: number;
  /** The first second of continuous trading, and the second after its last. A drawn day has its first print in it. */
  readonly open: number;
  readonly close: number;
  /** The first second of the first minute that may have a print: `open`, or before it on a recorded day. */
  readonly begin: number;
  /** The second after the last minute that has a print. */
  readonly end: number;
  /** The price of the day's first print. */
  readonly openPrice: Price;
  /** `undefined` where no print follows continuous trading. */
  readonly closing: ClosingTape | undefined;

  /** The instrument's value at a minute, also outside trading hours; in paise, not rounded to the tick. */
  fairValue(minute: number): number;

  /** The second of the last print at or before a second; -1 when there is none yet. */
  lastPrint(second: number): number;
  /** The second of the last print in continuous trading. */
  lastContinuous(): number;
  /** The official close, where the record has it and no print shows it. */
  readonly officialClose?: Price | undefined;
  /** True when the minute has a print, other than that of the close of a drawn day. */
  hasPrints(minute: number): boolean;
  /** The price of the last print of a second, and the side that crossed the spread. */
  printPrice(second: number): { readonly price: Price; readonly aggressor: Side };
  /** The units of all prints of a second. */
  printQuantity(second: number): Quantity;
  /** Each print of a second, in order; a tape without this method has one at most. */
  printsAt?(second: number): readonly TapePrint[];
  /** How many prints of a minute were at `level` (paise) or above it, or below it when not `up`. */
  printsBeyond(minute: number, level: number, up: boolean): number;

  /** Open units at a second, where the record has them; a tape without this method has none. */
  openInterestAt?(second: number): Quantity | undefined;
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
