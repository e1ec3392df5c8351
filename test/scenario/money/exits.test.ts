import assert from 'node:assert/strict';
import test from 'node:test';
import { quantity } from '../../../src/base/money.ts';
import { availableMargin } from '../../../src/core/broker/account/funds.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import { FIRST_DAY, NIFTY_FUTURE, NIFTY_PUT, PAYTM, RELIANCE } from '../../kit/money/listed.ts';
import { StillMarket } from '../../kit/money/still-market.ts';
import { World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';

const LOT = 65;
const ENTRY = 24_000_00;

/** An account that holds `lots` lots of a future, bought at 24,000 a minute ago, while the market stands elsewhere. */
function holding(lots: number, cash: number, product: 'M' | 'I' = 'M') {
  const market = new StillMarket();
  const show = (at: number) =>
    market.quotes.set(NIFTY_FUTURE.id, { bid: at - 100_00, ask: at, last: at, close: ENTRY, band: [5, 10 ** 8] });
  market.quotes.set(NIFTY_FUTURE.id, { bid: ENTRY, ask: ENTRY, last: ENTRY, close: ENTRY });
  const ports = testPorts({ market });
  const world = new World(ports, FIRST_DAY);
  const by = world.user('AB1234', cash);
  if (lots > 0) world.place({ by, of: NIFTY_FUTURE.id, side: 'B', units: lots * LOT, at: ENTRY, product });
  world.at = (world.at + 61_000) as typeof world.at;
  return { market, show, world, by, check: () => checkInvariants(world.state, ports) };
}

/** The margin that one lot blocks. */
const ONE_LOT = (() => {
  const { world, by } = holding(1, 10 ** 9);
  return 10 ** 9 - availableMargin(world.account(by));
})();

test('a short is bought back at a loss beyond all that is available, and no more than it', () => {
  const { market, world, by, check } = holding(0, ONE_LOT + 1_00);
  const short = { by, of: NIFTY_FUTURE.id, side: 'S', units: LOT, at: ENTRY } as const;
  assert.equal(world.place(short).status, 'Complete');
  world.at = (world.at + 61_000) as typeof world.at;
  const at = ENTRY + 8_000_00;
  market.quotes.set(NIFTY_FUTURE.id, { bid: at, ask: at + 100_00, last: at, close: ENTRY });
  const exit = { ...short, side: 'B', at: at - 10_00 } as const;
  assert.equal(world.refusal({ ...exit, units: 2 * LOT }).rule, 'MarginShortfall');
  assert.equal(world.place(exit).status, 'Open');
  assert.equal(world.refusal(exit).rule, 'MarginShortfall', 'a second would turn it');
  check();
});

test('an exit is let through at a loss beyond all that is available, in either product', () => {
  for (const product of ['M', 'I'] as const) {
    const { show, world, by, check } = holding(1, ONE_LOT + 1_00, product);
    show(ENTRY - 8_000_00);
    const exit = { by, of: NIFTY_FUTURE.id, side: 'S', units: LOT, at: ENTRY - 7_990_00 } as const;
    assert.equal(world.place(exit).status, 'Open');
    assert.equal(world.refusal({ ...exit, units: 2 * LOT }).rule, 'MarginShortfall', 'a turn is not an exit');
    check();
  }
});

test('an exit beside exits that close the position already pays for the losses of all of them, in either product', () => {
  const fall = Math.round((1.3 * ONE_LOT) / 2 / LOT / 100) * 100;
  for (const product of ['M', 'I'] as const) {
    const { show, world, by, check } = holding(2, 2 * ONE_LOT + 1_00, product);
    show(ENTRY - fall - 10_00);
    const exit = { by, of: NIFTY_FUTURE.id, side: 'S', at: ENTRY - fall } as const;
    assert.equal(world.place({ ...exit, units: 2 * LOT, product }).status, 'Open');
    const alone = ONE_LOT + 1_00 - fall * LOT;
    const together = alone - fall * LOT;
    assert.ok(alone > 0 && together < 0, 'it could pay for what it closes by itself');
    assert.deepEqual(world.refusal({ ...exit, units: LOT, product: 'M' }), {
      rule: 'MarginShortfall',
      required: 1_00 - together,
      available: 1_00,
    });
    check();
  }
});

test('with negative funds, an order that needs no margin is admitted and one that needs a paisa is refused', () => {
  const { market, show, world, by, check } = holding(1, ONE_LOT + 1_00);
  market.quotes.set(RELIANCE.id, { bid: 1_000_00, ask: 1_000_00, last: 1_000_00 });
  market.quotes.set(PAYTM.id, { last: 1, band: [1, 100] });
  world.give(by, RELIANCE.id, 1, 1_000_00);
  show(ENTRY - 8_000_00);
  const exit = { by, of: NIFTY_FUTURE.id, side: 'S', units: LOT, at: ENTRY - 8_100_00 } as const;
  assert.equal(world.place(exit).status, 'Complete');
  const available = availableMargin(world.account(by));
  assert.ok(available < 0);
  const share = { by, of: PAYTM.id, side: 'B', units: 1, at: 1, product: 'C' } as const;
  assert.deepEqual(world.refusal(share), { rule: 'MarginShortfall', required: 1, available });
  assert.equal(
    world.place({ by, of: RELIANCE.id, side: 'S', units: 1, at: 1_000_00, product: 'C' }).status,
    'Complete',
  );
  const poor = world.user('CD5678', 0);
  assert.deepEqual(world.refusal({ ...share, by: poor }), { rule: 'MarginShortfall', required: 1, available: 0 });
  check();
});

test('exits of one product close what the other product holds', () => {
  const { show, world, by, check } = holding(1, 2 * ONE_LOT + 1_00);
  world.at = (world.at - 61_000) as typeof world.at;
  world.place({ by, of: NIFTY_FUTURE.id, side: 'B', units: LOT, at: ENTRY, product: 'I' });
  world.at = (world.at + 61_000) as typeof world.at;
  assert.equal(availableMargin(world.account(by)), 1_00);
  show(ENTRY - 8_000_00);
  const exit = { by, of: NIFTY_FUTURE.id, side: 'S', units: LOT, at: ENTRY - 7_990_00 } as const;
  assert.deepEqual([world.place(exit).status, world.place(exit).status], ['Open', 'Open']);
  assert.equal(world.refusal(exit).rule, 'MarginShortfall', 'a third opens a short');
  check();
});

test('a modification of an order that has filled in part needs margin for the rest alone', () => {
  const { market, world, by, check } = holding(0, 10_000_00);
  market.quotes.set(RELIANCE.id, { bid: 99_00, ask: 100_00, size: 60, last: 100_00 });
  const order = world.place({ by, of: RELIANCE.id, side: 'B', units: 100, at: 100_00, product: 'C' });
  assert.deepEqual([order.filled, availableMargin(world.account(by))], [60, 0]);
  const modify = (units: number) => {
    const terms = { ...order.terms, quantity: quantity(units) };
    const { reply } = world.submit({ type: 'ModifyOrder', account: by, order: order.number, terms });
    return reply.type === 'Refused' ? reply.refusal : reply.type;
  };
  assert.deepEqual(modify(101), { rule: 'MarginShortfall', required: 100_00, available: 0 });
  assert.deepEqual(modify(60), { rule: 'QuantityNotAboveFilled', quantity: 60, filled: 60 });
  assert.equal(modify(90), 'OrderModified');
  assert.equal(availableMargin(world.account(by)), 1_000_00);
  assert.equal(modify(100), 'OrderModified');
  check();
});

test('an option is bought back at any price, whatever cash is left, as far as it is short', () => {
  const { market, world, by, check } = holding(0, 0);
  market.quotes.set(RELIANCE.id, { bid: 1_000_00, ask: 1_000_00, last: 1_000_00 });
  market.quotes.set(NIFTY_PUT.id, { bid: 200_00, ask: 200_00, last: 200_00 });
  world.give(by, RELIANCE.id, 2_000, 2_000 * 1_000_00);
  world.submit({ type: 'PledgeShares', account: by, instrument: RELIANCE.id, quantity: quantity(2_000) });
  const put = { by, of: NIFTY_PUT.id, units: LOT } as const;
  world.place({ ...put, side: 'S', at: 200_00 });
  market.quotes.set(NIFTY_PUT.id, { bid: 250_00, ask: 250_00, last: 250_00, close: 200_00 });
  assert.equal(world.refusal({ ...put, side: 'B', units: 2 * LOT, at: 250_00 }).rule, 'CollateralNotAllowed');
  assert.equal(world.place({ ...put, side: 'B', at: 250_00 }).status, 'Complete');
  check();
});

test('beside collateral an order that is not a purchase is short of margin, not of cash', () => {
  const { market, world, by } = holding(0, 1_000_00);
  market.quotes.set(RELIANCE.id, { bid: 1_000_00, ask: 1_000_00, last: 1_000_00 });
  market.quotes.set(NIFTY_PUT.id, { bid: 200_00, ask: 200_00, last: 200_00 });
  world.give(by, RELIANCE.id, 1, 1_000_00);
  world.submit({ type: 'PledgeShares', account: by, instrument: RELIANCE.id, quantity: quantity(1) });
  const order = { by, units: LOT } as const;
  for (const side of ['B', 'S'] as const) {
    assert.equal(world.refusal({ ...order, of: NIFTY_FUTURE.id, side, at: ENTRY }).rule, 'MarginShortfall');
  }
  assert.equal(world.refusal({ ...order, of: NIFTY_PUT.id, side: 'S', at: 200_00 }).rule, 'MarginShortfall');
  assert.equal(world.refusal({ ...order, of: NIFTY_PUT.id, side: 'B', at: 200_00 }).rule, 'CollateralNotAllowed');
});
