import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import { paise, price, quantity } from '../../../src/base/money.ts';
import { applyRecord } from '../../../src/core/apply.ts';
import { availableMargin } from '../../../src/core/broker/account/funds.ts';
import type { SetRiskGroup } from '../../../src/core/command.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import type { Order } from '../../../src/core/order.ts';
import { stateHash } from '../../../src/core/snapshot/hash.ts';
import { emptyState } from '../../../src/core/state.ts';
import { applyToViews, emptyViews } from '../../../src/views/views.ts';
import { ExchangeHours, type Shape } from '../../kit/exchange/exchange-hours.ts';
import { reloaded } from '../../kit/stored-state.ts';

/** A Friday; the Monday after it is not a holiday. */
const FRIDAY = '2026-11-20';
const SATURDAY = '2026-11-21';
const MONDAY = '2026-11-23';

/** The steps of an order as `report/status`, oldest first, folded from the records alone. */
function steps({ world }: ExchangeHours, { number }: Order): string[] {
  const state = emptyState();
  const views = emptyViews();
  for (const record of world.records) {
    applyRecord(state, record);
    applyToViews(views, state, record.at, record.events);
  }
  assert.equal(stateHash(state), stateHash(world.state), 'the records give the whole state');
  return (views.history.find(number)?.entries ?? []).map(({ reportType, status }) => `${reportType}/${status}`);
}

test('orders of each type wait from the close of their segment and go to the exchange at their hour', () => {
  const hours = new ExchangeHours(FRIDAY);
  const { world } = hours;
  hours.passTo(FRIDAY, '16:05');
  const share = hours.instrument('share');
  const place = (shape: Shape) => hours.place(share, shape);
  const [limit, market, stop, immediate] = [place('LMT'), place('MKT'), place('SL-LMT'), place('IOC')];
  const option = hours.instrument('option');
  const contract = hours.place(option, 'LMT', { price: hours.farBelow(option, 0.5) });
  const all = [limit, market, stop, immediate, contract];
  for (const order of all) assert.equal(order.status, 'AfterMarket');
  const free = availableMargin(world.account(hours.user));
  hours.passTo(SATURDAY, '12:00');
  assert.equal(availableMargin(world.account(hours.user)), free, 'nothing is blocked while orders wait');
  assert.deepEqual(
    world.account(hours.user).orders,
    all.map(({ number }) => number),
    'the order book keeps them over the night',
  );
  hours.passTo(MONDAY, '08:59:59');
  for (const order of all) assert.equal(hours.now(order).status, 'AfterMarket');
  hours.passTo(MONDAY, '09:00');
  assert.deepEqual(
    all.map((order) => hours.now(order).status),
    ['Open', 'Open', 'AfterMarket', 'AfterMarket', 'AfterMarket'],
  );
  checkInvariants(world.state);
  hours.passTo(MONDAY, '09:14:59');
  assert.equal(hours.now(stop).status, 'AfterMarket');
  hours.passTo(MONDAY, '09:15');
  assert.equal(hours.now(stop).status, 'TriggerPending');
  assert.equal(hours.now(immediate).status, 'Cancelled', 'an immediate order below the market finds nobody');
  assert.equal(hours.now(contract).status, 'Open');
  assert.equal(world.state.afterMarket.size, 0);
  checkInvariants(world.state);
});

test('the steps of an order that waited are those of R2.19', () => {
  const hours = new ExchangeHours(FRIDAY);
  hours.passTo(FRIDAY, '17:00');
  const share = hours.instrument('share');
  const [kept, dropped] = [hours.place(share, 'LMT'), hours.place(share, 'LMT')];
  assert.equal(hours.modify(kept, { quantity: quantity(3) }), 'taken');
  assert.equal(hours.cancel(dropped), 'taken');
  hours.passTo(MONDAY, '09:01');
  assert.deepEqual(steps(hours, kept), [
    'Pending New/Pending',
    'New Ack/AfterMarket',
    'Replaced/AfterMarket',
    'Pending New/Pending',
    'New Ack/Open',
  ]);
  assert.deepEqual(steps(hours, dropped), ['Pending New/Pending', 'New Ack/AfterMarket', 'Cancelled/Cancelled']);
});

