import assert from 'node:assert/strict';
import test from 'node:test';
import { instrumentId } from '../../../src/base/ids.ts';
import { quantity } from '../../../src/base/money.ts';
import { positionKey } from '../../../src/core/account.ts';
import { closingSteps } from '../../../src/core/broker/settlement/counter-orders.ts';
import type { Event } from '../../../src/core/event.ts';
import { ordersOf } from '../../../src/core/query.ts';
import { NIFTY_FUTURE, RELIANCE, RELIANCE_BSE } from '../../kit/money/listed.ts';
import { CRORE, Day, ofType } from '../../kit/settlement/day.ts';
import { listed, NIFTY_NEAR, SMALL } from '../../kit/settlement/expiring.ts';
import { reloaded } from '../../kit/stored-state.ts';

const THOUSAND_CRORE = 1_000 * CRORE;

function netOf(day: Day, account: number, instrument: number, product: 'C' | 'M' | 'I'): number {
  const row = day.world.account(account as never).positions.get(positionKey(instrument as never, product));
  return row === undefined ? 0 : row.dayBuyQuantity - row.daySellQuantity;
}

test('at the cut-off pending intraday orders go, and protected market orders close what is open', () => {
  const day = new Day();
  const by = day.world.user('AB1234', CRORE);
  day.quote(RELIANCE.id, 1_260);
  day.trade({ by, of: RELIANCE.id, side: 'B', units: 100, at: 1_260_00, product: 'I' });
  day.trade({ by, of: RELIANCE.id, side: 'S', units: 40, at: 1_260_00, product: 'M' });
  day.trade({ by, of: RELIANCE.id, side: 'B', units: 10, at: 1_260_00, product: 'C' });
  const resting = day.world.place({ by, of: RELIANCE.id, side: 'B', units: 5, at: 1_200_00, product: 'I' });
  const delivery = day.world.place({ by, of: RELIANCE.id, side: 'B', units: 5, at: 1_200_00, product: 'C' });
  const events = day.squareOff('SharesWithContracts');
  assert.deepEqual(
    ofType(events, 'OrderCancelled').map(({ order, reason }) => [order, reason]),
    [[resting.number, 'SquareOff']],
  );
  assert.equal(delivery.status, 'Open', 'deliveries are not squared off');
  assert.equal(day.placeCounterOrders(), 2);
  assert.deepEqual(
    (['I', 'M', 'C'] as const).map((product) => netOf(day, by, RELIANCE.id, product)),
    [0, 0, 10],
  );
  const placed = ordersOf(day.world.state, day.world.account(by)).filter(({ squareOff }) => squareOff);
  assert.deepEqual(
    placed.map(({ side, product, remarks, terms }) => [side, product, remarks, terms.priceType, terms.price]),
    [
      ['B', 'M', 'System square off', 'MKT', 1_266_30],
      ['S', 'I', 'System square off', 'MKT', 1_253_70],
    ],
  );
  assert.equal(day.placeCounterOrders(), 0, 'what is closed is not closed again');
});

test('a segment is squared off once, and only what belongs to it', () => {
  const day = new Day();
  const by = day.world.user('AB1234', CRORE);
  day.quote(SMALL.id, 800);
  day.quote(RELIANCE.id, 1_260);
  day.quote(NIFTY_FUTURE.id, 24_000);
  day.quote(NIFTY_NEAR.id, 24_000);
  for (const { id } of [SMALL, RELIANCE]) {
    day.trade({ by, of: id, side: 'B', units: 10, at: id === SMALL.id ? 800_00 : 1_260_00, product: 'I' });
  }
  for (const { id } of [NIFTY_FUTURE, NIFTY_NEAR]) {
    day.trade({ by, of: id, side: 'B', units: 65, at: 24_000_00, product: 'I' });
  }
  const open = () => [RELIANCE, NIFTY_FUTURE, SMALL].map(({ id }) => netOf(day, by, id, 'I'));
  assert.equal(day.squareOff('OtherShares').length > 0, true);
  assert.deepEqual(day.squareOff('OtherShares'), []);
  day.placeCounterOrders();
  assert.deepEqual(open(), [10, 65, 0]);
  day.squareOff('Contracts');
  day.placeCounterOrders();
  assert.deepEqual(open(), [10, 0, 0]);
  assert.equal(netOf(day, by, NIFTY_NEAR.id, 'I'), 0, 'it does not expire today, so it goes with the contracts');
});

