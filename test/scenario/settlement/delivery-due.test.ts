import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId } from '../../../src/base/ids.ts';
import { paise, price, quantity } from '../../../src/base/money.ts';
import { HOUR_MS, istInstant, MINUTE_MS } from '../../../src/base/time.ts';
import { withdrawable } from '../../../src/core/broker/account/funds.ts';
import { orderMargin } from '../../../src/core/broker/trials/basket-margin.ts';
import type { Derivative } from '../../../src/core/instrument.ts';
import type { Side } from '../../../src/core/order.ts';
import type { Refusal } from '../../../src/core/refusals/refusal.ts';
import { RELIANCE } from '../../kit/money/listed.ts';
import { CRORE, Day, ofType } from '../../kit/settlement/day.ts';
import { RELIANCE_1240_CALL, RELIANCE_1280_PUT, RELIANCE_NEAR, SMALL } from '../../kit/settlement/expiring.ts';

const OPTIONS = [RELIANCE_1240_CALL, RELIANCE_1280_PUT];
const DELIVERY = 500 * 1_240_00;

interface Held {
  readonly cash?: number;
  readonly shares?: number;
  /** Shares bought on the day before. */
  readonly bought?: number;
  readonly side?: Side;
  readonly of?: Derivative;
  readonly charged?: boolean;
}

/** The morning of the expiry, with one lot of a contract on RELIANCE at 1,255, which is in the money. */
function expiring({
  cash = 6_50_000_00,
  shares = 0,
  bought = 0,
  side = 'B',
  of = RELIANCE_1240_CALL,
  charged,
}: Held = {}) {
  const day = charged ? Day.charged() : new Day();
  const { world } = day;
  for (const [{ id }, rupees] of [...OPTIONS.map((option) => [option, 15] as const), [RELIANCE, 1_255] as const]) {
    day.quote(id, rupees);
  }
  day.quote(RELIANCE_NEAR.id, 1_255);
  day.quote(SMALL.id, 100);
  const by = world.user('AB1234', cash);
  if (shares > 0) world.give(by, RELIANCE.id, shares, shares * 1_000_00);
  day.trade({ by, of: of.id, side, units: 500, at: of === RELIANCE_NEAR ? 1_255_00 : 15_00 });
  if (bought > 0) day.trade({ by, of: RELIANCE.id, side: 'B', units: bought, at: 1_255_00, product: 'C' });
  day.next();
  return { day, world, by, ask: asker(day) };
}

function asker(day: Day) {
  return (command: Parameters<Day['world']['submit']>[0]): Refusal | string => {
    const { reply } = day.world.submit(command);
    day.check();
    return reply.type === 'Refused' ? reply.refusal : reply.type;
  };
}

/** The cut-off of unpaid deliveries, and then the end of the contracts' trading. */
function stopTrading(day: Day): void {
  const { state } = day.world;
  day.world.at = istInstant(state.day, 14.5 * HOUR_MS);
  assert.deepEqual(ofType(day.squareOff('UnfundedDeliveries'), 'DeliveryUnfunded'), []);
  day.world.at = istInstant(state.day, 15 * HOUR_MS + 41 * MINUTE_MS);
  for (const { id } of [...OPTIONS, RELIANCE_NEAR]) {
    const quote = day.market.quotes.get(id);
    if (quote !== undefined) day.market.quotes.set(id, { ...quote, closed: true });
  }
}

function payOut(account: AccountId, amount: number) {
  return { type: 'PayOutCash', account, amount: paise(amount) } as const;
}

test('a pay-out on the expiry day leaves the cash that a delivery will take, before and after its contract trades', () => {
  for (const over of [false, true]) {
    const { day, world, by, ask } = expiring();
    if (over) stopTrading(day);
    const free = 6_50_000_00 - 500 * 15_00 - DELIVERY;
    assert.deepEqual(ask(payOut(by, free + 1)), { rule: 'AboveWithdrawable', amount: free + 1, withdrawable: free });
    assert.equal(ask(payOut(by, free)), 'Done');
    day.next();
    assert.deepEqual([day.cash(by), world.account(by).holdings.get(RELIANCE.isin)?.unsettled], [0, 500]);
  }
});

