import type { InstrumentId, Tick } from '../base/ids.ts';
import type { Price, Quantity } from '../base/money.ts';
import { type EpochMs, type IstDay, istDay, istInstant, istTimeOfDay, MINUTE_MS, SECOND_MS } from '../base/time.ts';
import type { BookLevel } from '../core/exchange/book.ts';
import { visibleDepth } from '../core/exchange/depth.ts';
import type { Candle, MarketData } from '../core/market.ts';
import type { State } from '../core/state.ts';
import { mergeCandles, mergeDay, type OwnTrades } from './own-trades.ts';
import type { Views } from './views.ts';

/** Levels a side that a quote shows. Source: interface §Full quote. */
const SHOWN_LEVELS = 5;

/** A full quote: the market's own figures with the users' orders and trades. */
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
  readonly volume: Quantity;
  readonly openInterest: Quantity;
}

/** The last traded price: the users' own last trade when it is not older than the market's last print. */
export function lastPrice({ ownTrades }: Views, market: MarketData, id: InstrumentId, tick: Tick): Price {
  const print = market.lastPrint(id, tick);
  const own = ownTrades.lastOf(id);
  return own !== undefined && own.tick >= print.tick ? own.price : print.price;
}

/** The quote of one instrument at a tick. */
export function fullQuote(state: State, views: Views, market: MarketData, id: InstrumentId, tick: Tick): FullQuote {
  const { buys, sells } = visibleDepth(state.books.get(id), market.depth(id, tick), SHOWN_LEVELS);
  const last = lastPrice(views, market, id, tick);
  const own = minutesOfDay(views.ownTrades, market, id, tick);
  const day = mergeDay(market.dayFigures(id, tick), own, last);
  const depth = { bids: buys.levels, asks: sells.levels, totalBuyQuantity: buys.total, totalSellQuantity: sells.total };
  const previousClose = market.previousClose(id, tick);
  if (day === undefined) {
    const none = 0 as Quantity;
    return { ...depth, last, previousClose, vwap: 0 as Price, volume: none, openInterest: none };
  }
  const { open, high, low, volume, turnover, openInterest } = day;
  const vwap = (volume === 0 ? 0 : Math.round(turnover / volume)) as Price;
  return { ...depth, last, previousClose, open, high, low, vwap, volume, openInterest };
}

function minutesOfDay(own: OwnTrades, market: MarketData, id: InstrumentId, tick: Tick) {
  const now = (tick * SECOND_MS) as EpochMs;
  return own.minutesOf(id, istInstant(market.tradingDay(now)), now);
}

/** Candles of `minutes` as `MarketData.intraday`, with the users' trades. */
export function intradayCandles(
  views: Views,
  market: MarketData,
  id: InstrumentId,
  minutes: number,
  from: EpochMs,
  to: EpochMs,
  until: Tick,
): readonly Candle[] {
  const length = minutes * MINUTE_MS;
  const candles = market.intraday(id, minutes, from, to, until);
  const own = views.ownTrades.minutesOf(id, from, (to + length - 1) as EpochMs);
  const anchor = candles[0]?.start ?? from;
  const barOf = (minute: EpochMs) => startOfBar(minute, length, anchor);
  return mergeCandles(candles, own, barOf, (start) => lastTickOf(market, id, (start + length) as EpochMs, until));
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
  const candles = market.daily(id, from, to, until);
  const own = views.ownTrades.minutesOf(id, istInstant(from), (istInstant((to + 1) as IstDay) - 1) as EpochMs);
  const barOf = (minute: EpochMs) => istInstant(istDay(minute));
  const end = (start: EpochMs) => istInstant((istDay(start) + 1) as IstDay);
  return mergeCandles(candles, own, barOf, (start) => lastTickOf(market, id, end(start), until));
}

/** Bars of one day share a phase: the one of the bars that the market gave. */
function startOfBar(minute: EpochMs, length: number, anchor: EpochMs): EpochMs {
  const phase = istTimeOfDay(anchor) % length;
  const timeOfDay = istTimeOfDay(minute);
  return (minute - ((timeOfDay - phase + length) % length)) as EpochMs;
}

/** The market's last print before the end of a bar. */
function lastTickOf(market: MarketData, id: InstrumentId, end: EpochMs, until: Tick): Tick {
  const lastTick = Math.min(end / SECOND_MS - 1, until) as Tick;
  return market.lastPrint(id, lastTick).tick;
}
