/**
 * Quotes and candles as a client sees them: the market's figures with the users' orders and trades added. The
 * functions read the state and the views and change nothing. The fields of the wire are named in the gateway.
 */
import type { InstrumentId, Tick } from '../base/ids.ts';
import { type Price, type Quantity, ZERO_PRICE, ZERO_QUANTITY } from '../base/money.ts';
import { instantOf } from '../base/tick.ts';
import { type EpochMs, type IstDay, istDay, istInstant, MINUTE_MS } from '../base/time.ts';
import { auctionDepth } from '../core/exchange/auction/auction-depth.ts';
import type { BookLevel } from '../core/exchange/book/book.ts';
import { type VisibleDepth, visibleDepth } from '../core/exchange/book/depth.ts';
import { isGathering } from '../core/exchange/phase.ts';
import type { Candle, LaterTerms, MarketData } from '../core/market.ts';
import { phaseOf } from '../core/phase-of.ts';
import type { State } from '../core/state.ts';
import { dayBars, LONGEST_AUCTION_MS, minuteBars } from './bars.ts';
import { isLast, type MarketAt, mergeCandles, mergeDay } from './merge.ts';
import type { OwnBar } from './own/own-bar.ts';
import type { Views } from './views.ts';

/** Levels a side that a quote shows. Source: interface §Full quote. */
export const SHOWN_LEVELS = 5;

/** A full quote: the market's own figures with the users' orders and trades. Prices in paise, quantities in units. */
export interface FullQuote {
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
  readonly totalBuyQuantity: Quantity;
  readonly totalSellQuantity: Quantity;
  readonly last: Price;
  readonly previousClose: Price;
  /** Absent before the day's first trade. */
  readonly open?: Price;
  readonly high?: Price;
  readonly low?: Price;
  /** Turnover by volume; 0 without volume. */
  readonly vwap: Price;
  /** Sum of price times quantity over the day's trades, in paise. */
  readonly turnover: number;
  readonly volume: Quantity;
  readonly openInterest: Quantity;
}

/**
 * The last traded price: the users' own last trade of the trading day, or the price of an auction since, when it is not
 * older than the market's last print, else that print. The exchange's stops wait on the same price.
 */
export function lastPrice(views: Views, market: MarketData, id: InstrumentId, tick: Tick): Price {
  const print = market.lastPrint(id, tick);
  const own = ownDay(views, market, id, tick);
  return (
    auctionPrice(views, market, id, tick, own) ?? (own !== undefined && isLast(own, print) ? own.close : print.price)
  );
}

/** The price of an auction in which no user traded, while nobody has traded since. Source: docs/auctions.md. */
function auctionPrice(
  { ownTrades }: Views,
  market: MarketData,
  id: InstrumentId,
  tick: Tick,
  own: OwnBar | undefined,
): Price | undefined {
  const auction = ownTrades.auctionOf(id);
  if (auction === undefined || auction.tick < market.lastPrint(id, tick).tick) return undefined;
  if (own !== undefined && own.lastTick >= auction.tick) return undefined;
  return istDay(instantOf(auction.tick)) === market.tradingDay(instantOf(tick)) ? auction.price : undefined;
}

/** The quote of one instrument at a tick. Source: interface §Full quote. */
export function fullQuote(state: State, views: Views, market: MarketData, id: InstrumentId, tick: Tick): FullQuote {
  const { buys, sells } = depthOf(state, market, id, tick);
  const previousClose = market.previousClose(id, tick);
  const own = ownDay(views, market, id, tick);
  const day = dayOf(own, market, id, tick, previousClose);
  const auction = auctionPrice(views, market, id, tick, own);
  const { total: totalBuyQuantity, levels: bids } = buys;
  const { total: totalSellQuantity, levels: asks } = sells;
  if (day === undefined) {
    const last = auction ?? market.lastPrint(id, tick).price;
    const openInterest = market.openInterest(id, tick);
    const nothing = { vwap: ZERO_PRICE, turnover: 0, volume: ZERO_QUANTITY };
    return { bids, asks, totalBuyQuantity, totalSellQuantity, last, previousClose, ...nothing, openInterest };
  }
  const { open, high, low, volume, turnover, openInterest } = day;
  const last = auction ?? day.last;
  const vwap = (volume === 0 ? 0 : Math.round(turnover / volume)) as Price;
  // One literal: an object that another one is copied into takes three times the memory, and thousands are made a
  // second.
  return {
    bids,
    asks,
    totalBuyQuantity,
    totalSellQuantity,
    last,
    previousClose,
    open,
    high,
    low,
    vwap,
    turnover,
    volume,
    openInterest,
  };
}