test('a pay-out leaves the charges of the delivery too', () => {
  const { day, by, ask } = expiring({ charged: true });
  stopTrading(day);
  const refusal = ask(payOut(by, CRORE));
  assert.ok(typeof refusal !== 'string' && refusal.rule === 'AboveWithdrawable');
  assert.equal(ask(payOut(by, refusal.withdrawable)), 'Done');
  day.next();
  assert.equal(day.cash(by), 0);
});

test('the margin of a delivered future pays for its delivery, and its loss is not taken twice', () => {
  for (const spot of [1_255, 1_200]) {
    const { day, by, ask } = expiring({ cash: 7_00_000_00, of: RELIANCE_NEAR });
    for (const { id } of [RELIANCE, RELIANCE_NEAR]) day.quote(id, spot);
    stopTrading(day);
    const free = 7_00_000_00 - 500 * 1_255_00;
    assert.equal(withdrawable(day.world.account(by)) < 7_00_000_00, true, 'a margin is blocked');
    assert.deepEqual(ask(payOut(by, free + 1)), { rule: 'AboveWithdrawable', amount: free + 1, withdrawable: free });
    assert.equal(ask(payOut(by, free)), 'Done');
    day.next();
    assert.equal(day.cash(by), 0);
  }
});

test('a contract out of the money holds no cash back', () => {
  const { day, by, ask } = expiring();
  day.quote(RELIANCE.id, 1_230);
  stopTrading(day);
  assert.equal(ask(payOut(by, 6_50_000_00 - 500 * 15_00)), 'Done');
  day.next();
  assert.equal(day.cash(by), 0);
});

test('the settlement price says which contracts deliver once they are over, not the price of the share since', () => {
  const { day, by, ask } = expiring();
  stopTrading(day);
  Object.assign(day.market, { settlementPrice: () => price(1_255_00) });
  day.quote(RELIANCE.id, 1_230);
  const refusal = ask(payOut(by, 6_50_000_00 - 500 * 15_00));
  assert.equal(typeof refusal !== 'string' && refusal.rule, 'AboveWithdrawable');
});

function pledge(account: AccountId, units: number) {
  return { type: 'PledgeShares', account, instrument: RELIANCE.id, quantity: quantity(units) } as const;
}

test('shares that a short call will deliver are not pledged on its expiry day', () => {
  for (const over of [false, true]) {
    const { day, by, ask } = expiring({ cash: CRORE, shares: 700, side: 'S' });
    if (over) stopTrading(day);
    assert.deepEqual(ask(pledge(by, 201)), { rule: 'NotEnoughToPledge', quantity: 201, free: 200 });
    assert.equal(ask(pledge(by, 200)), 'Done');
    const settled = ofType(day.next(), 'PositionSettled').map(({ reason }) => reason);
    assert.deepEqual(settled, ['Assignment', 'PhysicalSettlement']);
  }
});

test('unsettled shares are delivered before settled ones are kept from a pledge', () => {
  const { world, by, ask, day } = expiring({ cash: CRORE, shares: 500, side: 'S', bought: 300 });
  assert.equal(world.account(by).holdings.get(RELIANCE.isin)?.unsettled, 300);
  assert.deepEqual(ask(pledge(by, 301)), { rule: 'NotEnoughToPledge', quantity: 301, free: 300 });
  assert.equal(ask(pledge(by, 300)), 'Done');
  assert.equal(ofType(day.next(), 'PositionSettled').length, 2);
});

test('shares that a contract will deliver are not sold once it no longer trades', () => {
  const { day, world, by } = expiring({ cash: CRORE, shares: 700, side: 'S' });
  const sale = { by, of: RELIANCE.id, side: 'S', units: 201, at: 1_255_00, product: 'C' } as const;
  stopTrading(day);
  assert.deepEqual(world.refusal(sale), { rule: 'NotEnoughHoldings', eligible: 200, quantity: 201 });
  day.trade({ ...sale, units: 200 });
  assert.deepEqual(ofType(day.next(), 'PositionSettled').length, 2);
});

