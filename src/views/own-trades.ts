import type { InstrumentId, Tick } from '../base/ids.ts';
import type { Price, Quantity } from '../base/money.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../base/time.ts';
import type { Event, Traded } from '../core/event.ts';
import type { Candle, DayFigures } from '../core/market.ts';

/** One minute of users' trades in one instrument. */
export interface OwnMinute {
  /** The start of the minute. */
  readonly start: EpochMs;
  readonly open: Price;
  high: Price;
  low: Price;
  close: Price;
  volume: number;
  /** Sum of price times quantity. */
  turnover: number;
  /** The ticks of the first and of the last trade. */
  readonly firstTick: Tick;
  lastTick: Tick;
}

export interface LastOwnTrade {
  readonly tick: Tick;
  readonly price: Price;
}

export type OwnTradesDump = readonly (readonly [instrument: InstrumentId, minutes: readonly OwnMinute[]])[];

/**
 * What users added to the market's own trading, minute by minute and for ever: trades in which a user crossed the spread. Passive
 * fills are part of the market's own volume already.
 */
export class OwnTrades {
  private readonly byInstrument = new Map<InstrumentId, OwnMinute[]>();

  apply(_at: EpochMs, event: Event): void {
    if (event.type !== 'Traded') return;
    const aggressor = event.aggressor === 'B' ? event.buy : event.sell;
    if (aggressor !== undefined) this.add(event);
  }

  /** The last trade in which a user crossed the spread. */
  lastOf(instrument: InstrumentId): LastOwnTrade | undefined {
    const minutes = this.byInstrument.get(instrument);
    const last = minutes?.[minutes.length - 1];
    return last === undefined ? undefined : { tick: last.lastTick, price: last.close };
  }

  /** The minutes whose start lies in [from, to], ascending. */
  minutesOf(instrument: InstrumentId, from: EpochMs, to: EpochMs): readonly OwnMinute[] {
    const minutes = this.byInstrument.get(instrument);
    if (minutes === undefined) return [];
    return minutes.filter(({ start }) => start >= from && start <= to);
  }

  dump(): OwnTradesDump {
    return [...this.byInstrument];
  }

  static load(dump: OwnTradesDump): OwnTrades {
    const trades = new OwnTrades();
    for (const [instrument, minutes] of dump) trades.byInstrument.set(instrument, [...minutes]);
    return trades;
  }

  private add({ instrument, tick, price, quantity }: Traded): void {
    const start = (Math.floor((tick * SECOND_MS) / MINUTE_MS) * MINUTE_MS) as EpochMs;
    let minutes = this.byInstrument.get(instrument);
    if (minutes === undefined) {
      minutes = [];
      this.byInstrument.set(instrument, minutes);
    }
    const last = minutes[minutes.length - 1];
    if (last?.start === start) extend(last, tick, price, quantity);
    else minutes.push(firstOf(start, tick, price, quantity));
  }
}

function firstOf(start: EpochMs, tick: Tick, price: Price, quantity: Quantity): OwnMinute {
  const turnover = price * quantity;
  return {
    start,
    open: price,
    high: price,
    low: price,
    close: price,
    volume: quantity,
    turnover,
    firstTick: tick,
    lastTick: tick,
  };
}

function extend(minute: OwnMinute, tick: Tick, price: Price, quantity: Quantity): void {
  minute.high = Math.max(minute.high, price) as Price;
  minute.low = Math.min(minute.low, price) as Price;
  minute.close = price;
  minute.volume += quantity;
  minute.turnover += price * quantity;
  minute.lastTick = tick;
}

/** The day's figures of the market with the users' minutes of that day added. */
export function mergeDay(
  figures: DayFigures | undefined,
  minutes: readonly OwnMinute[],
  last: Price,
): DayFigures | undefined {
  if (figures === undefined || minutes.length === 0) return figures;
  let { high, low, turnover } = figures;
  let volume: number = figures.volume;
  for (const minute of minutes) {
    high = Math.max(high, minute.high) as Price;
    low = Math.min(low, minute.low) as Price;
    volume += minute.volume;
    turnover += minute.turnover;
  }
  return { ...figures, high, low, last, volume: volume as Quantity, turnover };
}

/** The market's candles with the users' minutes added to the bars that hold them. Both ascending. `barOf` gives the start of the bar of a minute. */
export function mergeCandles(
  candles: readonly Candle[],
  minutes: readonly OwnMinute[],
  barOf: (minute: EpochMs) => EpochMs,
  lastMarketTick: (start: EpochMs) => Tick,
): readonly Candle[] {
  if (minutes.length === 0) return candles;
  const bars = new Map(candles.map((candle) => [candle.start, candle]));
  for (const minute of minutes) {
    const start = barOf(minute.start);
    const bar = bars.get(start);
    bars.set(start, bar === undefined ? barAlone(start, minute) : widened(bar, minute, lastMarketTick(start)));
  }
  return [...bars.values()].sort((a, b) => a.start - b.start);
}

function barAlone(start: EpochMs, { open, high, low, close, volume }: OwnMinute): Candle {
  return { start, open, high, low, close, volume, openInterest: 0 };
}

function widened(bar: Candle, minute: OwnMinute, lastMarketTick: Tick): Candle {
  return {
    ...bar,
    high: Math.max(bar.high, minute.high) as Price,
    low: Math.min(bar.low, minute.low) as Price,
    close: minute.lastTick >= lastMarketTick ? minute.close : bar.close,
    volume: bar.volume + minute.volume,
  };
}
