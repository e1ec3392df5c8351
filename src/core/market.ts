/**
 * The market as the core and the gateway see it: prices, depth, prints, auctions, bands and inputs of margins as
 * functions of instrument and tick. The folder `market` computes them.
 */

import type { Exchange, InstrumentId, Tick } from '../base/ids.ts';
import type { Price, Quantity } from '../base/money.ts';
import type { EpochMs, IstDay } from '../base/time.ts';
import type { Phase } from './exchange/phase.ts';
import type { Side } from './order.ts';

/** One price of the market's own displayed depth. */
export interface DepthLevel {
  readonly price: Price;
  /** Units displayed by the market itself, without users' orders. Above 0. */
  readonly quantity: Quantity;
  /** The number of orders that make up the quantity. */
  readonly orders: number;
  /**
   * Changes whenever the market renews this level. Quantity that a user took stays taken while side, price and
   * generation are the same.
   */
  readonly generation: number;
}

/** The market's own depth at one tick: best first, never crossed. */
export interface Depth {
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
  /** Units of all bids and of all asks. They are added up again where the market has not done so. */
  readonly bidUnits?: number;
  readonly askUnits?: number;
}

/** A trade of the market with itself, or all of one tick at the price of the last. */
export interface Print {
  readonly tick: Tick;
  readonly price: Price;
  readonly quantity: Quantity;
  /**
   * The side that crossed the spread: a sell prints at the bid and trades through the queue of resting buys. In an
   * auction it is the buy.
   */
  readonly aggressor: Side;
}

/** Trades added up. */
export interface Turnover {
  /** Units. */
  readonly quantity: number;
  /** Sum of price times quantity, in paise. */
  readonly value: number;
}

export const NO_TURNOVER: Turnover = { quantity: 0, value: 0 };

/** Units that would trade in an auction at this price or a better one: a buy up to it, a sell down to it. */
export interface AuctionLevel {
  readonly price: Price;
  readonly quantity: Quantity;
}

/** The open interest in the contracts on a share over the whole market, and its limit. Source: market-rules R4.36. */
export interface MarketWidePositions {
  /** Units of the share: futures whole, options by their delta. */
  readonly openInterest: number;
  /** Units of the share. Above 0. */
  readonly limit: number;
}

/** The market's own part in an auction at one tick: its orders by price, and the terms that decide the auction. */
export interface AuctionInterest {
  /** The previous close, or the reference of a closing auction. Source: market-rules R2.6, R2.9. */
  readonly reference: Price;
  /** True when market orders come before limit orders. Source: market-rules R2.7. */
  readonly marketFirst: boolean;
  /** The step between two prices. */
  readonly step: Price;
  /** Limit orders, each price once, in any order. */
  readonly bids: readonly AuctionLevel[];
  readonly asks: readonly AuctionLevel[];
  /** Units of its market orders. */
  readonly marketBuys: Quantity;
  readonly marketSells: Quantity;
}

/** The interest of a market without orders of its own in auctions, with prices in steps of one paisa. */
export function noInterest(reference: Price): AuctionInterest {
  const nothing = 0 as Quantity;
  return {
    reference,
    marketFirst: false,
    step: 1 as Price,
    bids: [],
    asks: [],
    marketBuys: nothing,
    marketSells: nothing,
  };
}

export interface PriceBand {
  readonly lower: Price;
  readonly upper: Price;
}

/**
 * A range of prices, in paise, that the market of an instrument does not leave for some time. Its edges need not be on
 * the tick.
 */
export interface Reach {
  /** No displayed price, print or last print is below this. */
  readonly lowest: number;
  /** No displayed price, print or last print is above this. */
  readonly highest: number;
  /** The last tick for which this holds. */
  readonly until: Tick;
  /** Set where the instrument is closed at all of these ticks; else it is in continuous trading at all of them. */
  readonly isClosed?: true;
  /** The band at all of these ticks, of an instrument whose band may slide. */
  readonly band?: PriceBand;
}

/** The first and the last recorded day of an instrument that trades on recorded days alone. */
export interface RecordedSpan {
  readonly from: IstDay;
  readonly to: IstDay;
}

/**
 * The market as the core sees it: a pure function of (seed, instrument, tick). Questions do not change it, and every
 * machine gets the same answers, so a decision can be made again.
 */
