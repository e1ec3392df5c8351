import assert from 'node:assert/strict';
import test from 'node:test';
import { must } from '../../../src/base/assert.ts';
import { quantity } from '../../../src/base/money.ts';
import { type EpochMs, MINUTE_MS } from '../../../src/base/time.ts';
import { positionKey } from '../../../src/core/account.ts';
import { availableMargin } from '../../../src/core/broker/account/funds.ts';
import { unfundedLooks } from '../../../src/core/broker/settlement/unfunded-delivery.ts';
import { netQuantity } from '../../../src/core/position.ts';
import { future, NIFTY, RELIANCE } from '../../kit/money/listed.ts';
import { CRORE, Day, ofType } from '../../kit/settlement/day.ts';
import {
  listed,
  RELIANCE_1240_CALL,
  RELIANCE_1250_CALL,
  RELIANCE_1280_PUT,
  RELIANCE_NEAR,
  SMALL,
} from '../../kit/settlement/expiring.ts';

/** On the morning of the expiry, with a call in the money that delivery would cost 6.2 lakh for. */
function withCall(cash: number): { day: Day; by: 0 } {
  const day = new Day();
  const by = day.world.user('AB1234', cash) as 0;
  day.quote(RELIANCE.id, 1_250);
  for (const { id } of [RELIANCE_1240_CALL, RELIANCE_1250_CALL, RELIANCE_1280_PUT]) day.quote(id, 25);
  day.trade({ by: by as never, of: RELIANCE_1240_CALL.id, side: 'B', units: 500, at: 25_00 });
  day.next();
  return { day, by };
}

function held(day: Day): number {
  const row = day.world.account(0 as never).positions.get(positionKey(RELIANCE_1240_CALL.id, 'M'));
  return row === undefined ? 0 : row.carriedBuyQuantity - row.daySellQuantity;
}

test('a call whose delivery the cash does not pay for is sold at the cut-off of the expiry day', () => {
  const { day } = withCall(4_00_000_00);
  const resting = day.world.place({ by: 0 as never, of: RELIANCE_1240_CALL.id, side: 'S', units: 500, at: 60_00 });
  const events = day.squareOff('UnfundedDeliveries');
  const [unfunded] = ofType(events, 'DeliveryUnfunded');
  assert.deepEqual([unfunded?.group, unfunded?.missing, unfunded?.needed], [RELIANCE.id, 0, 620_000_00]);
  assert.equal(resting.status, 'Cancelled');
  assert.equal(day.placeCounterOrders(), 1);
  assert.equal(held(day), 0);
});

test('a contract that is squared off for its delivery is only reduced, keeps its product, and has no other order', () => {
  const day = new Day();
  const { world, market } = day;
  const by = world.user('AB1234', 4_00_000_00);
  day.quote(RELIANCE.id, 1_250);
  day.quote(RELIANCE_NEAR.id, 1_250);
  day.next();
  const future = { by, of: RELIANCE_NEAR.id, units: 500 } as const;
  day.trade({ ...future, side: 'B', at: 1_250_00 });
  day.squareOff('UnfundedDeliveries');
  const net = (): number =>
    netQuantity(must(world.account(by).positions.get(positionKey(RELIANCE_NEAR.id, 'M')), 'it was traded'));
  assert.equal(world.refusal({ ...future, side: 'B', at: 1_200_00 }).rule, 'IntradayAfterSquareOff');
  const exit = world.place({ ...future, side: 'S', at: 1_300_00 });
  world.at = (world.at + MINUTE_MS) as EpochMs;
  market.quotes.set(RELIANCE_NEAR.id, { last: 1_250_00 });
  assert.equal(day.placeCounterOrders(), 1);
  assert.deepEqual([exit.status, net()], ['Cancelled', 500]);
  assert.equal(world.refusal({ ...future, side: 'S', at: 1_300_00 }).rule, 'IntradayAfterSquareOff');
  const { reply } = world.submit({
    type: 'ConvertPosition',
    account: by,
    instrument: RELIANCE_NEAR.id,
    from: 'M',
    to: 'I',
    quantity: quantity(500),
    side: 'B',
    age: 'day',
  });
  assert.deepEqual(reply.type === 'Refused' && reply.refusal, { rule: 'ConversionAfterSquareOff' });
  world.at = (world.at + MINUTE_MS) as EpochMs;
  market.quotes.set(RELIANCE_NEAR.id, { last: 1_250_00, bid: 1_250_00 });
  world.submit({ type: 'MoveMarket', instrument: RELIANCE_NEAR.id, tick: market.tickAt(world.at) });
  assert.deepEqual([net(), day.placeCounterOrders()], [0, 0]);
});

test('a call that is paid for is left to be delivered', () => {
  const { day } = withCall(CRORE);
  assert.deepEqual(ofType(day.squareOff('UnfundedDeliveries'), 'DeliveryUnfunded'), []);
  assert.equal(day.placeCounterOrders(), 0);
  assert.equal(held(day), 500);
});