test('a contract that expires on the day is squared off with those that do, and not with the others', () => {
  const day = new Day();
  const by = day.world.user('AB1234', CRORE);
  day.world.nextDay();
  for (const { id } of [NIFTY_FUTURE, NIFTY_NEAR]) {
    day.quote(id, 24_000);
    day.trade({ by, of: id, side: 'B', units: 65, at: 24_000_00, product: 'I' });
  }
  const open = () => [NIFTY_FUTURE, NIFTY_NEAR].map(({ id }) => netOf(day, by, id, 'I'));
  day.squareOff('ExpiringContracts');
  day.placeCounterOrders();
  assert.deepEqual(open(), [65, 0]);
  day.squareOff('Contracts');
  day.placeCounterOrders();
  assert.deepEqual(open(), [0, 0]);
});

test('large positions are closed in chunks: 30,000 shares, and whole lots within the freeze quantity', () => {
  const day = new Day();
  const by = day.world.user('AB1234', THOUSAND_CRORE);
  day.market.quotes.set(RELIANCE.id, { bid: 1_00, ask: 1_00, last: 1_00, size: 10_000_000 });
  day.quote(NIFTY_FUTURE.id, 24_000);
  day.trade({ by, of: RELIANCE.id, side: 'B', units: 70_000, at: 1_00, product: 'I' });
  for (let lots = 0; lots < 3; lots += 1) {
    day.trade({ by, of: NIFTY_FUTURE.id, side: 'S', units: 1_755, at: 24_000_00, product: 'I' });
  }
  day.squareOff('SharesWithContracts');
  day.squareOff('Contracts');
  assert.equal(day.placeCounterOrders(), 6);
  const placed = ordersOf(day.world.state, day.world.account(by)).filter(({ squareOff }) => squareOff);
  assert.deepEqual(
    placed.map(({ side, terms }) => `${side} ${terms.quantity}`),
    ['B 1755', 'B 1755', 'B 1755', 'S 30000', 'S 30000', 'S 10000'],
    'purchases come first',
  );
});

test('units that are not a whole lot any more, since a file has given another, are not sent out to be refused', () => {
  let lot = quantity(10);
  const day = new Day({ instruments: { get: (id) => (id === SMALL.id ? { ...SMALL, lot } : listed.get(id)) } });
  const by = day.world.user('AB1234', CRORE);
  day.quote(SMALL.id, 800);
  day.trade({ by, of: SMALL.id, side: 'B', units: 50, at: 800_00, product: 'I' });
  lot = quantity(40);
  day.squareOff('OtherShares');
  assert.equal(day.placeCounterOrders(), 1);
  assert.equal(netOf(day, by, SMALL.id, 'I'), 10);
  assert.equal(day.placeCounterOrders(), 0);
});

test('a lot that is larger than a chunk is closed by itself', () => {
  const large = { ...SMALL, id: instrumentId('NSE', 48_000), token: 48_000, lot: quantity(48_000) };
  const day = new Day({ instruments: { get: (id) => (id === large.id ? large : listed.get(id)) } });
  const by = day.world.user('AB1234', CRORE);
  day.market.quotes.set(large.id, { bid: 40, ask: 40, last: 40, size: 10_000_000 });
  day.trade({ by, of: large.id, side: 'B', units: 96_000, at: 40, product: 'I' });
  day.squareOff('OtherShares');
  assert.equal(day.placeCounterOrders(), 2);
  assert.equal(netOf(day, by, large.id, 'I'), 0);
});

test('an order that closes is admitted without money, above the value cap, and unhedging', () => {
  const day = new Day();
  const by = day.world.user('AB1234', 30 * CRORE);
  day.market.quotes.set(RELIANCE.id, { bid: 5_000_00, ask: 5_000_00, last: 5_000_00, size: 1_000_000 });
  for (let orders = 0; orders < 2; orders += 1) {
    day.trade({ by, of: RELIANCE.id, side: 'B', units: 19_000, at: 5_000_00, product: 'I' });
  }
  day.market.quotes.set(RELIANCE.id, { bid: 4_000_00, ask: 4_000_00, last: 4_000_00, size: 1_000_000 });
  day.squareOff('SharesWithContracts');
  assert.equal(day.placeCounterOrders(), 2);
  assert.equal(netOf(day, by, RELIANCE.id, 'I'), 0);
});

