import assert from 'node:assert/strict';
import test from 'node:test';
import { must } from '../../../src/base/assert.ts';
import type { AccountId, InstrumentId } from '../../../src/base/ids.ts';
import { price } from '../../../src/base/money.ts';
import { type EpochMs, MINUTE_MS } from '../../../src/base/time.ts';
import { positionKey } from '../../../src/core/account.ts';
import { trialOf } from '../../../src/core/broker/trials/order-trial.ts';
import type { Order, OrderTerms } from '../../../src/core/order.ts';
import { netQuantity } from '../../../src/core/position.ts';
import { ordersOf } from '../../../src/core/query.ts';
import { RELIANCE } from '../../kit/money/listed.ts';
import { CRORE, Day, ofType } from '../../kit/settlement/day.ts';
import { listed } from '../../kit/settlement/expiring.ts';

const INTRADAY = { of: RELIANCE.id, product: 'I' } as const;

function netOf(day: Day, account: AccountId, instrument: InstrumentId): number {
  const row = day.world.account(account).positions.get(positionKey(instrument, 'I'));
  return row === undefined ? 0 : netQuantity(row);
}

/** Long of an intraday share, after its cut-off. */
function squaredOff(): { day: Day; by: AccountId } {
  const day = new Day();
  const by = day.world.user('AB1234', CRORE);
  day.quote(RELIANCE.id, 1_260);
  day.trade({ ...INTRADAY, by, side: 'B', units: 100, at: 1_260_00 });
  day.squareOff('SharesWithContracts');
  return { day, by };
}

/** Long intraday of a share that has become trade-for-trade since. */
function heldAsItBecameTradeForTrade(): { day: Day; by: AccountId } {
  let tradeForTrade = false;
  const get = (id: InstrumentId) => (id === RELIANCE.id ? { ...RELIANCE, tradeForTrade } : listed.get(id));
  const day = new Day({ instruments: { get } });
  const by = day.world.user('AB1234', CRORE);
  day.quote(RELIANCE.id, 1_260);
  day.trade({ ...INTRADAY, by, side: 'B', units: 100, at: 1_260_00 });
  tradeForTrade = true;
  return { day, by };
}

function counterOrderOf(day: Day, by: AccountId): Order {
  const order = ordersOf(day.world.state, day.world.account(by)).find(({ squareOff }) => squareOff);
  assert.ok(order, 'there is a counter order');
  return order as Order;
}

/** A minute later the market shows these. */
function minuteLater(day: Day, id: InstrumentId, quote: Parameters<Day['market']['quotes']['set']>[1]): void {
  const { world, market } = day;
  world.at = (world.at + MINUTE_MS) as EpochMs;
  market.quotes.set(id, quote);
  world.submit({ type: 'MoveMarket', instrument: id, tick: market.tickAt(world.at) });
  day.check();
}

test("a client's own exits at any price give way to the order that closes the position", () => {
  const { day, by } = squaredOff();
  const far = day.world.place({ ...INTRADAY, by, side: 'S', units: 60, at: 1_400_00 });
  const stop = day.world.place({
    ...INTRADAY,
    by,
    side: 'S',
    units: 40,
    at: 1_100_00,
    trigger: 1_110_00,
    type: 'SL-LMT',
  });
  assert.deepEqual([far.status, stop.status], ['Open', 'TriggerPending']);
  assert.equal(day.placeCounterOrders(), 1);
  assert.deepEqual([far.status, stop.status, netOf(day, by, RELIANCE.id)], ['Cancelled', 'Cancelled', 0]);
  const { events = [] } = day.world.records.at(-1) ?? {};
  assert.deepEqual(
    ofType(events, 'OrderCancelled').map(({ order, reason }) => [order, reason]),
    [
      [far.number, 'SquareOff'],
      [stop.number, 'SquareOff'],
    ],
  );
  assert.equal(day.placeCounterOrders(), 0);
});

test('orders of other rows and other accounts stay', () => {
  const { day, by } = squaredOff();
  day.world.give(by, RELIANCE.id, 50, 50_000_00);
  const delivery = day.world.place({ of: RELIANCE.id, by, side: 'S', units: 50, at: 1_400_00, product: 'C' });
  const other = day.world.user('CD1234', CRORE);
  const others = day.world.place({ of: RELIANCE.id, by: other, side: 'B', units: 5, at: 1_200_00, product: 'C' });
  assert.equal(day.placeCounterOrders(), 1);
  assert.deepEqual([delivery.status, others.status, netOf(day, by, RELIANCE.id)], ['Open', 'Open', 0]);
});

