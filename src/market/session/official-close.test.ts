import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../base/assert.ts';
import { instrumentId } from '../../base/ids.ts';
import { type Price, price, roundToTick } from '../../base/money.ts';
import { tickOf } from '../../base/tick.ts';
import { type IstDay, weekday } from '../../base/time.ts';
import { printsWithin } from '../../core/exchange/guards/prints-within.ts';
import {
  ALL_IDS,
  civil,
  FACTS,
  FUTURE,
  fixtureInstruments,
  freshMarket,
  HOLIDAY,
  IDLE_SHARE,
  NIFTY,
  OPTIONS,
} from '../synthetic/fixture.ts';
import { averageOf, closeOverExchanges } from './official-close.ts';

const DAY = civil(2026, 9, 15);
const HALF_HOUR = 1_800;

test('the worked close of R2.13 comes out to the paisa', () => {
  const deals = [
    [500, 100_00],
    [300, 101_00],
    [700, 99_50],
  ] as const;
  const lots = deals.reduce((sum, [units]) => sum + units, 0);
  assert.equal(
    averageOf(
      lots,
      deals.reduce((sum, [units, at]) => sum + units * at, 0),
      price(1),
    ),
    99_97,
  );
});

test("a day closes at the average of its last half hour, and that is the next one's previous close", () => {
  for (const regime of ['exchange', 'always'] as const) {
    const market = freshMarket(regime);
    const close = regime === 'always' ? 86_400 : 0;
    for (const id of [FUTURE, IDLE_SHARE]) {
      const end = close === 0 ? (id === FUTURE ? 56_400 : 55_800) : close;
      const before = (DAY - 1) as IstDay;
      const { quantity, value } = printsWithin(market, id, tickOf(before, end - 1), HALF_HOUR);
      const { tick } = must(fixtureInstruments.get(id), 'an instrument');
      const last = market.lastPrint(id, tickOf(before, end - 1)).price;
      const expected = quantity === 0 ? last : roundToTick(value / quantity, tick as Price);
      assert.equal(market.previousClose(id, tickOf(DAY, 40_000)), expected, `${regime} ${id}`);
    }
  }
});

test('an option and an index of unknown members close at their last price', () => {
  const market = freshMarket();
  for (const id of [instrumentId('NSE', 26_012), must(OPTIONS[4], 'an option')]) {
    assert.equal(
      market.previousClose(id, tickOf(DAY, 40_000)),
      market.lastPrint(id, tickOf((DAY - 1) as IstDay, 86_399)).price,
    );
  }
});

test('an index closes at the level of the closes of its members, and at its last level where every hour trades', () => {
  const market = freshMarket();
  const now = tickOf(DAY, 40_000);
  let level = 0;
  for (const { id, weight } of FACTS.constituentsOf(NIFTY)) {
    level += (weight * market.previousClose(id, now)) / must(FACTS.factsOf(id), 'facts of a member').reference;
  }
  const { reference } = must(FACTS.factsOf(NIFTY), 'facts of the index');
  const { tick } = must(fixtureInstruments.get(NIFTY), 'the index');
  assert.equal(market.previousClose(NIFTY, now), roundToTick(reference * level, tick));
  const always = freshMarket('always');
  const midnight = tickOf((DAY - 1) as IstDay, 86_399);
  assert.equal(always.previousClose(NIFTY, now), always.lastPrint(NIFTY, midnight).price);
});

test('one price over both exchanges is weighted by what traded on each', () => {
  const [nse, bse] = [
    { price: price(100_00), quantity: 3_000 },
    { price: price(100_15), quantity: 1_000 },
  ];
  assert.equal(closeOverExchanges([nse, bse]), 100_04, '100.0375');
  assert.equal(closeOverExchanges([bse]), 100_15);
});

test('before the first trade of a day the last price is the official close of the day before', () => {
  const market = freshMarket();
  for (const id of ALL_IDS) {
    const opening = tickOf(DAY, 33_299);
    assert.equal(market.lastPrint(id, opening).price, market.previousClose(id, opening), String(id));
  }
});

test('a close is inside the band of its day', () => {
  const market = freshMarket();
  for (const id of ALL_IDS) {
    for (let back = 0; back < 10; back += 1) {
      const day = (DAY - back) as IstDay;
      if (weekday(day) === 0 || weekday(day) === 6 || day === HOLIDAY) continue;
      const { lower, upper } = market.band(id, tickOf(day, 54_000));
      const close = market.previousClose(id, tickOf((day + 1) as IstDay, 40_000), true);
      assert.ok(close >= lower && close <= upper, `${id} ${day}: ${close} in ${lower}..${upper}`);
    }
  }
});
