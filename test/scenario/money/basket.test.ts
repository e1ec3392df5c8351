import assert from 'node:assert/strict';
import test from 'node:test';
import { price, quantity } from '../../../src/base/money.ts';
import { Random } from '../../../src/base/random.ts';
import { availableMargin, marginUsed } from '../../../src/core/broker/account/funds.ts';
import { basketMargin, type OrderQuestion } from '../../../src/core/broker/trials/basket-margin.ts';
import type { Instrument } from '../../../src/core/instrument.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import type { Product, Side } from '../../../src/core/order.ts';
import { RELIANCE, RELIANCE_BSE } from '../../kit/money/listed.ts';
import {
  CALL_24000,
  CALL_24500,
  CALL_25000,
  CONTRACTS,
  FUTURE,
  LOT,
  PUT_23000,
  PUT_23500,
  TODAY,
  workedWorld,
} from '../../kit/money/worked-options.ts';
import { World } from '../../kit/money/world.ts';

const CRORE = 1_000_000_000;
const SEED = Number(process.env.SAUDA_TEST_SEED ?? 20_261_121);
/** The difference that arrays from the same inputs may have. Source: market-rules R4.18. */
const TOLERANCE = 5;

function open() {
  const { ports, market } = workedWorld();
  return { ports, market, world: new World(ports, TODAY) };
}

type Stage = ReturnType<typeof open>;

function leg({ market }: Stage, { id }: Instrument, side: Side, units: number, product: Product = 'M'): OrderQuestion {
  const at = market.quotes.get(id)?.last ?? assert.fail('it is quoted');
  const terms = {
    priceType: 'LMT',
    retention: 'DAY',
    quantity: quantity(units),
    price: price(at),
    trigger: price(0),
  } as const;
  return { instrument: id, side, product, terms };
}

function measure({ world }: Stage, by: ReturnType<World['user']>, legs: readonly OrderQuestion[]) {
  return basketMargin(world.state, world.portsNow(), world.account(by), legs);
}

function near(actual: readonly number[], rupees: readonly number[]): void {
  assert.equal(actual.length, rupees.length);
  actual.forEach((amount, index) => {
    const expected = Math.round((rupees[index] ?? 0) * 100);
    assert.ok(Math.abs(amount - expected) <= TOLERANCE, `${index}: ${amount} paise, not ${expected}`);
  });
}

/** Places the legs one after the other and says how many were admitted and filled. */
function placeAll({ world }: Stage, by: ReturnType<World['user']>, legs: readonly OrderQuestion[]): number {
  let placed = 0;
  for (const { instrument, side, product, terms } of legs) {
    const order = world.place({ by, of: instrument, side, product, units: terms.quantity, at: terms.price });
    if (order.status === 'Rejected') return placed;
    assert.equal(order.status, 'Complete');
    placed += 1;
  }
  return placed;
}

/** Takes money out until exactly `wanted` is available. */
function leave({ world }: Stage, by: ReturnType<World['user']>, wanted: number): void {
  const amount = availableMargin(world.account(by)) - wanted;
  if (amount === 0) return;
  assert.equal(world.submit({ type: 'PayOutCash', account: by, amount: amount as never }).reply.type, 'Done');
  assert.equal(availableMargin(world.account(by)), wanted);
}

test('the condor of R4.33, longs first: its path is its peak', () => {
  const stage = open();
  const by = stage.world.user('AB1234', CRORE);
  const legs = [
    leg(stage, CALL_25000, 'B', LOT),
    leg(stage, PUT_23000, 'B', LOT),
    leg(stage, CALL_24500, 'S', LOT),
    leg(stage, PUT_23500, 'S', LOT),
  ];
  const { afterEach, onNewOrder, previous, traded } = measure(stage, by, legs);
  near(afterEach, [4_602.0, 8_888.75, 72_289.12, 103_487.77]);
  near([onNewOrder, previous, traded], [103_487.77, 0, 103_487.77]);
});

test('the condor of R4.33, shorts first: the peak is the naked strangle, the end the same', () => {
  const stage = open();
  const by = stage.world.user('AB1234', CRORE);
  const legs = [
    leg(stage, CALL_24500, 'S', LOT),
    leg(stage, PUT_23500, 'S', LOT),
    leg(stage, CALL_25000, 'B', LOT),
    leg(stage, PUT_23000, 'B', LOT),
  ];
  const { afterEach, onNewOrder, traded } = measure(stage, by, legs);
  near(afterEach, [154_436.94, 185_954.82, 173_979.92, 103_487.77]);
  near([onNewOrder, traded], [185_954.82, 103_487.77]);
  assert.equal(placeAll(stage, by, legs), 4);
  assert.equal(marginUsed(stage.world.account(by)), traded, 'limits show what the basket foretold');
  checkInvariants(stage.world.state, stage.ports);
});