test('after the cut-off nothing is opened intraday or converted to it, and exits are still taken', () => {
  const day = new Day();
  const { world } = day;
  const by = world.user('AB1234', CRORE);
  day.quote(RELIANCE.id, 1_260);
  day.trade({ by, of: RELIANCE.id, side: 'B', units: 100, at: 1_260_00, product: 'I' });
  day.trade({ by, of: RELIANCE.id, side: 'B', units: 10, at: 1_260_00, product: 'C' });
  day.squareOff('SharesWithContracts');
  assert.equal(
    world.refusal({ by, of: RELIANCE.id, side: 'B', units: 1, at: 1_260_00, product: 'I' }).rule,
    'IntradayAfterSquareOff',
  );
  const conversion = world.submit({
    type: 'ConvertPosition',
    account: by,
    instrument: RELIANCE.id,
    from: 'C',
    to: 'I',
    quantity: 10 as never,
    side: 'B',
    age: 'day',
  });
  assert.deepEqual(conversion.reply.type === 'Refused' && conversion.reply.refusal, {
    rule: 'ConversionAfterSquareOff',
  });
  day.trade({ by, of: RELIANCE.id, side: 'S', units: 60, at: 1_260_00, product: 'I' });
  assert.equal(day.placeCounterOrders(), 1);
  assert.equal(netOf(day, by, RELIANCE.id, 'I'), 0);
  day.next();
  day.trade({ by, of: RELIANCE.id, side: 'B', units: 1, at: 1_260_00, product: 'I' });
});

test('each executed order of a square-off costs 50 rupees and 18 % tax, beside its charges', () => {
  const fee = (squaredOff: boolean): number => {
    const day = Day.charged();
    const by = day.world.user('AB1234', CRORE);
    day.quote(RELIANCE.id, 1_000);
    day.trade({ by, of: RELIANCE.id, side: 'B', units: 100, at: 1_000_00, product: 'I' });
    if (squaredOff) {
      day.squareOff('SharesWithContracts');
      day.placeCounterOrders();
    } else day.trade({ by, of: RELIANCE.id, side: 'S', units: 100, at: 1_000_00, product: 'I' });
    day.next();
    return CRORE - day.cash(by);
  };
  assert.equal(fee(true) - fee(false), 59_00);
});

test('a market that takes nothing leaves contracts carried and shares delivered', () => {
  const day = new Day();
  const { world } = day;
  const by = world.user('AB1234', CRORE);
  day.quote(RELIANCE.id, 1_260);
  day.quote(NIFTY_FUTURE.id, 24_000);
  day.trade({ by, of: RELIANCE.id, side: 'B', units: 100, at: 1_260_00, product: 'I' });
  day.trade({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 24_000_00, product: 'I' });
  day.market.quotes.set(RELIANCE.id, { last: 1_260_00, close: 1_260_00 });
  day.market.quotes.set(NIFTY_FUTURE.id, { last: 24_000_00, close: 24_000_00 });
  day.squareOff('SharesWithContracts');
  day.squareOff('Contracts');
  assert.equal(day.placeCounterOrders(), 2);
  assert.equal(day.placeCounterOrders(), 0, 'they rest, and are not placed twice');
  const events = day.next();
  assert.equal(ofType(events, 'OrderCancelled').length, 2);
  assert.deepEqual(
    ofType(events, 'PositionConverted').map(({ from, to, quantity }) => [from, to, quantity]),
    [
      ['I', 'C', 100],
      ['I', 'M', 65],
    ],
  );
  const { holdings, positions } = world.account(by);
  assert.equal(holdings.get(RELIANCE.isin)?.unsettled, 100);
  assert.equal(positions.get(positionKey(NIFTY_FUTURE.id, 'M'))?.carriedBuyQuantity, 65);
  assert.equal(positions.size, 1);
});

test('a closed market gets no orders until it is open again', () => {
  const day = new Day();
  const by = day.world.user('AB1234', CRORE);
  day.quote(RELIANCE.id, 1_260);
  day.trade({ by, of: RELIANCE.id, side: 'B', units: 100, at: 1_260_00, product: 'I' });
  day.market.quotes.set(RELIANCE.id, { last: 1_260_00, closed: true });
  day.squareOff('SharesWithContracts');
  assert.equal(day.placeCounterOrders(), 0);
  day.quote(RELIANCE.id, 1_260);
  assert.equal(day.placeCounterOrders(), 1);
});

