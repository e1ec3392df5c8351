import assert from 'node:assert/strict';
import test from 'node:test';
import { must } from '../../../src/base/assert.ts';
import type { AccountId } from '../../../src/base/ids.ts';
import { floorToTick, type Price, price, quantity } from '../../../src/base/money.ts';
import { Random } from '../../../src/base/random.ts';
import { HOUR_MS, type IstDay, istInstant, MINUTE_MS } from '../../../src/base/time.ts';
import { ordersToRelease } from '../../../src/core/broker/orders/after-market.ts';
import { MOST_COUNTED } from '../../../src/core/broker/orders/exact-sum-limits.ts';
import { isLive } from '../../../src/core/broker/orders/life-cycle.ts';
import { basketMargin, type OrderQuestion } from '../../../src/core/broker/trials/basket-margin.ts';
import { OrderPreview } from '../../../src/core/broker/trials/order-preview.ts';
import { type Instrument, isDerivative, marginGroup } from '../../../src/core/instrument.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import { inOneOrder, type OrderTerms } from '../../../src/core/order.ts';
import { dayOf } from '../../kit/exchange/exchange-hours.ts';
import { DATA, exchangePorts } from '../../kit/exchange/exchange-ports.ts';
import { futuresOn } from '../../kit/futures-on.ts';
import { World } from '../../kit/money/world.ts';

/*
 * Orders at the edges of what the wire can say: the highest price, the largest quantity, and whatever lies near the
 * bounds of exact sums. Each is answered, while the market is open and while orders wait for it, and whether it is
 * placed, modified, previewed, measured, or kept by a GTT. SAUDA_TEST_SEED runs another seed.
 */

const SEED = Number(process.env.SAUDA_TEST_SEED ?? 20_261_121);
const FRIDAY = dayOf('2026-11-20');
const MONDAY = dayOf('2026-11-23');
const HIGHEST_PRICE = 99_999_999_999;
const MOST_UNITS = 999_999_999;
/** The most cash that all accounts may have, less the pay-in of the other one. */
const RICH = 3_999_000_000_000_000;
const ASKED_AT_A_MOMENT = 400;

class Extremes {
  readonly world: World;
  readonly accounts: readonly AccountId[];
  private readonly random: Random;
  readonly instruments: readonly Instrument[];

  constructor(seed: number) {
    this.random = new Random(seed);
    const ports = exchangePorts(4);
    const at = istInstant(FRIDAY, 10 * HOUR_MS);
    const share = (symbol: string) => must(ports.instruments.find('NSE', symbol, at), symbol);
    const future = (symbol: string) => must(futuresOn(ports.instruments, 'NFO', symbol, at)[0], symbol);
    const idea = future('IDEA');
    const option = must(ports.instruments.chain(marginGroup(idea), idea.expiryDay, at)[0], 'an option on IDEA');
    const wide = { ...future('NIFTY'), freeze: quantity(MOST_UNITS) };
    const free = { ...future('BANKNIFTY'), freeze: quantity(0) };
    const imported = new Map<Instrument['id'], Instrument>([wide, free].map((one) => [one.id, one]));
    const get = (id: Instrument['id']) => imported.get(id) ?? ports.instruments.get(id);
    this.instruments = [share('IDEA-EQ'), share('MRF-EQ'), idea, option, wide, free];
    this.world = new World({ ...ports, instruments: { get } }, DATA.calendar.previousTradingDay('NSE', FRIDAY));
    this.accounts = [this.world.user('RICH', RICH), this.world.user('POOR', 1_00)];
    for (const account of this.accounts) {
      const { id: instrument } = share('RELIANCE-EQ');
      this.world.give(account, instrument, 100_000, 1_000_00);
      const { reply } = this.world.submit({ type: 'PledgeShares', account, instrument, quantity: quantity(50_000) });
      assert.equal(reply.type, 'Done', 'collateral makes the check of cash ask, too');
    }
  }

  /** A quantity at an edge, most often of whole lots and within the freeze quantity. */
  private units({ lot, freeze }: Instrument): number {
    const { random } = this;
    const most = freeze === 0 || random.chance(10) ? MOST_UNITS : freeze;
    const units = random.pick([lot, most, Math.ceil(most / 2), 90_072, random.between(1, most)]);
    return random.chance(10) ? Math.min(units, MOST_UNITS) : Math.max(lot, Math.floor(units / lot) * lot);
  }

  /** A price at an edge, most often on the tick. */
  private price({ id, tick }: Instrument, units: number): Price {
    const { random, world } = this;
    const now = world.portsNow();
    const exact = Math.min(HIGHEST_PRICE, Math.ceil(random.pick([Number.MAX_SAFE_INTEGER, MOST_COUNTED]) / units));
    const near = now.market.previousClose(id, now.tick);
    const made = random.pick([HIGHEST_PRICE, exact, exact + tick, random.between(1, 1_000_000) * 100_000, near, tick]);
    const within = Math.min(Math.max(made, tick), HIGHEST_PRICE);
    return price(random.chance(5) ? within : Math.max(tick, floorToTick(within, tick)));
  }

