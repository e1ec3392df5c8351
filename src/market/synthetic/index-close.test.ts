import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { must } from '../../base/assert.ts';
import type { Exchange } from '../../base/ids.ts';
import { tickOf } from '../../base/tick.ts';
import { type IstDay, istInstant } from '../../base/time.ts';
import { ActionIndex } from '../../reference/corporate-actions/announced-actions.ts';
import { loadReferenceData } from '../../reference/instruments/load.ts';
import { closeMadeAt } from '../session/auction-shape.ts';
import { calendarHours, Sessions } from '../session/sessions.ts';
import { civil } from './fixture.ts';
import { KNOWN_DAYS } from './paths/span-of-days.ts';
import { Roster } from './roster.ts';
import { SyntheticMarket } from './synthetic-market.ts';

const data = loadReferenceData(join(import.meta.dirname, '../../../data'));
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
/** The sum of the errors from rounding closes to ticks, and from the distance between two listings of a share. */
const ROUNDING = 0.000_2;
/** The farthest that the path goes while the closing auction gathers. */
const NEAR = 0.015;
const REGIME = 'exchange';

test('an index closes and settles at the level of its path as its members close, on whichever exchange they are listed', () => {
  for (const seed of [1, 7]) {
    const terms = { seed, regime: REGIME, instruments, facts: data.facts, calendar: calendarHours(data) } as const;
    const market = new SyntheticMarket(terms);
    const sessions = new Sessions(REGIME, terms.calendar, seed, KNOWN_DAYS);
    const roster = new Roster(terms, sessions, new ActionIndex([]));
    for (const [exchange, symbol] of INDICES) {
      const { id } = must(instruments.find(exchange, symbol, istInstant(FIRST)), symbol);
      const share = must(instruments.get(must(data.facts.constituentsOf(id)[0], symbol).id), symbol);
      const { terms: listed } = roster.get(id);
      for (let day = FIRST; day < FIRST + DAYS; day = (day + 1) as IstDay) {
        const made = closeMadeAt(sessions.phases(share, day));
        if (made === undefined) continue;
        const close = market.previousClose(id, nextMorning(market, day));
        const level = listed.source.at(day, made);
        const about = `${symbol} of day ${day}: ${close} for ${level}`;
        assert.ok(Math.abs(close / level - 1) < ROUNDING, about);
        assert.equal(market.settlementPrice(id, tickOf(day, 15 * 3_600 + 40 * 60)), close, about);
        const before = market.lastPrint(id, tickOf(day, 15 * 3_600 + 15 * 60)).price;
        assert.ok(Math.abs(close / before - 1) < NEAR, `${about} after ${before}`);
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
