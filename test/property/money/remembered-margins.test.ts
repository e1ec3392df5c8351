import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId } from '../../../src/base/ids.ts';
import { price, quantity } from '../../../src/base/money.ts';
import { Random } from '../../../src/base/random.ts';
import { type IstDay, istInstant } from '../../../src/base/time.ts';
import { fillMeasured, needOf } from '../../../src/core/broker/orders/order-need.ts';
import { WhatIf } from '../../../src/core/broker/trials/what-if.ts';
import type { PlaceOrder } from '../../../src/core/command.ts';
import type { Derivative } from '../../../src/core/instrument.ts';
import { type SpanContract, type SpanFile, spanKey } from '../../../src/core/margin/rates/span-file.ts';
import { requirement } from '../../../src/core/margin/requirement.ts';
import { type DecisionPorts, instrumentOf, type Ports } from '../../../src/core/ports.ts';
import { positionFacts } from '../../../src/core/position.ts';
import { accountOf } from '../../../src/core/state.ts';
import { FIRST_DAY, LISTED, NIFTY_CALL, NIFTY_FUTURE, NIFTY_PUT, RELIANCE } from '../../kit/money/listed.ts';
import { RandomCommands, tickOf } from '../../kit/money/random-commands.ts';
import { ScriptedMarket } from '../../kit/money/scripted-market.ts';
import { World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';
import { reloaded } from '../../kit/stored-state.ts';

/*
 * Margins that are remembered between two questions, held to an account that remembers nothing: the sums of a portfolio
 * made from its rows, by figures that are asked of the market again. Between the questions there is all that may change
 * an answer.
 */

const SEED = Number(process.env.SAUDA_TEST_SEED ?? 20_261_121);
const RUNS = Number(process.env.SAUDA_TEST_RUNS ?? 4);
const TURNS = 250;
const USERS = 3;

/**
 * A contract of the tests under its underlying's symbol, as files name it, with its expiry counted in days from the
 * first one.
 */
function expiring(of: Derivative, days: number): Derivative {
  const expiryDay = (FIRST_DAY + days) as IstDay;
  const shift = of.expiryDay - expiryDay;
  const [id, token] = [(of.id + 100 * shift) as Derivative['id'], of.token + 100 * shift];
  const tradingSymbol = `${of.tradingSymbol}-${days}`;
  return { ...of, id, token, symbol: 'NIFTY', tradingSymbol, expiryDay, expiresAt: istInstant(expiryDay, 55_800_000) };
}

/** On the first days some expire, beside others that stay. */
const CONTRACTS: readonly Derivative[] = [NIFTY_FUTURE, NIFTY_CALL, NIFTY_PUT].flatMap((of) =>
  [1, 4, 60].map((days) => expiring(of, days)),
);
const BY_ID = new Map([...LISTED, ...CONTRACTS].map((instrument) => [instrument.id, instrument]));
const FILES = ['', 'a', 'b'] as const;

/** A file that says something of some contracts, and of no others. */
function fileOf(digest: string, random: Random): SpanFile {
  const contracts = new Map<string, SpanContract>();
  for (const of of CONTRACTS) {
    if (random.chance(40)) continue;
    const losses = Float64Array.from({ length: 16 }, () => random.between(-200_000_00, 200_000_00));
    const stated = { price: price(random.between(5, 300_00)), losses, delta: random.between(-10_000, 10_000) };
    contracts.set(spanKey(of.expiryDay, of.kind === 'option' ? of : undefined), stated);
  }
  const rates = { calendarRate: random.chance(50) ? random.between(1, 500_00) : undefined, shortOptionMinimum: 900 };
  const nifty = { symbol: 'NIFTY', spot: price(24_100_00), ...rates, contracts };
  return { digest, exchange: 'NFO', day: FIRST_DAY, underlyings: new Map([['NIFTY', nifty]]) };
}

interface Played {
  readonly random: Random;
  readonly ports: Ports;
  readonly world: World;
  readonly commands: RandomCommands;
  /** How often each thing was done or seen. */
  readonly seen: Map<string, number>;
}

function count({ seen }: Played, what: string): void {
  seen.set(what, (seen.get(what) ?? 0) + 1);
}

function deskNow({ world: { state, at }, ports }: Played): DecisionPorts {
  return { ...ports, tick: tickOf(at), riskTick: state.riskTick, riskFiles: state.riskFiles };
}

/** An order near the price of a contract. */
function wishOf({ random, world, ports }: Played): PlaceOrder {
  const of = random.chance(90) ? random.pick(CONTRACTS) : RELIANCE;
  const last = ports.market.lastPrint(of.id, tickOf(world.at)).price;
  const at = Math.max(5, last + 5 * random.between(-20, 20));
  return {
    type: 'PlaceOrder',
    account: random.below(USERS) as AccountId,
    instrument: of.id,
    side: random.pick(['B', 'S'] as const),
    product: random.pick(['M', 'I'] as const),
    terms: {
      priceType: 'LMT',
      retention: 'DAY',
      quantity: quantity(of.lot * random.between(1, 5)),
      price: price(at),
      trigger: price(0),
    },
    remarks: '',
  };
}

/**
 * Asks several orders one after the other, as a basket does, and changes nothing; the last was measured last. The need
 * of an order is asked for whole and in part, with the same answer where one is required.
 */
function ask(played: Played, wishes: readonly PlaceOrder[], where: string): void {
  const [first] = wishes;
  if (first === undefined) return;
  const desk = deskNow(played);
  const account = accountOf(played.world.state, first.account);
  const [whole, part] = [new WhatIf(desk, account), new WhatIf(desk, account)];
  for (const { instrument, product, side, terms } of wishes) {
    const facts = positionFacts(instrumentOf(desk, instrument));
    const order = { facts, product, side, units: terms.quantity, limit: terms.price, worst: terms.price };
    const all = needOf(whole, order, whole.availableMargin(), true);
    const some = needOf(part, order, part.availableMargin());
    if (all.required > 0 || some.required > 0) assert.equal(some.required, all.required, where);
    if (some.resting === undefined) count(played, 'in part');
    fillMeasured(whole, order, all);
    fillMeasured(part, order, some);
    assert.deepEqual(part.books, whole.books, where);
  }
  count(played, 'asked');
}

/** One thing that may change what margins are, or ask for them. */
function turn(played: Played, where: string): void {
  const { random, world, commands } = played;
  const draw = random.below(100);
  if (draw < 70) {
    const wishes = Array.from({ length: random.below(4) }, () => wishOf(played));
    ask(played, wishes, where);
    // The very order that was measured last, or another.
    const placed = wishes.at(-1) ?? wishOf(played);
    if (random.chance(80)) world.submit(placed);
  } else if (draw < 90) world.submit(commands.next(world.state, tickOf(world.at)));
  else if (draw < 96) {
    const spanFiles = random.pick(FILES);
    const files = spanFiles === '' ? [] : [spanFiles];
    const later = random.chance(50) ? tickOf(world.at) : world.state.riskTick;
    const { events } = world.submit({ type: 'ReviseMargins', tick: later, spanFiles: files });
    if (events.length > 0) count(played, 'revised');
  } else if (draw < 98) {
    world.nextDay();
    count(played, 'day');
  } else {
    world.state = reloaded(world.state);
    count(played, 'loaded');
  }
  world.at = (world.at + random.between(1, 30_000)) as World['at'];
}

/** Every portfolio needs, and blocks, what its rows need by figures that nobody has asked for yet. */
function compare(played: Played, where: string): void {
  const desk = deskNow(played);
  const anew: DecisionPorts = { ...desk, market: Object.create(desk.market) };
  for (const { portfolios } of played.world.state.accounts) {
    for (const portfolio of portfolios.values()) {
      const afresh = requirement(anew, { ...portfolio, sums: undefined, touched: [] });
      assert.deepEqual(requirement(desk, portfolio), afresh, where);
      assert.deepEqual(portfolio.parts, afresh, `${where}: what is blocked`);
      if (afresh.span > 0) count(played, 'margins');
    }
  }
}

test('remembered margins equal those that are computed again, whatever happened in between', () => {
  const seen = new Map<string, number>();
  for (let run = 0; run < RUNS; run += 1) {
    const seed = SEED + run;
    const random = new Random(seed);
    const market = new ScriptedMarket(seed, [...BY_ID.values()]);
    const spanFiles = new Map(['a', 'b'].map((digest) => [digest, fileOf(digest, random)]));
    const ports: Ports = testPorts({ instruments: { get: (id) => BY_ID.get(id) }, market, spanFiles });
    const world = new World(ports, FIRST_DAY);
    for (let user = 0; user < USERS; user += 1) world.user(`U${user}`, 5_000_000_00_00);
    const played = { random, ports, world, commands: new RandomCommands(random, market), seen };
    for (let index = 0; index < TURNS; index += 1) {
      const where = `seed ${seed}, turn ${index}`;
      turn(played, where);
      if (random.chance(60)) compare(played, where);
    }
  }
  for (const what of ['asked', 'in part', 'revised', 'day', 'loaded', 'margins'])
    assert.ok((seen.get(what) ?? 0) > RUNS, `${what}: ${seen.get(what)}`);
});
