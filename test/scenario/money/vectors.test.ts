import assert from 'node:assert/strict';
import test from 'node:test';
import { averagePriceHalfUp, price, quantity } from '../../../src/base/money.ts';
import type { ModifyOrder } from '../../../src/core/command.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import type { Order } from '../../../src/core/order.ts';
import { holdingsOf, limitsOf, positionFigures, positionsOf } from '../../../src/core/query.ts';
import { refusalText } from '../../../src/core/refusals/refusal-text.ts';
import {
  BANKNIFTY_FUTURE,
  FIRST_DAY,
  listed,
  NIFTY,
  NIFTY_CALL,
  NIFTY_FUTURE,
  PAYTM,
  RELIANCE,
  SENSEX_FUTURE,
} from '../../kit/money/listed.ts';
import { type Quote, StillMarket } from '../../kit/money/still-market.ts';
import { World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';

const CRORE = 1_000_000_000;

function open(quotes: readonly (readonly [{ readonly id: Order['instrument'] }, Quote])[]) {
  const market = new StillMarket();
  for (const [{ id }, quote] of quotes) market.quotes.set(id, quote);
  const ports = testPorts({ market });
  const world = new World(ports, FIRST_DAY);
  return { market, world, check: () => checkInvariants(world.state, ports) };
}

function modification(order: Order, words: Partial<Order['terms']>, protection?: number): ModifyOrder {
  return {
    type: 'ModifyOrder',
    account: order.account,
    order: order.number,
    terms: { ...order.terms, ...words },
    ...(protection === undefined ? {} : { protection }),
  };
}

test('vector 1: an option order is refused off its tick, off its lot and above its freeze quantity', () => {
  const { world } = open([[NIFTY_CALL, { bid: 99_95, ask: 100_05, last: 100_00 }]]);
  const by = world.user('AB1234', 100 * CRORE);
  const refuse = (units: number, at: number) =>
    refusalText(world.refusal({ by, of: NIFTY_CALL.id, side: 'B', units, at }), { userId: 'AB1234' });
  assert.equal(refuse(65, 100_03), '16283:The order price is not multiple of the tick size.');
  assert.equal(refuse(64, 100_00), '16328:Quantity is not a multiple of regular lot.');
  assert.equal(refuse(1_885, 100_00), 'RED:Freeze qty Set:1800 Current:1885 for C-AB1234 [ONLINE]');
});

test('vector 2: the freeze quantity itself is accepted, more is not', () => {
  const { world } = open([
    [BANKNIFTY_FUTURE, { bid: 57_800_00, ask: 57_801_00, last: 57_800_00 }],
    [SENSEX_FUTURE, { bid: 81_000_00, ask: 81_001_00, last: 81_000_00 }],
  ]);
  const by = world.user('AB1234', 1_000 * CRORE);
  for (const [of, last, most, above] of [
    [BANKNIFTY_FUTURE.id, 57_700_00, 600, 630],
    [SENSEX_FUTURE.id, 80_900_00, 1_000, 1_020],
  ] as const) {
    assert.equal(world.place({ by, of, side: 'B', units: most, at: last }).status, 'Open');
    assert.equal(world.refusal({ by, of, side: 'B', units: above, at: last }).rule, 'AboveFreezeQuantity');
  }
});

test('vector 3: a delivery sale uses the shares that are held and no more, from its entry on', () => {
  const { world, check } = open([[RELIANCE, { bid: 1_259_00, ask: 1_261_00, last: 1_260_00 }]]);
  const by = world.user('AB1234', 0);
  const sale = { by, of: RELIANCE.id, side: 'S', at: 1_300_00, product: 'C' } as const;
  const say = (units: number) => refusalText(world.refusal({ ...sale, units }), { userId: 'GH1695' });
  assert.equal(say(1), 'RED:RULE:{Check Holdings Including BTST except t2t}No Holdings uploaded for C-GH1695 [ONLINE]');
  world.give(by, RELIANCE.id, 95, 95 * 1_000_00);
  assert.equal(say(96), 'RED:RULE:{Check Holdings Including BTST}Eligible Sell:95');
  const resting = world.place({ ...sale, units: 95 });
  assert.equal(resting.status, 'Open');
  assert.equal(holdingsOf(world.account(by), listed)[0]?.used, 95);
  assert.equal(say(1), 'RED:RULE:{Check Holdings Including BTST}Eligible Sell:0');
  world.submit({ type: 'CancelOrder', account: by, order: resting.number });
  assert.equal(holdingsOf(world.account(by), listed)[0]?.used, 0);
  check();
});

test('vector 4: the margin text names the shortfall and what there is', () => {
  const { world } = open([[PAYTM, { bid: 4_378_00, ask: 4_379_00, last: 4_378_00 }]]);
  const by = world.user('GH1695', 77_09);
  const refusal = world.refusal({ by, of: PAYTM.id, side: 'B', units: 1, at: 4_378_77, product: 'C' });
  assert.deepEqual(refusal, { rule: 'MarginShortfall', required: 4_378_77, available: 77_09 });
  assert.equal(
    refusalText(refusal, { userId: 'GH1695' }),
    'RED:Margin Shortfall:INR 4,301.68 Available:INR 77.09 for C-GH1695 [ONLINE]',
  );
});

test('vector 5 in part: a sell stop with a limit above its trigger is refused', () => {
  const { world } = open([[RELIANCE, { bid: 899_00, ask: 901_00, last: 900_00 }]]);
  const by = world.user('AB1234', CRORE);
  const refusal = world.refusal({
    by,
    of: RELIANCE.id,
    side: 'S',
    units: 1,
    at: 851_00,
    trigger: 850_00,
    type: 'SL-LMT',
    product: 'I',
  });
  assert.equal(refusalText(refusal, { userId: 'AB1234' }), '16315:The limit price is worse than the trigger price.');
});

test('vector 7: the edges of the band are inside it', () => {
  const { world } = open([[RELIANCE, { bid: 425_00, ask: 426_00, last: 425_40, band: [404_15, 446_65] }]]);
  const by = world.user('AB1234', CRORE);
  const order = (at: number) => ({ by, of: RELIANCE.id, side: 'B', units: 1, at, product: 'C' }) as const;
  assert.equal(world.place(order(404_15)).status, 'Open');
  assert.equal(world.place(order(446_65)).status, 'Complete');
  assert.equal(
    refusalText(world.refusal(order(446_70)), { userId: 'AB1234' }),
    'RED:RULE:{Check circuit limit including square off order}Current:INR 446.70 LowerCircuit:INR 404.15 ' +
      'UpperCircuit:INR 446.65:NSE.RELIANCE-EQ for C-AB1234 [ONLINE]',
  );
  assert.equal(world.refusal(order(404_10)).rule, 'OutsidePriceBand');
});

test('vector 10: a smaller quantity keeps the place in the queue, a larger one and another price do not', () => {
  const { world, check } = open([[RELIANCE, { bid: 850_00, ask: 850_40, size: 40, last: 850_00 }]]);
  const by = world.user('AB1234', CRORE);
  const order = world.place({ by, of: RELIANCE.id, side: 'B', units: 100, at: 849_00, product: 'C' });
  const keeps = (words: Partial<Order['terms']>) => {
    const { events, reply } = world.submit(modification(order, words));
    assert.equal(reply.type, 'OrderModified');
    return events.find((event) => event.type === 'OrderReplaced')?.keepsPriority;
  };
  assert.equal(keeps({ quantity: quantity(90) }), true);
  assert.equal(keeps({ price: price(849_00) }), true);
  assert.equal(keeps({ quantity: quantity(120) }), false);
  assert.equal(keeps({ price: price(848_00) }), false);
  assert.equal(keeps({ price: price(850_40) }), false);
  assert.equal(order.filled, 40);
  const { reply, events } = world.submit(modification(order, { quantity: quantity(40) }));
  assert.ok(reply.type === 'Refused');
  assert.equal(
    refusalText(reply.refusal, { userId: 'AB1234' }),
    'SAF:order quantity less than or equal to filled quantity',
  );
  assert.deepEqual(
    events.map((event) => event.type),
    ['ReplaceRejected'],
  );
  assert.equal(order.terms.quantity, 120);
  check();
});

test('vector 11: a market modification becomes a limit order at the protected price', () => {
  const { world, check } = open([[RELIANCE, { bid: 850_00, ask: 850_40, size: 10, last: 850_00 }]]);
  const by = world.user('AB1234', CRORE);
  const order = world.place({ by, of: RELIANCE.id, side: 'B', units: 100, at: 849_00, product: 'C' });
  world.submit(modification(order, { priceType: 'MKT', price: price(0) }, 10_000));
  assert.equal(order.terms.priceType, 'LMT');
  assert.equal(order.terms.price, 858_90);
  assert.equal(order.filled, 10);
  check();
});

test('a placed market order keeps its type, carries its protected price and rests with what is left', () => {
  const { world, check } = open([[RELIANCE, { bid: 850_00, ask: 850_40, size: 10, last: 850_00 }]]);
  const by = world.user('AB1234', CRORE);
  const order = world.place({ by, of: RELIANCE.id, side: 'B', units: 15, product: 'C' });
  assert.deepEqual([order.terms.priceType, order.terms.price, order.status, order.filled], ['MKT', 854_65, 'Open', 10]);
  assert.equal(averagePriceHalfUp(order.filledAmount, order.filled), 850_40);
  const refused = world.refusal({ by, of: RELIANCE.id, side: 'S', units: 1_000, product: 'C' });
  assert.deepEqual(refused, { rule: 'NotEnoughHoldings', eligible: 10, quantity: 1_000 });
  assert.equal([...world.state.orders.values()].at(-1)?.terms.price, 0, 'a rejected market order shows no price');
  check();
});

test('vector 12: what is complete can be neither cancelled nor modified, and says so', () => {
  const { world } = open([[RELIANCE, { bid: 850_00, ask: 850_40, last: 850_00 }]]);
  const by = world.user('AB1234', CRORE);
  const other = world.user('CD5678', CRORE);
  const order = world.place({ by, of: RELIANCE.id, side: 'B', units: 1, at: 851_00, product: 'C' });
  assert.equal(order.status, 'Complete');
  const cancelled = world.submit({ type: 'CancelOrder', account: by, order: order.number });
  assert.ok(cancelled.reply.type === 'Refused');
  assert.equal(refusalText(cancelled.reply.refusal, { userId: 'AB1234' }), 'SAF:order is not open to cancel');
  assert.deepEqual(
    cancelled.events.map((event) => event.type),
    ['CancelRejected'],
  );
  const modified = world.submit(modification(order, { price: price(852_00) }));
  assert.ok(modified.reply.type === 'Refused');
  assert.equal(refusalText(modified.reply.refusal, { userId: 'AB1234' }), 'SAF:order is not open to modify');
  const foreign = world.submit({ type: 'CancelOrder', account: other, order: order.number });
  assert.ok(foreign.reply.type === 'Refused' && foreign.reply.refusal.rule === 'OrderNotFound');
  assert.deepEqual(foreign.events, []);
});

test('vector 15: limits add up with a future held', () => {
  const risk = {
    price: price(24_138_50),
    spot: price(24_000_00),
    spotClose: price(24_000_00),
    forward: price(24_138_50),
    value: 24_138_50,
    delta: () => 1,
    volatility: 0.12,
    reprice: (move: number) => 24_138_50 + 24_000_00 * move,
  };
  const { world, check } = open([[NIFTY_FUTURE, { bid: 24_138_00, ask: 24_138_50, last: 24_138_50, risk }]]);
  const by = world.user('AB1234', 500_000_00);
  world.submit({ type: 'DepositCash', account: by, amount: 100_000_00 as never, opening: false });
  world.place({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 24_138_50 });
  const limits = limitsOf(world.account(by));
  assert.equal(limits.span, 145_080_00);
  assert.equal(limits.exposure, 31_380_05);
  assert.equal(limits.marginUsed, 176_460_05);
  assert.equal(limits.totalMargin, 600_000_00);
  assert.equal(limits.availableMargin, 423_539_95);
  assert.equal(limits.peakMargin, 176_460_05);
  check();
});

test('vector 16: positions and the ledger over days of futures, settled at their average', () => {
  const { market, world, check } = open([[NIFTY_FUTURE, { bid: 23_850_00, ask: 23_850_00, last: 23_850_00 }]]);
  const by = world.user('AB1234', CRORE);
  const trade = (side: 'B' | 'S', units: number, at: number) => {
    market.quotes.set(NIFTY_FUTURE.id, { ...(side === 'B' ? { ask: at } : { bid: at }), last: at, close: 23_850_00 });
    assert.equal(world.place({ by, of: NIFTY_FUTURE.id, side, units, at }).status, 'Complete');
    check();
  };
  trade('B', 130, 23_850_00);
  world.nextDay();
  trade('S', 65, 23_950_00);
  const row = positionsOf(world.account(by))[0];
  assert.ok(row);
  const figures = positionFigures(row, price(23_940_00));
  assert.deepEqual([figures.netQuantity, figures.netAveragePrice, figures.uploadPrice], [65, 23_850_00, 23_850_00]);
  assert.deepEqual([figures.realised, figures.unrealised, figures.totalPnl], [6_500_00, 5_850_00, 12_350_00]);
  assert.equal(limitsOf(world.account(by)).cash, CRORE, 'a profit is not cash before the day is over');
  world.nextDay();
  assert.equal(limitsOf(world.account(by)).cash, CRORE + 6_500_00);
  check();
});

test('an index is not a security, a contract is not delivered, a closed market takes nothing', () => {
  const { market, world } = open([[NIFTY_CALL, { bid: 99_95, ask: 100_05, last: 100_00 }]]);
  const by = world.user('AB1234', CRORE);
  const delivered = world.refusal({ by, of: NIFTY_CALL.id, side: 'B', units: 65, at: 100_00, product: 'C' });
  assert.equal(refusalText(delivered, { userId: 'AB1234' }), 'ORA:Product Delivery not enabled on exchange NFO');
  assert.equal(world.refusal({ by, of: NIFTY.id, side: 'B', units: 1, product: 'I' }).rule, 'NotTradable');
  market.quotes.set(NIFTY_CALL.id, { last: 100_00, closed: true });
  const closed = world.refusal({ by, of: NIFTY_CALL.id, side: 'B', units: 65, at: 100_00 });
  assert.equal(refusalText(closed, { userId: 'AB1234' }), 'ORA:AMO is stopped');
});

test('a cash order above ten crore rupees is refused, a stop whose trigger is crossed too', () => {
  const { world } = open([[RELIANCE, { bid: 1_000_00, ask: 1_000_10, last: 1_000_00 }]]);
  const by = world.user('AB1234', 100 * CRORE);
  const words = { by, of: RELIANCE.id, side: 'B', product: 'I' } as const;
  assert.equal(world.place({ ...words, units: 100_000, at: 990_00 }).status, 'Open');
  const refused = world.refusal({ ...words, units: 100_001, at: 1_000_00 });
  assert.equal(
    refusalText(refused, { userId: 'AB1234' }),
    'RED:RULE:{Check single order value}Current:INR 100001000.00 Set:INR 100000000.00 for C-AB1234 [ONLINE]',
  );
  const crossed = { ...words, units: 1, at: 1_001_00, trigger: 1_000_00, type: 'SL-LMT' } as const;
  assert.equal(refusalText(world.refusal(crossed), { userId: 'AB1234' }), '16423:Invalid trigger price.');
  assert.equal(world.place({ ...crossed, trigger: 1_000_05 }).status, 'TriggerPending');
});