  private terms(of: Instrument): OrderTerms {
    const { random } = this;
    const units = quantity(this.units(of));
    const priceType = random.pick(['LMT', 'LMT', 'LMT', 'MKT', 'SL-LMT', 'SL-MKT'] as const);
    const hasLimit = priceType === 'LMT' || priceType === 'SL-LMT';
    return {
      priceType,
      retention: priceType === 'LMT' && random.chance(20) ? 'IOC' : 'DAY',
      quantity: units,
      price: hasLimit ? this.price(of, units) : price(0),
      trigger: priceType.startsWith('SL') ? this.price(of, units) : price(0),
    };
  }

  private question(of = this.random.pick(this.instruments)): OrderQuestion {
    const { random } = this;
    const product = isDerivative(of) ? random.pick(['M', 'I'] as const) : random.pick(['C', 'I'] as const);
    const protection = random.chance(10) ? { protection: random.pick([0, 1, 10_000, 99_999_999]) } : {};
    return { instrument: of.id, side: random.pick(['B', 'S'] as const), product, terms: this.terms(of), ...protection };
  }

  /** Asks one thing; each is answered. */
  ask(): void {
    const { random, world } = this;
    const account = random.pick(this.accounts);
    const kind = random.below(6);
    if (kind <= 1) world.submit({ type: 'PlaceOrder', account, ...this.question(), remarks: '' });
    else if (kind === 2) this.modify(account);
    else if (kind === 3) this.preview(account);
    else if (kind === 4) this.keep(account);
    else basketMargin(world.state, world.portsNow(), world.account(account), this.questions());
  }

  private questions(): OrderQuestion[] {
    return Array.from({ length: this.random.pick([1, 2, 50]) }, () => this.question());
  }

  private modify(account: AccountId): void {
    const { random, world } = this;
    const open = world.account(account).orders.filter((number) => isLive(world.order(number).status));
    if (open.length === 0) return;
    const order = random.pick(open);
    const of = must(world.portsNow().instruments.get(world.order(order).instrument), 'an order has its instrument');
    world.submit({ type: 'ModifyOrder', account, order, terms: this.terms(of) });
  }

  private preview(account: AccountId): void {
    const { world } = this;
    const orders = this.questions();
    const groups = new Set(this.instruments.map(marginGroup));
    const preview = new OrderPreview(world.state, world.portsNow(), world.account(account), groups);
    for (const order of orders) preview.place({ account, ...order });
  }

  /** Places a GTT, and modifies it. */
  private keep(account: AccountId): void {
    const { random, world } = this;
    const of = random.pick(this.instruments);
    const leg = () => {
      const { side, product, terms } = this.question(of);
      return { side, product, terms: inOneOrder(terms), trigger: this.price(of, 1), remarks: '' };
    };
    const placed = world.submit({ type: 'PlaceGtt', account, instrument: of.id, legs: [leg()], remarks: '' });
    if (placed.reply.type !== 'GttPlaced') return;
    const { gtt } = placed.reply;
    world.submit({ type: 'ModifyGtt', account, gtt, instrument: of.id, legs: [leg()], remarks: '' });
  }

  /** Sends the orders that are due to the exchange. */
  release(): void {
    const { world } = this;
    for (const order of ordersToRelease(world.state, world.portsNow())) {
      if (order !== undefined) world.submit({ type: 'ReleaseOrder', order });
    }
  }
}

test('an order in a contract that is worth more than is counted exactly is rejected as it comes to wait', () => {
  const { world, accounts, instruments } = new Extremes(SEED);
  world.passTo(istInstant(FRIDAY, 17 * HOUR_MS));
  for (const { id: of, kind, lot, freeze, tick } of instruments) {
    if (kind === 'equity' || freeze < 2 * lot) continue;
    for (const by of accounts) {
      const refusal = world.refusal({ by, of, side: 'B', units: 2 * lot, at: floorToTick(HIGHEST_PRICE, tick) });
      assert.equal(refusal.rule, 'AboveOrderValueCap');
    }
  }
});

test('each order at the edges of the wire is answered, in the session, at night and when it is released', () => {
  const extremes = new Extremes(SEED);
  const { world } = extremes;
  const seen = { waited: 0, capped: 0 };
  const moments: readonly (readonly [day: IstDay, minutes: number])[] = [
    [FRIDAY, 9 * 60 + 3],
    [FRIDAY, 9 * 60 + 14],
    [FRIDAY, 11 * 60],
    [FRIDAY, 17 * 60],
    [MONDAY, 8 * 60],
    [MONDAY, 9 * 60 + 16],
  ];
  for (const [day, minutes] of moments) {
    world.passTo(istInstant(day, minutes * MINUTE_MS));
    extremes.release();
    for (let asked = 0; asked < ASKED_AT_A_MOMENT; asked += 1) {
      assert.doesNotThrow(() => extremes.ask(), `SAUDA_TEST_SEED=${SEED}, at ${minutes} minutes of day ${day}`);
    }
    checkInvariants(world.state);
  }
  for (const { events } of world.records) {
    for (const event of events) {
      if (event.type === 'AfterMarketTaken') seen.waited += 1;
      if (event.type === 'OrderRejected' && event.refusal.rule === 'AboveOrderValueCap') seen.capped += 1;
    }
  }
  assert.ok(seen.waited > 20 && seen.capped > 20, `SAUDA_TEST_SEED=${SEED}: ${JSON.stringify(seen)}`);
});
