/** Very many orders that wait for a session: the work of a second, the order of their release, and their bound. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId, OrderNumber } from '../../../src/base/ids.ts';
import { quantity } from '../../../src/base/money.ts';
import { Random } from '../../../src/base/random.ts';
import { istInstant, MINUTE_MS } from '../../../src/base/time.ts';
import { isDue, ordersToRelease } from '../../../src/core/broker/orders/after-market.ts';
import { OrderPreview } from '../../../src/core/broker/trials/order-preview.ts';
import type { PlaceOrder } from '../../../src/core/command.ts';
import { type Instrument, isDerivative, marginGroup } from '../../../src/core/instrument.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import type { DecisionPorts } from '../../../src/core/ports.ts';
import { orderOf } from '../../../src/core/state.ts';
import { dayOf, ExchangeHours, type Role, type Shape } from '../../kit/exchange/exchange-hours.ts';

const SEED = Number(process.env.SAUDA_TEST_SEED ?? 20_261_121);
const FRIDAY = '2026-11-20';
const MONDAY = '2026-11-23';
const MOST_WAITING = 1_000;
const ROLES: readonly Role[] = ['share', 'small share', 'future', 'option', 'BSE share'];
const SHAPES: readonly Shape[] = ['LMT', 'MKT', 'SL-LMT', 'IOC'];

function evening(): ExchangeHours {
  const hours = new ExchangeHours(FRIDAY);
  hours.passTo(FRIDAY, '17:00');
  return hours;
}

function wish(hours: ExchangeHours, account: AccountId, of: Instrument, shape: Shape): PlaceOrder {
  const product = isDerivative(of) ? 'M' : 'C';
  return {
    type: 'PlaceOrder',
    account,
    instrument: of.id,
    side: 'B',
    product,
    terms: hours.terms(of, shape),
    remarks: '',
  };
}

/** The ports of the present, and how often they were asked about an instrument. */
function counting(hours: ExchangeHours): { readonly ports: DecisionPorts; readonly asked: { count: number } } {
  const now = hours.world.portsNow();
  const asked = { count: 0 };
  const market = Object.create(now.market, {
    phase: {
      value: (...about: Parameters<typeof now.market.phase>) => {
        asked.count += 1;
        return now.market.phase(...about);
      },
    },
  });
  return { ports: { ...now, market }, asked };
}

/** The orders that go now, by asking each that waits. */
function dueOneByOne({ world }: ExchangeHours): OrderNumber[] {
  const { state } = world;
  const waiting = Array.from(state.orders.live()).filter(({ afterMarket }) => afterMarket !== undefined);
  return waiting.filter((order) => isDue(state, world.portsNow(), order)).map(({ number }) => number);
}

test('a second in which no order can be due asks about none, and one that an operator holds up about its instrument', () => {
  const hours = evening();
  const { world } = hours;
  const [share, other] = [hours.instrument('share'), hours.instrument('small share')];
  const users = ['ONE', 'TWO', 'THREE'].map((name) => world.user(name, 1_00));
  for (const user of users) {
    for (let order = 0; order < 200; order += 1) world.submit(wish(hours, user, order % 2 ? share : other, 'LMT'));
  }
  assert.equal(world.state.afterMarket.size, 600);
  const night = counting(hours);
  assert.deepEqual([...ordersToRelease(world.state, night.ports)], []);
  assert.equal(night.asked.count, 0, 'their hour has not come');
  const target = { kind: 'Suspension', instrument: share.id } as const;
  world.submit({ type: 'SetSwitch', target, on: true, by: 'asha', why: 'a test' });
  hours.passTo(MONDAY, '09:00');
  const later = counting(hours);
  assert.deepEqual([...ordersToRelease(world.state, later.ports)].filter(Boolean), []);
  assert.ok(later.asked.count <= 3, `asked ${later.asked.count} times about 300 orders in one instrument`);
});

test('orders go to the exchange as if each was asked in the order of the numbers', () => {
  const hours = evening();
  const { world } = hours;
  const random = new Random(SEED);
  const users = Array.from({ length: 6 }, (_, at) => world.user(`U${at}AA`, 50_000_00));
  const placed: OrderNumber[] = [];
  for (let asked = 0; asked < 400; asked += 1) {
    const of = hours.instrument(random.pick(ROLES));
    world.submit(wish(hours, random.pick(users), of, random.pick(SHAPES)));
    placed.push(world.state.lastOrder);
    const order = world.order(random.pick(placed));
    if (order.status !== 'AfterMarket') continue;
    if (random.chance(10)) hours.cancel(order);
    else if (random.chance(30)) hours.modify(order, hours.terms(hours.instrument('share'), random.pick(SHAPES)));
  }
  checkInvariants(world.state);
  assert.ok(world.state.afterMarket.size > 200);
  let released = 0;
  for (const minutes of [538, 540, 544, 546, 554, 555, 556]) {
    world.passTo(istInstant(dayOf(MONDAY), minutes * MINUTE_MS));
    const expected = dueOneByOne(hours);
    assert.deepEqual(hours.due(), expected, `SAUDA_TEST_SEED=${SEED}, minute ${minutes}`);
    released += expected.length;
    for (const order of expected) world.submit({ type: 'ReleaseOrder', order });
    checkInvariants(world.state);
  }
  assert.ok(released > 200);
  assert.equal(world.state.afterMarket.size, 0);
});

test('an account has a thousand orders that wait at most, and room again once one of them has gone', () => {
  const hours = evening();
  const { world } = hours;
  const share = hours.instrument('share');
  const first = hours.place(share, 'LMT');
  for (let order = 1; order < MOST_WAITING; order += 1) hours.place(share, 'LMT');
  const text = 'ORA:Maximum after-market orders (1000) reached';
  assert.equal(hours.outcome(hours.place(share, 'LMT')), text);
  const command = wish(hours, hours.user, share, 'LMT');
  const preview = new OrderPreview(
    world.state,
    world.portsNow(),
    world.account(hours.user),
    new Set([marginGroup(share)]),
  );
  assert.deepEqual(preview.place(command).refusal, { rule: 'TooManyWaiting', most: MOST_WAITING });
  const other = world.user('OTHER', 1_00);
  world.submit({ ...command, account: other });
  assert.equal(orderOf(world.state, world.state.lastOrder).status, 'AfterMarket', 'others have room');
  assert.equal(hours.modify(first, { quantity: quantity(3) }), 'taken');
  assert.equal(hours.cancel(first), 'taken');
  assert.equal(hours.outcome(hours.place(share, 'LMT')), 'waits');
  const { side, product, terms } = command;
  const legs = [{ side, product, terms, remarks: '', trigger: hours.farBelow(share, 0.9) }] as const;
  const { reply } = world.submit({ type: 'PlaceGtt', account: hours.user, instrument: share.id, legs, remarks: '' });
  assert.equal(reply.type, 'GttPlaced', 'a GTT does not wait for a session');
  hours.passTo(MONDAY, '09:00');
  assert.equal(world.state.afterMarket.size, 0);
  checkInvariants(world.state);
});
