import type { InstrumentId, Tick } from '../../../src/base/ids.ts';
import { type Price, price, type Quantity, quantity } from '../../../src/base/money.ts';
import {
  type EpochMs,
  HOUR_MS,
  istDay,
  istInstant,
  istTimeOfDay,
  MINUTE_MS,
  SECOND_MS,
} from '../../../src/base/time.ts';
import type { Phase } from '../../../src/core/exchange/phase.ts';
import { type Candle, type MarketData, NO_TURNOVER, noInterest } from '../../../src/core/market.ts';
import { FUTURE, IDEA, IDEA_BSE, LTFH, NIFTY, OPTIONS, RELIANCE, STOCK_FUTURE } from './fake-instruments.ts';

/*
 * A market that stands still: each instrument has one price for ever, five levels of 1,000 units beside it, and prints
 * one unit every second.
 */

const PRICES = new Map<InstrumentId, Price>([
  [NIFTY.id, price(2_400_000)],
  [RELIANCE.id, price(126_000)],
  [IDEA.id, price(710)],
  [IDEA_BSE.id, price(710)],
  [LTFH.id, price(15_000)],
  [FUTURE.id, price(2_410_000)],
  [STOCK_FUTURE.id, price(126_500)],
  ...OPTIONS.map((option) => [option.id, price(13_000)] as const),
]);

function mid(id: InstrumentId): Price {
  return PRICES.get(id) ?? price(10_000);
}

const LEVELS = [1, 2, 3, 4, 5];

function side(id: InstrumentId, sign: 1 | -1) {
  return LEVELS.map((n) => ({
    price: price(mid(id) + sign * 5 * n),
    quantity: quantity(1_000),
    orders: n,
    generation: 1,
  }));
}

function candle(id: InstrumentId, start: EpochMs): Candle {
  const at = mid(id);
  return { start, open: at, high: price(at + 5), low: price(at - 5), close: at, volume: 60, openInterest: 0 };
}

/** From 22:30 to 23:00 IST orders wait at the broker. */
function isBuffer(tick: Tick): boolean {
  const time = istTimeOfDay((tick * SECOND_MS) as EpochMs);
  return time >= 22.5 * HOUR_MS && time < 23 * HOUR_MS;
}

function phaseOf(trades: boolean, tick: Tick): Phase {
  if (!trades) return 'Closed';
  return isBuffer(tick) ? 'Buffer' : 'Continuous';
}

function openInterest(id: InstrumentId): Quantity {
  return quantity(id === FUTURE.id ? 6_500 : 0);
}

export const fakeMarket: MarketData = {
  tickAt: (at) => Math.floor(at / SECOND_MS) as Tick,
  phase: (id, tick) => phaseOf(id !== NIFTY.id, tick),
  isOpen: (id) => id !== NIFTY.id,
  greeks: (id) => {
    if (!OPTIONS.some((option) => option.id === id)) return undefined;
    return { delta: -0.00004, gamma: 0.00002, theta: -1_250, vega: 830, rho: -15, volatility: 0.1425 };
  },
  valuation: (id) => (spot) => (spot === mid(NIFTY.id) ? mid(id) : mid(id) + (spot - mid(NIFTY.id)) / 2),
  session: (_exchange, tick) => {
    const phase = phaseOf(true, tick);
    const midnight = istInstant(istDay((tick * SECOND_MS) as EpochMs));
    const [next, hour] = phase === 'Buffer' ? (['Continuous', 23] as const) : (['Buffer', 22.5] as const);
    return { phase, next: { phase: next, at: (midnight + hour * HOUR_MS) as EpochMs } };
  },
  depth: (id) => (id === NIFTY.id ? { bids: [], asks: [] } : { bids: side(id, -1), asks: side(id, 1) }),
  quantityAt: (id, _tick, which, at) => {
    const found = side(id, which === 'B' ? -1 : 1).find((level) => level.price === at);
    return (found?.quantity ?? 0) as Quantity;
  },
  print: (id, tick) => (id === NIFTY.id ? undefined : { tick, price: mid(id), quantity: quantity(1), aggressor: 'B' }),
  lastPrint: (id, tick) => ({ tick, price: mid(id), quantity: quantity(1), aggressor: 'B' }),
  turnover: () => NO_TURNOVER,
  marketWidePositions: () => ({ openInterest: 96_000, limit: 100_000 }),
  previousClose: (id) => price(mid(id) - 10),
  auction: (id) => noInterest(price(mid(id) - 10)),
  band: (id) => ({ lower: price(Math.ceil(mid(id) * 0.8)), upper: price(Math.floor(mid(id) * 1.2)) }),
  risk: (id) => {
    const at = { price: mid(id), spot: mid(id), spotClose: mid(id), forward: mid(id), value: mid(id), delta: () => 1 };
    return { ...at, volatility: 0.15, reprice: (move) => mid(id) * (1 + move) };
  },
  dayFigures: (id) => ({
    open: mid(id),
    high: price(mid(id) + 5),
    low: price(mid(id) - 5),
    last: mid(id),
    previousClose: price(mid(id) - 10),
    volume: quantity(5_000),
    turnover: 5_000 * mid(id),
    openInterest: openInterest(id),
  }),
  openInterest,
  intraday: (id, minutes, from, to, until) => {
    const step = minutes * MINUTE_MS;
    const candles: Candle[] = [];
    const last = Math.min(to, until * SECOND_MS);
    for (let at = Math.ceil(from / step) * step; at <= last; at += step) candles.push(candle(id, at as EpochMs));
    return candles;
  },
  daily: (id, from, to, until) => {
    const candles: Candle[] = [];
    const last = Math.min(to, istDay((until * SECOND_MS) as EpochMs));
    for (let day = from as number; day <= last; day += 1) candles.push(candle(id, istInstant(day as typeof from)));
    return candles;
  },
  tradingDay: (at) => istDay(at),
};
