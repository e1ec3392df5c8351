import { assert, must } from '../../base/assert.ts';
import type { AccountId, OrderNumber, Tick } from '../../base/ids.ts';
import type { Price, Quantity } from '../../base/money.ts';
import type { Side } from '../order.ts';
import { type BookDump, dumpBook } from './book-dump.ts';
import { Ladder } from './ladder.ts';
import { aheadOf, enqueue, type Level, type RestingOrder, unlink } from './level.ts';
import { type ArmedStop, StopQueue } from './stops.ts';
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

/**
 * The users' orders in one instrument in price-time priority, their stops, and what they took of the market's own depth.
 * Only `applyToBook` writes it; deciding reads. Source: market-rules R3.14, R3.17.
 */
export class Book {
  private readonly buys = new Ladder('B');
  private readonly sells = new Ladder('S');
  private readonly buyStops = new StopQueue('B');
  private readonly sellStops = new StopQueue('S');
  private readonly resting = new Map<OrderNumber, RestingOrder>();
  private readonly armed = new Map<OrderNumber, ArmedStop>();
  private readonly taken = new TakenDepth();
  private armedSoFar = 0;
  lastTrade: LastTrade | undefined;

  /** Lets an order rest behind all others at its price. `ahead`: the market's units in front of it. */
  rest({ number, account, side, price, remaining }: RestingTerms, ahead: Quantity): void {
    assert(remaining > 0, `order ${number} has nothing left to rest`);
    assert(!this.resting.has(number), `order ${number} rests already`);
    const order = enqueue(this.ladder(side).open(price), number, account, remaining, ahead);
    this.resting.set(number, order);
  }

  /** Takes a resting order out. */
  remove(number: OrderNumber, side: Side): void {
    const order = must(this.resting.get(number), `order ${number} does not rest`);
    this.resting.delete(number);
    unlink(order);
    if (order.level.orders === 0) this.ladder(side).close(order.level);
  }

  /** Sets what a resting order still has to fill, without moving it; it leaves at 0. */
  reduce(number: OrderNumber, side: Side, remaining: Quantity): void {
    const order = must(this.resting.get(number), `order ${number} does not rest`);
    assert(remaining >= 0 && remaining <= order.remaining, `order ${number} does not grow in its place`);
    if (remaining === 0) {
      this.remove(number, side);
      return;
    }
    order.level.quantity += remaining - order.remaining;
    order.remaining = remaining;
  }

  /** The market's units in front of the users' orders at this price became fewer. */
  advanceQueue(side: Side, price: Price, quantity: Quantity): void {
    must(this.ladder(side).find(price), `nobody queues at ${price}`).advanced += quantity;
  }

  /** Lets a stop wait, behind all that wait already. */
  arm(number: OrderNumber, account: AccountId, side: Side, trigger: Price): void {
    assert(!this.armed.has(number), `stop ${number} is armed already`);
    this.armedSoFar += 1;
    const stop = { number, account, side, trigger, place: this.armedSoFar };
    this.armed.set(number, stop);
    this.stops(side).arm(stop);
  }

  disarm(number: OrderNumber): void {
    const stop = must(this.armed.get(number), `stop ${number} is not armed`);
    this.armed.delete(number);
    this.stops(stop.side).disarm(stop);
  }

  /** Users took `quantity` of the market's level on that side. */
  take(side: Side, price: Price, generation: number, quantity: Quantity): void {
    this.taken.add(side, price, generation, quantity);
  }

  /** How much of the market's level is taken; 0 once the level has another generation. */
  takenAt(side: Side, price: Price, generation: number): Quantity {
    return this.taken.at(side, price, generation);
  }

  isResting(number: OrderNumber): boolean {
    return this.resting.has(number);
  }

  isArmed(number: OrderNumber): boolean {
    return this.armed.has(number);
  }

  remainingOf(number: OrderNumber): Quantity {
    return must(this.resting.get(number), `order ${number} does not rest`).remaining as Quantity;
  }

  /** The market's units in front of a resting order. */
  aheadOf(number: OrderNumber): Quantity {
    return aheadOf(must(this.resting.get(number), `order ${number} does not rest`));
  }

  /** True when the market's moves can concern somebody here. */
  hasInterest(): boolean {
    return this.resting.size > 0 || this.armed.size > 0;
  }

  /** True when nothing of it would be missed. */
  isEmpty(): boolean {
    return !this.hasInterest() && this.lastTrade === undefined && this.taken.isEmpty();
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
    for (let depth = 0; depth < count; depth += 1) {
      const level = this.levelAt(side, depth);
      if (level === undefined) break;
      levels.push({ price: level.price, quantity: level.quantity as Quantity, orders: level.orders });
    }
    return levels;
  }

  levelCount(side: Side): number {
    return this.ladder(side).size;
  }

  /** The resting orders of a side in the order in which they would trade. */
  *ordersOf(side: Side): Generator<RestingOrder> {
    for (let depth = 0; depth < this.levelCount(side); depth += 1) {
      for (let order = this.levelAt(side, depth)?.first; order !== undefined; order = order.next) yield order;
    }
  }

  /** The armed stops in the order of arming. */
  armedStops(): ArmedStop[] {
    return [...this.armed.values()];
  }

  /** Of the stops that a last price fires, the one that was armed first. */
  firedBy(last: Price): ArmedStop | undefined {
    const buy = this.buyStops.fired(last);
    const sell = this.sellStops.fired(last);
    if (buy === undefined || sell === undefined) return buy ?? sell;
    return buy.place < sell.place ? buy : sell;
  }

  /** The book as plain JSON values. */
  dump(): BookDump {
    return dumpBook(this, this.taken.dump());
  }

  /** The book that was dumped: dumping it again gives the same bytes. */
  static load(dump: BookDump): Book {
    const book = new Book();
    for (const [side, orders] of [
      ['B', dump.buys],
      ['S', dump.sells],
    ] as const) {
      for (const [number, account, price, remaining, ahead] of orders) {
        book.rest({ number, account, side, price, remaining }, ahead);
      }
    }
    for (const [number, account, side, trigger] of dump.stops) book.arm(number, account, side, trigger);
    for (const [side, price, generation, quantity] of dump.taken) book.take(side, price, generation, quantity);
    if (dump.lastTrade !== null) book.lastTrade = { tick: dump.lastTrade[0], price: dump.lastTrade[1] };
    return book;
  }

  private ladder(side: Side): Ladder {
    return side === 'B' ? this.buys : this.sells;
  }

  private stops(side: Side): StopQueue {
    return side === 'B' ? this.buyStops : this.sellStops;
  }
}
