import assert from 'node:assert/strict';
import test from 'node:test';
import { paise } from '../../../src/base/money.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import { holdingsOf, limitsOf, positionFigures, positionsOf } from '../../../src/core/query.ts';
import { FIRST_DAY, GROSS, listed, NIFTY_CALL, NIFTY_FUTURE, RELIANCE, RELIANCE_BSE } from '../../kit/money/listed.ts';
import { StillMarket } from '../../kit/money/still-market.ts';
import { World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';

const CRORE = 1_000_000_000;

function open() {
  const market = new StillMarket();
  const quote = (at: number) => ({ bid: at, ask: at, last: at, close: at });
  market.quotes.set(RELIANCE.id, quote(1_000_00));
  market.quotes.set(RELIANCE_BSE.id, quote(1_000_00));
  market.quotes.set(GROSS.id, quote(100_00));
  market.quotes.set(NIFTY_FUTURE.id, quote(24_000_00));
  market.quotes.set(NIFTY_CALL.id, quote(400_00));
  const ports = testPorts({ market });
  const world = new World(ports, FIRST_DAY);
  const check = () => checkInvariants(world.state, ports);
  return { market, quote, world, check };
}

test('a day that has begun is not begun again', () => {
  const { world } = open();
  const { seq } = world.state;
  assert.deepEqual(world.submit({ type: 'RollDay', day: FIRST_DAY }).events, []);
  assert.equal(world.state.seq, seq);
});

test('at the end of the day open orders are cancelled, what they block is free, and the books of the day are empty', () => {
  const { world, check } = open();
  const by = world.user('AB1234', CRORE);
  const resting = world.place({ by, of: RELIANCE.id, side: 'B', units: 10, at: 990_00, product: 'C' });
  const stop = world.place({
    by,
    of: RELIANCE.id,
    side: 'B',
    units: 10,
    at: 1_011_00,
    trigger: 1_010_00,
    type: 'SL-LMT',
    product: 'I',
  });
  assert.equal(limitsOf(world.account(by)).marginUsed, 9_900_00 + 2_022_00);
  world.nextDay();
  assert.deepEqual([resting.status, stop.status], ['Cancelled', 'Cancelled']);
  assert.equal(limitsOf(world.account(by)).marginUsed, 0);
  assert.equal(limitsOf(world.account(by)).peakMargin, 0);
  assert.deepEqual([world.state.orders.size, world.state.books.size, world.account(by).orders.length], [0, 0, 0]);
  assert.deepEqual(positionsOf(world.account(by)), []);
  check();
});

test('pay-in becomes cash, option premium is paid, and a short option is margined on the next day', () => {
  const { world, check } = open();
  const by = world.user('AB1234', CRORE);
  world.submit({ type: 'DepositCash', account: by, amount: paise(5_000_00), opening: false });
  assert.equal(limitsOf(world.account(by)).payin, 5_000_00);
  world.place({ by, of: NIFTY_CALL.id, side: 'B', units: 65, at: 400_00 });
  assert.equal(limitsOf(world.account(by)).premium, 65 * 400_00);
  world.nextDay();
  assert.equal(limitsOf(world.account(by)).cash, CRORE + 5_000_00 - 65 * 400_00);
  assert.equal(limitsOf(world.account(by)).marginUsed, 0);
  world.place({ by, of: NIFTY_CALL.id, side: 'S', units: 130, at: 400_00 });
  const { premium, span } = limitsOf(world.account(by));
  assert.equal(premium, 0, 'premium received is not available, and nothing is used');
  assert.ok(span > 65 * 400_00, 'a short option blocks what closing it costs, and the scan');
  check();
  world.nextDay();
  assert.equal(limitsOf(world.account(by)).cash, CRORE + 5_000_00 + 65 * 400_00);
  assert.equal(limitsOf(world.account(by)).span, span);
  check();
});

test('premium received pays for option buys of the same day, and for nothing else', () => {
  const { world, check } = open();
  const by = world.user('AB1234', CRORE);
  world.place({ by, of: NIFTY_CALL.id, side: 'S', units: 65, at: 400_00 });
  const before = limitsOf(world.account(by));
  const buy = world.place({ by, of: NIFTY_CALL.id, side: 'B', units: 130, at: 390_00 });
  assert.equal(buy.status, 'Open');
  assert.equal(
    limitsOf(world.account(by)).premium,
    0,
    '65 close the short, and the world in which 65 more are bought needs less than the short does',
  );
  assert.equal(before.totalMargin, CRORE);
  check();
});

test('a realised loss counts at once, a profit from the next day on', () => {
  const { market, quote, world, check } = open();
  const by = world.user('AB1234', CRORE);
  const trade = (side: 'B' | 'S', at: number) => {
    market.quotes.set(NIFTY_FUTURE.id, { ...quote(at), close: 24_000_00 });
    world.place({ by, of: NIFTY_FUTURE.id, side, units: 65, at });
    check();
  };
  trade('B', 24_000_00);
  trade('S', 23_900_00);
  assert.equal(limitsOf(world.account(by)).marginUsed, 6_500_00);
  trade('B', 23_900_00);
  trade('S', 24_100_00);
  assert.equal(limitsOf(world.account(by)).marginUsed, 0);
  assert.equal(limitsOf(world.account(by)).availableMargin, CRORE);
  world.nextDay();
  assert.equal(limitsOf(world.account(by)).cash, CRORE + 6_500_00);
});

test('shares bought are unsettled on the next day, settled on the one after, and sellable at once', () => {
  const { world, check } = open();
  const by = world.user('AB1234', CRORE);
  const sell = (units: number) =>
    world.place({ by, of: RELIANCE.id, side: 'S', units, at: 1_000_00, product: 'C' }).status;
  world.place({ by, of: RELIANCE.id, side: 'B', units: 30, at: 1_000_00, product: 'C' });
  assert.equal(sell(10), 'Complete');
  world.nextDay();
  const held = () =>
    holdingsOf(world.account(by), listed).map(({ settled, unsettled, cost }) => [settled, unsettled, cost])[0];
  assert.deepEqual(held(), [0, 20, 20_000_00]);
  assert.equal(limitsOf(world.account(by)).cash, CRORE - 20_000_00);
  assert.equal(sell(5), 'Complete');
  world.nextDay();
  assert.deepEqual(held(), [15, 0, 15_000_00]);
  assert.equal(limitsOf(world.account(by)).cash, CRORE - 15_000_00);
  check();
});

test('shares sold from holdings make a short delivery row without a result, and their proceeds are cash', () => {
  const { world, check } = open();
  const by = world.user('AB1234', 0);
  world.give(by, RELIANCE.id, 10, 10 * 700_00);
  world.place({ by, of: RELIANCE.id, side: 'S', units: 10, at: 1_000_00, product: 'C' });
  const [row] = positionsOf(world.account(by));
  assert.ok(row);
  assert.equal(positionFigures(row, 1_000_00 as never).netQuantity, -10);
  assert.equal(positionFigures(row, 1_000_00 as never).realised, 0);
  assert.deepEqual([limitsOf(world.account(by)).cash, limitsOf(world.account(by)).payin], [10_000_00, 0]);
  assert.equal(limitsOf(world.account(by)).availableMargin, 10_000_00);
  world.nextDay();
  assert.deepEqual(holdingsOf(world.account(by), listed), []);
  assert.equal(limitsOf(world.account(by)).cash, 10_000_00);
  check();
});

test('the two listings of a share are one holding', () => {
  const { world, check } = open();
  const by = world.user('AB1234', CRORE);
  world.give(by, RELIANCE.id, 10, 10 * 700_00);
  const sale = { by, side: 'S', at: 1_050_00, product: 'C' } as const;
  world.place({ ...sale, of: RELIANCE_BSE.id, units: 6 });
  assert.deepEqual(world.refusal({ ...sale, of: RELIANCE.id, units: 5 }), {
    rule: 'NotEnoughHoldings',
    eligible: 4,
    quantity: 5,
  });
  world.place({ by, of: RELIANCE.id, side: 'B', units: 3, at: 1_000_00, product: 'C' });
  assert.equal(world.place({ ...sale, of: RELIANCE.id, units: 7 }).status, 'Open');
  assert.equal(holdingsOf(world.account(by), listed)[0]?.used, 10);
  assert.equal(world.refusal({ ...sale, of: RELIANCE_BSE.id, units: 1 }).rule, 'NotEnoughHoldings');
  check();
});

test('of trade-for-trade shares only settled ones are sold, and none is traded intraday', () => {
  const { world, check } = open();
  const by = world.user('AB1234', CRORE);
  const words = { by, of: GROSS.id, units: 10, at: 100_00 } as const;
  assert.equal(world.refusal({ ...words, side: 'B', product: 'I' }).rule, 'IntradayNotAllowed');
  world.place({ ...words, side: 'B', product: 'C' });
  assert.equal(world.refusal({ ...words, side: 'S', product: 'C' }).rule, 'NotEnoughHoldings');
  world.nextDay();
  assert.equal(world.refusal({ ...words, side: 'S', product: 'C' }).rule, 'NotEnoughHoldings');
  world.nextDay();
  assert.equal(world.place({ ...words, side: 'S', product: 'C' }).status, 'Complete');
  check();
});
