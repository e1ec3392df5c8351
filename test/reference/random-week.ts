import assert from 'node:assert/strict';
import { must } from '../../src/base/assert.ts';
import { type AccountId, type InstrumentId, instrumentId } from '../../src/base/ids.ts';
import type { Price, Quantity } from '../../src/base/money.ts';
import { Random } from '../../src/base/random.ts';
import { type EpochMs, HOUR_MS, type IstDay, istInstant } from '../../src/base/time.ts';
import type { Account } from '../../src/core/account.ts';
import { dueBoundary } from '../../src/core/broker/settlement/boundary.ts';
import type { Event, TradeSide } from '../../src/core/event.ts';
import type { Instrument } from '../../src/core/instrument.ts';
import { checkInvariants } from '../../src/core/invariants.ts';
import type { Side } from '../../src/core/order.ts';
import type { PortionLimits } from '../../src/core/portions/due-portion.ts';
import type { Ports } from '../../src/core/ports.ts';
import { orderOf } from '../../src/core/state.ts';
import { EVERY_DAY, SQUARE_OFF_SEGMENTS, segmentOf, type TradingDays } from '../../src/core/trading-days.ts';
import {
  FIRST_DAY,
  GROSS,
  NIFTY,
  NIFTY_CALL,
  NIFTY_FUTURE,
  NIFTY_PUT,
  RELIANCE,
  RELIANCE_BSE,
} from '../kit/money/listed.ts';
import { StillMarket } from '../kit/money/still-market.ts';
import { STOCK_CALL, STOCK_FUTURE } from '../kit/money/stock-contracts.ts';
import { World } from '../kit/money/world.ts';
import { testPorts } from '../kit/ports.ts';
import { RULES } from '../kit/rules.ts';
import { closingCommands } from '../kit/settlement/closing-commands.ts';
import { NaiveAccount, netOf } from './naive-account.ts';
import { naiveNote } from './naive-note.ts';

const DAYS = 7;
const USERS = 4;
const COMMANDS = 60;

/** Contracts of both underlyings end on each of these days. */
const EXPIRIES = [2, 4, 6].map((days) => (FIRST_DAY + days) as IstDay);
const CONTRACTS: readonly Instrument[] = EXPIRIES.flatMap((expiryDay, index) =>
  [NIFTY_FUTURE, NIFTY_CALL, NIFTY_PUT, STOCK_FUTURE, STOCK_CALL, { ...STOCK_CALL, optionType: 'PE' as const }].map(
    (contract, place): Instrument => {
      const token = 90_000 + index * 10 + place;
      const id = instrumentId(contract.exchange, token);
      return { ...contract, id, token, expiryDay, expiresAt: istInstant(expiryDay, 15 * HOUR_MS) };
    },
  ),
);
const SHARES: readonly Instrument[] = [RELIANCE, RELIANCE_BSE, GROSS];
const ALL: readonly Instrument[] = [NIFTY, ...SHARES, ...CONTRACTS];
const byId = new Map(ALL.map((instrument) => [instrument.id, instrument]));
const instrumentOf = (id: InstrumentId): Instrument => must(byId.get(id), `instrument ${id} is listed`);

/** Banks are closed on the fourth day. */
const DAYS_OF_BANKS: TradingDays = { ...EVERY_DAY, settles: (day) => day !== FIRST_DAY + 3 };

const FIRST_PRICES = new Map<InstrumentId, number>([
  [NIFTY.id, 23_750_00],
  [RELIANCE.id, 1_290_00],
  [RELIANCE_BSE.id, 1_290_00],
  [GROSS.id, 100_00],
]);

/** Terms of a week that a test may set. */
interface WeekTerms {
  readonly users?: number;
  /** The portions in which the work over all accounts is done; the usual ones when absent. */
  readonly portions?: PortionLimits;
  /** Called after each record of the turn of a day. */
  readonly afterTurn?: (world: World, ports: Ports) => void;
}

/** A few days of random trades of a few users, in the core and in the naive accounts beside it. */
export class RandomWeek {
  readonly world: World;
  private readonly random: Random;
  private readonly market = new StillMarket();
  private readonly ports: Ports;
  private readonly prices = new Map<InstrumentId, number>();
  private readonly closes = new Map<InstrumentId, number>();
  private readonly naive: NaiveAccount[] = [];
  private read = 0;
  private readonly users: number;
  private readonly afterTurn: WeekTerms['afterTurn'];
  readonly seen = new Set<string>();

