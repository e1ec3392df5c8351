import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../base/assert.ts';
import type { InstrumentId } from '../../base/ids.ts';
import { tickOf } from '../../base/tick.ts';
import type { IstDay } from '../../base/time.ts';
import { civil, EXPIRY, FUTURE, freshMarket, NIFTY, OPTIONS, SHARE, STOCK_FUTURE } from '../synthetic/fixture.ts';

const DAY = civil(2026, 9, 16);
const NOON = 12 * 3_600;
const REGIMES = ['always', 'exchange'] as const;
const CALL = must(OPTIONS[4], 'a call');
const PUT = must(OPTIONS[5], 'its put');

test('the figures of a first second are the closes before the day', () => {
  for (const regime of REGIMES) {
    const market = freshMarket(regime);
    const midnight = tickOf(DAY, 0);
    for (const [id, underlying] of [
      [FUTURE, NIFTY],
      [STOCK_FUTURE, SHARE],
      [SHARE, SHARE],
    ] as const) {
      const { price, spot, spotClose } = market.risk(id, midnight);
      const printed = market.print(id, midnight);
      if (printed === undefined) assert.equal(price, market.previousClose(id, tickOf(DAY, NOON)));
      assert.equal(spotClose, market.previousClose(underlying, tickOf(DAY, NOON)));
      assert.ok(Math.abs(spot / spotClose - 1) < 0.001, 'the spot has had no time to move');
    }
  }
});

test('later in the day the prices are those of the tick, and the close before stays', () => {
  for (const regime of REGIMES) {
    const market = freshMarket(regime);
    const tick = tickOf(DAY, NOON);
    const { price, spot, spotClose } = market.risk(FUTURE, tick);
    assert.equal(price, market.lastPrint(FUTURE, tick).price);
    assert.equal(spot, market.lastPrint(NIFTY, tick).price);
    assert.equal(spotClose, market.previousClose(NIFTY, tick));
    assert.equal(market.risk(FUTURE, tickOf(DAY, NOON + 3_600)).spotClose, spotClose);
  }
});

test('the model is worth about the price, and moves as the scenarios move it', () => {
  for (const regime of REGIMES) {
    const market = freshMarket(regime);
    for (const id of [CALL, PUT]) {
      const { price, value, reprice, delta } = market.risk(id, tickOf(DAY, NOON));
      assert.ok(Math.abs(value - price) <= 2.5, `${price} is ${value} on the tick`);
      const rises = id === CALL ? 0.02 : -0.02;
      assert.ok(reprice(rises, 0) > reprice(0, 0), 'it gains from its side');
      assert.ok(reprice(0, 0.04) > reprice(0, 0), 'it gains from volatility');
      if (id === CALL) assert.ok(reprice(0, 0) < value, 'a day takes time value');
      assert.equal(Math.sign(delta(0)), id === CALL ? 1 : -1);
      assert.ok(Math.abs(delta(rises)) > Math.abs(delta(0)), 'further in the money it follows more closely');
    }
  }
});

test('a valuation is the value of the figures now, that of the scenarios a day later, and falls through a day', () => {
  for (const regime of REGIMES) {
    const market = freshMarket(regime);
    const tick = tickOf(DAY, NOON);
    for (const id of [CALL, PUT, FUTURE, SHARE]) {
      const { spot, value, reprice } = market.risk(id, tick);
      const valued = market.valuation(id, tick);
      assert.equal(valued(spot, 0), value);
      assert.equal(valued(spot * 1.02, 1), reprice(0.02, 0));
    }
    const call = market.valuation(CALL, tick);
    const { spot } = market.risk(CALL, tick);
    const through = [0, 0.25, 0.5, 0.75, 1, 1.5].map((days) => call(spot, days));
    assert.deepEqual(
      through,
      [...through].sort((a, b) => b - a),
      'time value falls',
    );
  }
});

test('a call and its put have deltas that are one apart, and the slope of their value', () => {
  const market = freshMarket('exchange');
  const [call, put] = [CALL, PUT].map((id) => market.risk(id, tickOf(DAY, NOON)));
  for (const move of [-0.09, -0.03, 0, 0.03, 0.09]) {
    assert.ok(Math.abs(must(call, 'a call').delta(move) - must(put, 'a put').delta(move) - 1) < 1e-12);
  }
});

test('all contracts of one expiry have one forward, and futures follow the spot one for one', () => {
  const market = freshMarket('exchange');
  const tick = tickOf(DAY, NOON);
  const forwards = new Set([FUTURE, ...OPTIONS].map((id: InstrumentId) => market.risk(id, tick).forward));
  assert.equal(forwards.size, 1);
  const future = market.risk(FUTURE, tick);
  assert.equal(future.delta(0.05), 1);
  assert.ok(Math.abs((future.reprice(0.1, 0) / future.reprice(0, 0) - 1) * 10 - 1) < 1e-9);
  const share = market.risk(SHARE, tick);
  assert.equal(share.reprice(-0.2, 0), share.price * 0.8);
});

test('on its last day an option is repriced to its settlement value', () => {
  const market = freshMarket('exchange');
  const { spot, reprice } = market.risk(CALL, tickOf(EXPIRY, 10 * 3_600));
  assert.equal(reprice(-0.5, 0.04), 0);
  const gained = reprice(0.3, 0) - reprice(0.2, 0);
  assert.ok(Math.abs(gained / (0.1 * spot) - 1) < 1e-9, 'far in the money it is what it is inside');
});

test('volatility follows the returns of the market day by day, and stays for the day', () => {
  for (const regime of REGIMES) {
    const market = freshMarket(regime);
    const volatilities = Array.from({ length: 30 }, (_, i) => {
      const day = (DAY + i) as IstDay;
      const { volatility } = market.risk(SHARE, tickOf(day, 0));
      assert.equal(market.risk(SHARE, tickOf(day, NOON)).volatility, volatility);
      assert.equal(market.risk(STOCK_FUTURE, tickOf(day, NOON)).volatility, volatility, 'a contract has its share');
      return volatility;
    });
    assert.ok(
      volatilities.every((one) => one > 0.26 * 0.9 && one < 0.26 * 1.2),
      String(volatilities),
    );
    assert.ok(new Set(volatilities).size > 15, 'it moves');
  }
});
