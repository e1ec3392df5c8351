import { assert, InvariantError } from '../../base/assert.ts';
import type { AccountId, OrderNumber, Tick } from '../../base/ids.ts';
import type { Price, Quantity } from '../../base/money.ts';
import type { Side } from '../order.ts';
import { type BookDump, dumpBook } from './book-dump.ts';
import { Ladder } from './ladder.ts';
import type { Level } from './level.ts';
import { type Handle, NO_ORDER, OrderStore } from './order-store.ts';
import { TakenDepth } from './taken-depth.ts';

/** The users' own last trade: what the last traded price is until the market prints again. */
export interface LastTrade {
  readonly tick: Tick;
  readonly price: Price;
}

/** Users' quantity at one price. */
export interface BookLevel {
  readonly price: Price;
  readonly quantity: Quantity;
  readonly orders: number;
}

/** What the book needs to know of an order that begins to rest. */
export interface RestingTerms {
  readonly number: OrderNumber;
  readonly account: AccountId;
  readonly side: Side;
  readonly price: Price;
  /** Units. */
  readonly remaining: Quantity;
}

/** What the book needs to know of a stop that begins to wait. */
export interface StopTerms {
  readonly number: OrderNumber;
  readonly account: AccountId;
  readonly side: Side;
  readonly trigger: Price;
}

/**
 * The users' orders in one instrument in price-time priority, their stops, and what they took of the market's own depth.
 * Only `applyToBook` writes it; deciding reads. Source: market-rules R3.14, R3.17.
 */
export class Book {
  /** All orders, resting and armed: read them by the handles of the queues. */
  readonly orders = new OrderStore();
  private readonly levelsByNumber: Level[] = [];
  private readonly buys = new Ladder('B', true, false, this.levelsByNumber);
  private readonly sells = new Ladder('S', false, false, this.levelsByNumber);
  /** The stops that fire first stand in front: the lowest triggers of buys, the highest of sells. Most books never have one. */
  private buyStops: Ladder | undefined;
  private sellStops: Ladder | undefined;
  private taken: TakenDepth | undefined;
  private own: LastTrade | undefined;
  /** How many orders ever came to a queue. */
  private places = 0;

  /** Lets an order rest behind all others at its price. `ahead`: the market's units in front of it. */
  rest({ number, account, side, price, remaining }: RestingTerms, ahead: Quantity): void {
    assert(remaining > 0 && ahead >= 0, 'what rests has units left, and none or more in front');
    const against = (side === 'B' ? this.sells : this.buys).best;
    const crosses = against !== undefined && (side === 'B' ? price >= against.price : price <= against.price);
    assert(!crosses, 'no order rests across the book');
    const ladder = side === 'B' ? this.buys : this.sells;
    const level = ladder.open(price);
    this.enqueue(level, number, account, remaining, ahead + level.advanced);
    level.quantity += remaining;
    ladder.quantity += remaining;
  }

  /** Takes a resting order out. */
  remove(number: OrderNumber): void {
    this.dequeue(this.handleIn(number, false));
  }

  /** Sets what a resting order still has to fill, without moving it; it leaves at 0. */
  reduce(number: OrderNumber, remaining: Quantity): void {
    this.shrink(this.handleIn(number, false), remaining);
  }

  /** Fills a resting order by `quantity` at its price; it leaves when nothing is left. */
  fill(number: OrderNumber, price: Price, quantity: Quantity): void {
    const handle = this.handleIn(number, false);
    assert(this.levelOfHandle(handle).price === price, 'a resting order trades at its own price');
    this.shrink(handle, this.orders.remaining(handle) - quantity);
  }

  /** The market's units in front of the users' orders at this price became fewer. */
  advanceQueue(side: Side, price: Price, quantity: Quantity): void {
    const level = this.ladder(side).find(price);
    assert(level !== undefined, 'a queue that advances has orders');
    level.advanced += quantity;
  }

  /** Lets a stop wait, behind all that wait already. */
  arm({ number, account, side, trigger }: StopTerms): void {
    this.enqueue(this.stopsOf(side).open(trigger), number, account, 0, 0);
  }

  /** Takes a stop out: it fired, or it is gone. */
  disarm(number: OrderNumber): void {
    this.dequeue(this.handleIn(number, true));
  }

