import { assert } from '../../src/base/assert.ts';
import type { InstrumentId, OrderNumber, Tick } from '../../src/base/ids.ts';
import type { Command, Sequenced } from '../../src/core/command.ts';
import type { Event } from '../../src/core/event.ts';
import type { Book } from '../../src/core/exchange/book/book.ts';
import { executionAt } from '../../src/core/exchange/guards/guarded-prices.ts';
import type { OrderTerms, Side } from '../../src/core/order.ts';
import { instrumentOf, type Ports } from '../../src/core/ports.ts';
import type { State } from '../../src/core/state.ts';
import { venueOf } from '../../src/core/venue-of.ts';
import { left, NaiveBook, type NaiveOrder } from '../../test/reference/naive-book.ts';
import { lineOf } from '../../test/reference/real-exchange.ts';

export type NaiveJudge = new (...args: ConstructorParameters<typeof NaiveBook>) => NaiveBook;

/** Events that the naive book gives too; everything else of a record is the broker's. */
const TOLD: ReadonlySet<Event['type']> = new Set([
  'OrderAcknowledged',
  'OrderRested',
  'StopArmed',
  'StopTriggered',
  'OrderCancelled',
  'OrderReplaced',
  'QueueAdvanced',
  'Traded',
]);
/** Ends that the naive book knows of itself. */
const OWN_ENDS: ReadonlySet<string> = new Set(['Client', 'ImmediateOrCancel', 'SelfTrade']);
/** After this many commands of a book finished orders are forgotten, and the whole books are compared. */
const WHOLE_EVERY = 24;

interface Watched {
  book: NaiveBook;
  commands: number;
}

/**
 * The naive books of the reference beside the real ones, after every command: what happened, line by line, and now and
 * then the whole book. It knows continuous trading; what else moves a book (auctions, guards, switches, the day's end)
 * it takes over from there. Source: reliability I9, I11 to I13, I35.
 */
export class LockStep {
  /** How many commands were compared, and how often a book was taken over. */
  compared = 0;
  takenOver = 0;
  private readonly ports: Ports;
  private readonly judge: NaiveJudge;
  private readonly books = new Map<InstrumentId, Watched>();

  constructor(ports: Ports, judge: NaiveJudge = NaiveBook) {
    this.ports = ports;
    this.judge = judge;
  }

  /** Forgets everything: the state is another. */
  forget(): void {
    this.books.clear();
  }

  /** Looks at a command that was just applied. `named` is the instrument whose book it met. */
  after(
    state: State,
    sequenced: Sequenced,
    named: InstrumentId | undefined,
    stopped: boolean,
    events: readonly Event[],
  ): void {
    const { command, at } = sequenced;
    if (named === undefined) {
      this.takeOutside(state, events);
      return;
    }
    const book = state.books.get(named);
    if (book === undefined) return;
    const tick = command.type === 'MoveMarket' ? command.tick : this.ports.market.tickAt(at);
    const watched = this.books.get(named);
    if (stopped || book.phase !== 'Continuous') {
      this.books.delete(named);
      return;
    }
    if (watched === undefined || isForeign(events) || isOnDemand(state, command, events)) {
      this.takeOver(state, named, book);
      return;
    }
    watched.book.tick = tick;
    const expected = this.naively(watched.book, state, sequenced, events);
    if (expected === undefined) return;
    const told = events.filter(({ type }) => TOLD.has(type)).map(lineOf);
    const actual = told.join('; ');
    if (expected.join('; ') !== actual && this.isGuarded(state, named, tick, expected)) {
      this.takeOver(state, named, book);
      return;
    }
    assert(
      expected.join('; ') === actual,
      `${command.type} at ${sequenced.seq}: naive ${expected.join('; ')} real ${actual}`,
    );
    this.compared += 1;
    watched.commands += 1;
    if (watched.commands % WHOLE_EVERY === 0) this.compareWhole(watched, named, book);
  }

  /**
   * True when the naive book let units pass where the execution range of a contract, which it does not know, lets
   * nothing trade.
   */
  private isGuarded(state: State, id: InstrumentId, tick: Tick, lines: readonly string[]): boolean {
    const { riskTick, riskFiles } = state;
    const desk = { ...this.ports, tick, riskTick, riskFiles };
    const range = executionAt(venueOf(state, desk, instrumentOf(desk, id)));
    if (range === undefined) return false;
    return lines.some((line) => {
      const at = Number(/^(?:trade \d+ @|advance [BS]) (\d+)/.exec(line)?.[1] ?? range.lower);
      return at < range.lower || at > range.upper;
    });
  }

