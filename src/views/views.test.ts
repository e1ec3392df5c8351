import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EQUITIES, SMALL_INSTRUMENTS } from '../../test/kit/journal/small-market.ts';
import { clientCommand, type Memory, opening } from '../../test/kit/journal/trading.ts';
import { testPorts } from '../../test/kit/ports.ts';
import {
  barStart,
  candlesOf,
  type Deal,
  figuresOf,
  OPEN_MS,
  SessionMarket,
} from '../../test/reference/session-market.ts';
import type { AccountId, InstrumentId, Tick } from '../base/ids.ts';
import { Random } from '../base/random.ts';
import { linesOf, TableLines } from '../base/stored-tables.ts';
import { type EpochMs, type IstDay, istDay, istInstant, MINUTE_MS, SECOND_MS } from '../base/time.ts';
import { applyRecord } from '../core/apply.ts';
import { type Boundary, dueBoundary } from '../core/broker/settlement/boundary.ts';
import type { Command } from '../core/command.ts';
import type { Event } from '../core/event.ts';
import { lastTradedPrice } from '../core/exchange/reference.ts';
import { emptyState, type State } from '../core/state.ts';
import { step } from '../core/step.ts';
import { EVERY_DAY } from '../core/trading-days.ts';
import { venueOf } from '../core/venue-of.ts';
import { dailyCandles, fullQuote, intradayCandles, lastPrice } from './quote.ts';
import type { Fill } from './trade-book.ts';
import { applyToViews, emptyViews, type Views, viewsReaders, viewsTables } from './views.ts';

const FIRST_DAY = 20_500 as IstDay;
const DAYS = 2;
const COMMANDS = 350;

interface Recorded {
  readonly at: EpochMs;
  readonly events: readonly Event[];
}

/** Random trading on the core with its views beside it. */
class Trading {
  readonly state: State = emptyState();
  readonly views: Views = emptyViews();
  readonly market: SessionMarket;
  readonly records: Recorded[] = [];
  at = istInstant(FIRST_DAY, OPEN_MS);
  private readonly random: Random;
  private readonly memory: Memory = { orders: [], sessions: [] };

  constructor(seed: number, rarity: number) {
    this.random = new Random(seed);
    this.market = new SessionMarket(rarity);
    this.submit({ type: 'RollDay', day: FIRST_DAY });
    for (const command of opening()) this.submit(command);
  }

  get tick(): Tick {
    return this.market.tickAt(this.at);
  }

  /** A client's command, perhaps some seconds later. The market's moves come first. */
  next(number: number): void {
    const later = (this.at + this.random.pick([0, 0, 700, 2_000, 9_000])) as EpochMs;
    for (let tick = this.tick + 1; tick <= this.market.tickAt(later); tick += 1) {
      this.at = Math.max(this.at, tick * SECOND_MS) as EpochMs;
      for (const { id } of EQUITIES) this.submit({ type: 'MoveMarket', instrument: id, tick: tick as Tick });
    }
    this.at = later;
    const command = clientCommand(this.random, this.memory, `order ${number}`);
    const { reply } = this.submit(command);
    if (reply.type !== 'OrderPlaced' || command.type !== 'PlaceOrder') return;
    this.memory.orders.push({ number: reply.order, account: command.account });
  }

  private due(day: IstDay): Boundary | undefined {
    return dueBoundary(this.state, EVERY_DAY, istInstant(day));
  }

  rollDay(): void {
    const day = (this.state.day + 1) as IstDay;
    for (let due = this.due(day); due !== undefined; due = this.due(day)) {
      this.at = Math.max(this.at, due.at) as EpochMs;
      this.submit(due.command);
    }
    this.at = istInstant(day, OPEN_MS);
  }

  /** The users' trades beside the prints, as the events report them: a fill by a print has no units of its own. */
  ownDeals(id: InstrumentId): Deal[] {
    const deals: Deal[] = [];
    for (const { events } of this.records) {
      for (const event of events) {
        if (event.type !== 'Traded' || event.instrument !== id) continue;
        const { tick, price, aggressor, buy, sell, taken } = event;
        const passive = (aggressor === 'B' ? buy : sell) === undefined;
        deals.push({ tick, price, quantity: passive && taken === undefined ? 0 : event.quantity, passive });
      }
    }
    return deals;
  }

  /** Everybody's deals of the days, in order; of one tick, the market's first. */
  allDeals(id: InstrumentId): Deal[] {
    const prints = this.market.prints(id, istInstant(FIRST_DAY) / SECOND_MS, this.tick);
    return [...prints, ...this.ownDeals(id)].sort((a, b) => a.tick - b.tick);
  }

  private submit(command: Command) {
    const { state, market, at } = this;
    const ports = testPorts({ instruments: SMALL_INSTRUMENTS, market });
    const { events, reply } = step(state, ports, { seq: state.seq + 1, at, command });
    applyToViews(this.views, state, at, events);
    if (events.length > 0) this.records.push({ at, events });
    return { reply };
  }
}

function allFillsOf({ trades }: Views, account: AccountId): readonly Fill[] {
  const fills = trades.fillsOf(account);
  return fills.slice(0, fills.length);
}