  /** Takes an order out, whether it rests or is armed. */
  withdraw(number: OrderNumber): void {
    const handle = this.orders.find(number);
    if (handle === NO_ORDER) throw new InvariantError(`order ${number} is not in the book`);
    this.dequeue(handle);
  }

  /** Users took `quantity` of the market's level on that side. */
  take(side: Side, price: Price, generation: number, quantity: Quantity): void {
    this.taken ??= new TakenDepth();
    this.taken.add(side, price, generation, quantity);
  }

  /** A user traded as the aggressor. */
  trade(tick: Tick, price: Price): void {
    assert(this.own === undefined || tick >= this.own.tick, 'the market does not go back');
    this.own = { tick, price };
  }

  get lastTrade(): LastTrade | undefined {
    return this.own;
  }

  /** How much of the market's level is taken; 0 once the level has another generation. */
  takenAt(side: Side, price: Price, generation: number): Quantity {
    return this.taken === undefined ? (0 as Quantity) : this.taken.at(side, price, generation);
  }

  /** True for an order that rests or is armed. */
  has(number: OrderNumber): boolean {
    return this.orders.find(number) !== NO_ORDER;
  }

  isResting(number: OrderNumber): boolean {
    const handle = this.orders.find(number);
    return handle !== NO_ORDER && !this.levelOfHandle(handle).ladder.armed;
  }

  isArmed(number: OrderNumber): boolean {
    const handle = this.orders.find(number);
    return handle !== NO_ORDER && this.levelOfHandle(handle).ladder.armed;
  }

  remainingOf(number: OrderNumber): Quantity {
    return this.orders.remaining(this.handleIn(number, false));
  }

  /** The market's units in front of a resting order. */
  aheadOf(number: OrderNumber): Quantity {
    const handle = this.handleIn(number, false);
    return this.aheadAt(this.levelOfHandle(handle), handle);
  }

  /** The same of an order whose level is known. */
  aheadAt(level: Level, handle: Handle): Quantity {
    return Math.max(0, this.orders.mark(handle) - level.advanced) as Quantity;
  }

  /** True when the market's moves can concern somebody here: something rests or is armed. */
  hasInterest(): boolean {
    return this.orders.size > 0;
  }

  hasStops(): boolean {
    return this.buyStops?.best !== undefined || this.sellStops?.best !== undefined;
  }

  /** True when nothing of it would be missed. */
  isEmpty(): boolean {
    return !this.hasInterest() && this.own === undefined && this.taken === undefined;
  }

  /** The best level of a side; the others follow by `worse`. */
  best(side: Side): Level | undefined {
    return this.ladder(side).best;
  }

  /** The level that is `depth` levels behind the best of a side. */
  levelAt(side: Side, depth: number): Level | undefined {
    return this.ladder(side).at(depth);
  }

  levelOf(side: Side, price: Price): Level | undefined {
    return this.ladder(side).find(price);
  }

  /** The first `count` levels of a side, best first. */
  levels(side: Side, count: number): BookLevel[] {
    const levels: BookLevel[] = [];
    for (let level = this.best(side); level !== undefined && levels.length < count; level = level.worse) {
      levels.push({ price: level.price, quantity: level.quantity as Quantity, orders: level.orders });
    }
    return levels;
  }

  levelCount(side: Side): number {
    return this.ladder(side).size;
  }

  orderCount(side: Side): number {
    return this.ladder(side).orders;
  }

  /** Units that the users' orders of a side have still to fill. */
  totalOf(side: Side): Quantity {
    return this.ladder(side).quantity as Quantity;
  }

  /** The resting orders of a side in the order in which they would trade. */
  *ordersOf(side: Side): Generator<Handle> {
    for (let level = this.best(side); level !== undefined; level = level.worse) {
      for (let handle = level.first; handle !== NO_ORDER; handle = this.orders.next(handle)) yield handle;
    }
  }

  /** The level in whose queue an order stands: its price is the order's limit, or its trigger. */
  levelOfHandle(handle: Handle): Level {
    return this.levelsByNumber[this.orders.level(handle)] as Level;
  }