/** The figures of the day with the users' trades; `undefined` when nobody has traded. */
function dayOf(own: OwnBar | undefined, market: MarketData, id: InstrumentId, tick: Tick, previousClose: Price) {
  const figures = market.dayFigures(id, tick);
  return own === undefined ? figures : mergeDay(figures, own, previousClose, tick, marketAt(market, id));
}

/** While orders gather for an auction, what gathers; else the market's levels with the users' orders. */
function depthOf(state: State, market: MarketData, id: InstrumentId, tick: Tick): VisibleDepth {
  const book = state.books.get(id);
  if (!isGathering(phaseOf(state, { market, tick }, id))) {
    // Users take units of levels behind those that are shown, too.
    const depth = market.depth(id, tick, book === undefined ? SHOWN_LEVELS : undefined);
    return visibleDepth(book, depth, SHOWN_LEVELS);
  }
  return auctionDepth(book, market.auction(id, tick), SHOWN_LEVELS);
}

/** Candles as `MarketData.intraday`, with the users' trades. */
export function intradayCandles(
  views: Views,
  market: MarketData,
  id: InstrumentId,
  minutes: number,
  from: EpochMs,
  to: EpochMs,
  until: Tick,
): readonly Candle[] {
  const bars = minuteBars(market, id, minutes, until);
  const own = views.ownTrades
    .minutesOf(id, (from - LONGEST_AUCTION_MS) as EpochMs, (to + minutes * MINUTE_MS - 1) as EpochMs)
    .filter(({ start }) => isBetween(bars.startOf(start), from, to));
  const candles = market.intraday(id, minutes, from, to, until);
  return mergeCandles(candles, own, bars, marketAt(market, id));
}

/** Daily candles as `MarketData.daily`, with the users' trades. */
export function dailyCandles(
  views: Views,
  market: MarketData,
  id: InstrumentId,
  from: IstDay,
  to: IstDay,
  until: Tick,
): readonly Candle[] {
  const end = (istInstant((to + 1) as IstDay) - 1) as EpochMs;
  const own = views.ownTrades.minutesOf(id, istInstant(from), end);
  const candles = market.daily(id, from, to, until);
  return mergeCandles(candles, own, dayBars(until), marketAt(market, id));
}

function marketAt(market: MarketData, id: InstrumentId): MarketAt {
  return {
    lastPrint: (tick) => market.lastPrint(id, tick),
    openInterest: (tick) => market.openInterest(id, tick),
  };
}

function isBetween(start: EpochMs, from: EpochMs, to: EpochMs): boolean {
  return start >= from && start <= to;
}

/** The users' trades of the trading day that a tick belongs to, in the terms of its date. */
function ownDay({ ownTrades }: Views, market: MarketData, id: InstrumentId, tick: Tick): OwnBar | undefined {
  if (!ownTrades.has(id)) return undefined;
  const own = ownTrades.dayOf(id, market.tradingDay(instantOf(tick)));
  const terms = own && market.laterTerms?.(id, tick);
  return own === undefined || terms === undefined ? own : inLaterTerms(own, terms);
}

/** Trades in the terms of a later date; turnover is money. Source: market-rules R7.6, R7.7. */
function inLaterTerms(own: OwnBar, terms: LaterTerms): OwnBar {
  const { open, high, low, close, volume } = own;
  const prices = {
    open: terms.price(open),
    high: terms.price(high),
    low: terms.price(low),
    close: terms.price(close),
  };
  return { ...own, ...prices, volume: terms.units(volume) };
}