test('a share sold short that could not be bought back is delivered from holdings, and bought in beyond them', () => {
  const day = new Day();
  const { world } = day;
  const by = world.user('AB1234', CRORE);
  world.give(by, RELIANCE.id, 30, 30_000_00);
  day.quote(RELIANCE.id, 1_000);
  day.quote(RELIANCE_BSE.id, 1_000);
  day.trade({ by, of: RELIANCE.id, side: 'S', units: 20, at: 1_000_00, product: 'I' });
  day.trade({ by, of: RELIANCE_BSE.id, side: 'S', units: 25, at: 1_000_00, product: 'I' });
  day.market.quotes.set(RELIANCE.id, { last: 1_100_00, close: 1_100_00, bid: 1_100_00 });
  day.market.quotes.set(RELIANCE_BSE.id, { last: 1_100_00, close: 1_100_00, bid: 1_100_00 });
  day.squareOff('SharesWithContracts');
  const events = day.next();
  const converted = ofType(events, 'PositionConverted').map(({ quantity }) => quantity as number);
  assert.equal(
    converted.reduce((sum, units) => sum + units, 0),
    30,
    'two listings share one holding',
  );
  const closed = ofType(events, 'PositionSettled').map(({ quantity, price, reason }) => [quantity, price, reason]);
  assert.deepEqual(closed, [[15, 1_320_00, 'CloseOut']]);
  assert.equal(world.account(by).holdings.size, 0);
  assert.equal(day.cash(by), CRORE + 45 * 1_000_00 - 15 * 1_320_00);
});

test('a service that was away at the cut-off buys a short sale in at the close', () => {
  const day = new Day();
  const by = day.world.user('AB1234', CRORE);
  day.quote(RELIANCE.id, 1_000);
  day.trade({ by, of: RELIANCE.id, side: 'S', units: 20, at: 1_000_00, product: 'I' });
  day.quote(RELIANCE.id, 1_010);
  const events = day.next();
  assert.deepEqual(
    ofType(events, 'PositionSettled').map(({ price }) => price),
    [1_010_00],
  );
  assert.equal(day.cash(by), CRORE - 20 * 10_00);
});

test('a look at very many accounts has pauses, also where nothing is to be closed', () => {
  const day = new Day();
  const { world } = day;
  for (let user = 0; user < 2_000; user += 1) world.state.watched.add(world.user(`USER${user}`, CRORE));
  day.squareOff('Contracts');
  const steps = [...closingSteps(world.state, day.desk())];
  assert.ok(steps.length >= 12, `${steps.length} steps`);
  assert.ok(steps.every((step) => step.length === 0));
});

test('a search for orders goes on behind the last order that it looked at, over a snapshot too', () => {
  const day = new Day({ portions: { accounts: Number.POSITIVE_INFINITY, work: Number.POSITIVE_INFINITY, orders: 3 } });
  const { world } = day;
  const by = world.user('AB1234', CRORE);
  day.quote(RELIANCE.id, 1_260);
  const place = (product: 'I' | 'C') =>
    world.place({ by, of: RELIANCE.id, side: 'B', units: 1, at: 1_200_00, product }).number;
  const numbers = (['C', 'C', 'I', 'C', 'C', 'C', 'I', 'I', 'C', 'C'] as const).map(place);
  const cancelledOf = (events: readonly Event[]) => ofType(events, 'OrderCancelled').map(({ order }) => order);
  const records = [day.squareOff('SharesWithContracts')];
  while (world.state.portion !== undefined) {
    const { number } = world.state.portion;
    world.state = reloaded(world.state);
    const { day: today } = world.state;
    records.push(
      world.submit({ type: 'SquareOff', day: today, segment: 'SharesWithContracts', portion: number }).events,
    );
    day.check();
  }
  assert.deepEqual(records.map(cancelledOf), [[numbers[2]], [], [numbers[6], numbers[7]], []]);
  assert.deepEqual(
    records.map((events) => ofType(events, 'PortionDone').map(({ after }) => after)),
    [[numbers[2]], [numbers[5]], [numbers[8]], [undefined]],
  );
  const live = Array.from(world.state.orders.live(), ({ product }) => product);
  assert.deepEqual(live, ['C', 'C', 'C', 'C', 'C', 'C', 'C']);
});
