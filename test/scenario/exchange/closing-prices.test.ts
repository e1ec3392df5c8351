import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import { instrumentId, type Tick } from '../../../src/base/ids.ts';
import { type IstDay, istInstant, MINUTE_MS } from '../../../src/base/time.ts';
import { ExchangeHours } from '../../kit/exchange/exchange-hours.ts';

const NIFTY = instrumentId('NSE', 26_000);
const DAY = '2026-11-23';

test('contracts on a share settle at its auctions over both exchanges, those on an index at what its members close at', () => {
  const hours = new ExchangeHours(DAY);
  const { market, world } = hours;
  const { day } = world.state;
  const tickOf = (on: IstDay, minute: number): Tick => market.tickAt(istInstant(on, minute * MINUTE_MS));
  const [share, twin] = [hours.instrument('share').id, hours.instrument('BSE share').id];
  const end = tickOf(day, 15 * 60 + 40);
  const next = tickOf((day + 2) as IstDay, 8 * 60);
  const [nse, bse] = [market.previousClose(share, next, true), market.previousClose(twin, next, true)];
  const settled = market.settlementPrice(share, end);
  assert.equal(settled, market.settlementPrice(twin, end), 'one price for both listings');
  assert.ok(settled >= Math.min(nse, bse) && settled <= Math.max(nse, bse), `${settled} between ${nse} and ${bse}`);
  assert.ok(Math.abs(settled - nse) <= Math.abs(settled - bse), 'most of the share trades on NSE');
  assert.equal(market.settlementPrice(NIFTY, end), market.previousClose(NIFTY, next));
  const moved = market.settlementPrice(NIFTY, end) / market.lastPrint(NIFTY, end).price - 1;
  assert.ok(Math.abs(moved) < 0.002, `the closes are near the last level: ${moved}`);
});

test('before the closing auction a share settles at the average of its last half hour', () => {
  const hours = new ExchangeHours('2026-07-31');
  const { market, world } = hours;
  const share = hours.instrument('share');
  const end = market.tickAt(istInstant(world.state.day, 15.5 * 60 * MINUTE_MS));
  let [quantity, value] = [0, 0];
  for (let minute = 0; minute < 30; minute += 1) {
    const traded = market.turnover(share.id, (end - 1 - minute * 60) as Tick, 60);
    quantity += traded.quantity;
    value += traded.value;
  }
  const average = Math.round(value / must(quantity, 'it traded') / share.tick) * share.tick;
  assert.equal(market.settlementPrice(share.id, end), average);
});