  constructor(seed: number, { users = USERS, portions, afterTurn }: WeekTerms = {}) {
    this.random = new Random(seed);
    this.users = users;
    this.afterTurn = afterTurn;
    for (const { id, kind } of ALL) this.prices.set(id, FIRST_PRICES.get(id) ?? (kind === 'future' ? 1_290_00 : 60_00));
    const instruments = { get: (id: InstrumentId) => byId.get(id) };
    const { market } = this;
    this.ports = testPorts({
      instruments,
      market,
      charges: RULES.charges,
      days: DAYS_OF_BANKS,
      ...(portions && { portions }),
    });
    this.close();
    this.world = new World(this.ports, FIRST_DAY);
    for (let user = 0; user < users; user += 1) {
      const cash = this.random.between(1_00_000_00, 2_00_00_000_00);
      const account = this.world.user(`U${user}`, cash);
      const naive = new NaiveAccount();
      naive.cash = cash;
      this.naive.push(naive);
      for (const share of [RELIANCE, GROSS]) {
        const units = this.random.between(1, 600);
        this.world.give(account, share.id, units, units * 987_65);
        naive.shares.set(share.isin, { settled: units, unsettled: 0, cost: units * 987_65 });
      }
    }
    this.read = this.world.records.length;
  }

  play(): void {
    for (let day = 0; day < DAYS; day += 1) {
      for (let command = 0; command < COMMANDS; command += 1) {
        if (this.random.chance(15)) this.move();
        if (this.random.chance(15)) this.convert();
        else this.place();
        this.fold();
      }
      if (this.random.chance(70)) this.squareOff();
      this.endDay();
    }
  }

  /** The day ends in both, and both must be the same. */
  private endDay(): void {
    this.move();
    this.close();
    const { state } = this.world;
    const { day } = state;
    const settles = DAYS_OF_BANKS.settles?.(day) ?? true;
    const squaredOff = new Set(state.squaredOff);
    for (const naive of this.naive) {
      const expiries = naive.endDay({
        day,
        closeOf: (id) => this.closeOf(id),
        instrumentOf,
        squaredOff: (share) => squaredOff.has(segmentOf(share, day)),
        settles,
      });
      naive.cash -= naiveNote(naive.orders.endDay(), expiries);
    }
    this.turnDay();
    this.note();
    this.read = this.world.records.length;
    checkInvariants(this.world.state);
    for (const account of this.world.state.accounts) this.compare(account);
  }

  /** The day ends and the next one begins, record by record. */
  private turnDay(): void {
    const { world, ports } = this;
    const morning = istInstant((world.state.day + 1) as IstDay, 10 * HOUR_MS);
    for (
      let due = dueBoundary(world.state, ports.days, morning);
      due !== undefined;
      due = dueBoundary(world.state, ports.days, morning)
    ) {
      world.at = Math.max(world.at, due.at) as EpochMs;
      world.submit(due.command);
      this.afterTurn?.(world, ports);
    }
    world.at = morning;
  }

  private compare({ id, userId, books, holdings, positions }: Account): void {
    const naive = must(this.naive[id], 'a naive account');
    const name = `${userId} as day ${this.world.state.day - FIRST_DAY} begins`;
    assert.equal(books.cash, naive.cash, `cash of ${name}`);
    const rows = naive.rows.map((row) => [row.instrument.id, row.product, netOf(row), row.basis, row.cost]);
    const carried = [...positions.values()].map((row) => {
      const { instrument, product, carriedBuyQuantity, carriedSellQuantity, carriedCost } = row;
      const basis = row.carriedBuyAmount + row.carriedSellAmount;
      return [instrument, product, carriedBuyQuantity - carriedSellQuantity, basis, Math.abs(carriedCost)];
    });
    assert.deepEqual(carried.sort(), rows.sort(), `positions of ${name}`);
    const units = [...holdings.values()].map(({ isin, settled, unsettled }) => [isin, settled, unsettled]);
    const expected = [...naive.shares].map(([isin, { settled, unsettled }]) => [isin, settled, unsettled]);
    assert.deepEqual(units.sort(), expected.sort(), `shares of ${name}`);
    for (const [isin, held] of naive.shares) {
      const { cost } = must(holdings.get(isin), 'shares of both');
      // Which of two listings is delivered first moves a paisa.
      assert.ok(Math.abs(cost - held.cost) <= 1, `cost of ${isin} of ${name}: ${cost}, not ${held.cost}`);
      held.cost = cost;
    }
  }

