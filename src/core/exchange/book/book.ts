/**
 * The book of one instrument: the users' orders in price-time priority, their stops, and the units that users took of
 * the market's own depth. The market's own orders are not in it; they come from `Market`. Only `applyRow` changes a
 * book; decisions read it. Source: market-rules R3.14, R3.17.
 */

import { assert, InvariantError, must } from '../../../base/assert.ts';
import type { AccountId, OrderNumber, Tick } from '../../../base/ids.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import { NO_TURNOVER, type Turnover } from '../../market.ts';
import type { Side } from '../../order.ts';
import { AuctionBook, type AuctionEntry } from '../auction/auction-book.ts';
import { Stops, type StopTerms } from '../matching/stops.ts';
import { isAuctionMatching, isGathering, type Phase } from '../phase.ts';
import { AsideOrders } from './aside-orders.ts';
import { type BookDump, type BookRow, bookRows, dumpBook, dumpWithoutOrders } from './book-dump.ts';
import { BookStore } from './book-store.ts';
import { type Handle, type Level, NO_LEVEL, NO_ORDER } from './handles.ts';
import { Ladder } from './ladder.ts';
import { dequeue, enqueue, previousOf, queued } from './queue.ts';
import { RecentTrades } from './recent-trades.ts';
import { TakenDepth } from './taken-depth.ts';

/** The users' own last trade. It is the last traded price until the market prints again. */
export interface LastTrade {
  readonly tick: Tick;
  readonly price: Price;
}

/** The users' quantity at one price. */
export interface BookLevel {
  readonly price: Price;
  readonly quantity: Quantity;
  readonly orders: number;
}

/** The data of an order that begins to rest. */
export interface RestingTerms {
  readonly number: OrderNumber;
  readonly account: AccountId;
  readonly side: Side;
  readonly price: Price;
  /** Units. */
  readonly remaining: Quantity;
}

/** Frequent calls name an order by its handle, which needs no search; the others name it by its number. */
export class Book {
  /** The tables behind this book. Read orders and levels there by the handles and levels that the book gives. */
  readonly store: BookStore;
  /**
   * The sequence number of the last record before the newest change of this book; -1 before the first change. Another
   * number means that users' orders, the units taken of the market's depth, or the users' own last trade may have
   * changed. It is not in a dump.
   */
  changedAfter = -1;
  private readonly buys: Ladder;
  private readonly sells: Ladder;
  /** Most books never have a stop. */
  private stops: Stops | undefined;
  private taken: TakenDepth | undefined;
  /** The tick and the price of the users' own last trade. They are two fields, so that a trade makes no new object. */
  private ownTick: Tick | undefined;
  private ownPrice = 0 as Price;
  /** Orders that stand in no queue. Only where outcomes can be asked for. */
  private asides: AsideOrders | undefined;
  /** For contracts only. */
  private recent: RecentTrades | undefined;
  private met: Phase = 'Continuous';
  /**
   * The orders of an auction, from the start of gathering until continuous trading or the end of the session. Meanwhile
   * they do not stand in the ladders.
   */
  private gathered: AuctionBook | undefined;

  /** The books of one state share one store. */
  constructor(store = new BookStore()) {
    this.store = store;
    this.buys = new Ladder(true, store);
    this.sells = new Ladder(false, store);
  }

  /** The last phase that the book has met. A new book is in continuous trading. */
  get phase(): Phase {
    return this.met;
  }

  /**
   * Moves the book to a phase. When an auction begins, resting orders join it. In continuous trading they rest again,
   * in the same order.
   */
  meet(phase: Phase): void {
    this.met = phase;
    if (isGathering(phase)) this.gather();
    else if (phase === 'Continuous') this.release();
  }

  /** The orders that gather for an auction, while they do. */
  get auction(): AuctionBook | undefined {
    return this.gathered;
  }

  /**
   * Lets an order rest behind all others at its price. `ahead`: the market's units in front of it. `atMarket`: a market
   * order that takes any price that the auction finds. Outside of an auction every order has a limit.
   */
  rest(terms: RestingTerms, ahead: Quantity, atMarket = false): void {
    if (this.gathered !== undefined && isGathering(this.met)) this.gathered.add({ ...terms, ahead, atMarket });
    else this.stand(terms, ahead);
  }

  private stand({ number, account, side, price, remaining }: RestingTerms, ahead: Quantity): void {
    assert(remaining > 0 && ahead >= 0, 'a resting order has units left, and 0 or more units in front');
    assert(!this.crosses(side, price), 'no order rests across the book');
    enqueue(this.store, this.ladder(side), price, number, account, remaining, ahead);
  }

  /** Sets an order aside: it stands in no queue. Source: docs/outcomes.md. */
  setAside(number: OrderNumber, remaining: Quantity): void {
    this.asides ??= new AsideOrders();
    this.asides.add(number, remaining);
  }

