import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Price, price, quantity } from '../../../src/base/money.ts';
import type { Instrument } from '../../../src/core/instrument.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import type { Order, Side } from '../../../src/core/order.ts';
import type { SwitchTarget } from '../../../src/core/switches/switch.ts';
import { cancelsOf } from '../../kit/cancels-of.ts';
import { ExchangeHours } from '../../kit/exchange/exchange-hours.ts';

/** A Friday; the Monday after it is not a holiday. */
const FRIDAY = '2026-11-20';
const MONDAY = '2026-11-23';
const BLOCKED = 'RED:RULE:{Check kill switch}Trading is blocked by the risk desk for C-TRADER [ONLINE]';

/** Sets a switch, with its cancellations as the engine makes them, or lifts it. */
function turn({ world }: ExchangeHours, target: SwitchTarget, on = true): void {
  world.submit({ type: 'SetSwitch', target, on, by: 'asha', why: 'a test' });
  for (const cancel of cancelsOf(world.state)) world.submit(cancel);
  checkInvariants(world.state);
}

/** An intraday order of the user or of a second one, at a share of the last price. */
function place(hours: ExchangeHours, of: Instrument, side: Side, share: number, by = hours.user): Order {
  const { world } = hours;
  const at = price(Math.round((hours.last(of) * share) / of.tick) * of.tick);
  world.submit({
    type: 'PlaceOrder',
    account: by,
    instrument: of.id,
    side,
    product: 'I',
    terms: { priceType: 'LMT', retention: 'DAY', quantity: quantity(of.lot), price: at, trigger: 0 as Price },
    remarks: '',
  });
  const order = [...world.state.orders.values()].at(-1);
  assert.ok(order);
  return order;
}

test('a kill switch cancels orders that wait for a session, and takes no more of them', () => {
  const hours = new ExchangeHours(FRIDAY);
  hours.passTo(FRIDAY, '17:00');
  const share = hours.instrument('share');
  const [waiting, other] = [hours.place(share, 'LMT'), hours.place(hours.instrument('option'), 'LMT')];
  assert.deepEqual([waiting.status, other.status], ['AfterMarket', 'AfterMarket']);
  turn(hours, { kind: 'InstrumentKill', instrument: share.id });
  assert.deepEqual([waiting.status, other.status], ['Cancelled', 'AfterMarket']);
  turn(hours, { kind: 'AccountKill', account: hours.user });
  assert.equal(other.status, 'Cancelled');
  assert.equal(hours.outcome(hours.place(share, 'LMT')), BLOCKED);
  hours.passTo(MONDAY, '09:20');
  assert.equal(hours.world.state.afterMarket.size, 0);
  checkInvariants(hours.world.state);
});

test('orders wait for a session while their instrument is suspended, and go to the exchange when it is lifted', () => {
  const hours = new ExchangeHours(FRIDAY);
  hours.passTo(FRIDAY, '17:00');
  const share = hours.instrument('share');
  const suspension = { kind: 'Suspension', instrument: share.id } as const;
  turn(hours, suspension);
  const waiting = hours.place(share, 'LMT', { price: hours.farBelow(share) });
  hours.passTo(MONDAY, '09:20');
  assert.equal(hours.now(waiting).status, 'AfterMarket');
  turn(hours, suspension, false);
  hours.passTo(MONDAY, '09:21');
  assert.equal(hours.now(waiting).status, 'Open');
});

test('the orders of an auction are cancelled by a kill switch', () => {
  const hours = new ExchangeHours(MONDAY);
  hours.passTo(MONDAY, '09:02');
  const share = hours.instrument('share');
  const order = place(hours, share, 'B', 1.01);
  assert.equal(order.status, 'Open');
  turn(hours, { kind: 'FullKill' });
  assert.equal(order.status, 'Cancelled');
  hours.passTo(MONDAY, '09:20');
  assert.equal(order.filled, 0);
  checkInvariants(hours.world.state);
});

test('a suspended instrument has no auction, and trades again when it is lifted, its book not crossed in between', () => {
  const hours = new ExchangeHours(MONDAY);
  const { world } = hours;
  const second = world.user('SECOND', 1_000_000_000_00);
  hours.passTo(MONDAY, '09:02');
  const share = hours.instrument('share');
  const [buy, sell] = [place(hours, share, 'B', 1.02), place(hours, share, 'S', 0.98, second)];
  assert.deepEqual([buy.status, sell.status], ['Open', 'Open']);
  const suspension = { kind: 'Suspension', instrument: share.id } as const;
  turn(hours, suspension);
  for (const time of ['09:07', '09:08', '09:09', '09:12', '09:14', '09:15', '09:16']) {
    hours.passTo(MONDAY, time);
    assert.deepEqual([buy.filled, sell.filled], [0, 0], `nothing trades at ${time}`);
    checkInvariants(world.state);
  }
  turn(hours, suspension, false);
  hours.passTo(MONDAY, '09:17');
  checkInvariants(world.state);
  assert.ok(
    [buy, sell].every(({ status }) => status === 'Complete' || status === 'Cancelled'),
    `${buy.status} ${sell.status}`,
  );
});