  /** The armed stops in the order of arming. */
  armedStops(): StopTerms[] {
    const handles: Handle[] = [];
    for (const ladder of [this.buyStops, this.sellStops]) {
      for (let level = ladder?.best; level !== undefined; level = level.worse) {
        for (let handle = level.first; handle !== NO_ORDER; handle = this.orders.next(handle)) handles.push(handle);
      }
    }
    handles.sort((a, b) => this.orders.place(a) - this.orders.place(b));
    return handles.map((handle) => {
      const { price: trigger, ladder } = this.levelOfHandle(handle);
      return { number: this.orders.number(handle), account: this.orders.account(handle), side: ladder.side, trigger };
    });
  }

  /** Of the stops that a last price fires, the one that was armed first. Source: market-rules R3.14, R3.15. */
  firedBy(last: Price): OrderNumber | undefined {
    let first = NO_ORDER;
    for (let level = this.buyStops?.best; level !== undefined && level.price <= last; level = level.worse) {
      first = this.earlier(first, level.first);
    }
    for (let level = this.sellStops?.best; level !== undefined && level.price >= last; level = level.worse) {
      first = this.earlier(first, level.first);
    }
    return first === NO_ORDER ? undefined : this.orders.number(first);
  }

  /** The book as plain JSON values. */
  dump(): BookDump {
    return dumpBook(this, this.taken === undefined ? [] : this.taken.dump());
  }

  /** The book that was dumped: dumping it again gives the same bytes. */
  static load(dump: BookDump): Book {
    const book = new Book();
    for (const side of ['B', 'S'] as const) {
      for (const [number, account, price, remaining, ahead] of side === 'B' ? dump.buys : dump.sells) {
        book.rest({ number, account, side, price, remaining }, ahead);
      }
    }
    for (const [number, account, side, trigger] of dump.stops) book.arm({ number, account, side, trigger });
    for (const [side, price, generation, quantity] of dump.taken) book.take(side, price, generation, quantity);
    if (dump.lastTrade !== null) book.trade(...dump.lastTrade);
    return book;
  }

  private ladder(side: Side): Ladder {
    return side === 'B' ? this.buys : this.sells;
  }

  private stopsOf(side: Side): Ladder {
    if (side === 'B') {
      this.buyStops ??= new Ladder('B', false, true, this.levelsByNumber);
      return this.buyStops;
    }
    this.sellStops ??= new Ladder('S', true, true, this.levelsByNumber);
    return this.sellStops;
  }

  private handleIn(number: OrderNumber, armed: boolean): Handle {
    const handle = this.orders.find(number);
    if (handle === NO_ORDER || this.levelOfHandle(handle).ladder.armed !== armed) {
      throw new InvariantError(`order ${number} ${armed ? 'is not armed' : 'does not rest'}`);
    }
    return handle;
  }

  private earlier(a: Handle, b: Handle): Handle {
    return a === NO_ORDER || this.orders.place(b) < this.orders.place(a) ? b : a;
  }

  private enqueue(level: Level, number: OrderNumber, account: AccountId, remaining: number, mark: number): void {
    const { orders } = this;
    this.places += 1;
    const handle = orders.add(number, account, remaining, mark, this.places, level.number);
    if (level.last === NO_ORDER) level.first = handle;
    else orders.link(level.last, handle);
    level.last = handle;
    level.orders += 1;
    level.ladder.orders += 1;
  }

  /** Takes an order out of its queue, with what it still had to fill. */
  private dequeue(handle: Handle): void {
    const { orders } = this;
    const level = this.levelOfHandle(handle);
    const { ladder } = level;
    const remaining = orders.remaining(handle);
    const previous = orders.previous(handle);
    const next = orders.next(handle);
    orders.link(previous, next);
    if (previous === NO_ORDER) level.first = next;
    if (next === NO_ORDER) level.last = previous;
    orders.delete(handle);
    level.quantity -= remaining;
    ladder.quantity -= remaining;
    level.orders -= 1;
    ladder.orders -= 1;
    if (level.orders === 0) ladder.close(level);
  }

  private shrink(handle: Handle, remaining: number): void {
    const before = this.orders.remaining(handle);
    assert(remaining >= 0 && remaining <= before, 'an order neither grows in its place nor falls below nothing');
    if (remaining === 0) return this.dequeue(handle);
    const level = this.levelOfHandle(handle);
    level.quantity += remaining - before;
    level.ladder.quantity += remaining - before;
    this.orders.setRemaining(handle, remaining);
  }
}