export interface Market {
  /** The tick that an instant lies in. */
  tickAt(at: EpochMs): Tick;
  /**
   * The phase of the instrument at that tick; 'Closed' for an index and for a contract that is not listed. Source:
   * market-rules 2.1, R2.5.
   */
  phase(id: InstrumentId, tick: Tick): Phase;
  /** True when the phase is 'Continuous': never for an index or an expired contract. */
  isOpen(id: InstrumentId, tick: Tick): boolean;
  /**
   * The market's depth. The sides are empty when it is closed or has no orders. After the close both sides stand at the
   * closing price. Otherwise each side has at least five levels, where prices allow. A market may leave out the levels
   * behind the best `most` of a side; the units of the depth are those of all levels then.
   */
  depth(id: InstrumentId, tick: Tick, most?: number): Depth;
  /**
   * The quantity of the market's own orders at any price of a side, also beyond the displayed levels; 0 across the
   * touch.
   */
  quantityAt(id: InstrumentId, tick: Tick, side: Side, price: Price): Quantity;
  /**
   * The market's own trade of exactly this tick, also that of a closing auction; `undefined` when it did not trade
   * then.
   */
  print(id: InstrumentId, tick: Tick): Print | undefined;
  /**
   * Each of the market's own trades of exactly this tick, in order: `print` has the last price of them and all their
   * units. A market without this method has one trade a tick.
   */
  printsAt?(id: InstrumentId, tick: Tick): readonly Print[];
  /**
   * The market's last trade at or before this tick of the same trading day, or else the previous close as a price of
   * quantity 0.
   */
  lastPrint(id: InstrumentId, tick: Tick): Print;
  /**
   * The range that holds the depth, the prints and the last print of an instrument from this tick on, through ticks
   * that are all in continuous trading and in which no band slides, or that are all closed. It is cheaper than any
   * of them. `undefined` when the market cannot give a range; a market without this method gives none.
   */
  reach?(id: InstrumentId, tick: Tick): Reach | undefined;
  /** The market's own trades of the `seconds` that end with the tick, within its day. At most a minute. */
  turnover(id: InstrumentId, tick: Tick, seconds: number): Turnover;
  /**
   * The close of the trading day before the one that holds the tick. Corporate actions since then are taken off, unless
   * `asTraded` is set. Source: market-rules R2.16, R7.7.
   */
  previousClose(id: InstrumentId, tick: Tick, asTraded?: boolean): Price;
  /**
   * The price, in paise, by which contracts on an underlying are settled when they expire at that tick: for an index
   * from the closes of its members, for a share its close over both exchanges. A market without this method settles at
   * the last print. Source: market-rules R2.14, R2.16, R7.1, R7.2.
   */
  settlementPrice?(id: InstrumentId, tick: Tick): Price;
  /**
   * The open interest in all contracts on a share as a day begins, and its limit; `undefined` where the limit is not
   * known. A market without this method has no limits. Source: market-rules R4.36.
   */
  marketWidePositions?(share: InstrumentId, day: IstDay): MarketWidePositions | undefined;
  /**
   * The market's own part in the auction for which orders gather, or which is matched, at that tick. Source:
   * market-rules R2.6, R2.9.
   */
  auction(id: InstrumentId, tick: Tick): AuctionInterest;
  /**
   * The first and the last recorded day of an instrument that does not trade on `day` because that day was not
   * recorded; 'none' if no day was recorded. `undefined` when it trades as its exchange does, and in a market without
   * this method. Source: docs/tapes.md.
   */
  outsideRecord?(id: InstrumentId, day: IstDay): RecordedSpan | 'none' | undefined;
  /** The range of prices that orders may have on that day. Source: market-rules R1.40 to R1.44. */
  band(id: InstrumentId, tick: Tick): PriceBand;
  /** The figures of margins at a tick. Source: market-rules R4.11, R4.12. */
  risk(id: InstrumentId, tick: Tick): RiskFigures;
}

/** The inputs of the margin of one instrument. The underlying of a share is the share itself. */
export interface RiskFigures {
  /**
   * The last price at that tick, or the previous close when the day has not traded yet. For an option it is the model's
   * value, on its tick.
   */
  readonly price: Price;
  /** The last price of the underlying at that tick. */
  readonly spot: Price;
  /** The close of the underlying on the trading day before. */
  readonly spotClose: Price;
  /**
   * The price of the underlying for delivery at the contract's expiry: the same for all contracts of one underlying and
   * expiry.
   */
  readonly forward: Price;
  /**
   * The value of one unit by the market's model, in paise. The scenarios are compared with it. Source: market-rules
   * R4.4.
   */
  readonly value: number;
  /** Annual volatility of the underlying, 0.12 for 12 %. Source: market-rules R4.1. */
  readonly volatility: number;
  /**
   * The gain of one unit when one unit of the underlying gains 1, once spot has moved by `spotMove`, a share of itself.
   * It is 1 for a future.
   */
  delta(spotMove: number): number;
  /**
   * The value of one unit in paise, one day later, when spot moves by a share of itself and volatility by absolute
   * points (0.04). Source: market-rules R4.4.
   */
  reprice(spotMove: number, volatilityMove: number): number;
}

