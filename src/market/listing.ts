/**
 * The questions that a market asks a source about one instrument besides its tapes: closes, books, volatility, open
 * interest, values in the terms of another day. These are types alone. `session/listed.ts` has the part that all
 * sources share.
 */
import type { InstrumentId } from '../base/ids.ts';
import type { Price, Quantity } from '../base/money.ts';
import type { IstDay } from '../base/time.ts';
import type { Derivative, Instrument } from '../core/instrument.ts';
import type { Depth, PriceBand } from '../core/market.ts';
import type { Side } from '../core/order.ts';
import type { ActionIndex } from '../reference/corporate-actions/announced-actions.ts';
import type { DayTape } from './day-tape.ts';
import type { DayPhase } from './session/sessions.ts';
import type { StandsOn } from './session/stands-on.ts';

/**
 * Instruments in use that stay in the memory of a market, wherever it keeps something for each. Keeping them only saves
 * time, but a place that keeps fewer than the others works everything out again each second.
 */
export const KEPT_INSTRUMENTS = 30_000;

/** The price that a trading day ended with, or the model's value where there was none yet. */
export interface Close {
  readonly price: Price;
  /** The day and the second of its last trade; the start of the day asked for when nothing ever traded. */
  readonly day: IstDay;
  readonly second: number;
}

/** The market's own book of one instrument at one second. */
export interface MarketBook {
  /** The displayed levels, best first, at most `most` a side; the units are those of all. */
  depth(most?: number): Depth;
  /** The units at a price of a side, displayed or deeper; 0 across the touch, off the grid and outside the band. */
  quantityAt(side: Side, price: Price): Quantity;
}

/** A day on which an instrument trades. */
export interface TradedDay {
  readonly tape: DayTape;
  /** The phases of its day, in order. */
  readonly phases: readonly DayPhase[];
  /** Open lots when the day begins and when it ends. */
  readonly openFrom: number;
  readonly openTo: number;
  /**
   * The book at a second of continuous trading. It may take the memory of `before`, an earlier answer of the same
   * instrument.
   */
  book(second: number, band: PriceBand, before: MarketBook | undefined): MarketBook;
}

/** The at-the-money volatility of an underlying through time. */
export type AtmVolatility = (day: IstDay, minute: number) => number;

/** One instrument of a market through its days. */
export interface Listing {
  readonly instrument: Instrument;
  /** The underlying of a contract. */
  readonly underlying: Listing | undefined;
  /** Annual volatility of the instrument, or of its underlying. */
  readonly volatility: number;
  /** The at-the-money volatility of an index or share, or of what a contract is written on. */
  readonly atm: AtmVolatility;
  /**
   * Of a contract: the share of a year's variance that its underlying still has before it at a minute, which may have a
   * fraction; else 0.
   */
  varianceYears(day: IstDay, minute: number): number;
  /** For a contract: the forward of its expiry, `years` away, for a unit of spot; for others 1. */
  carryFactor(day: IstDay, minute: number, years: number): number;
  /** Its value at a minute of any day, in paise. */
  fairValue(day: IstDay, minute: number): number;
  /** Its trading of a day; `undefined` when it does not trade then. */
  traded(day: IstDay): TradedDay | undefined;
  /** The last trading day of its exchange that is not after `day`; `undefined` before the first. */
  tradingDay(day: IstDay): IstDay | undefined;
  /** The last day on which it traded before `day`. */
  dayBefore(day: IstDay): IstDay | undefined;
  /**
   * The official close of the trading day before a day, in the terms of that day or of a later one. Source:
   * market-rules R2.13 to R2.17, R7.7.
   */
  closeBefore(day: IstDay, asOf?: IstDay): Close;
  /** A price of the share on one day in the terms of another. The prices of a contract are always in its own. */
  inTermsOf(asOf: IstDay, price: Price, day: IstDay): Price;
  /** Open units of a contract as a day begins; 0 on its first one, unless it has come in the place of another. */
  openInterestBefore(day: IstDay): Quantity;
  /** Units of a share that trade on a typical day, in its terms of a day. */
  typicalVolume(day: IstDay): number;
}

/** The listings of a source. */
export interface Listings<Known extends Listing = Listing> {
  /** The listing of an instrument of the master; an id that is not in it is a bug. */
  get(id: InstrumentId): Known;
  /**
   * The listing of a contract for a single use. A new one is not kept, so that a look at every contract costs no
   * memory.
   */
  passing(contract: Derivative): Known;
  /** Drops the days of paths that were read last; answers stay the same. */
  forgetPaths(): void;
  /** Goes on under other corporate actions, and drops the listings of the instruments that stand on changed shares. */
  heed(actions: ActionIndex, isChanged: StandsOn): void;
}
