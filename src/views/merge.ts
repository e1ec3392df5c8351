/**
 * Merging of the users' own trades into the market's candles and day figures, so that a chart shows both. Nothing is
 * stored: the users' trades come from `own-trades.ts`, the rest from the market.
 */
import type { Tick } from '../base/ids.ts';
import type { Price, Quantity } from '../base/money.ts';
import { type EpochMs, SECOND_MS } from '../base/time.ts';
import type { Candle, DayFigures, Print } from '../core/market.ts';
import type { Bars } from './bars.ts';
import type { OwnBar } from './own/own-bar.ts';
import { together } from './own/own-trades.ts';

/** The market's answers on one instrument at a tick. */
export interface MarketAt {
  /** The market's last trade at or before the tick, as `Market.lastPrint`. */
  lastPrint(tick: Tick): Print;
  /** As `MarketData.openInterest`. */
  openInterest(tick: Tick): Quantity;
}

/**
 * True when the users' last trade as aggressors is the last of both: of two trades of one tick the user's is the later.
 * Source: docs/matching.md.
 */
export function isLast(own: OwnBar, print: Print): boolean {
  return own.lastTick >= print.tick;
}

/** The market's figures of a day up to `tick`, where it has traded, with the users' trades of the day. */
export function mergeDay(
  figures: DayFigures | undefined,
  own: OwnBar,
  previousClose: Price,
  tick: Tick,
  market: MarketAt,
): DayFigures {
  const { open, high, low, volume, turnover } = own;
  const print = market.lastPrint(tick);
  const last = isLast(own, print) ? own.close : (figures?.last ?? print.price);
  if (figures === undefined) {
    const openInterest = market.openInterest(tick);
    return { open, high, low, last, previousClose, volume: volume as Quantity, turnover, openInterest };
  }
  const cameFirst = market.lastPrint(own.firstTick).quantity === 0;
  return {
    ...figures,
    open: cameFirst ? open : figures.open,
    high: Math.max(figures.high, high) as Price,
    low: Math.min(figures.low, low) as Price,
    last,
    volume: (figures.volume + volume) as Quantity,
    turnover: figures.turnover + turnover,
  };
}

/**
 * The market's candles with the users' minutes added to the bars that hold them; both ascending. Each has the open
 * interest of its last tick.
 */
export function mergeCandles(
  candles: readonly Candle[],
  minutes: readonly OwnBar[],
  bars: Bars,
  market: MarketAt,
): readonly Candle[] {
  if (minutes.length === 0) return candles;
  const own = groupByBar(minutes, bars);
  const starts = [...new Set([...candles.map(({ start }) => start), ...own.keys()])].sort((a, b) => a - b);
  const byStart = new Map(candles.map((candle) => [candle.start, candle]));
  return starts.map((start) => {
    const candle = byStart.get(start);
    const added = own.get(start);
    if (added === undefined) return candle as Candle;
    const lastTick = bars.lastTickOf(start);
    if (candle === undefined) return alone(start, added, market.openInterest(lastTick));
    return widened(candle, added, lastTick, market);
  });
}

function groupByBar(minutes: readonly OwnBar[], bars: Bars): Map<EpochMs, OwnBar> {
  const groups = Map.groupBy(minutes, ({ start }) => bars.startOf(start));
  const whole = new Map<EpochMs, OwnBar>();
  for (const [start, group] of groups) whole.set(start, together(group) as OwnBar);
  return whole;
}

function alone(start: EpochMs, { open, high, low, close, volume }: OwnBar, openInterest: number): Candle {
  return { start, open, high, low, close, volume, openInterest };
}

function widened(candle: Candle, own: OwnBar, lastTick: Tick, market: MarketAt): Candle {
  const before = market.lastPrint(own.firstTick);
  const cameFirst = before.quantity === 0 || before.tick * SECOND_MS < candle.start;
  return {
    ...candle,
    open: cameFirst ? own.open : candle.open,
    high: Math.max(candle.high, own.high) as Price,
    low: Math.min(candle.low, own.low) as Price,
    close: isLast(own, market.lastPrint(lastTick)) ? own.close : candle.close,
    volume: candle.volume + own.volume,
  };
}
