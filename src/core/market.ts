import type { InstrumentId, Tick } from '../base/ids.ts';
import type { Price, Quantity } from '../base/money.ts';
import type { EpochMs, IstDay } from '../base/time.ts';
import type { Phase } from './exchange/phase.ts';
import type { Side } from './order.ts';

/** One price of the market's own displayed depth. */
export interface DepthLevel {
  readonly price: Price;
  /** Units displayed by the market itself, users' orders apart. Above 0. */
  readonly quantity: Quantity;
  /** How many orders make the quantity. */
  readonly orders: number;
  /**
   * Changes whenever the market renews this level. Quantity taken by a user stays taken while side, price and
   * generation are the same.
   */
  readonly generation: number;
}

/** The market's own depth at one tick: best first, never crossed. */
export interface Depth {
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
}

/** What the market traded with itself at one tick, at one price. */
export interface Print {
  readonly tick: Tick;
  readonly price: Price;
  readonly quantity: Quantity;
  /**
   * The side that crossed the spread: a sell prints at the bid and trades through the queue of resting buys. Of an
   * auction the buy.
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

/** Units that would trade in an auction at a price or better: a buy up to it, a sell down to it. */
export interface AuctionLevel {
  readonly price: Price;
  readonly quantity: Quantity;
}

/** What is open in the contracts on a share over the whole market, and how much may be. Source: market-rules R4.36. */
export interface MarketWidePositions {
  /** Units of the share: futures whole, options by their delta. */
  readonly openInterest: number;
  /** Units of the share. Above 0. */
  readonly limit: number;
}

/** What the market itself has in an auction at one tick: its orders by price, and what decides the auction. */
export interface AuctionInterest {
  /** The previous close, or the reference of a closing auction. Source: market-rules R2.6, R2.9. */
  readonly reference: Price;
  /** True when market orders come before limit orders. Source: market-rules R2.7. */
  readonly marketFirst: boolean;
  /** The step of prices. */
  readonly step: Price;
  /** Limit orders, each price once, in any order. */
  readonly bids: readonly AuctionLevel[];
  readonly asks: readonly AuctionLevel[];
  /** Units of its market orders. */
  readonly marketBuys: Quantity;
  readonly marketSells: Quantity;
}

/** A market without orders of its own in auctions, whose prices go by one paisa. */
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
 * The fixed bands that a share without contracts can have, in percent of its previous close. Source: market-rules
 * R1.40.
 */
export const SHARE_BAND_PERCENTS = [2, 5, 10, 20] as const;
export type ShareBandPercent = (typeof SHARE_BAND_PERCENTS)[number];

/** What a share has when nobody set another. */
export const USUAL_BAND: ShareBandPercent = 20;

/** The fixed band of a share from a trading day on, until the next one. */
export interface ShareBand {
  readonly instrument: InstrumentId;
  readonly percent: ShareBandPercent;
  readonly from: IstDay;
}

/** In the order in which they were set. A list never changes: another one takes its place. */
export type ShareBands = readonly ShareBand[];
export const NO_SHARE_BANDS: ShareBands = Object.freeze([]);

/** The fixed band of a share on a day, in percent. Source: market-rules R1.40. */
export function shareBandOn(bands: ShareBands, id: InstrumentId, day: IstDay): ShareBandPercent {
  const own = bands.filter(({ instrument, from }) => instrument === id && from <= day);
  return own.reduce((last, band) => (band.from >= last.from ? band : last), { percent: USUAL_BAND, from: 0 }).percent;
}

/** Prices, in paise, that the market of an instrument does not leave for a while. They need not be on its ticks. */
export interface Reach {
  /** Nothing is displayed, printed or the last print below this. */
  readonly lowest: number;
  /** Nothing is displayed, printed or the last print above this. */
  readonly highest: number;
  /** The last tick of the while. */
  readonly until: Tick;
}

/**
 * The market as the core sees it: a pure function of (seed, instrument, tick). It has no memory of having been asked
 * and gives the same answers on every machine, so what is decided can be decided again.
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
   * The market's depth; empty sides when it is closed or has none; after the close both sides at the closing price. At
   * least five levels a side otherwise, where prices allow.
   */
  depth(id: InstrumentId, tick: Tick): Depth;
  /**
   * The quantity that the market's own orders hold at any price of a side, also beyond the displayed levels; 0 across
   * the touch.
   */
  quantityAt(id: InstrumentId, tick: Tick, side: Side, price: Price): Quantity;
  /**
   * The market's own trade of exactly this tick, that of a closing auction included; `undefined` when it did not trade
   * then.
   */
  print(id: InstrumentId, tick: Tick): Print | undefined;
  /**
   * The market's last trade at or before this tick of the same trading day, or else the previous close as a price of
   * quantity 0.
   */
  lastPrint(id: InstrumentId, tick: Tick): Print;
  /**
   * What bounds the depth, the prints and the last print of an instrument from this tick on, through ticks that are all
   * in continuous trading and in which no band slides; cheaper than any of them. `undefined` when nothing is said, and
   * a market that is not asked for it says nothing.
   */
  reach?(id: InstrumentId, tick: Tick): Reach | undefined;
  /** The market's own trades of the `seconds` that end with the tick, of its day alone. At most a minute. */
  turnover(id: InstrumentId, tick: Tick, seconds: number): Turnover;
  /**
   * The close of the trading day before the one that holds the tick: what corporate actions have taken off since is
   * taken off, unless it is asked for as it was traded. Source: market-rules R2.16, R7.7.
   */
  previousClose(id: InstrumentId, tick: Tick, asTraded?: boolean): Price;
  /**
   * What contracts on an underlying are settled by when they expire at that tick, in paise: an index at the closes of
   * its members, a share at its close over both exchanges. Where it is not asked for, the last print. Source:
   * market-rules R2.14, R2.16, R7.1, R7.2.
   */
  settlementPrice?(id: InstrumentId, tick: Tick): Price;
  /**
   * The open interest in all contracts on a share as a day begins, and its limit; `undefined` where the limit is not
   * known. A market that is not asked for it has no limits. Source: market-rules R4.36.
   */
  marketWidePositions?(share: InstrumentId, day: IstDay): MarketWidePositions | undefined;
  /**
   * What the market itself has in the auction that orders gather for, or that is matched, at that tick. Source:
   * market-rules R2.6, R2.9.
   */
  auction(id: InstrumentId, tick: Tick): AuctionInterest;
  /** The range of prices that orders may have on that day. Source: market-rules R1.40 to R1.44. */
  band(id: InstrumentId, tick: Tick): PriceBand;
  /** The figures of margins at a tick. Source: market-rules R4.11, R4.12. */
  risk(id: InstrumentId, tick: Tick): RiskFigures;
}