test('an order is checked when it is taken and again when it is released', () => {
  const hours = new ExchangeHours(FRIDAY);
  const { world } = hours;
  hours.passTo(FRIDAY, '17:00');
  const share = hours.instrument('share');
  const option = hours.instrument('option');
  const limit = (part: number) =>
    (Math.round((hours.last(share) * part) / share.tick) * share.tick) as Order['terms']['price'];
  assert.match(hours.outcome(hours.place(option, 'LMT', { quantity: quantity(option.lot + 1) })), /^16328:/);
  const offTick = { price: (limit(0.99) + 1) as Order['terms']['price'] };
  assert.match(hours.outcome(hours.place(share, 'LMT', offTick)), /^16283:/);
  const wide = { trigger: limit(1.01), price: limit(1.05) };
  assert.match(hours.outcome(hours.place(share, 'SL-LMT', wide)), /^16448:/, 'no day makes it narrower');
  const beyond = hours.place(share, 'LMT', { price: limit(1.5) });
  const poor = world.user('POOR', 100_00);
  const { events } = world.submit({
    type: 'PlaceOrder',
    account: poor,
    instrument: share.id,
    side: 'B',
    product: 'C',
    terms: hours.terms(share, 'LMT'),
    remarks: '',
  });
  const unpaid = events[0]?.type === 'OrderReceived' ? world.order(events[0].order) : undefined;
  assert.deepEqual([beyond.status, unpaid?.status], ['AfterMarket', 'AfterMarket']);
  hours.passTo(MONDAY, '09:00');
  assert.match(hours.outcome(beyond), /^RED:RULE:\{Check circuit limit/);
  assert.match(unpaid === undefined ? '' : hours.outcome(unpaid), /^RED:Margin Shortfall/);
  assert.equal(world.state.afterMarket.size, 0);
  checkInvariants(world.state);
});

test('the risk group of its client is asked when an order is taken and again when it is released', () => {
  const hours = new ExchangeHours(FRIDAY);
  const { world } = hours;
  hours.passTo(FRIDAY, '17:00');
  const share = hours.instrument('share');
  const set = (change: SetRiskGroup['change']) =>
    world.submit({ type: 'SetRiskGroup', account: hours.user, ...(change && { change }), by: 'desk', why: 'asked' });
  set({ products: ['M', 'I'] });
  const delivery = 'ORA:Product Delivery not enabled on exchange NSE';
  assert.equal(hours.outcome(hours.place(share, 'LMT')), delivery);
  set(undefined);
  const [waiting, kept] = [hours.place(share, 'LMT'), hours.place(share, 'SL-LMT')];
  set({ products: ['M', 'I'] });
  assert.equal(waiting.status, 'AfterMarket', 'what waits stays');
  assert.equal(hours.modify(waiting, { quantity: quantity(2) }), delivery);
  hours.passTo(MONDAY, '09:00');
  assert.equal(hours.outcome(waiting), delivery);
  set({ products: ['C'], name: 'HNI', orderValueCap: paise(100) });
  hours.passTo(MONDAY, '09:15');
  assert.match(hours.outcome(kept), /^RED:RULE:\{Check single order value\}.* Set:INR 1\.00 for C-TRADER \[HNI\]$/);
  assert.equal(world.state.afterMarket.size, 0);
  checkInvariants(world.state);
});

test('exits of what is not enabled any more wait for the session, each counted once as they are changed and released', () => {
  const hours = new ExchangeHours(FRIDAY);
  const { world } = hours;
  hours.passTo(FRIDAY, '11:00');
  const future = hours.instrument('future');
  const { lot } = future;
  assert.equal(hours.place(future, 'MKT', { quantity: quantity(2 * lot) }).filled, 2 * lot);
  hours.passTo(FRIDAY, '17:00');
  const change = { exchanges: ['NSE'] } as const;
  world.submit({ type: 'SetRiskGroup', account: hours.user, change, by: 'desk', why: 'asked' });
  const exit = (lots: number): Order => {
    const terms = { ...hours.terms(future, 'LMT'), quantity: quantity(lots * lot) };
    const words = { account: hours.user, instrument: future.id, side: 'S', product: 'M', terms, remarks: '' } as const;
    world.submit({ type: 'PlaceOrder', ...words });
    return must([...world.state.orders.values()].at(-1), 'an order');
  };
  const regular = 'ORA:Product Regular not enabled on exchange NFO';
  assert.equal(hours.outcome(exit(3)), regular);
  const [first, second] = [exit(2), exit(1)];
  assert.equal(hours.modify(first, { quantity: quantity(3 * lot) }), regular);
  assert.equal(hours.modify(first, { quantity: quantity(lot) }), 'taken');
  assert.equal(hours.modify(first, { quantity: quantity(2 * lot) }), 'taken');
  hours.passTo(MONDAY, '09:15');
  assert.deepEqual(
    [hours.now(first).filled, hours.outcome(second)],
    [2 * lot, regular],
    'the second has nothing left to close',
  );
  checkInvariants(world.state);
});

test('an order that its account cannot pay for now is taken with a warning, and refused when it is released', () => {
  const hours = new ExchangeHours(FRIDAY);
  const { world } = hours;
  hours.passTo(FRIDAY, '17:00');
  const share = hours.instrument('share');
  const poor = world.user('POOR', 1_000_00);
  const place = (units: number): Order => {
    const terms = { ...hours.terms(share, 'LMT'), quantity: quantity(units) };
    const words = { account: poor, instrument: share.id, side: 'B', product: 'C', terms, remarks: '' } as const;
    world.submit({ type: 'PlaceOrder', ...words });
    return must([...world.state.orders.values()].at(-1), 'an order');
  };
  const reasons = ({ number }: Order) => {
    const state = emptyState();
    const views = emptyViews();
    for (const record of world.records) {
      applyRecord(state, record);
      applyToViews(views, state, record.at, record.events);
    }
    return (views.history.find(number)?.entries ?? []).map(({ status, reason }) => {
      return `${status}: ${typeof reason === 'object' ? `${reason.rule} ${reason.riskGroup ?? ''}`.trim() : ''}`;
    });
  };
  const rich = hours.place(share, 'LMT');
  const order = place(2);
  assert.equal(order.status, 'AfterMarket');
  assert.deepEqual(reasons(rich), ['Pending: ', 'AfterMarket: ']);
  assert.deepEqual(reasons(order), ['Pending: ', 'AfterMarket: MarginShortfall']);
  const terms = { ...order.terms, quantity: quantity(3) };
  world.submit({ type: 'SetRiskGroup', account: poor, change: { name: 'HNI' }, by: 'desk', why: 'asked' });
  world.submit({ type: 'ModifyOrder', account: poor, order: order.number, terms });
  assert.deepEqual(reasons(order).slice(-2), ['AfterMarket: MarginShortfall', 'AfterMarket: MarginShortfall HNI']);
  assert.equal(availableMargin(world.account(poor)), 1_000_00, 'nothing is blocked');
  hours.passTo(MONDAY, '09:00');
  assert.equal(hours.now(order).status, 'Rejected');
  assert.deepEqual(reasons(order).slice(-2), ['Pending: ', 'Rejected: MarginShortfall HNI']);
  checkInvariants(world.state);
});

test('a stop that waited and is reached when it is released is refused, or fires at once where triggers are not strict', () => {
  const ends = [true, false].map((strictTrigger) => {
    const hours = new ExchangeHours(FRIDAY, 11, strictTrigger);
    hours.passTo(FRIDAY, '17:00');
    const share = hours.instrument('share');
    const { price: limit } = hours.terms(share, 'LMT');
    const below = (ticks: number) => price(limit - ticks * share.tick);
    const stop = hours.place(share, 'SL-LMT', { trigger: below(200), price: below(100) });
    assert.equal(stop.status, 'AfterMarket', 'nobody asks before it goes to the exchange');
    hours.passTo(MONDAY, '09:15');
    checkInvariants(hours.world.state);
    return steps(hours, stop).slice(2);
  });
  assert.deepEqual(ends, [
    ['Pending New/Pending', 'Rejected/Rejected'],
    ['Pending New/Pending', 'New Ack/TriggerPending', 'Triggered/Open'],
  ]);
});

test('between the end of intake and the release an order is not modified, and can be cancelled', () => {
  const hours = new ExchangeHours(FRIDAY);
  hours.passTo(FRIDAY, '17:00');
  const order = hours.place(hours.instrument('share'), 'LMT');
  hours.passTo(MONDAY, '08:58:30');
  assert.equal(hours.modify(order, { quantity: quantity(2) }), 'ORA:AMO is stopped');
  assert.equal(hours.cancel(order), 'taken');
  assert.equal(hours.now(order).status, 'Cancelled');
});

test('an order that came too late for the opening auction goes to continuous trading', () => {
  const hours = new ExchangeHours(FRIDAY);
  hours.passTo(FRIDAY, '17:00');
  const share = hours.instrument('share');
  const order = hours.place(share, 'MKT');
  hours.passTo(MONDAY, '09:07');
  assert.equal(hours.now(order).status, 'AfterMarket', 'market orders are over in the opening auction');
  hours.passTo(MONDAY, '09:13');
  assert.equal(hours.now(order).status, 'AfterMarket', 'nothing is taken before the open');
  hours.passTo(MONDAY, '09:15:01');
  assert.equal(hours.now(order).status, 'Complete');
});

test('an order waits for one session: where nobody released it, it ends with that day', () => {
  const hours = new ExchangeHours(FRIDAY);
  const { world } = hours;
  hours.passTo(FRIDAY, '17:00');
  const order = hours.place(hours.instrument('share'), 'LMT');
  hours.passTo('2026-11-25', '08:00');
  assert.deepEqual(steps(hours, order), ['Pending New/Pending', 'New Ack/AfterMarket', 'Cancelled/Cancelled']);
  assert.equal(world.state.orders.get(order.number), undefined);
  assert.deepEqual(world.account(hours.user).orders, []);
});

test('an order of the last hours of a contract that expires is not taken for a session that it does not live to', () => {
  const hours = new ExchangeHours(MONDAY);
  hours.passTo(MONDAY, '08:00');
  const { world } = hours;
  const future = hours.instrument('future');
  assert.ok(future.kind === 'future' && future.expiryDay === world.state.day, 'Monday 23 November is the expiry');
  assert.equal(hours.outcome(hours.place(future, 'LMT')), 'waits');
  hours.passTo(MONDAY, '16:00');
  assert.equal(hours.outcome(hours.place(future, 'LMT')), 'ORA:AMO is stopped');
});

test('orders that wait are in a dump, and a state that was loaded releases them all the same', () => {
  const states = [false, true].map((restart) => {
    const hours = new ExchangeHours('2026-10-30');
    const { world } = hours;
    hours.passTo('2026-10-30', '17:00');
    const share = hours.instrument('share');
    for (const shape of ['LMT', 'MKT', 'SL-LMT'] as const) hours.place(share, shape);
    hours.passTo('2026-11-02', '08:00');
    hours.place(share, 'LMT');
    if (restart) world.state = reloaded(world.state);
    hours.passTo('2026-11-02', '09:01');
    hours.place(share, 'LMT');
    hours.passTo('2026-11-02', '09:15');
    checkInvariants(world.state);
    return stateHash(world.state);
  });
  assert.equal(states[0], states[1]);
});

test('a restart changes no byte of the records that follow, however the fields of an order came', () => {
  const texts = [false, true].map((restart) => {
    const hours = new ExchangeHours('2026-10-30');
    const { world } = hours;
    const share = hours.instrument('share');
    const restartNow = () => {
      if (restart) world.state = reloaded(world.state);
    };
    hours.passTo('2026-10-30', '17:00');
    for (const shape of ['LMT', 'MKT', 'SL-LMT', 'IOC'] as const) hours.placeReversed(share, shape);
    hours.placeReversed(share, 'LMT', { price: price(5) });
    restartNow();
    hours.passTo('2026-11-02', '09:01');
    for (let orders = 0; orders < 20; orders += 1) hours.placeReversed(share, 'MKT', { quantity: quantity(60_000) });
    restartNow();
    hours.passTo('2026-11-02', '09:09');
    hours.passTo('2026-11-02', '09:20');
    return world.records.map(({ command, events }) => JSON.stringify({ command, events }));
  });
  const told = texts[0]?.join() ?? '';
  for (const type of ['AfterMarketReleased', 'OrderReplaced', 'AuctionMatched', 'OrderRejected'])
    assert.ok(told.includes(type), type);
  assert.deepEqual(texts[1], texts[0]);
});

test('after the close a market order trades at the closing price and what finds nobody ends with the session', () => {
  const hours = new ExchangeHours(FRIDAY);
  const { world, market } = hours;
  hours.passTo(FRIDAY, '15:52');
  const share = hours.instrument('share');
  const order = hours.place(share, 'MKT');
  assert.equal(order.status, 'Complete');
  hours.passTo(MONDAY, '08:00');
  const close = market.previousClose(share.id, market.tickAt(world.at));
  assert.equal(order.filledAmount, close * order.filled);
  const again = new ExchangeHours(FRIDAY);
  again.passTo(FRIDAY, '15:52');
  const [level] = again.market.depth(share.id, again.market.tickAt(again.world.at)).asks;
  assert.ok(level !== undefined);
  const large = again.place(share, 'MKT', { quantity: quantity(level.quantity + 5) });
  assert.deepEqual([large.status, large.filled], ['Open', level.quantity]);
  again.passTo(FRIDAY, '16:00');
  assert.equal(large.status, 'Cancelled');
  checkInvariants(again.world.state);
});