  /** The meaning of a command for the naive book; nothing when the broker did not let it pass. */
  private naively(
    naive: NaiveBook,
    state: State,
    { command }: Sequenced,
    events: readonly Event[],
  ): string[] | undefined {
    switch (command.type) {
      case 'PlaceOrder':
      case 'FireGtt':
      case 'ReleaseOrder': {
        const acknowledged = events.find((event) => event.type === 'OrderAcknowledged');
        const order = acknowledged && state.orders.get(acknowledged.order);
        const terms = termsOf(events);
        if (order === undefined || terms === undefined) return events.length > 0 ? fireAll(naive) : undefined;
        return [...naive.submit(order.number, order.account, order.side, terms), ...fireAll(naive)];
      }
      case 'ModifyOrder':
      case 'RepriceOrder': {
        const terms = termsOf(events);
        if (terms === undefined) return events.length > 0 ? fireAll(naive) : undefined;
        return [...naive.replace(command.order, terms), ...fireAll(naive)];
      }
      case 'CancelOrder': {
        const ended = events.some((event) => event.type === 'OrderCancelled' && event.order === command.order);
        const known = naive.orders.some(({ number, where }) => number === command.order && where !== 'nowhere');
        if (!ended) return events.length > 0 ? fireAll(naive) : undefined;
        // One that waits at the broker is in no book.
        if (!known) return [`cancel ${command.order} Client`, ...fireAll(naive)];
        return [...naive.cancel(command.order), ...fireAll(naive)];
      }
      case 'MoveMarket':
        return [...naive.move(), ...fireAll(naive)];
      default:
        return undefined;
    }
  }

  /** A command that names no book may still end orders. */
  private takeOutside(state: State, events: readonly Event[]): void {
    const touched = new Set<InstrumentId>();
    for (const event of events) {
      if (event.type === 'DayRolled') this.forget();
      if (event.type === 'PhaseMet') touched.add(event.instrument);
      if (event.type !== 'OrderCancelled') continue;
      const instrument = state.orders.get(event.order)?.instrument;
      if (instrument !== undefined) touched.add(instrument);
    }
    for (const id of touched) {
      const book = state.books.get(id);
      if (book !== undefined) this.takeOver(state, id, book);
    }
  }

  /** The naive book begins from the real one as it is. */
  private takeOver(state: State, id: InstrumentId, book: Book): void {
    this.takenOver += 1;
    if (book.phase !== 'Continuous') {
      this.books.delete(id);
      return;
    }
    const { buys, sells, stops, taken, lastTrade } = book.dump();
    const naive = new this.judge(this.ports.market, id, this.ports.strictTrigger);
    // Orders that rest from now on come after these: the naive book counts its places from 1 on.
    let place = -(buys.length + sells.length + stops.length);
    const add = (number: OrderNumber, where: NaiveOrder['where'], ahead: number): void => {
      const order = state.orders.get(number);
      assert(order !== undefined, `order ${number} of a book is known`);
      place += 1;
      const { account, side, terms, filled } = order;
      naive.add({ number, account, side, terms, filled, where, place, ahead });
    };
    for (const [number, , , , ahead] of [...buys, ...sells]) add(number, 'queue', ahead);
    for (const [number] of stops) add(number, 'stops', 0);
    for (const [side, price, generation, quantity] of taken) naive.taken.push({ side, price, generation, quantity });
    naive.lastTrade = lastTrade === null ? undefined : { tick: lastTrade[0], price: lastTrade[1] };
    this.books.set(id, { book: naive, commands: 0 });
  }

  private compareWhole({ book: naive }: Watched, id: InstrumentId, book: Book): void {
    forgetEnded(naive.orders);
    if (naive.taken.length > 400) naive.taken.splice(0, naive.taken.length - 200);
    const { buys, sells, stops } = book.dump();
    const rows = (side: Side) =>
      naive.queue(side).map((order) => [order.number, order.account, order.terms.price, left(order), order.ahead]);
    const mine = JSON.stringify([rows('B'), rows('S'), naive.stops().map(({ number }) => number)]);
    const real = JSON.stringify([buys, sells, stops.map(([number]) => number)]);
    assert(mine === real, `the book of ${id}: naive ${mine} real ${real}`);
  }
}

/** The terms that an order came to the exchange with. */
function termsOf(events: readonly Event[]): OrderTerms | undefined {
  for (const event of events) {
    if (event.type === 'AfterMarketReleased' || event.type === 'OrderReplaced') return event.terms;
  }
  for (const event of events) if (event.type === 'OrderReceived') return event.terms;
  return undefined;
}

/** True for what the naive book does not know: it is taken over from the real one then. */
function isForeign(events: readonly Event[]): boolean {
  return events.some((event) => {
    if (event.type === 'OrderCancelled') return !OWN_ENDS.has(event.reason);
    return event.type === 'PhaseMet' || event.type === 'AuctionMatched' || event.type === 'DayRolled';
  });
}

/** True for what happens on demand to an order, which the naive book knows nothing of. */
function isOnDemand({ orders }: State, command: Command, events: readonly Event[]): boolean {
  const isAsked = (number: OrderNumber | undefined): boolean =>
    number !== undefined && orders.get(number)?.scenario !== undefined;
  if (isAsked('order' in command ? command.order : undefined)) return true;
  return events.some((event) => {
    if (event.type === 'Traded') return isAsked(event.buy?.order) || isAsked(event.sell?.order);
    return 'order' in event && isAsked(event.order);
  });
}

/** Releases stops, one after the other, until none fires. */
function fireAll(naive: NaiveBook): string[] {
  const lines: string[] = [];
  for (let fired = naive.fire(); fired.length > 0; fired = naive.fire()) lines.push(...fired);
  return lines;
}

function forgetEnded(orders: NaiveOrder[]): void {
  let kept = 0;
  for (const order of orders) {
    if (order.where === 'nowhere') continue;
    orders[kept] = order;
    kept += 1;
  }
  orders.length = kept;
}