/** What the margin of one instrument is computed from. Of a share, the underlying is the share itself. */
export interface RiskFigures {
  /**
   * The last price at that tick, the previous close when the day has not traded yet; of an option the value by the
   * model, on its tick.
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
   * What one unit is worth by the market's model, in paise: what the scenarios are held against. Source: market-rules
   * R4.4.
   */
  readonly value: number;
  /** Annual volatility of the underlying, 0.12 for 12 %. Source: market-rules R4.1. */
  readonly volatility: number;
  /**
   * What one unit gains when the underlying gains as much as one unit of it, once spot has moved by a share of itself:
   * 1 of a future.
   */
  delta(spotMove: number): number;
  /**
   * The value of one unit in paise, one day on, when spot moves by a share of itself and volatility by absolute points
   * (0.04).
   * Source: market-rules R4.4.
   */
  reprice(spotMove: number, volatilityMove: number): number;
}

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

/** How what was traded of a share is told in the terms of a later date. Source: market-rules R7.6, R7.7. */
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

/** The market as the gateway reads it. The market's own trades only: views add the users'. */
export interface MarketData extends Market {
  /** The day that holds the tick, up to and with the tick. `undefined` before the day's first trade. */
  dayFigures(id: InstrumentId, tick: Tick): DayFigures | undefined;
  /**
   * The terms in which the trading day of a tick is told at it: on a date without trading after which an ex-date comes,
   * its own. Nothing where they are those of the day, and where it is not asked for. Source: docs/corporate-actions.md.
   */
  laterTerms?(id: InstrumentId, tick: Tick): LaterTerms | undefined;
  /** Open contracts in units at the tick: before a day's first trade those with which it began; 0 in cash. */
  openInterest(id: InstrumentId, tick: Tick): Quantity;
  /**
   * Candles of `minutes` whose start lies in [from, to], ascending, and none that starts after `until`; the bar that
   * holds `until` is built from the ticks up to it. Bars without a trade are left out.
   */
  intraday(id: InstrumentId, minutes: number, from: EpochMs, to: EpochMs, until: Tick): Candle[];
  /** Daily candles of the dates [from, to], ascending; today's up to `until`. */
  daily(id: InstrumentId, from: IstDay, to: IstDay, until: Tick): Candle[];
  /** The trading date of an instant. */
  tradingDay(at: EpochMs): IstDay;
}
