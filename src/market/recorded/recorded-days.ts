/**
 * Recorded days: the candles or the ticks of one instrument on one day, as columns of whole numbers, and the questions
 * by which a market finds them. The store of tapes answers them; the market of recorded days plays them.
 * These are types alone.
 */
import type { Exchange } from '../../base/ids.ts';
import type { IstDay } from '../../base/time.ts';
import type { Phase } from '../../core/exchange/phase.ts';

/** An instrument as a tape names it: the exchange and the trading symbol of the master (`NSE`, `RELIANCE-EQ`). */
export interface RecordedName {
  readonly exchange: Exchange;
  readonly symbol: string;
}

export type RecordedKind = RecordedDay['kind'];

/** The days that one imported file, or several of one import, hold of one instrument. */
export interface RecordedInstrument extends RecordedName {
  readonly kind: RecordedKind;
  /** The first day and the last one; days between may be missing. */
  readonly from: IstDay;
  readonly to: IstDay;
  /** SHA-256 of the imported files, in hexadecimal. */
  readonly digest: string;
}

/** Recorded days, however they are stored. */
export interface RecordedDays {
  /** All of them, in the order of exchange, symbol and first day; an instrument of two tapes stands twice. */
  instruments(): readonly RecordedInstrument[];
  /** The days of an instrument over all tapes, in order; empty when there are none. No day is in two tapes. */
  days(name: RecordedName): readonly IstDay[];
  /**
   * A day of an instrument: one small read of the disk, nothing is kept. `undefined` for a day that is not among its
   * days. Throws when what is stored is missing or is not what it was.
   */
  day(name: RecordedName, day: IstDay): RecordedDay | undefined;
}

export type RecordedDay = RecordedCandleDay | RecordedTickDay;

interface RecordedDayParts {
  readonly day: IstDay;
  /** Units of a lot on that day, where the file said so. */
  readonly lot: number | undefined;
  /** Prices of the exchange that no print shows, where the file has them: paise, 0 for one that is not known. */
  readonly official: OfficialPrices | undefined;
}

/** Prices that an exchange published after the day, in its bhavcopy. Paise; 0 where one is not known. */
export interface OfficialPrices {
  /** The closing price: of a share the average of its last half hour. */
  readonly close: number;
  readonly previousClose: number;
  /** Of a contract. */
  readonly settlement: number;
}

export interface RecordedCandleDay extends RecordedDayParts {
  readonly kind: 'candles';
  /** The minutes that each candle spans, from its own minute on; `day` for one candle of all continuous trading. */
  readonly span: number | 'day';
  readonly candles: CandleColumns;
}

/**
 * Candles of one day, one a row, all columns as long as each other. The minutes ascend and no two candles overlap.
 * In each row `low <= open, close <= high` and `low > 0`.
 */
export interface CandleColumns {
  /** The minute that the candle begins with, counted from IST midnight (555 is 09:15). 0 when the span is `day`. */
  readonly minute: Int32Array;
  /** Paise. */
  readonly open: Int32Array;
  readonly high: Int32Array;
  readonly low: Int32Array;
  readonly close: Int32Array;
  /** Units that traded within it, whole numbers; all 0 of an index. */
  readonly volume: Float64Array;
  /** Open units at its end, whole numbers; `undefined` where the file has none. */
  readonly openInterest: Float64Array | undefined;
}

export interface RecordedTickDay extends RecordedDayParts {
  readonly kind: 'ticks';
  readonly ticks: TickColumns;
  /** Of a recording of our own alone: the source of the books around the prints. */
  readonly model?: RecordedModel | undefined;
}

/** The figures from which a market of ours made the books, bands and auctions of a day. */
export interface RecordedModel {
  /** The step of its prices in paise. */
  readonly tick: number;
  readonly seed: number;
  /** Annual volatility of the instrument, or of its underlying, that margins were measured with. */
  readonly volatility: number;
  /** Lots of continuous trading. */
  readonly lots: number;
  /** Lots of an ordinary level and of an ordinary order, and the ticks between two levels. */
  readonly depthLots: number;
  readonly orderLots: number;
  readonly gap: number;
  /** Open lots when the day began and when it ended. */
  readonly openFrom: number;
  readonly openTo: number;
  /** Continuous trading, in seconds after IST midnight. */
  readonly open: number;
  readonly close: number;
  readonly phases: readonly RecordedPhase[];
  readonly minutes: MinuteFigures;
}

/** A phase of the day, from its first second up to but without its last. */
export type RecordedPhase = readonly [phase: Phase, start: number, end: number];

/** Figures of each recorded minute, all columns as long as each other: values and bounds of its prints, in ticks. */
export interface MinuteFigures {
  /** After IST midnight, ascending. */
  readonly minute: Float64Array;
  /** The fair value at its start in paise. */
  readonly fair: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly nearLow: Float64Array;
  readonly nearHigh: Float64Array;
}

/** Ticks of one day in the order in which they came, one a row, all columns as long as each other. */
export interface TickColumns {
  /** Seconds after IST midnight; they never descend, and many rows may share one. */
  readonly second: Int32Array;
  /** The price of the last trade in paise, above 0. */
  readonly price: Int32Array;
  /** Units of that trade, whole numbers; 0 where only the quote changed, and in every row of an index. */
  readonly quantity: Float64Array;
  /** The best bid and ask after it; `undefined` where the file has none. */
  readonly quotes: QuoteColumns | undefined;
  /** Open units, whole numbers; `undefined` where the file has none. */
  readonly openInterest: Float64Array | undefined;
  /** Of a recording of our own: 1 for a print that was bought, 0 for a sold one, 2 where only the quote changed. */
  readonly bought?: Int32Array | undefined;
}

/** The best bid and the best ask of each row: paise and units, both 0 where a side was empty. */
export interface QuoteColumns {
  readonly bid: Int32Array;
  readonly bidQuantity: Float64Array;
  readonly ask: Int32Array;
  readonly askQuantity: Float64Array;
}
