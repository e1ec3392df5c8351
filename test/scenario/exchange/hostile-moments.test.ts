import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import { price, quantity } from '../../../src/base/money.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import type { Order } from '../../../src/core/order.ts';
import { cancelsOf } from '../../kit/cancels-of.ts';
import { dayOf, ExchangeHours } from '../../kit/exchange/exchange-hours.ts';

/** A Monday with the phases of today. */
const DAY = '2026-11-23';
const GROUNDS = { by: 'asha', why: 'a test' } as const;

test('a suspension lets cancellations through even while an auction would be matched', () => {
  const hours = new ExchangeHours(DAY);
  hours.passTo(DAY, '09:02');
  const share = hours.instrument('share');
  const order = hours.place(share, 'LMT');
  hours.world.submit({ type: 'SetSwitch', target: { kind: 'Suspension', instrument: share.id }, on: true, ...GROUNDS });
  hours.passTo(DAY, '09:11');
  assert.equal(hours.cancel(order), 'taken');
  assert.equal(order.status, 'Cancelled');
  checkInvariants(hours.world.state, hours.ports);
});

test('a band that was widened in the morning does not widen the closing auction', () => {
  const hours = new ExchangeHours(DAY);
  hours.passTo(DAY, '10:00');
  const share = hours.instrument('share');
  hours.world.submit({ type: 'WidenBand', instrument: share.id, percent: 20, ...GROUNDS });
  const far = price(Math.round((hours.last(share) * 0.85) / share.tick) * share.tick);
  const resting = hours.place(share, 'LMT', { price: far });
  assert.equal(hours.outcome(resting), 'taken');
  hours.passTo(DAY, '15:21');
  assert.equal(resting.status, 'Cancelled', 'beyond 3 % of the reference');
  assert.match(hours.outcome(hours.place(share, 'LMT', { price: far })), /^RED:RULE:\{Check circuit limit/);
  const market = hours.place(share, 'MKT');
  assert.ok(market.terms.price <= hours.last(share) * 1.05, `${market.terms.price}`);
  checkInvariants(hours.world.state, hours.ports);
});

test('a process that slept from the opening auction to the closing one brings no morning order at the market into it', () => {
  const hours = new ExchangeHours(DAY);
  const { world } = hours;
  hours.passTo(DAY, '09:02');
  const share = hours.instrument('share');
  const order = hours.place(share, 'MKT', { quantity: quantity(10) });
  assert.equal(order.terms.priceType, 'MKT');
  hours.passTo(DAY, '15:17');
  assert.deepEqual([order.status, order.terms.priceType], ['Open', 'LMT'], 'a limit at the previous close');
  assert.equal(order.terms.price, hours.market.previousClose(share.id, hours.market.tickAt(world.at)));
  assert.equal(world.state.books.get(share.id)?.auction, undefined);
  checkInvariants(world.state, hours.ports);
});

test('while the breaker halts the market its indices do not trip a wider stage: that is for when trading begins again', () => {
  const hours = new ExchangeHours(DAY);
  const { world, market } = hours;
  hours.passTo(DAY, '12:30');
  market.letFall(market.tickAt(world.at), 11);
  hours.passTo(DAY, '12:30:01');
  const { until } = world.state.breaker;
  market.letFall(market.tickAt(world.at), 16);
  hours.passTo(DAY, '12:45');
  assert.deepEqual(world.state.breaker, { stage: 10, until });
  hours.passTo(DAY, '13:30:01');
  assert.equal(world.state.breaker.stage, 15, 'the first second of trading shows it');
});

test('a modification in the last second of continuous trading is taken, and one a second later changes nothing', () => {
  const hours = new ExchangeHours(DAY);
  const { world } = hours;
  hours.passTo(DAY, '15:14:58');
  const share = hours.instrument('share');
  const order = hours.place(share, 'LMT', { quantity: quantity(4) });
  hours.passTo(DAY, '15:14:59');
  assert.equal(hours.modify(order, { quantity: quantity(3) }), 'taken');
  hours.passTo(DAY, '15:15:00');
  const before = { ...order.terms };
  assert.equal(hours.modify(order, { quantity: quantity(2) }), '16278:The markets have not been opened for trading.');
  assert.deepEqual([order.status, order.terms], ['Open', before]);
  hours.passTo(DAY, '15:20:00');
  assert.equal(hours.modify(order, { quantity: quantity(2) }), 'taken', 'it waits for the auction now');
  assert.equal(hours.cancel(order), 'taken');
  checkInvariants(world.state, hours.ports);
});

test('a Muhurat evening releases what waited since Saturday, unless a kill switch of the afternoon cancelled it', () => {
  for (const killed of [false, true]) {
    const hours = new ExchangeHours('2026-11-06');
    const { world } = hours;
    hours.passTo('2026-11-07', '11:00');
    const share = hours.instrument('share');
    const order = hours.place(share, 'MKT');
    assert.equal(order.afterMarket?.day, dayOf('2026-11-08'));
    hours.passTo('2026-11-08', '17:44:30');
    if (killed) {
      world.submit({ type: 'SetSwitch', target: { kind: 'FullKill' }, on: true, ...GROUNDS });
      for (const cancel of cancelsOf(world.state)) world.submit(cancel);
    }
    hours.passTo('2026-11-08', '17:45');
    assert.equal(order.status, killed ? 'Cancelled' : 'Open');
    hours.passTo('2026-11-08', '17:56');
    hours.passTo('2026-11-08', '18:00:05');
    assert.equal(order.status, killed ? 'Cancelled' : 'Complete');
    checkInvariants(world.state, hours.ports);
  }
});

test('on its last day a contract is not entered intraday from 15:15 on, and left until its square-off', () => {
  const hours = new ExchangeHours(DAY);
  const { world, user } = hours;
  hours.passTo(DAY, '15:14');
  const future = hours.instrument('future');
  assert.ok(future.kind === 'future' && future.expiryDay === world.state.day, 'Monday 23 November is the expiry');
  const place = (side: 'B' | 'S', product: 'I' | 'M'): Order => {
    const terms = { ...hours.terms(future, 'MKT') };
    world.submit({ type: 'PlaceOrder', account: user, instrument: future.id, side, product, terms, remarks: '' });
    return must([...world.state.orders.values()].at(-1), 'an order');
  };
  assert.equal(place('B', 'I').status, 'Complete');
  hours.passTo(DAY, '15:15');
  assert.equal(
    hours.outcome(place('B', 'I')),
    'RED:Intraday orders are disallowed after system square off for C-TRADER [ONLINE]',
  );
  assert.equal(place('B', 'M').status, 'Complete', 'a carried position settles at the close');
  assert.equal(place('S', 'I').status, 'Complete', 'an exit is an exit');
  checkInvariants(world.state, hours.ports);
});
