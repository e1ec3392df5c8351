/** Purchases that only cash may pay, given other terms in an account with collateral. */

import assert from 'node:assert/strict';
import test from 'node:test';
import { must } from '../../../src/base/assert.ts';
import { price, quantity } from '../../../src/base/money.ts';
import { Random } from '../../../src/base/random.ts';
import { cashFree } from '../../../src/core/broker/account/funds.ts';
import type { Instrument } from '../../../src/core/instrument.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import type { Order } from '../../../src/core/order.ts';
import type { Refusal } from '../../../src/core/refusals/refusal.ts';
import { FIRST_DAY, NIFTY, NIFTY_CALL, NIFTY_FUTURE, PAYTM, RELIANCE } from '../../kit/money/listed.ts';
import { StillMarket } from '../../kit/money/still-market.ts';
import { placement, rupees, World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';

const SEED = Number(process.env.SAUDA_TEST_SEED ?? 20_261_121);
const ROUNDS = 400;
const CLOSES = new Map<Instrument, number>([
  [RELIANCE, 1_250_00],
  [PAYTM, 500_00],
  [NIFTY_FUTURE, 24_000_00],
  [NIFTY_CALL, 400_00],
]);

/** An account with cash and collateral, which the margin of a future takes in part. */
function open(cash: number) {
  const market = new StillMarket();
  market.quotes.set(NIFTY.id, { last: 24_000_00 });
  for (const [{ id }, close] of CLOSES) {
    market.quotes.set(id, { bid: close, ask: close, last: close, close, band: [close / 5, close * 3] });
  }
  const ports = testPorts({ market });
  const world = new World(ports, FIRST_DAY);
  const by = world.user('AB1234', rupees(cash));
  world.give(by, RELIANCE.id, 500, 1_000_00);
  world.submit({ type: 'PledgeShares', account: by, instrument: RELIANCE.id, quantity: quantity(500) });
  world.place({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65 });
  return { world, by, check: () => checkInvariants(world.state, ports) };
}

function modify(world: World, { account, number, terms }: Order, units: number, at: number): Refusal | undefined {
  const changed = { ...terms, quantity: quantity(units), price: price(at) };
  const { reply } = world.submit({ type: 'ModifyOrder', account, order: number, terms: changed });
  return reply.type === 'Refused' ? reply.refusal : undefined;
}

test('a resting delivery buy may be made smaller, and larger as far as cash pays for it', () => {
  const { world, by, check } = open(60_000);
  const order = world.place({ by, of: RELIANCE.id, side: 'B', units: 50, at: 1_000_00, product: 'C' });
  assert.equal(cashFree(world.account(by)), rupees(10_000));
  assert.equal(modify(world, order, 40, 1_000_00), undefined, 'it needs less');
  assert.equal(modify(world, order, 50, 1_200_00), undefined, 'it needs all cash');
  assert.equal(cashFree(world.account(by)), 0);
  assert.deepEqual(modify(world, order, 50, 1_200_05), { rule: 'CollateralNotAllowed', shortfall: 50 * 5 });
  assert.equal(modify(world, order, 49, 1_200_00), undefined);
  check();
});

/** A purchase that rests below the market. */
function resting(random: Random, instrument: Instrument) {
  const units = instrument.lot * random.between(1, instrument.lot === 1 ? 150 : 3);
  const at = Math.round((must(CLOSES.get(instrument), 'a close') * random.between(50, 95)) / 1_000) * 10;
  const product = instrument.kind === 'equity' ? 'C' : 'M';
  return { of: instrument.id, side: 'B', units, at, product } as const;
}

test('a purchase is modified exactly when the same one would be placed in its stead, or needs no more than before', () => {
  const random = new Random(SEED);
  const seen = { taken: 0, refused: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const cash = random.between(20_000, 200_000);
    const of = random.pick<Instrument>([RELIANCE, PAYTM, NIFTY_CALL]);
    const others = [resting(random, RELIANCE), resting(random, PAYTM)].slice(random.below(3));
    const [first, then] = [resting(random, of), resting(random, of)];
    const [one, twin] = [open(cash), open(cash)];
    const placeIn = ({ world, by }: typeof one, words: typeof first) => {
      world.submit(placement({ ...words, by }));
      return world.order(world.state.lastOrder);
    };
    for (const world of [one, twin]) for (const other of others) placeIn(world, other);
    const [order, gone] = [placeIn(one, first), placeIn(twin, first)];
    if (order.status !== 'Open') continue;
    twin.world.submit({ type: 'CancelOrder', account: twin.by, order: gone.number });
    const isPlaced = placeIn(twin, then).status === 'Open';
    const isLess = then.units * then.at <= first.units * first.at;
    const refusal = modify(one.world, order, then.units, then.at);
    const about = `SAUDA_TEST_SEED=${SEED}, round ${round}: ${JSON.stringify(refusal)}`;
    assert.equal(refusal === undefined, isPlaced || isLess, about);
    seen[refusal === undefined ? 'taken' : 'refused'] += 1;
    one.check();
  }
  assert.ok(seen.taken > 50 && seen.refused > 20, JSON.stringify(seen));
});