/**
 * How the price of one unit of an option moves, by the model that quotes are priced with. Prices in paise. Source:
 * market-rules R8.5, R8.10.
 */
export interface OptionGreeks {
  /** Per paisa of the forward. */
  readonly delta: number;
  /** The change of delta per paisa of the forward. */
  readonly gamma: number;
  /** Per calendar day. */
  readonly theta: number;
  /** Per point of volatility (1 %). */
  readonly vega: number;
  /** Per 1 % of rate, the forward fixed. */
  readonly rho: number;
  /** Annual, in calendar time: 0.1425 for 14.25 %. 0 when the value is settled already. */
  readonly volatility: number;
}

/**
 * The value of one unit in paise, with its fraction, when a unit of the underlying costs `spot` paise and `days` have
 * passed, which may have a fraction. A strike keeps the volatility that it has now. Source: market-rules R8.5.
 */
export type Valuation = (spot: number, days: number) => number;

export interface DayFigures {
  readonly open: Price;
  readonly high: Price;
  readonly low: Price;
  readonly last: Price;
  readonly previousClose: Price;
  /** Units traded today. */
  readonly volume: Quantity;
  /** Sum of price times quantity over today's trades, in paise. */
  readonly turnover: number;
  /** Open contracts in units; 0 in cash. */
  readonly openInterest: Quantity;
}

/**
 * Converts prices and units of a share as they were traded to the terms of a later date. Source: market-rules R7.6,
 * R7.7.
 */
export interface LaterTerms {
  price(traded: Price): Price;
  units(traded: number): number;
}

export interface Candle {
  /** The start of the bar. */
  readonly start: EpochMs;
  readonly open: Price;
  readonly high: Price;
  readonly low: Price;
  readonly close: Price;
  readonly volume: number;
  readonly openInterest: number;
}

/** The session of a whole exchange at a tick. */
export interface ExchangeSession {
  readonly phase: Phase;
  /**
   * The phase after this one, and when it begins at the latest: the second of a random close is not known before it has
   * come. Absent where trading never ends.
   */
  readonly next?: { readonly phase: Phase; readonly at: EpochMs };
}

/** The market as the gateway reads it, with the market's own trades only. Views add the users' trades. */
export interface MarketData extends Market {
  /**
   * The session of an exchange: that of shares with futures and options in cash, and of options in derivatives. Other
   * instruments of it may be in another phase. Source: market-rules 2.1.
   */
  session(exchange: Exchange, tick: Tick): ExchangeSession;
  /** The greeks of an option at a tick; `undefined` for any other instrument. Source: market-rules R8.5, R8.10. */
  greeks(id: InstrumentId, tick: Tick): OptionGreeks | undefined;
  /** Values an instrument from a tick on, by the model that its greeks come from. */
  valuation(id: InstrumentId, tick: Tick): Valuation;
  /** The day that holds the tick, up to and including the tick. `undefined` before the day's first trade. */
  dayFigures(id: InstrumentId, tick: Tick): DayFigures | undefined;
  /**
   * The terms in which the prices of a tick's trading day are shown at that tick. On a date without trading before an
   * ex-date, they are the terms of that date, not those of the trading day before. Nothing where they are the day's own
   * terms, and in a market without this method. Source: docs/corporate-actions.md.
   */
  laterTerms?(id: InstrumentId, tick: Tick): LaterTerms | undefined;
  /** Open contracts in units at the tick; before a day's first trade those with which the day began; 0 in cash. */
  openInterest(id: InstrumentId, tick: Tick): Quantity;
  /**
   * Candles of `minutes` whose start lies in [from, to], ascending, and none that starts after `until`. The bar that
   * holds `until` is built from the ticks up to it. Bars without a trade are left out.
   */
  intraday(id: InstrumentId, minutes: number, from: EpochMs, to: EpochMs, until: Tick): Candle[];
  /** Daily candles of the dates [from, to], ascending; today's up to `until`. */
  daily(id: InstrumentId, from: IstDay, to: IstDay, until: Tick): Candle[];
  /**
   * The first and the last recorded day of an instrument that trades on recorded days alone; 'none' of one without any.
   * `undefined` where it trades as its exchange does, and in a market without this method. Source: docs/tapes.md.
   */
  recordedDays?(id: InstrumentId): RecordedSpan | 'none' | undefined;
  /** The trading date of an instant; before all days of the market the first of them. */
  tradingDay(at: EpochMs): IstDay;
}
