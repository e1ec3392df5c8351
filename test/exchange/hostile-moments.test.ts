import assert from 'node:assert/strict';
import { test } from 'node:test';
import { price, quantity } from '../../src/base/money.ts';
import { checkInvariants } from '../../src/core/invariants.ts';
import { ExchangeHours } from './exchange-hours.ts';

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