/** The history, the trade book and the last price beside the state, which keeps them in its own way. */
function checkAgainstState({ state, views, market, tick }: Trading): void {
  for (const order of state.orders.values()) {
    const { status, terms, filled, filledAmount, exchangeOrder } = views.history.last(order.number);
    assert.deepEqual(
      { status, terms, filled, filledAmount, exchangeOrder },
      {
        status: order.status,
        terms: order.terms,
        filled: order.filled,
        filledAmount: order.filledAmount,
        exchangeOrder: order.exchangeOrder,
      },
    );
    const fills = allFillsOf(views, order.account).filter((fill) => fill.order === order.number);
    let filledSoFar = 0;
    for (const fill of fills) {
      filledSoFar += fill.quantity;
      assert.equal(fill.filledSoFar, filledSoFar);
    }
    assert.equal(filledSoFar, order.filled);
  }
  for (const listed of EQUITIES) {
    const venue = venueOf(
      state,
      testPorts({ instruments: SMALL_INSTRUMENTS, market, tick, riskTick: tick, riskFiles: [] }),
      listed,
    );
    assert.equal(lastPrice(views, market, listed.id, tick), lastTradedPrice(venue), 'stops and quotes see one price');
  }
}

/** Quotes and candles beside a fold of everybody's deals, one by one. */
function checkAgainstDeals(trading: Trading): void {
  const { state, views, market, tick, at } = trading;
  const today = istDay(at);
  for (const { id } of EQUITIES) {
    const deals = trading.allDeals(id);
    const figures = figuresOf(deals.filter((deal) => istDay((deal.tick * SECOND_MS) as EpochMs) === today));
    const { open, high, low, last, volume, vwap } = fullQuote(state, views, market, id, tick);
    assert.deepEqual([open, high, low, volume], [figures?.open, figures?.high, figures?.low, figures?.volume ?? 0]);
    if (figures !== undefined) {
      assert.equal(last, figures.last);
      assert.equal(vwap, figures.volume === 0 ? 0 : Math.round(figures.turnover / figures.volume));
    }
    for (const minutes of [1, 3, 60]) {
      const from = (istInstant(FIRST_DAY, OPEN_MS) + 2 * MINUTE_MS) as EpochMs;
      const to = (at - MINUTE_MS) as EpochMs;
      const all = candlesOf(deals, (instant) => barStart(instant, minutes));
      const expected = all.filter(({ start }) => start >= from && start <= to);
      assert.deepEqual(intradayCandles(views, market, id, minutes, from, to, tick), expected);
    }
    const days = candlesOf(deals, (instant) => istInstant(istDay(instant)));
    assert.deepEqual(dailyCandles(views, market, id, FIRST_DAY, today, tick), days);
  }
}

describe('the views of random trading', () => {
  for (const [seed, rarity] of [
    [1, 1],
    [2, 3],
    [3, 40],
    [4, 400],
    [5, 100_000],
  ] as const) {
    it(`agree with the state and with everybody's deals: seed ${seed}, prints in one of ${rarity} ticks`, () => {
      const trading = new Trading(seed, rarity);
      for (let day = 0; day < DAYS; day += 1) {
        if (day > 0) trading.rollDay();
        checkAgainstState(trading);
        for (let number = 0; number < COMMANDS; number += 1) {
          trading.next(number);
          if (number % 10 === 0) checkAgainstState(trading);
        }
        checkAgainstDeals(trading);
      }
      const own = EQUITIES.flatMap(({ id }) => trading.ownDeals(id));
      const passive = own.filter((deal) => deal.passive).length;
      assert.ok(own.length - passive > 50, `${own.length - passive} trades had a user as the aggressor`);
      assert.ok(passive > 10, `${passive} trades had the market as the aggressor`);
    });
  }

  it('are the same to the last byte when they go on from a dump', () => {
    const trading = new Trading(6, 3);
    for (let number = 0; number < COMMANDS; number += 1) trading.next(number);
    trading.rollDay();
    for (let number = 0; number < 50; number += 1) trading.next(number);
    const { records, views } = trading;
    const dump = linesOfViews(views);
    for (const stop of [0, 1, records.length >> 1, records.length - 1, records.length]) {
      let again = emptyViews();
      const replayed = emptyState();
      for (const [index, { at, events }] of records.entries()) {
        if (index === stop) again = loaded(linesOfViews(again), replayed);
        const record = { seq: index + 1, at, events: JSON.parse(JSON.stringify(events)) as Event[] };
        applyRecord(replayed, record);
        applyToViews(again, replayed, at, record.events);
      }
      assert.deepEqual(linesOfViews(again), dump, `stopped at record ${stop}`);
      assert.deepEqual(linesOfViews(loaded(dump, replayed)), dump);
    }
  });

  it('begin a day with an empty trade book, and with the orders of the day before in the history', () => {
    const trading = new Trading(7, 3);
    for (let number = 0; number < 100; number += 1) trading.next(number);
    const orders = [...trading.state.orders.keys()];
    const { views, state } = trading;
    assert.ok([...state.accounts].some(({ id }) => views.trades.fillsOf(id).length > 0));
    trading.rollDay();
    assert.ok([...state.accounts].every(({ id }) => views.trades.fillsOf(id).length === 0));
    assert.ok(orders.every((number) => views.history.find(number) !== undefined));
  });

  it('refuse a dump of another version, such as 3, whose ledger does not know each day', () => {
    for (const version of [3, 99]) {
      const lines = linesOfViews(emptyViews());
      lines[1] = JSON.stringify({ version });
      assert.throws(() => loaded(lines, emptyState()), new RegExp(`version ${version}`));
    }
  });
});

/** The stored lines of views, and the views of such lines beside their state. */
function linesOfViews(views: Views): string[] {
  return [...linesOf(viewsTables(views))];
}

function loaded(lines: readonly string[], state: State): Views {
  const views = emptyViews();
  new TableLines(lines).read(viewsReaders(views, state));
  return views;
}
