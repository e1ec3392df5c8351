import assert from 'node:assert/strict';
import test from 'node:test';
import { price, quantity } from '../../../src/base/money.ts';
import { Random } from '../../../src/base/random.ts';
import { convertRows, judgeConversion } from '../../../src/core/broker/account/conversion.ts';
import { WhatIf } from '../../../src/core/broker/trials/what-if.ts';
import type { ConvertPosition } from '../../../src/core/command.ts';
import { portsFor } from '../../../src/core/decide.ts';
import type { Instrument } from '../../../src/core/instrument.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import type { Product, Side } from '../../../src/core/order.ts';
import { positionFacts } from '../../../src/core/position.ts';
import {
  FIRST_DAY,
  GROSS,
  NIFTY_CALL,
  NIFTY_FUTURE,
  NIFTY_PUT,
  RELIANCE,
  RELIANCE_BSE,
} from '../../kit/money/listed.ts';
import { StillMarket } from '../../kit/money/still-market.ts';
import { placement, World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';

const SEED = Number(process.env.SAUDA_TEST_SEED ?? 20_261_121);
const WORLDS = 12;
const ORDERS = 60;
const CRORE = 1_000_000_000;
const PRICES = new Map<Instrument, number>([
  [RELIANCE, 1_000_00],
  [RELIANCE_BSE, 1_001_00],
  [GROSS, 100_00],
  [NIFTY_FUTURE, 24_000_00],
  [NIFTY_CALL, 400_00],
  [NIFTY_PUT, 200_00],
]);
const TRADED = [...PRICES.keys()];

interface Drawn {
  readonly of: Instrument;
  readonly side: Side;
  readonly product: Product;
  readonly units: number;
}

function drawn(random: Random): Drawn {
  const of = random.pick(TRADED);
  const product = of.kind === 'equity' ? random.pick(['C', 'C', 'I'] as const) : random.pick(['M', 'I'] as const);
  return { of, side: random.pick(['B', 'S'] as const), product, units: of.lot * random.between(1, 4) };
}

/**
 * A world of one rich account with some shares, some of them pledged, on a market that trades everything at one price.
 */
function open() {
  const market = new StillMarket();
  for (const [{ id }, at] of PRICES) market.quotes.set(id, { bid: at, ask: at, last: at, close: at });
  const ports = testPorts({ market });
  const world = new World(ports, FIRST_DAY);
  const by = world.user('AB1234', 100 * CRORE);
  for (const { id } of [RELIANCE, GROSS]) {
    world.give(by, id, 10, 10 * 90_00);
    world.submit({ type: 'PledgeShares', account: by, instrument: id, quantity: quantity(3) });
  }
  const command = placement({ by, of: RELIANCE.id, side: 'B', units: 1 });
  const tried = () => new WhatIf(portsFor(world.state, ports, { seq: 1, at: world.at, command }), world.account(by));
  return { ports, world, by, tried };
}

function eachSeed(play: (random: Random, seed: number) => void): void {
  for (let seed = SEED; seed < SEED + WORLDS; seed += 1) play(new Random(seed), seed);
}

test('a trial of fills, one after the other, moves every book by the amounts that the fills move', () => {
  let filled = 0;
  let together = 0;
  eachSeed((random, seed) => {
    const { ports, world, by, tried } = open();
    for (let i = 0; i < ORDERS; i += 1) {
      if (random.chance(10)) world.nextDay();
      const legs = Array.from({ length: random.between(1, 3) }, () => drawn(random));
      const trial = tried();
      for (const { of, side, product, units } of legs) {
        trial.fill(positionFacts(of), product, side, quantity(units), price(PRICES.get(of) ?? 0));
      }
      const expected = { ...trial.books };
      const orders = legs.map(({ of, side, product, units }) => {
        const { reply } = world.submit(placement({ by, of: of.id, side, product, units, at: PRICES.get(of) ?? 0 }));
        return reply.type === 'OrderPlaced' ? world.order(reply.order).status : reply.type;
      });
      if (!orders.every((status) => status === 'Complete')) continue;
      filled += 1;
      if (legs.length > 1) together += 1;
      assert.deepEqual({ ...world.account(by).books }, expected, `seed ${seed}, turn ${i}`);
    }
    checkInvariants(world.state, ports);
  });
  assert.ok(filled > 200 && together > 100, `${filled} filled, ${together} of them together`);
});

test('a trial that fills the resting orders of one side moves the amounts that their fills move', () => {
  let together = 0;
  eachSeed((random, seed) => {
    const { ports, world, by, tried } = open();
    const market = ports.market;
    for (let round = 0; round < 8; round += 1) {
      const of = random.pick([RELIANCE, NIFTY_FUTURE, NIFTY_CALL, NIFTY_PUT]);
      const products = of.kind === 'equity' ? (['I'] as const) : (['M', 'I'] as const);
      const last = PRICES.get(of) ?? 0;
      const show = (at: number) => market.quotes.set(of.id, { bid: at, ask: at, last: at, close: last });
      if (random.chance(60)) {
        const product = random.pick(products);
        world.place({ by, of: of.id, side: random.pick(['B', 'S']), units: 2 * of.lot, at: last, product });
      }
      const side = random.pick(['B', 'S'] as const);
      const limit = side === 'B' ? last - 10_00 : last + 10_00;
      const orders = [];
      for (let count = random.between(1, 3); count > 0; count -= 1) {
        const product = random.pick(products);
        orders.push(world.place({ by, of: of.id, side, product, units: of.lot * random.between(1, 3), at: limit }));
      }
      assert.ok(
        orders.every(({ status }) => status === 'Open'),
        `seed ${seed}`,
      );
      const trial = tried();
      for (const product of products) trial.fillResting(positionFacts(of), product, side);
      const copied = trial.copy();
      const expected = { ...trial.books };
      assert.deepEqual({ ...copied.books }, expected, 'a copy is as what it was copied from');
      show(limit);
      world.at = (world.at + 1_000) as typeof world.at;
      world.submit({ type: 'MoveMarket', instrument: of.id, tick: market.tickAt(world.at) });
      show(last);
      assert.ok(
        orders.every(({ status }) => status === 'Complete'),
        `seed ${seed}`,
      );
      assert.deepEqual({ ...world.account(by).books }, expected, `seed ${seed}, round ${round}`);
      if (orders.length > 1) together += 1;
    }
    checkInvariants(world.state, ports);
  });
  assert.ok(together > 20, `${together} times several orders filled together`);
});

test('a single share that rests is tried to fill like many', () => {
  const { world, by, tried } = open();
  world.place({ by, of: RELIANCE.id, side: 'B', product: 'I', units: 2, at: 1_000_00 });
  world.place({ by, of: RELIANCE.id, side: 'S', product: 'I', units: 1, at: 1_010_00 });
  const trial = tried();
  trial.fillResting(positionFacts(RELIANCE), 'I', 'S');
  assert.equal(trial.books.realised, 10_00);
  assert.equal(trial.books.cashSegment, 200_00, 'a fifth of the share that is left');
});

test('an order that is tried to rest and to be gone again leaves what was there', () => {
  eachSeed((random) => {
    const { world, by, tried } = open();
    for (let i = 0; i < 20; i += 1) {
      const { of, side, product, units } = drawn(random);
      const at = (PRICES.get(of) ?? 0) + (side === 'B' ? -5_00 : 5_00);
      const trial = tried();
      const facts = positionFacts(of);
      trial.rest(facts, product, side, quantity(units), price(at));
      const resting = { ...trial.books };
      const known = trial.seen(facts, product);
      trial.withdraw(facts, product, side, quantity(units), price(at));
      assert.deepEqual({ ...trial.books }, { ...world.account(by).books });
      const placed = world.place({ by, of: of.id, side, product, units, at });
      if (placed.status !== 'Open') continue;
      assert.deepEqual({ ...world.account(by).books }, resting);
      assert.ok(known !== undefined && tried().seen(facts, product) !== undefined, 'the row is there from then on');
    }
  });
});

test('a trial of a conversion moves the amounts that the conversion moves', () => {
  let converted = 0;
  eachSeed((random, seed) => {
    const { ports, world, by, tried } = open();
    for (let i = 0; i < ORDERS; i += 1) {
      const { of, side, product, units } = drawn(random);
      if (random.chance(60)) {
        world.submit(placement({ by, of: of.id, side, product, units, at: PRICES.get(of) ?? 0 }));
        continue;
      }
      const to = of.kind === 'equity' ? (product === 'C' ? 'I' : 'C') : product === 'M' ? 'I' : 'M';
      const named = { account: by, instrument: of.id, from: product, to, quantity: quantity(of.lot) } as const;
      const wish: ConvertPosition = { type: 'ConvertPosition', ...named, side, age: 'day' };
      const desk = portsFor(world.state, ports, { seq: 1, at: world.at, command: wish });
      const event = judgeConversion(world.state, desk, world.account(by), wish);
      if ('rule' in event) continue;
      const trial = tried();
      trial.book(convertRows(trial.row(event, event.from), trial.row(event, event.to), event));
      const expected = { ...trial.books };
      assert.equal(world.submit(wish).reply.type, 'PositionConverted');
      assert.deepEqual({ ...world.account(by).books }, expected, `seed ${seed}, command ${i}`);
      converted += 1;
    }
    checkInvariants(world.state, ports);
  });
  assert.ok(converted > 50, `${converted} conversions`);
});