test('large positions are closed whole, whatever of them a client offers himself', () => {
  const day = new Day();
  const by = day.world.user('AB1234', 1_000 * CRORE);
  day.market.quotes.set(RELIANCE.id, { bid: 1_00, ask: 1_00, last: 1_00, size: 10_000_000 });
  day.trade({ ...INTRADAY, by, side: 'B', units: 70_000, at: 1_00 });
  day.squareOff('SharesWithContracts');
  day.world.place({ ...INTRADAY, by, side: 'S', units: 40_000, at: 1_20 });
  assert.equal(day.placeCounterOrders(), 3);
  assert.equal(netOf(day, by, RELIANCE.id), 0);
});

test('an exit that the order of another account has just filled is not closed a second time', () => {
  const day = new Day();
  const [short, long] = ['AB1234', 'CD1234'].map((name) => day.world.user(name, CRORE));
  assert.ok(short !== undefined && long !== undefined);
  day.quote(RELIANCE.id, 1_260);
  day.trade({ ...INTRADAY, by: short, side: 'S', units: 100, at: 1_260_00 });
  day.trade({ ...INTRADAY, by: long, side: 'B', units: 100, at: 1_260_00 });
  day.squareOff('SharesWithContracts');
  day.market.quotes.set(RELIANCE.id, { bid: 1_250_00, ask: 1_262_00, last: 1_260_00 });
  const exit = day.world.place({ ...INTRADAY, by: long, side: 'S', units: 70, at: 1_261_00 });
  assert.equal(exit.status, 'Open');
  assert.equal(day.placeCounterOrders(), 2);
  assert.equal(exit.status, 'Complete');
  assert.deepEqual([netOf(day, short, RELIANCE.id), netOf(day, long, RELIANCE.id)], [0, 0]);
  assert.equal(counterOrderOf(day, long).terms.quantity, 30);
});

test('the order of the risk desk is not modified and not cancelled by its client, and no exit stands beside it', () => {
  const { day, by } = squaredOff();
  minuteLater(day, RELIANCE.id, { bid: 1_259_00, size: 30, last: 1_260_00 });
  assert.equal(day.placeCounterOrders(), 1);
  const counter = counterOrderOf(day, by);
  assert.deepEqual([counter.status, counter.filled], ['Open', 30]);
  const terms: OrderTerms = { ...counter.terms, priceType: 'LMT', price: price(1_400_00) };
  const { world } = day;
  const modified = world.submit({ type: 'ModifyOrder', account: by, order: counter.number, terms });
  const cancelled = world.submit({ type: 'CancelOrder', account: by, order: counter.number });
  assert.deepEqual(
    [modified, cancelled].map(({ reply }) => reply.type === 'Refused' && reply.refusal.rule),
    ['NotOpenToModify', 'NotOpenToCancel'],
  );
  const record = must(world.records.at(-2), 'the refused modification is recorded');
  const trial = trialOf(world.state, day.ports, record, counter.number);
  assert.deepEqual([trial?.refusal, trial?.findings], [{ rule: 'NotOpenToModify' }, []], 'no check was asked');
  const beside = { ...INTRADAY, by, side: 'S', units: 1, at: 1_300_00 } as const;
  assert.equal(world.refusal(beside).rule, 'IntradayAfterSquareOff');
  assert.equal(day.placeCounterOrders(), 0, 'what rests is not placed twice');
  minuteLater(day, RELIANCE.id, { bid: 1_259_00, last: 1_259_00 });
  assert.deepEqual([counter.status, netOf(day, by, RELIANCE.id)], ['Complete', 0]);
  assert.equal(day.placeCounterOrders(), 0);
});

test('a client does not end the order of the risk desk by an order that would trade with it', () => {
  const { day, by } = squaredOff();
  minuteLater(day, RELIANCE.id, { last: 1_260_00 });
  day.placeCounterOrders();
  const counter = counterOrderOf(day, by);
  const against = { of: RELIANCE.id, by, side: 'B', units: 10, product: 'C' } as const;
  const other = day.world.user('CD1234', CRORE);
  day.world.give(other, RELIANCE.id, 4, 4_000_00);
  day.world.place({ of: RELIANCE.id, by: other, side: 'S', units: 4, at: 1_253_00, product: 'C' });
  const limit = day.world.place({ ...against, at: counter.terms.price });
  assert.deepEqual([limit.status, limit.filled, counter.status], ['Cancelled', 4, 'Open'], 'it trades up to there');
  const { events = [] } = day.world.records.at(-1) ?? {};
  const [ended, ...more] = ofType(events, 'OrderCancelled');
  assert.deepEqual([ended?.order, ended?.reason, more], [limit.number, 'SelfTradeWithDesk', []]);
  const stop = day.world.place({ ...against, at: 1_262_00, trigger: 1_261_00, type: 'SL-LMT' });
  minuteLater(day, RELIANCE.id, { last: 1_261_00 });
  assert.deepEqual([stop.status, counter.status], ['Cancelled', 'Open']);
  day.check();
});

