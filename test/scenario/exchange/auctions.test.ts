import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import type { AccountId, InstrumentId, Tick } from '../../../src/base/ids.ts';
import {
  type EpochMs,
  type IstDay,
  istInstant,
  istTimeOfDay,
  MINUTE_MS,
  parseIsoDay,
  SECOND_MS,
} from '../../../src/base/time.ts';
import { applyRecord } from '../../../src/core/apply.ts';
import type { AuctionMatched, Event } from '../../../src/core/event.ts';
import { equilibrium } from '../../../src/core/exchange/auction/equilibrium.ts';
import type { Phase } from '../../../src/core/exchange/phase.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import { stateHash } from '../../../src/core/snapshot/hash.ts';
import { emptyState } from '../../../src/core/state.ts';
import { step } from '../../../src/core/step.ts';
import { nextTradingDay } from '../../../src/core/trading-days.ts';
import { fullQuote } from '../../../src/views/quote.ts';
import { emptyViews } from '../../../src/views/views.ts';
import { FIRST_DAY, listed as MASTER, NIFTY, NIFTY_FUTURE, RELIANCE } from '../../kit/money/listed.ts';
import { StillMarket } from '../../kit/money/still-market.ts';
import { placement, World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';
import { reloaded } from '../../kit/stored-state.ts';
import { ExchangeMonth } from '../../property/month/exchange-month.ts';

const SEED = 71;
const CRORE = 1_000_000_000;
const month = new ExchangeMonth(SEED);
const { market, ports } = month;
const DAY = must(parseIsoDay('2026-11-20'), 'a Friday');
const OLD_DAY = must(parseIsoDay('2026-07-31'), 'the last day without closing auctions');

function tickOf(day: IstDay, clock: string): Tick {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
  return market.tickAt(istInstant(day, ((hours * 60 + minutes) * 60 + seconds) * SECOND_MS));
}

/** The first second of a phase. */
function beginOf(id: InstrumentId, day: IstDay, phase: Phase): Tick {
  const end = tickOf(day, '16:00');
  for (let tick = tickOf(day, '09:00'); tick < end; tick = (tick + 1) as Tick)
    if (market.phase(id, tick) === phase) return tick;
  throw new Error(`there is no ${phase} on day ${day}`);
}

/** The result of an auction with the market's own orders alone. */
function withoutUsers(id: InstrumentId, tick: Tick): ReturnType<typeof equilibrium> {
  const { bids, asks, marketBuys, marketSells, reference, step: tickSize } = market.auction(id, tick);
  const band = market.band(id, tick);
  const buys = [...bids, { price: band.upper, quantity: marketBuys }];
  const sells = [...asks, { price: band.lower, quantity: marketSells }];
  return equilibrium(buys, sells, { reference, tick: tickSize, band });
}

describe("The market's own part in auctions", () => {
  const shares = month.shares(istInstant(DAY, 0));

  it('opens the day at its first price, and closes it at the official close that the next day knows', () => {
    for (let day = OLD_DAY; day < OLD_DAY + 40; day = (day + 1) as IstDay) {
      if (!ports.days.isTradingDay(day)) continue;
      for (const { id } of shares) {
        const opening = withoutUsers(id, beginOf(id, day, 'PreOpenMatching'));
        assert.equal(opening?.price, market.dayFigures(id, tickOf(day, '16:00'))?.open);
        assert.equal(opening?.demand, opening?.supply);
        if (day === OLD_DAY) continue;
        const tick = beginOf(id, day, 'ClosingMatching');
        const closing = withoutUsers(id, tick);
        const { lower, upper } = market.band(id, tick);
        assert.equal(closing?.price, market.previousClose(id, tickOf(nextTradingDay(ports.days, day), '08:00')));
        assert.ok(closing !== undefined && closing.price >= lower && closing.price <= upper);
        assert.equal(closing.demand, closing.supply);
      }
    }
  });

  it('comes in while orders gather', () => {
    const { id } = must(shares[0], 'a share');
    const unitsAt = (clock: string) => market.auction(id, tickOf(DAY, clock)).marketBuys;
    assert.equal(unitsAt('09:00:00'), 0);
    assert.ok(unitsAt('09:02') < unitsAt('09:04') && unitsAt('09:04') < unitsAt('09:09:59'));
  });

  it('closes within 3 % of the average from 15:00 to 15:15', () => {
    const { id } = must(shares[0], 'a share');
    const tick = tickOf(DAY, '15:21');
    const { reference, step: size } = market.auction(id, tick);
    const traded = market.turnover(id, tickOf(DAY, '15:00:59'), 60);
    assert.ok(
      Math.abs(traded.value / traded.quantity / reference - 1) < 0.02,
      'near the trades of one of these minutes',
    );
    const { lower, upper } = market.band(id, tick);
    assert.ok(lower >= reference * 0.97 && lower - size < reference * 0.97);
    assert.ok(upper <= reference * 1.03 && upper + size > reference * 1.03);
  });
});

/** One share through a day of its auctions, with three accounts. */
class AuctionDay {
  readonly world: World;
  readonly id: InstrumentId;
  readonly users: readonly AccountId[];

  /** How many seconds late the book comes to its auctions. */
  private readonly late: number;

  constructor(id: InstrumentId, late = 0) {
    this.id = id;
    this.late = late;
    this.world = new World(ports, (DAY - 1) as IstDay);
    this.users = ['AB1234', 'CD5678', 'EF9012'].map((name) => this.world.user(name, 10 * CRORE));
    this.world.passTo(istInstant(DAY, 8 * 3_600_000));
  }

  /** Lets the book meet the market at a time of the day. */
  at(clock: string | Tick): readonly Event[] {
    const tick = typeof clock === 'string' ? tickOf(DAY, clock) : clock;
    this.world.at = (tick * SECOND_MS) as EpochMs;
    const { events } = this.world.submit({ type: 'MoveMarket', instrument: this.id, tick });
    checkInvariants(this.world.state, ports);
    return events;
  }

  run(): void {
    const { world, id } = this;
    const [one, two, three] = this.users as [AccountId, AccountId, AccountId];
    const order = { of: id, product: 'I' } as const;
    const close = market.previousClose(id, tickOf(DAY, '09:01'));
    const near = (percent: number) => Math.round((close * (100 + percent)) / 100_0) * 10;
    this.at('09:01');
    world.place({ ...order, by: one, side: 'B', units: 500 });
    world.place({ ...order, by: two, side: 'S', units: 300, at: near(-3) });
    world.place({ ...order, by: three, side: 'B', units: 200, at: near(-4) });
    world.place({ ...order, by: two, side: 'B', units: 100, at: near(-4) });
    this.at('09:06');
    this.at((beginOf(id, DAY, 'PreOpenMatching') + this.late) as Tick);
    this.at('09:13');
    this.at('09:15');
    this.at('09:15:01');
    world.place({ ...order, by: two, side: 'S', units: 100, at: near(6) });
    this.at('15:15');
    this.at('15:20');
    world.place({ ...order, by: one, side: 'S', units: 500 });
    world.place({ ...order, by: three, side: 'B', units: 50, at: this.bandEdge() });
    this.at('15:26');
    this.at((beginOf(id, DAY, 'ClosingMatching') + this.late) as Tick);
    this.at('15:36');
  }

  private bandEdge(): number {
    return market.band(this.id, tickOf(DAY, '15:20')).lower;
  }

  results(): (AuctionMatched & { readonly record: number })[] {
    return this.world.records.flatMap(({ seq, events }) =>
      events.flatMap((event) => (event.type === 'AuctionMatched' ? [{ ...event, record: seq }] : [])),
    );
  }
}

describe('A market order in an auction', () => {
  it('waits at the edge of the band, or within the protection that its client names', () => {
    const { id } = must(month.shares(istInstant(DAY, 0))[0], 'a share');
    const { world, users } = new AuctionDay(id);
    world.at = istInstant(DAY, 541 * 60_000);
    const tick = market.tickAt(world.at);
    const { lower, upper } = market.band(id, tick);
    const by = must(users[0], 'an account');
    const order = { by, of: id, product: 'I', units: 10 } as const;
    assert.equal(world.place({ ...order, side: 'B' }).terms.price, upper);
    assert.equal(world.place({ ...order, side: 'S' }).terms.price, lower);
    const { reply } = world.submit({ ...placement({ ...order, side: 'B' }), protection: 10_000 });
    assert.ok(reply.type === 'OrderPlaced');
    const { price } = world.order(reply.order).terms;
    const most = market.previousClose(id, tick) * 1.01;
    assert.ok(price <= most && price > most - 20, `${price} is 1 % above the previous close`);
  });
});

describe('A quote while orders gather', () => {
  it('shows what gathers, users among it, and market orders in the totals', () => {
    const { id } = must(month.shares(istInstant(DAY, 0))[0], 'a share');
    const { world, users } = new AuctionDay(id);
    world.at = istInstant(DAY, 544 * 60_000);
    const tick = market.tickAt(world.at);
    const quote = () => fullQuote(world.state, emptyViews(), market, id, tick);
    const before = quote();
    assert.equal(before.bids.length, 5);
    const best = must(before.bids[0], 'a bid').price;
    assert.ok(best > must(before.asks[0], 'an ask').price, 'it is crossed');
    const by = must(users[0], 'an account');
    world.place({ by, of: id, product: 'I', side: 'B', units: 10 });
    world.place({ by, of: id, product: 'I', side: 'B', units: 5, at: best });
    const after = quote();
    assert.equal(after.totalBuyQuantity - before.totalBuyQuantity, 15);
    assert.equal(must(after.bids[0], 'a bid').quantity - must(before.bids[0], 'a bid').quantity, 5);
    assert.deepEqual(after.asks, before.asks);
  });
});

describe('A day with an opening and a closing auction', () => {
  const { id } = must(month.shares(istInstant(DAY, 0))[0], 'a share');
  const day = new AuctionDay(id);
  before(() => day.run());

  it('fills the orders of both auctions, each in one record with its price', () => {
    const { world } = day;
    const [opening, closing, ...more] = day.results();
    assert.deepEqual([opening?.session, closing?.session, more.length], ['Open', 'Close', 0]);
    const own = market.dayFigures(id, tickOf(DAY, '16:00'));
    for (const result of [opening, closing]) {
      const { events } = must(
        world.records.find(({ seq }) => seq === result?.record),
        'its record',
      );
      const trades = events.filter((event) => event.type === 'Traded');
      assert.ok(trades.length > 0 && trades.every(({ price, auction }) => auction && price === result?.result?.price));
    }
    const moved = Math.abs((opening?.result?.price ?? 0) - (own?.open ?? 0));
    assert.ok(moved <= (own?.open ?? 0) / 1_000, 'a few hundred shares do not move the opening');
    const orders = [...world.state.orders.values()];
    assert.deepEqual(
      orders.map(({ filled, status }) => `${filled} ${status}`),
      ['500 Complete', '300 Complete', '0 Cancelled', '0 Cancelled', '0 Cancelled', '500 Complete', '0 Cancelled'],
    );
  });

  it('carries bids far below on into continuous trading, in their order', () => {
    const { world } = day;
    const met = must(
      world.records.find(({ events }) =>
        events.some((event) => event.type === 'PhaseMet' && event.phase === 'Continuous'),
      ),
      'trading began',
    );
    assert.deepEqual(
      met.events.map(({ type }) => type),
      ['PhaseMet'],
    );
    const state = emptyState();
    for (const record of world.records) if (record.seq <= met.seq) applyRecord(state, record);
    const placed = [...state.orders.keys()];
    assert.deepEqual([...must(state.books.get(id), 'its book').restingOrders()], placed.slice(2));
  });

  it('trades the same when the process comes back a minute after orders were to be matched', () => {
    const late = new AuctionDay(id, 60);
    late.run();
    const tradesOf = ({ world }: AuctionDay) =>
      world.records.flatMap(({ events }) =>
        events.flatMap((event) => (event.type === 'Traded' ? [{ ...event, tick: 0 }] : [])),
      );
    assert.ok(tradesOf(day).length > 2);
    assert.deepEqual(tradesOf(late), tradesOf(day));
  });

  it('is the same after a crash behind any of its records', () => {
    const { records } = day.world;
    const state = emptyState();
    for (const [at, record] of records.entries()) {
      const again = reloaded(state);
      for (const next of records.slice(at, at + 3)) {
        const { events } = step(again, ports, next);
        assert.deepEqual(events, next.events, `record ${next.seq} after a crash behind ${record.seq - 1}`);
      }
      applyRecord(state, record);
    }
    assert.equal(stateHash(state), stateHash(day.world.state));
  });
});

/** Shares open with an auction; NIFTY has fallen by 10 % at noon. */
class FallenMarket extends StillMarket {
  override phase(id: InstrumentId, tick?: Tick): Phase {
    const opens = tick === undefined || istTimeOfDay((tick * SECOND_MS) as EpochMs) < 555 * MINUTE_MS;
    return opens && id === RELIANCE.id ? 'PreOpen' : super.phase(id);
  }
}

describe('The reopening after a halt of the whole market', () => {
  it('is an auction that takes in what rests, for what opened with one', () => {
    const still = new FallenMarket();
    still.quotes.set(RELIANCE.id, { last: 840_00, close: 840_00 });
    still.quotes.set(NIFTY_FUTURE.id, { last: 21_600_00, close: 24_000_00 });
    still.quotes.set(NIFTY.id, { last: 21_600_00, close: 24_000_00 });
    const world = new World(testPorts({ instruments: MASTER, market: still }), FIRST_DAY);
    const [one, two] = [world.user('AB1234', CRORE), world.user('CD5678', CRORE)];
    const at = (minute: number, second = 0) => {
      world.at = istInstant(FIRST_DAY, minute * MINUTE_MS + second * SECOND_MS);
      const move = { instrument: RELIANCE.id, tick: still.tickAt(world.at) };
      return world.submit({ type: 'MoveMarket', ...move }).events;
    };
    const share = { of: RELIANCE.id, product: 'I', units: 10 } as const;
    at(720);
    const resting = world.place({ ...share, by: one, side: 'B', at: 842_00 });
    world.submit({ type: 'CheckBreaker' });
    const halted = () => world.refusal({ ...share, by: two, side: 'S', at: 838_00 }).rule;
    at(764, 59);
    assert.equal(halted(), 'MarketHalted');
    at(765);
    const future = { by: two, of: NIFTY_FUTURE.id, side: 'S', units: 65, at: 21_600_00 } as const;
    assert.equal(world.refusal(future).rule, 'MarketHalted', 'it opened without an auction here');
    const sell = world.place({ ...share, by: two, side: 'S', units: 4, at: 838_00 });
    assert.equal(sell.filled, 0);
    const matched = at(773);
    assert.deepEqual(
      matched.flatMap((event) => (event.type === 'Traded' ? [event.price] : [])),
      [840_00],
    );
    assert.deepEqual([resting.filled, sell.status], [4, 'Complete']);
    assert.equal(world.refusal({ ...share, by: two, side: 'S', at: 838_00 }).rule, 'EntryClosed');
    at(780);
    assert.equal(world.place({ ...share, by: two, side: 'S', units: 6, at: 838_00 }).status, 'Complete');
    assert.equal(resting.status, 'Complete');
    checkInvariants(world.state);
  });

  it('leaves a market order that rests at its protection, whatever the auction finds', () => {
    const still = new FallenMarket();
    still.quotes.set(RELIANCE.id, { last: 840_00, close: 820_00 });
    still.quotes.set(NIFTY.id, { last: 21_600_00, close: 24_000_00 });
    const world = new World(testPorts({ instruments: MASTER, market: still }), FIRST_DAY);
    const one = world.user('AB1234', CRORE);
    const at = (minute: number) => {
      world.at = istInstant(FIRST_DAY, minute * MINUTE_MS);
      world.submit({ type: 'MoveMarket', instrument: RELIANCE.id, tick: still.tickAt(world.at) });
    };
    at(720);
    const resting = world.place({ of: RELIANCE.id, product: 'I', units: 10, by: one, side: 'B' });
    const { price } = resting.terms;
    world.submit({ type: 'CheckBreaker' });
    for (const minute of [765, 773, 777, 780]) at(minute);
    assert.deepEqual([resting.status, resting.terms.priceType, resting.terms.price], ['Open', 'MKT', price]);
    checkInvariants(world.state);
  });
});