  /** Takes a resting order out. */
  remove(number: OrderNumber): void {
    if (this.asides?.has(number)) return this.asides.remove(number);
    if (this.gathered?.has(number)) return this.gathered.remove(number);
    this.withdrawAt(this.restingHandle(number));
  }

  /** Sets the remaining quantity of a resting order, which keeps its place. At 0 the order leaves. */
  reduce(number: OrderNumber, remaining: Quantity): void {
    if (this.asides?.has(number)) return this.asides.reduce(number, remaining);
    if (this.gathered?.has(number)) return this.gathered.reduce(number, remaining);
    const handle = this.restingHandle(number);
    this.shrink(handle, this.store.orders.remaining(handle), remaining);
  }

  /**
   * Fills a resting order by `quantity` at its price; one that was set aside at any. It leaves when nothing remains.
   */
  fill(number: OrderNumber, price: Price, quantity: Quantity): void {
    if (this.asides?.has(number)) return this.asides.fill(number, quantity);
    this.fillAt(this.restingHandle(number), price, quantity);
  }

  /** Like `fill`, for an order that stands in a queue. */
  fillAt(handle: Handle, price: Price, quantity: Quantity): void {
    assert(this.priceOf(handle) === price, 'a resting order trades at its own price');
    const before = this.store.orders.remaining(handle);
    this.shrink(handle, before, before - quantity);
  }

  /** Fewer of the market's units stand in front of the users' orders at this price. */
  advanceQueue(side: Side, price: Price, quantity: Quantity): void {
    if (this.gathered !== undefined && isAuctionMatching(this.met)) return this.gathered.advance(side, price, quantity);
    const level = this.ladder(side).find(price);
    assert(level !== NO_LEVEL, 'a queue that advances has orders');
    this.store.levels.advance(level, quantity);
  }

  /** Arms a stop, behind all stops that wait already. */
  arm(stop: StopTerms): void {
    this.stops ??= new Stops(this.store);
    this.stops.arm(stop);
  }

  /** Takes a stop out, because it fired or was cancelled. */
  disarm(number: OrderNumber): void {
    if (!this.isArmed(number)) throw new InvariantError(`order ${number} is not armed`);
    this.stops?.disarm(this.store.orders.find(number));
  }

  /** Takes an order out that stands in a queue of this book. */
  withdrawAt(handle: Handle): void {
    const ladder = this.restsIn(handle);
    if (ladder !== undefined) dequeue(this.store, ladder, handle);
    else this.withdraw(this.store.orders.number(handle));
  }

  /** Takes an order out, whether it rests or is armed. */
  withdraw(number: OrderNumber): void {
    if (this.isResting(number)) this.remove(number);
    else if (this.isArmed(number)) this.disarm(number);
    else throw new InvariantError(`order ${number} is not in the book`);
  }

  /** Notes that users took `quantity` of the market's level on that side. */
  take(side: Side, price: Price, generation: number, quantity: Quantity): void {
    this.taken ??= new TakenDepth();
    this.taken.add(side, price, generation, quantity);
  }

  /** Notes a trade in which a user was the aggressor. */
  trade(tick: Tick, price: Price): void {
    assert(this.ownTick === undefined || tick >= this.ownTick, 'the time of the market does not go back');
    this.ownTick = tick;
    this.ownPrice = price;
  }

  /**
   * Counts a trade of a contract, in which a user was the aggressor, in the averages that guard its prices. Source:
   * market-rules R1.46, R1.47.
   */
  count(tick: Tick, price: Price, quantity: Quantity): void {
    this.recent ??= new RecentTrades();
    this.recent.add(tick, price, quantity);
  }

  /** The users' trades as aggressors in the `ticks` that end with `end`. `end` is not before their last trade. */
  turnover(end: Tick, ticks: number): Turnover {
    return this.recent === undefined ? NO_TURNOVER : this.recent.within(end, ticks);
  }

  get lastTrade(): LastTrade | undefined {
    return this.ownTick === undefined ? undefined : { tick: this.ownTick, price: this.ownPrice };
  }

  /** The units of the market's level that users took; 0 once the level has another generation. */
  takenAt(side: Side, price: Price, generation: number): Quantity {
    return this.taken === undefined ? (0 as Quantity) : this.taken.at(side, price, generation);
  }

  /** True for an order that rests or is armed. */
  has(number: OrderNumber): boolean {
    return this.isResting(number) || this.isArmed(number);
  }

  /** True also for an order that waits for an auction, or was set aside. */
  isResting(number: OrderNumber): boolean {
    if (this.restsIn(this.store.orders.find(number)) !== undefined) return true;
    return this.gathered?.has(number) === true || this.isAside(number);
  }