test('the four legs of the condor of R4.33, each by itself, need the sum of four single orders', () => {
  const stage = open();
  const by = stage.world.user('AB1234', CRORE);
  const singles = [
    leg(stage, CALL_25000, 'B', LOT),
    leg(stage, PUT_23000, 'B', LOT),
    leg(stage, CALL_24500, 'S', LOT),
    leg(stage, PUT_23500, 'S', LOT),
  ].map((one) => measure(stage, by, [one]).onNewOrder);
  near(singles.slice(0, 3), [4_602.0, 4_286.75, 154_436.94]);
  near([singles.reduce((sum, one) => sum + one, 0)], [301_363.21]);
});

test('premium received for what is sold short buys nothing, until the short is closed', () => {
  const stage = open();
  const { world } = stage;
  const by = world.user('AB1234', CRORE);
  placeAll(stage, by, [leg(stage, CALL_24500, 'S', LOT)]);
  const short = marginUsed(world.account(by));
  placeAll(stage, by, [leg(stage, RELIANCE, 'B', 1, 'C')]);
  assert.equal(marginUsed(world.account(by)), short + 1_260_00);
  placeAll(stage, by, [leg(stage, CALL_24500, 'B', LOT)]);
  assert.equal(marginUsed(world.account(by)), 1_260_00);
  checkInvariants(world.state, stage.ports);
});

test('a sale of the basket leaves fewer settled shares to those after it, also on the other listing', () => {
  const stage = open();
  const { market, world, ports } = stage;
  market.quotes.set(RELIANCE_BSE.id, { bid: 1_260_00, ask: 1_260_00, last: 1_260_00, close: 1_260_00 });
  const by = world.user('AB1234', CRORE);
  world.give(by, RELIANCE.id, 3, 3 * 1_000_00);
  placeAll(stage, by, [leg(stage, RELIANCE, 'B', 3, 'C')]);
  world.nextDay();
  const legs = [
    leg(stage, RELIANCE, 'S', 2, 'C'),
    leg(stage, RELIANCE, 'S', 2, 'C'),
    leg(stage, RELIANCE_BSE, 'S', 2, 'C'),
  ];
  const { afterEach } = measure(stage, by, legs);
  assert.deepEqual(
    afterEach,
    [0, 1_260_00, 3 * 1_260_00],
    'what the three that were bought yesterday bring is held back',
  );
  assert.equal(placeAll(stage, by, legs), 3);
  assert.equal(marginUsed(world.account(by)), afterEach.at(-1));
  checkInvariants(world.state, ports);
});

test('the need of an own order in a share is in use until an order of the basket has ended it, and no longer', () => {
  const stage = open();
  const { market, world } = stage;
  const by = world.user('AB1234', CRORE);
  market.quotes.set(RELIANCE.id, { bid: 1_259_00, ask: 1_261_00, last: 1_260_00, close: 1_260_00 });
  const bid = world.place({ by, of: RELIANCE.id, side: 'B', units: 10, at: 1_260_00, product: 'C' });
  assert.equal(bid.status, 'Open');
  market.quotes.set(RELIANCE.id, { bid: 1_260_00, ask: 1_261_00, last: 1_260_00, close: 1_260_00 });
  const sale = leg(stage, RELIANCE, 'S', 5, 'I');
  const { afterEach, onNewOrder } = measure(stage, by, [sale, sale]);
  const rate = 1_260_00;
  assert.deepEqual(afterEach, [rate, 2 * rate], 'a fifth of what is sold');
  assert.equal(onNewOrder, rate, 'the second sale is paid by what the bid had blocked');
  leave(stage, by, onNewOrder);
  assert.equal(placeAll(stage, by, [sale, sale]), 2);
  assert.equal(world.order(bid.number).status, 'Cancelled');
  assert.equal(marginUsed(world.account(by)), 2 * rate);
});

