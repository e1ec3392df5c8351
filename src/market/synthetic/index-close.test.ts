import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { must } from '../../base/assert.ts';
import type { Exchange } from '../../base/ids.ts';
import { type IstDay, istInstant } from '../../base/time.ts';
import { loadMarketData } from '../instruments/load.ts';
import { civil } from './fixture.ts';
import { tickOf } from './instants.ts';
import { calendarHours } from './sessions.ts';
import { SyntheticMarket } from './synthetic-market.ts';

const data = loadMarketData(join(import.meta.dirname, '../../../data'));
const instruments = data.master();
const FIRST = civil(2026, 8, 24);
const DAYS = 30;
/** Indices of which every member closes in an auction. */
const INDICES: readonly (readonly [Exchange, string])[] = [
  ['NSE', 'NIFTY'],
  ['NSE', 'BANKNIFTY'],
  ['NSE', 'MIDCPNIFTY'],
  ['BSE', 'SENSEX'],
  ['BSE', 'SENSEX50'],
  ['BSE', 'BANKEX'],
];
/** What the path goes while the closing auction gathers, and what rounding to ticks adds up to. */
const NEAR = 0.005;

test('an index closes and settles near its last level, whichever exchange its members are listed on', () => {
  for (const seed of [1, 7]) {
    const terms = { seed, regime: 'exchange', instruments, facts: data.facts, calendar: calendarHours(data) } as const;
    const market = new SyntheticMarket(terms);
    for (const [exchange, symbol] of INDICES) {
      const { id } = must(instruments.find(exchange, symbol, istInstant(FIRST)), symbol);
      for (let day = FIRST; day < FIRST + DAYS; day = (day + 1) as IstDay) {
        const evening = tickOf(day, 86_399);
        const [candle] = market.daily(id, day, day, evening);
        if (candle === undefined) continue;
        const close = market.previousClose(id, nextMorning(market, day));
        const about = `${symbol} of day ${day}: ${close} after ${candle.low}..${candle.high}, last ${candle.close}`;
        assert.ok(close > candle.low * (1 - NEAR) && close < candle.high * (1 + NEAR), about);
        const settled = market.settlementPrice(id, tickOf(day, 15 * 3_600 + 40 * 60));
        assert.equal(settled, close, about);
        assert.ok(Math.abs(settled / candle.close - 1) < NEAR, about);
      }
    }
  }
});

/** A time on the trading day after a day. */
function nextMorning(market: SyntheticMarket, day: IstDay) {
  let next = (day + 1) as IstDay;
  while (market.tradingDay(istInstant(next)) !== next) next = (next + 1) as IstDay;
  return tickOf(next, 8 * 3_600);
}