test('shares may be sold while the contract that would deliver them trades: it is squared off', () => {
  const { day, by } = expiring({ cash: CRORE, shares: 500, side: 'S' });
  day.trade({ by, of: RELIANCE.id, side: 'S', units: 500, at: 1_255_00, product: 'C' });
  assert.equal(ofType(day.squareOff('UnfundedDeliveries'), 'DeliveryUnfunded').length, 1);
});

test('shares that a contract will deliver do not become intraday, and cover no short sale', () => {
  const { day, world, by, ask } = expiring({ cash: CRORE, side: 'S', of: RELIANCE_1240_CALL });
  day.trade({ by, of: RELIANCE.id, side: 'B', units: 600, at: 1_255_00, product: 'C' });
  stopTrading(day);
  const words = { type: 'ConvertPosition', account: by, instrument: RELIANCE.id, age: 'day' } as const;
  const away = { ...words, from: 'C', to: 'I', side: 'B' } as const;
  assert.deepEqual(ask({ ...away, quantity: quantity(101) }), {
    rule: 'ConversionAbovePosition',
    quantity: 101,
    held: 100,
  });
  assert.equal(ask({ ...away, quantity: quantity(100) }), 'PositionConverted');
  world.place({ by, of: RELIANCE.id, side: 'S', units: 101, at: 1_255_00, product: 'I' });
  const cover = { ...words, from: 'I', to: 'C', side: 'S', quantity: quantity(1) } as const;
  assert.deepEqual(ask(cover), { rule: 'NotEnoughHoldings', eligible: 0, quantity: 1 });
});

const LEFT = 6_50_000_00 - 500 * 15_00 - DELIVERY;

test('the cash for a delivery pays for no order and no conversion once its contract no longer trades', () => {
  const { day, world, by, ask } = expiring();
  const buy = { by, of: SMALL.id, side: 'B', at: 100_00, product: 'C' } as const;
  stopTrading(day);
  assert.deepEqual(world.refusal({ ...buy, units: 226 }), {
    rule: 'MarginShortfall',
    required: 22_600_00,
    available: LEFT,
  });
  const terms = {
    priceType: 'LMT',
    quantity: quantity(226),
    price: price(100_00),
    trigger: price(0),
    retention: 'DAY',
  } as const;
  const question = { instrument: SMALL.id, side: 'B', product: 'C', terms } as const;
  assert.equal(orderMargin(world.state, world.portsNow(), world.account(by), question).available, LEFT);
  day.trade({ ...buy, units: 226, product: 'I' });
  const converted = { type: 'ConvertPosition', account: by, instrument: SMALL.id, from: 'I', to: 'C' } as const;
  const refusal = ask({ ...converted, side: 'B', age: 'day', quantity: quantity(226) });
  assert.equal(typeof refusal !== 'string' && refusal.rule, 'MarginShortfall');
  day.trade({ by, of: SMALL.id, side: 'S', units: 1, at: 100_00, product: 'I' });
  assert.equal(ask({ ...converted, side: 'B', age: 'day', quantity: quantity(225) }), 'PositionConverted');
  day.next();
  assert.equal(day.cash(by), 0);
});

test('collateral beside the cash for a delivery pays for no delivery either', () => {
  const { day, world, by, ask } = expiring({ shares: 1_000 });
  assert.equal(ask(pledge(by, 1_000)), 'Done');
  const buy = { by, of: SMALL.id, side: 'B', at: 100_00, product: 'C' } as const;
  stopTrading(day);
  assert.deepEqual(world.refusal({ ...buy, units: 226 }), { rule: 'CollateralNotAllowed', shortfall: 100_00 });
  day.trade({ ...buy, units: 225 });
  day.next();
  assert.equal(day.cash(by), 0);
});