  /** The ladder of this book in which an order rests, if it does. */
  restsIn(handle: Handle): Ladder | undefined {
    if (handle === NO_ORDER) return undefined;
    const owner = this.store.levels.ladder(this.store.orders.level(handle));
    if (owner === this.buys.number) return this.buys;
    return owner === this.sells.number ? this.sells : undefined;
  }

  isAside(number: OrderNumber): boolean {
    return this.asides?.has(number) === true;
  }

  isArmed(number: OrderNumber): boolean {
    return this.stops?.has(this.store.orders.find(number)) ?? false;
  }

  remainingOf(number: OrderNumber): Quantity {
    if (this.asides?.has(number)) return this.asides.remaining(number);
    if (this.gathered?.has(number)) return this.gathered.entry(number).remaining;
    return this.store.orders.remaining(this.restingHandle(number));
  }

  /** The market's units in front of a resting order. */
  aheadOf(number: OrderNumber): Quantity {
    return this.aheadAt(this.restingHandle(number));
  }

  aheadAt(handle: Handle): Quantity {
    const { orders, levels } = this.store;
    return Math.max(0, orders.mark(handle) - levels.advanced(orders.level(handle))) as Quantity;
  }

  /**
   * The market's units in front of the last order of a level, not counting the order `without`; 0 when there is no
   * other order.
   */
  aheadOfLast(level: Level, without: OrderNumber): Quantity {
    const { orders, levels } = this.store;
    if (!levels.isMarked(level)) return 0 as Quantity;
    const last = levels.last(level);
    if (orders.number(last) !== without)
      return Math.max(0, levels.lastMark(level) - levels.advanced(level)) as Quantity;
    const before = previousOf(this.store, last);
    return before === NO_ORDER ? (0 as Quantity) : this.aheadAt(before);
  }

  /** True when the market's moves can matter to this book: an order rests or a stop is armed. */
  hasInterest(): boolean {
    return this.hasResting() || this.hasStops();
  }

  hasResting(): boolean {
    const waiting = (this.gathered?.size ?? 0) + (this.asides?.size ?? 0);
    return this.buys.orders > 0 || this.sells.orders > 0 || waiting > 0;
  }

  hasStops(): boolean {
    return this.stops !== undefined && this.stops.size > 0;
  }

  /** The best level of a side, or `NO_LEVEL`. `worse` leads to the others. */
  best(side: Side): Level {
    return this.ladder(side).best;
  }

  /** The price of the best level of a side. */
  bestPrice(side: Side): Price | undefined {
    const { best, bestPrice } = this.ladder(side);
    return best === NO_LEVEL ? undefined : bestPrice;
  }

  /** The price of the worst level of a side. */
  worstPrice(side: Side): Price | undefined {
    const { worst } = this.ladder(side);
    return worst === NO_LEVEL ? undefined : this.store.levels.price(worst);
  }

  levelOf(side: Side, price: Price): Level | undefined {
    const level = this.ladder(side).find(price);
    return level === NO_LEVEL ? undefined : level;
  }

  /** The first `count` levels of a side, best first. */
  levels(side: Side, count: number): BookLevel[] {
    const levels: BookLevel[] = [];
    for (
      let level = this.best(side);
      level !== NO_LEVEL && levels.length < count;
      level = this.store.levels.worse(level)
    ) {
      levels.push(this.shown(level));
    }
    return levels;
  }

  levelCount(side: Side): number {
    return this.ladder(side).size;
  }

  orderCount(side: Side): number {
    return this.ladder(side).orders;
  }

  /** Units that the users' orders of a side still have to fill. */
  totalOf(side: Side): Quantity {
    return this.ladder(side).quantity as Quantity;
  }

  /** The resting orders of a side, in the order in which they would trade. */
  ordersOf(side: Side): Generator<Handle> {
    return queued(this.store, this.ladder(side));
  }

  /** The limit of a resting order, or the trigger of a stop. */
  priceOf(handle: Handle): Price {
    return this.store.levels.price(this.store.orders.level(handle));
  }

  /** The armed stops in the order of arming. */
  armedStops(): StopTerms[] {
    return this.stops === undefined ? [] : this.stops.list();
  }

  /** The trigger of the stop of a side that fires first: the lowest of buys, the highest of sells. */
  firstTrigger(side: Side): Price | undefined {
    return this.stops?.firstTrigger(side);
  }

  /** The stops that a last traded price fires, in the order of arming. Source: market-rules R3.14, R3.15. */
  firedBy(last: Price): OrderNumber[] {
    return this.stops === undefined ? [] : this.stops.firedBy(last);
  }

  /** The orders that were set aside, with their unfilled units, in the order in which they were. */
  asideOrders(): Iterable<readonly [OrderNumber, Quantity]> {
    return this.asides ?? [];
  }

