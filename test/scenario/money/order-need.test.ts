import assert from 'node:assert/strict';
import test from 'node:test';
import { must } from '../../../src/base/assert.ts';
import type { AccountId } from '../../../src/base/ids.ts';
import { price, quantity } from '../../../src/base/money.ts';
import { Random } from '../../../src/base/random.ts';
import { availableMargin } from '../../../src/core/broker/account/funds.ts';
import { fillMeasured, needOf, type TriedOrder } from '../../../src/core/broker/orders/order-need.ts';
import { orderMargin } from '../../../src/core/broker/trials/basket-margin.ts';
import { WhatIf } from '../../../src/core/broker/trials/what-if.ts';
import type { PlaceOrder } from '../../../src/core/command.ts';
import { portsFor } from '../../../src/core/decide.ts';
import type { Phase } from '../../../src/core/exchange/phase.ts';
import type { Instrument } from '../../../src/core/instrument.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import type { ProtectionE4 } from '../../../src/core/order.ts';
import { instrumentOf, type Ports } from '../../../src/core/ports.ts';
import { positionFacts } from '../../../src/core/position.ts';
import { accountOf } from '../../../src/core/state.ts';
import { EVERY_DAY } from '../../../src/core/trading-days.ts';
import { FIRST_DAY, listed, NIFTY_CALL, NIFTY_FUTURE, NIFTY_PUT, RELIANCE } from '../../kit/money/listed.ts';
import { RandomCommands, tickOf } from '../../kit/money/random-commands.ts';
import { ScriptedMarket } from '../../kit/money/scripted-market.ts';
import { type Quote, StillMarket } from '../../kit/money/still-market.ts';
import { CALL_21600, FUTURE, LOT, PUT_23000, TODAY, workedWorld } from '../../kit/money/worked-options.ts';
import { World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';

const SEED = Number(process.env.SAUDA_TEST_SEED ?? 20_261_121);
const USERS = 5;
const WORLDS = 15;
const COMMANDS = 120;
const TRADED = [NIFTY_CALL, NIFTY_PUT, NIFTY_FUTURE, RELIANCE] as const;
const AROUND = new Map<Instrument, number>([
  [NIFTY_FUTURE, 24_000_00],
  [RELIANCE, 1_000_00],
]);

/** How often each way of measuring an order decided. */
interface Seen {
  alone: number;
  required: number;
  freed: number;
}

/** Asks an order of two accounts that are alike, once all of it and once only what may decide. */
function compare(whole: WhatIf, quick: WhatIf, order: TriedOrder, seen: Seen): void {
  const before = whole.availableMargin();
  const all = needOf(whole, order, before, true);
  const asked = needOf(quick, order, before);
  if (all.filled === undefined) assert.equal(before - whole.availableMargin(), all.resting);
  if (all.required > 0 || asked.required > 0) assert.deepEqual(asked.required, all.required);
  if (asked.resting === undefined) seen.alone += 1;
  if (asked.required > 0) seen.required += 1;
  else seen.freed += 1;
  fillMeasured(whole, order, all);
  fillMeasured(quick, order, asked);
  assert.deepEqual(quick.books, whole.books);
}

test('worlds that are left out of the measure of an order never decide', () => {
  const seen: Seen = { alone: 0, required: 0, freed: 0 };
  for (let round = 0; round < WORLDS; round += 1) compareIn(new Random(SEED + round), SEED + round, seen);
  assert.ok(seen.alone > 500 && seen.required > 500 && seen.freed > 50, JSON.stringify(seen));
});

test('beside premium received, an order that rests needs what it needs once it has filled', () => {
  const { ports, market } = workedWorld();
  const world = new World(ports, TODAY);
  const by = world.user('AB1234', 100_000_000);
  world.place({ by, of: PUT_23000.id, side: 'B', units: 40 * LOT, at: 65_95 });
  world.nextDay();
  world.place({ by, of: PUT_23000.id, side: 'S', units: 40 * LOT, at: 65_95 });
  assert.equal(world.place({ by, of: CALL_21600.id, side: 'B', units: LOT, at: 2_535_00 }).status, 'Open');
  const account = world.account(by);
  assert.ok(
    account.books.premium >= account.books.restingPremium && account.books.restingPremium > 0,
    'the premium received pays for what rests',
  );
  const [limit, units] = [price(24_138_50), quantity(LOT)];
  const order = { facts: positionFacts(FUTURE), product: 'M', side: 'S', units, limit, worst: limit } as const;
  const desk = { ...ports, tick: market.tickAt(world.at), riskTick: world.state.riskTick, riskFiles: [] };
  const before = new WhatIf(desk, account).availableMargin();
  const all = needOf(new WhatIf(desk, account), order, before, true);
  assert.equal(must(all.resting, 'it is measured'), must(all.filled, 'it is measured'));
  assert.equal(needOf(new WhatIf(desk, account), order, before).required, all.required);
});

/** Trades for a while, and asks orders and baskets beside it that nobody places. */
function compareIn(random: Random, seed: number, seen: Seen): void {
  const market = new ScriptedMarket(seed);
  const ports: Ports = testPorts({ market });
  const world = new World(ports, FIRST_DAY);
  for (let user = 0; user < USERS; user += 1) world.user(`U${user}`, random.between(50_00_000_00, 500_00_000_00));
  const commands = new RandomCommands(random, market);
  for (let i = 0; i < COMMANDS; i += 1) {
    if (random.chance(30)) world.at = (world.at + random.between(1, 4_000)) as World['at'];
    world.submit(commands.next(world.state, tickOf(world.at)));
    const account = accountOf(world.state, random.below(USERS) as AccountId);
    const command: PlaceOrder = { type: 'PlaceOrder', account: account.id, ...wished(random), remarks: '' };
    const desk = portsFor(world.state, ports, { seq: world.state.seq, at: world.at, command });
    const [whole, quick] = [new WhatIf(desk, account), new WhatIf(desk, account)];
    for (let leg = random.below(3); leg >= 0; leg -= 1) {
      const { instrument, product, side, terms } = wished(random);
      const order = { product, side, units: terms.quantity, limit: terms.price, worst: terms.price };
      const facts = positionFacts(instrumentOf(desk, instrument));
      assert.doesNotThrow(() => compare(whole, quick, { ...order, facts }, seen), `seed ${seed}, command ${i}`);
    }
  }
}

/** An order near the price of what it trades. */
function wished(random: Random): Pick<PlaceOrder, 'instrument' | 'product' | 'side' | 'terms'> {
  const of = random.pick(TRADED);
  const around = AROUND.get(of) ?? 150_00;
  const price = (around + 5 * random.between(-2_000, 2_000)) as PlaceOrder['terms']['price'];
  const quantity = (of.lot * random.between(1, 6)) as PlaceOrder['terms']['quantity'];
  const terms = { priceType: 'LMT', retention: 'DAY', quantity, price, trigger: 0 as typeof price } as const;
  const product = of === RELIANCE ? random.pick(['C', 'I'] as const) : random.pick(['M', 'I'] as const);
  return { instrument: of.id, product, side: random.pick(['B', 'S']), terms };
}

/** A user with `cash` in paise before a share at 1260.00, the figures of margins, and then at `quote`. */
function beforeShare(quote: Quote, cash: number) {
  const market = new StillMarket();
  market.quotes.set(RELIANCE.id, { bid: 1_260_00, ask: 1_260_00, last: 1_260_00, close: 1_260_00 });
  const ports = testPorts({ instruments: listed, market, days: EVERY_DAY });
  const world = new World(ports, FIRST_DAY);
  const by = world.user('AB1234', 0);
  world.submit({ type: 'DepositCash', account: by, amount: cash as never, opening: true });
  market.quotes.set(RELIANCE.id, quote);
  const order = { by, of: RELIANCE.id, side: 'S', units: 100, product: 'I' } as const;
  return { market, ports, world, by, order };
}

/** The margin that a market order for 100 intraday units needs in rupees, with what protects it. */
function marketNeed(quote: Quote, side: 'B' | 'S', protection?: number, phase: Phase = 'Continuous'): number {
  const { market, world, by } = beforeShare(quote, 1_00_000_00);
  market.phase = () => phase;
  const terms = { priceType: 'MKT', retention: 'DAY', quantity: quantity(100), price: price(0), trigger: price(0) };
  const { onNewOrder } = orderMargin(world.state, world.portsNow(), world.account(by), {
    ...{ instrument: RELIANCE.id, side, product: 'I', terms: terms as never },
    ...(protection === undefined ? {} : { protection: protection as ProtectionE4 }),
  });
  return onNewOrder / 100;
}

test('an intraday sale at market needs the reference and its protection, or the last price, whichever is higher', () => {
  const at = (bid: number | undefined, last: number): Quote => ({
    ...(bid === undefined ? {} : { bid }),
    ...{ ask: 1_300_00, last, close: 1_260_00 },
  });
  assert.equal(marketNeed({ ...at(1_260_00, 1_260_00), ask: 1_260_00 }, 'B'), 25_326);
  assert.equal(marketNeed(at(1_260_00, 1_260_00), 'S'), 25_326, 'the figure of R4.23: 20 % of 100 at 1266.30');
  assert.equal(marketNeed(at(1_260_00, 1_260_00), 'S', 20_000), 25_704, 'the 2 % that its client names');
  assert.equal(marketNeed(at(undefined, 1_260_00), 'S'), 25_326, 'without a bid the last price is the reference');
  assert.equal(marketNeed(at(1_260_00, 1_270_00), 'S'), 25_400, 'the last price is above 1266.30');
  assert.equal(marketNeed(at(1_260_00, 1_264_00), 'S'), 25_326);
  assert.equal(marketNeed({ ...at(1_260_00, 1_260_00), band: [1_200_00, 1_263_00] }, 'S'), 25_260, 'no trade above it');
});

test('an intraday sale at market in an auction needs the last price, as nothing but the band protects it', () => {
  const quote: Quote = { last: 1_262_00, close: 1_260_00, band: [1_200_00, 1_300_00] };
  assert.equal(marketNeed(quote, 'S', undefined, 'PreOpen'), 25_240);
  assert.equal(marketNeed({ ...quote, bid: 1_270_00 }, 'S', undefined, 'PreOpen'), 25_400, 'or a higher bid');
});

test('an intraday sale at market is taken with just its need, and what it then blocks is not above that', () => {
  const quote: Quote = { bid: 1_260_00, ask: 1_260_00, last: 1_260_00, close: 1_260_00, size: 40 };
  const short = beforeShare(quote, 25_325_99);
  assert.equal(short.world.refusal(short.order).rule, 'MarginShortfall');
  const { world, by, order, ports } = beforeShare(quote, 25_326_00);
  const { status, filled } = world.place(order);
  assert.deepEqual([status, filled], ['Open', 40]);
  assert.equal(availableMargin(world.account(by)), 126_00, 'fills and rest stand at 1260.00');
  checkInvariants(world.state, ports);
});

test('an intraday sale with a limit needs its limit or the best bid, whichever is higher', () => {
  const quote: Quote = { bid: 1_262_00, ask: 1_263_00, last: 1_270_00, close: 1_260_00 };
  const short = beforeShare(quote, 25_239_99);
  assert.equal(short.world.refusal({ ...short.order, at: 1_250_00 }).rule, 'MarginShortfall');
  const { world, order } = beforeShare(quote, 25_240_00);
  assert.equal(world.place({ ...order, at: 1_250_00 }).status, 'Complete');
});