/** The same call of 6.2 lakh beside a future of the next month, whose margin stays after the delivery. */
function beside(cash: number): { day: Day; margin: number } {
  const words = { token: 60_999, symbol: 'RELIANCELATER', lot: 500, freeze: 15_000 };
  const later = { ...future('NFO', NIFTY, words), underlying: RELIANCE.id, underlyingKind: 'equity' as const };
  const day = new Day({ instruments: { get: (id) => (id === later.id ? later : listed.get(id)) } });
  const by = day.world.user('AB1234', cash);
  day.quote(RELIANCE.id, 1_250);
  day.quote(RELIANCE_1240_CALL.id, 25);
  day.quote(later.id, 1_260);
  day.trade({ by, of: later.id, side: 'B', units: 500, at: 1_260_00 });
  const { span, exposure } = day.world.account(by).books;
  day.trade({ by, of: RELIANCE_1240_CALL.id, side: 'B', units: 500, at: 25_00 });
  day.next();
  return { day, margin: span + exposure };
}

test('margin that a later contract of the share needs pays for no delivery', () => {
  const { day, margin } = beside(7_00_000_00);
  const [unfunded] = ofType(day.squareOff('UnfundedDeliveries'), 'DeliveryUnfunded');
  const cash = 7_00_000_00 - 500 * 25_00;
  assert.deepEqual([unfunded?.needed, unfunded?.available], [620_000_00, cash - margin]);
  assert.equal(day.placeCounterOrders(), 1);
});

test('a delivery is paid for when the cash does so beside a later contract, with the margin of what expires', () => {
  const { day } = beside(8_00_000_00);
  assert.deepEqual(ofType(day.squareOff('UnfundedDeliveries'), 'DeliveryUnfunded'), []);
});

test('the margin of what is delivered pays for its delivery', () => {
  const day = new Day();
  const by = day.world.user('AB1234', 6_30_000_00);
  for (const { id } of [RELIANCE, RELIANCE_NEAR]) day.quote(id, 1_250);
  day.next();
  day.trade({ by, of: RELIANCE_NEAR.id, side: 'B', units: 500, at: 1_250_00 });
  assert.ok(availableMargin(day.world.account(by)) < 6_25_000_00, 'a margin is blocked for the future');
  assert.deepEqual(ofType(day.squareOff('UnfundedDeliveries'), 'DeliveryUnfunded'), []);
});

/** Whether a future carried at 1,250 is found unfunded when the share stands at `spot`, rupees both. */
function isUnfunded(cash: number, side: 'B' | 'S', spot: number): boolean {
  const day = new Day();
  const by = day.world.user('AB1234', cash);
  if (side === 'S') day.world.give(by, RELIANCE.id, 500, 500_000_00);
  for (const { id } of [RELIANCE, RELIANCE_NEAR]) day.quote(id, 1_250);
  day.trade({ by, of: RELIANCE_NEAR.id, side, units: 500, at: 1_250_00 });
  day.next();
  for (const { id } of [RELIANCE, RELIANCE_NEAR]) day.quote(id, spot);
  return ofType(day.squareOff('UnfundedDeliveries'), 'DeliveryUnfunded').length > 0;
}

test('the mark of a future is paid with its delivery, so its carried value has to be there', () => {
  const basis = 6_25_000_00;
  assert.equal(isUnfunded(basis, 'B', 1_300), false, 'its gain of 25,000 pays a part of the 6.5 lakh');
  assert.equal(isUnfunded(basis - 1, 'B', 1_300), true);
  assert.equal(isUnfunded(basis - 1, 'B', 1_200), true, 'the 6 lakh are there, the loss of 25,000 beside them is not');
  assert.equal(isUnfunded(basis, 'B', 1_200), false);
  assert.equal(isUnfunded(3_00_000_00, 'S', 1_300), false, 'the shares bring what the mark takes');
});

test('a purchase or a contract that comes into the money after a check counts at the next check, once', () => {
  const { day, by } = withCall(6_40_000_00);
  day.quote(RELIANCE_NEAR.id, 1_250);
  assert.equal(ofType(day.squareOff('UnfundedDeliveries'), 'SegmentSquaredOff').length, 1);
  assert.deepEqual(day.squareOff('UnfundedDeliveries'), []);
  const other = day.world.user('CD1234', 4_00_000_00);
  day.trade({ by: other, of: RELIANCE_NEAR.id, side: 'B', units: 500, at: 1_250_00 });
  const events = day.squareOff('UnfundedDeliveries');
  assert.deepEqual(
    ofType(events, 'DeliveryUnfunded').map(({ account }) => account),
    [other],
  );
  assert.deepEqual(ofType(events, 'SegmentSquaredOff'), []);
  assert.deepEqual([day.placeCounterOrders(), held(day)], [1, 500]);
  day.quote(SMALL.id, 100);
  day.trade({ by: by as never, of: SMALL.id, side: 'B', units: 200, at: 100_00, product: 'C' });
  assert.deepEqual(
    ofType(day.squareOff('UnfundedDeliveries'), 'DeliveryUnfunded').map(({ account }) => account),
    [by],
  );
  assert.deepEqual([day.placeCounterOrders(), held(day)], [1, 0]);
  assert.deepEqual(day.squareOff('UnfundedDeliveries'), []);
});