  /**
   * All orders that rest, wait for an auction or were set aside. Those of the ladders come in the order in which they
   * would trade, buys first.
   */
  *restingOrders(): Generator<OrderNumber> {
    for (const side of ['B', 'S'] as const) {
      for (const handle of this.ordersOf(side)) yield this.store.orders.number(handle);
    }
    if (this.gathered !== undefined) for (const { number } of this.gathered.entries()) yield number;
    for (const [number] of this.asideOrders()) yield number;
  }

  /** The book as plain JSON values. */
  dump(): BookDump {
    return dumpBook(this, this.taken?.dump() ?? [], this.recent?.dump() ?? []);
  }

  /** The dump without the orders, which `rows` gives. */
  dumpWithoutOrders(): BookDump {
    return dumpWithoutOrders(this, this.taken?.dump() ?? [], this.recent?.dump() ?? []);
  }

  /** The orders one by one, in the form that `addRow` takes. */
  rows(): Generator<BookRow> {
    return bookRows(this);
  }

  /** Loads a dump. A dump of the result has the same bytes. */
  static load(dump: BookDump, store = new BookStore()): Book {
    const book = new Book(store);
    book.met = dump.phase;
    if (dump.auction !== undefined) book.gathered = AuctionBook.load(dump.auction);
    for (const row of dump.buys) book.addRow(['buys', row]);
    for (const row of dump.sells) book.addRow(['sells', row]);
    for (const row of dump.stops) book.addRow(['stops', row]);
    for (const row of dump.aside ?? []) book.addRow(['aside', row]);
    for (const [side, price, generation, quantity] of dump.taken) book.take(side, price, generation, quantity);
    if (dump.lastTrade !== null) book.trade(...dump.lastTrade);
    if (dump.recent.length > 0) book.recent = RecentTrades.load(dump.recent);
    return book;
  }

  /** Adds a dumped order behind the orders of its list that were added before it. */
  addRow([list, row]: BookRow): void {
    if (list === 'aside') return this.setAside(...row);
    if (list === 'auction') return must(this.gathered, 'orders gather for an auction').addRow(row);
    if (list === 'stops') {
      const [number, account, side, trigger] = row;
      return this.arm({ number, account, side, trigger });
    }
    const [number, account, price, remaining, ahead] = row;
    this.rest({ number, account, side: list === 'buys' ? 'B' : 'S', price, remaining }, ahead);
  }

  private gather(): void {
    const auction = this.gathered ?? new AuctionBook();
    auction.matched = false;
    for (const side of ['B', 'S'] as const) {
      for (const handle of [...this.ordersOf(side)]) {
        auction.add(this.entryOf(side, handle));
        dequeue(this.store, this.ladder(side), handle);
      }
    }
    this.gathered = auction;
  }

  private entryOf(side: Side, handle: Handle): AuctionEntry {
    const { orders } = this.store;
    return {
      number: orders.number(handle),
      account: orders.account(handle),
      side,
      price: this.priceOf(handle),
      remaining: orders.remaining(handle),
      ahead: this.aheadAt(handle),
      atMarket: false,
    };
  }

  private release(): void {
    const auction = this.gathered;
    if (auction === undefined) return;
    this.gathered = undefined;
    for (const entry of auction.entries()) {
      const level = this.levelOf(entry.side, entry.price);
      const before = level === undefined ? 0 : this.aheadOfLast(level, entry.number);
      this.rest(entry, Math.max(entry.ahead, before) as Quantity);
    }
  }

  private ladder(side: Side): Ladder {
    return side === 'B' ? this.buys : this.sells;
  }

  private crosses(side: Side, price: Price): boolean {
    const { best, bestPrice } = side === 'B' ? this.sells : this.buys;
    if (best === NO_LEVEL) return false;
    return side === 'B' ? price >= bestPrice : price <= bestPrice;
  }

  private shown(level: Level): BookLevel {
    const { levels } = this.store;
    return { price: levels.price(level), quantity: levels.quantity(level), orders: levels.orders(level) };
  }

  private restingHandle(number: OrderNumber): Handle {
    const handle = this.store.orders.find(number);
    if (this.restsIn(handle) === undefined) throw new InvariantError(`order ${number} does not rest`);
    return handle;
  }

  private shrink(handle: Handle, before: number, remaining: number): void {
    const { orders, levels } = this.store;
    const ladder = must(this.restsIn(handle), 'the order rests');
    assert(remaining >= 0 && remaining <= before, 'an order neither grows in its place nor falls below 0');
    if (remaining === 0) return dequeue(this.store, ladder, handle);
    orders.setRemaining(handle, remaining);
    levels.addUnits(orders.level(handle), remaining - before);
    ladder.quantity += remaining - before;
  }
}