  private place(): void {
    const { random, world } = this;
    const { day } = world.state;
    const alive = CONTRACTS.filter((contract) => 'expiryDay' in contract && contract.expiryDay >= day);
    const instrument = random.chance(50) || alive.length === 0 ? random.pick(SHARES) : random.pick(alive);
    const shares = instrument.kind === 'equity';
    world.place({
      by: random.below(this.users) as AccountId,
      of: instrument.id,
      side: random.pick(['B', 'S'] as const),
      units: shares ? random.between(1, 700) : instrument.lot * random.between(1, 3),
      product: shares ? random.pick(['C', 'C', 'I', 'M'] as const) : random.pick(['M', 'M', 'I'] as const),
    });
  }

  private convert(): void {
    const { random, world } = this;
    const account = random.pick([...world.state.accounts]);
    const rows = [...account.positions.values()];
    if (rows.length === 0) return;
    const { instrument, product } = random.pick(rows);
    world.submit({
      type: 'ConvertPosition',
      account: account.id,
      instrument,
      from: product,
      to: random.pick(['C', 'I', 'M'] as const),
      quantity: (instrumentOf(instrument).lot * random.between(1, 40)) as Quantity,
      side: random.pick(['B', 'S'] as const),
      age: 'day',
    });
  }

  /** The cut-offs of the day, and most of the orders that follow them. */
  private squareOff(): void {
    const { random, world, ports, market } = this;
    for (const segment of SQUARE_OFF_SEGMENTS) {
      if (random.chance(30)) continue;
      world.submit({ type: 'SquareOff', day: world.state.day, segment });
      const { riskTick, riskFiles } = world.state;
      for (const command of closingCommands(world.state, {
        ...ports,
        tick: market.tickAt(world.at),
        riskTick,
        riskFiles,
      })) {
        if (command.type === 'RepriceOrder' || random.chance(80)) world.submit(command);
      }
    }
    this.fold();
  }

  private move(): void {
    for (const { id, kind, tick } of ALL) {
      const price = must(this.prices.get(id), 'a price');
      const far = kind === 'option' ? 20_00 : Math.floor(price / 50);
      this.prices.set(id, Math.max(tick, Math.round((price + this.random.between(-far, far)) / tick) * tick));
    }
    this.quote();
  }

  /** The last prices are those that the day closes at. */
  private close(): void {
    for (const [id, price] of this.prices) this.closes.set(id, price);
    this.quote();
  }

  private closeOf(id: InstrumentId): number {
    return must(this.closes.get(id), 'a close');
  }

  private quote(): void {
    for (const [id, last] of this.prices) {
      this.market.quotes.set(id, { bid: last, ask: last, last, close: this.closeOf(id) as Price });
    }
  }

  /** Gives the naive accounts the events since the last time. */
  private fold(): void {
    for (const event of this.note()) {
      if (event.type === 'Traded') {
        const { buy, sell, quantity: units, price } = event;
        const instrument = instrumentOf(event.instrument);
        if (buy !== undefined) this.trade(buy, instrument, 'B', units, units * price);
        if (sell !== undefined) this.trade(sell, instrument, 'S', units, units * price);
      }
      if (event.type === 'PositionConverted') {
        const { account, from, to, side, quantity: units, amount } = event;
        this.naive[account]?.convert(instrumentOf(event.instrument), from, to, side, units, amount);
      }
    }
  }

  private trade(
    { account, order, product }: TradeSide,
    instrument: Instrument,
    side: Side,
    units: number,
    amount: number,
  ) {
    const naive = must(this.naive[account], 'a naive account');
    const { squareOff: squaredOff } = orderOf(this.world.state, order);
    naive.trade(instrument, product, side, units, amount);
    naive.orders.trade(order, { instrument, product, side, squaredOff }, units, amount);
  }

  /** The events since the last look; there must be some. */
  private note(): Event[] {
    const events = this.world.records.slice(this.read).flatMap((record) => record.events);
    this.read = this.world.records.length;
    for (const event of events) this.seen.add(event.type === 'PositionSettled' ? event.reason : event.type);
    return events;
  }
}