test('the first leg of a condor to be sold back must not be the one that hedges', () => {
  const stage = open();
  const { world } = stage;
  const by = world.user('AB1234', 0);
  world.submit({ type: 'DepositCash', account: by, amount: 103_600_00 as never, opening: true });
  const condor = [
    leg(stage, CALL_25000, 'B', LOT),
    leg(stage, PUT_23000, 'B', LOT),
    leg(stage, CALL_24500, 'S', LOT),
    leg(stage, PUT_23500, 'S', LOT),
  ];
  assert.equal(placeAll(stage, by, condor), 4);
  const hedge = { by, of: CALL_25000.id, side: 'S', units: LOT, at: 70_80 } as const;
  assert.equal(world.refusal(hedge).rule, 'MarginShortfall');
  assert.equal(placeAll(stage, by, [leg(stage, CALL_24500, 'B', LOT)]), 1, 'the short leg is bought back at any time');
  assert.equal(world.place(hedge).status, 'Complete');
  checkInvariants(world.state, stage.ports);
});

function randomLegs(stage: Stage, random: Random, count: number): OrderQuestion[] {
  return Array.from({ length: count }, () => {
    if (random.chance(15)) return leg(stage, RELIANCE, 'B', random.between(1, 50), random.pick(['C', 'I']));
    const side: Side = random.chance(50) ? 'B' : 'S';
    return leg(stage, random.pick(CONTRACTS), side, LOT * random.between(1, 3), random.pick(['M', 'M', 'I']));
  });
}

test(`a basket is placed with exactly its peak available and not with one paisa less, seed ${SEED}`, () => {
  const random = new Random(SEED);
  let refused = 0;
  for (let round = 0; round < 250; round += 1) {
    const stage = open();
    const held = randomLegs(stage, random, random.between(0, 4));
    const legs = randomLegs(stage, random, random.between(1, 6));
    const enough = stage.world.user('AB1234', 10 * CRORE);
    const short = stage.world.user('CD5678', 10 * CRORE);
    for (const by of [enough, short]) assert.equal(placeAll(stage, by, held), held.length);
    const { onNewOrder, traded } = measure(stage, enough, legs);
    const where = `seed ${SEED}, round ${round}`;
    leave(stage, enough, onNewOrder);
    assert.equal(placeAll(stage, enough, legs), legs.length, where);
    assert.equal(marginUsed(stage.world.account(enough)), traded, where);
    if (onNewOrder > 0) {
      leave(stage, short, onNewOrder - 1);
      assert.ok(placeAll(stage, short, legs) < legs.length, where);
      refused += 1;
    }
    checkInvariants(stage.world.state, stage.ports);
  }
  assert.ok(refused > 150, `${refused} baskets needed something`);
});

test(`the order of the legs changes the peak, not the end, seed ${SEED}`, () => {
  const random = new Random(SEED + 1);
  let others = 0;
  for (let round = 0; round < 200; round += 1) {
    const stage = open();
    const by = stage.world.user('AB1234', 10 * CRORE);
    const legs = randomLegs(stage, random, random.between(2, 6));
    const shuffled = [...legs];
    for (let last = shuffled.length - 1; last > 0; last -= 1) {
      const other = random.below(last + 1);
      [shuffled[last], shuffled[other]] = [shuffled[other] as OrderQuestion, shuffled[last] as OrderQuestion];
    }
    const [one, two] = [measure(stage, by, legs), measure(stage, by, shuffled)];
    assert.equal(one.traded, two.traded, `seed ${SEED + 1}, round ${round}`);
    assert.ok(one.onNewOrder >= one.traded - one.previous);
    if (one.onNewOrder !== two.onNewOrder) others += 1;
  }
  assert.ok(others > 20, `${others} peaks were others`);
});

test('a fifty-leg basket of one kind costs what its legs cost together', () => {
  const stage = open();
  const by = stage.world.user('AB1234', 100 * CRORE);
  const legs = Array.from({ length: 50 }, () => leg(stage, FUTURE, 'B', LOT));
  const one = measure(stage, by, [leg(stage, FUTURE, 'B', LOT)]);
  const { afterEach, onNewOrder } = measure(stage, by, legs);
  near([onNewOrder, afterEach.at(-1) ?? 0], [176_460.05 * 50, 176_460.05 * 50]);
  near([one.onNewOrder], [176_460.05]);
  const written = measure(stage, by, [leg(stage, CALL_24000, 'S', LOT)]);
  near([written.onNewOrder], [185_643.71]);
});

test('an order larger than any that could be admitted is measured as one of ten thousand crore', () => {
  const stage = open();
  const by = stage.world.user('AB1234', CRORE);
  const most = 10_000_000_000_000;
  const shares = leg(stage, RELIANCE, 'B', 1_000_000_000, 'C');
  assert.equal(measure(stage, by, [shares]).onNewOrder, Math.floor(most / 1_260_00) * 1_260_00);
  const dear = { ...shares, terms: { ...shares.terms, quantity: quantity(100), price: price(most) } };
  assert.equal(measure(stage, by, [dear]).onNewOrder, most);
});
