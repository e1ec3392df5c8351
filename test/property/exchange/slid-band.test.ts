import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import type { Price } from '../../../src/base/money.ts';
import type { MarketData } from '../../../src/core/market.ts';
import type { Order, OrderTerms } from '../../../src/core/order.ts';
import { ExchangeMonth } from '../month/exchange-month.ts';
import { LivedDay, near } from '../month/lived-day.ts';

/**
 * The bands of stock futures are 3 % around their last price from 15:15 on. An order that is left outside is cancelled
 * when its book next trades, whatever second that is. Source: market-rules R1.42, docs/guards.md.
 */

const month = new ExchangeMonth(20_261_120);
const DATE = '2026-11-20';

/** The market that says nothing of how far its prices go, so that every book is asked at every second. */
const withoutReach: MarketData = new Proxy(month.market, {
  get: (market, name) => {
    if (name === 'reach') return () => undefined;
    const member: unknown = Reflect.get(market, name);
    return typeof member === 'function' ? member.bind(market) : member;
  },
});

/** A day shortly before the bands narrow, with a buy in a future 4.5 % below its price. */
async function begun(market?: MarketData): Promise<{ day: LivedDay; buy: Order }> {
  const day = new LivedDay(month, DATE, '15:10:00', market);
  await day.open();
  const future = must(month.future('RELIANCE', day.at('15:10:00')), 'a future');
  const { price: last } = day.market.lastPrint(future.id, day.tickAt('15:10:00'));
  const buy = await day.place(future, 'B', { price: near(last, -45, future) });
  assert.equal(buy.status, 'Open');
  return { day, buy };
}

test('an order that a band leaves outside while its instrument is suspended ends with the suspension', async () => {
  for (const market of [month.market, withoutReach]) {
    const { day, buy } = await begun(market);
    day.passTo('15:14:00');
    await day.suspend(buy.instrument, true);
    day.passTo('15:16:30');
    assert.equal(day.order(buy.number).status, 'Open', 'nothing is decided while it is suspended');
    await day.suspend(buy.instrument, false);
    day.passTo('15:16:32');
    assert.equal(day.order(buy.number).status, 'Cancelled');
  }
});

test('an order that a band leaves outside while the process is down ends as it starts', async () => {
  const { day, buy } = await begun();
  day.passTo('15:14:30');
  await day.restartAt('15:17:00');
  day.passTo('15:17:02');
  assert.equal(day.order(buy.number).status, 'Cancelled');
});

test('an order inside a band that an operator widened stays outside that of the market, and its book is passed over', async () => {
  const { day, buy } = await begun();
  await day.submit({ type: 'WidenBand', instrument: buy.instrument, percent: 20, by: 'asha', why: 'a test' });
  day.passTo('15:17:00');
  const step = day.live.step.bind(day.live);
  day.live.step = (ports, sequenced) => {
    assert.notEqual(sequenced.command.type, 'MoveMarket');
    return step(ports, sequenced);
  };
  day.passTo('15:19:00');
  assert.equal(day.order(buy.number).status, 'Open');
});

test('a stop that has fired is held to the band by its limit alone, and its trigger may be off the tick', async () => {
  const day = new LivedDay(month, DATE, '15:10:00', month.market, false);
  await day.open();
  const future = must(month.future('RELIANCE', day.at('15:10:00')), 'a future');
  const { price: last } = day.market.lastPrint(future.id, day.tickAt('15:10:00'));
  const limit = near(last, -20, future);
  const fired = await day.place(future, 'B', { priceType: 'SL-LMT', trigger: near(last, -45, future), price: limit });
  assert.equal(fired.status, 'Open', 'its trigger was reached as it came');
  day.passTo('15:16:00');
  const { lower } = day.market.band(future.id, day.tickAt('15:16:00'));
  assert.ok(fired.terms.trigger < lower && lower < limit, 'the band has left the trigger outside');
  const modified = (terms: Partial<OrderTerms>) =>
    day.submit({
      type: 'ModifyOrder',
      account: fired.account,
      order: fired.number,
      terms: { ...day.order(fired.number).terms, ...terms },
    });
  const higher = { price: (limit + future.tick) as Price };
  assert.equal((await modified(higher)).type, 'OrderModified');
  assert.equal((await modified({ trigger: (fired.terms.trigger + 1) as Price })).type, 'OrderModified');
  assert.equal((await modified({ price: (lower - future.tick) as Price })).type, 'Refused');
});