test('a call that comes into the money after the look is looked at, and no more once its trading is over', () => {
  for (const closed of [false, true]) {
    const { day } = withCall(4_00_000_00);
    day.quote(RELIANCE.id, 1_230);
    day.squareOff('UnfundedDeliveries');
    day.quote(RELIANCE.id, 1_250);
    if (closed) day.market.quotes.set(RELIANCE_1240_CALL.id, { last: 25_00, closed });
    const unfunded = ofType(day.squareOff('UnfundedDeliveries'), 'DeliveryUnfunded');
    assert.equal(unfunded.length, closed ? 0 : 1);
  }
});

test('collateral pays for no delivery', () => {
  const { day } = withCall(4_00_000_00);
  day.world.give(0 as never, RELIANCE.id, 1_000, 1_000_000_00);
  const { reply } = day.world.submit({
    type: 'PledgeShares',
    account: 0 as never,
    instrument: RELIANCE.id,
    quantity: 1_000 as never,
  });
  assert.equal(reply.type, 'Done');
  assert.equal(ofType(day.squareOff('UnfundedDeliveries'), 'DeliveryUnfunded').length, 1);
});

test('a call that is out of the money at the last price delivers nothing, and is left alone', () => {
  const { day } = withCall(4_00_000_00);
  day.quote(RELIANCE.id, 1_230);
  assert.deepEqual(ofType(day.squareOff('UnfundedDeliveries'), 'DeliveryUnfunded'), []);
});

test('a spread nets off before it is looked at, and a sale without shares is unfunded however much cash there is', () => {
  const day = new Day();
  const { world } = day;
  const [spread, naked, covered] = ['AB1234', 'CD1234', 'EF1234'].map((name) => world.user(name, CRORE));
  assert.ok(spread !== undefined && naked !== undefined && covered !== undefined);
  world.give(covered, RELIANCE.id, 500, 500_000_00);
  day.quote(RELIANCE.id, 1_260);
  for (const { id } of [RELIANCE_1240_CALL, RELIANCE_1250_CALL, RELIANCE_1280_PUT]) day.quote(id, 25);
  day.trade({ by: spread, of: RELIANCE_1240_CALL.id, side: 'B', units: 500, at: 25_00 });
  day.trade({ by: spread, of: RELIANCE_1250_CALL.id, side: 'S', units: 500, at: 25_00 });
  for (const by of [naked, covered]) {
    day.trade({ by, of: RELIANCE_1280_PUT.id, side: 'B', units: 500, at: 25_00 });
  }
  day.next();
  const unfunded = ofType(day.squareOff('UnfundedDeliveries'), 'DeliveryUnfunded');
  assert.deepEqual(
    unfunded.map(({ account, missing }) => [account, missing]),
    [[naked, 500]],
  );
});

/** Many accounts with a call each, every third of which cannot pay for its delivery, and an order that rests in it. */
function manyWithCalls(): Day {
  const day = new Day();
  day.quote(RELIANCE.id, 1_250);
  day.quote(RELIANCE_1240_CALL.id, 25);
  for (let user = 0; user < 2_500; user += 1) {
    const by = day.world.user(`USER${user}`, user % 3 === 0 ? 4_00_000_00 : CRORE);
    if (user % 250 === 0) day.trade({ by, of: RELIANCE_1240_CALL.id, side: 'B', units: 500, at: 25_00 });
  }
  day.next();
  return day;
}

test('looks at some accounts at a time find the deliveries that one look at all of them finds', () => {
  const whole = manyWithCalls();
  const found = ofType(whole.squareOff('UnfundedDeliveries'), 'DeliveryUnfunded');
  assert.deepEqual(
    found.map(({ account }) => account),
    [0, 750, 1_500, 2_250],
  );
  const parted = manyWithCalls();
  for (const { id } of parted.world.state.accounts) parted.world.state.active.add(id);
  const looks = [...unfundedLooks(parted.world.state)];
  assert.ok(looks.length > 1);
  const parts = looks.flatMap((look) => parted.world.submit(look).events);
  assert.deepEqual(ofType(parts, 'DeliveryUnfunded'), found);
  assert.equal(ofType(parts, 'SegmentSquaredOff').length, 1);
  assert.deepEqual(
    [...unfundedLooks(parted.world.state)].flatMap((look) => parted.world.submit(look).events),
    [],
    'a look that comes again, as after a stop between two, finds nothing more',
  );
});

test('a stop between two looks leaves the others to the next look, which finds the rest', () => {
  const { world } = manyWithCalls();
  for (const { id } of world.state.accounts) world.state.active.add(id);
  const [first] = unfundedLooks(world.state);
  assert.ok(first?.upTo !== undefined);
  const before = ofType(world.submit(first).events, 'DeliveryUnfunded');
  const after = [...unfundedLooks(world.state)].flatMap((look) => world.submit(look).events);
  assert.deepEqual(
    [...before, ...ofType(after, 'DeliveryUnfunded')].map(({ account }) => account),
    [0, 750, 1_500, 2_250],
  );
});