test('orders of the risk desk that would trade with each other are those of one account: the one that rests ends', () => {
  const day = new Day();
  const by = day.world.user('AB1234', CRORE);
  day.quote(RELIANCE.id, 1_260);
  day.trade({ of: RELIANCE.id, by, side: 'B', units: 100, at: 1_260_00, product: 'I' });
  day.trade({ of: RELIANCE.id, by, side: 'S', units: 40, at: 1_260_00, product: 'M' });
  day.squareOff('SharesWithContracts');
  minuteLater(day, RELIANCE.id, { last: 1_260_00 });
  assert.equal(day.placeCounterOrders(), 2);
  const statuses = ordersOf(day.world.state, day.world.account(by)).flatMap(({ squareOff, status, side }) =>
    squareOff ? [`${side} ${status}`] : [],
  );
  assert.deepEqual(statuses, ['B Cancelled', 'S Open']);
});

test('an exit stays where no order can be placed in its stead', () => {
  const { day, by } = squaredOff();
  const exit = day.world.place({ ...INTRADAY, by, side: 'S', units: 100, at: 1_261_00 });
  day.market.quotes.set(RELIANCE.id, { last: 1_260_00, closed: true });
  assert.equal(day.placeCounterOrders(), 0);
  assert.equal(exit.status, 'Open');
  day.quote(RELIANCE.id, 1_258);
  assert.equal(day.placeCounterOrders(), 1);
  assert.deepEqual([exit.status, netOf(day, by, RELIANCE.id)], ['Cancelled', 0]);
});

test('an exit stays when the order in its stead is refused', () => {
  const { day, by } = squaredOff();
  const exit = day.world.place({ ...INTRADAY, by, side: 'S', units: 100, at: 1_261_00 });
  day.world.at = (day.world.at + MINUTE_MS) as EpochMs;
  day.market.quotes.set(RELIANCE.id, { last: 0 });
  assert.equal(day.placeCounterOrders(), 1);
  assert.deepEqual([counterOrderOf(day, by).status, exit.status], ['Rejected', 'Open']);
});

test('an intraday position whose share became trade-for-trade is still closed, by its client and by the risk desk, and not entered', () => {
  const { day, by } = heldAsItBecameTradeForTrade();
  day.trade({ ...INTRADAY, by, side: 'S', units: 40, at: 1_260_00 });
  for (const words of [
    { side: 'B', units: 1 },
    { side: 'S', units: 61 },
  ] as const) {
    assert.equal(day.world.refusal({ ...INTRADAY, by, at: 1_260_00, ...words }).rule, 'IntradayNotAllowed');
  }
  day.squareOff('SharesWithContracts');
  assert.equal(day.placeCounterOrders(), 1);
  assert.equal(netOf(day, by, RELIANCE.id), 0);
});

test('the order that squares off what became trade-for-trade is not held up by an exit of its client', () => {
  const { day, by } = heldAsItBecameTradeForTrade();
  day.squareOff('SharesWithContracts');
  const exit = day.world.place({ ...INTRADAY, by, side: 'S', units: 60, at: 1_400_00 });
  assert.equal(exit.status, 'Open');
  assert.equal(day.placeCounterOrders(), 1);
  assert.deepEqual([exit.status, netOf(day, by, RELIANCE.id)], ['Cancelled', 0]);
});

test('a position squared off for its losses is not kept by an exit at a far price', () => {
  const day = new Day();
  const by = day.world.user('AB1234', 1_25_000_00);
  day.quote(RELIANCE.id, 1_250);
  day.trade({ ...INTRADAY, by, side: 'B', units: 400, at: 1_250_00 });
  day.quote(RELIANCE.id, 900);
  day.world.submit({ type: 'CheckLosses' });
  const exit = day.world.place({ ...INTRADAY, by, side: 'S', units: 400, at: 1_200_00 });
  assert.deepEqual([day.world.account(by).lossStage, exit.status], ['SquaredOff', 'Open']);
  assert.equal(day.placeCounterOrders(), 1);
  assert.deepEqual([exit.status, netOf(day, by, RELIANCE.id)], ['Cancelled', 0]);
});
