/**
 * The orders of one instrument that wait for an auction, in the order of arrival. They may cross each other, and
 * nothing trades here: `match-auction.ts` decides the trades, `applyToBook` carries them out. Source: market-rules
 * R2.8.
 */

import { assert, InvariantError } from '../../../base/assert.ts';
import type { AccountId, OrderNumber } from '../../../base/ids.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import type { Side } from '../../order.ts';
import { AuctionLevels, type GatheredLevel } from './auction-levels.ts';

/** An order that waits for an auction. */
export interface AuctionEntry {
  readonly number: OrderNumber;
  readonly account: AccountId;
  readonly side: Side;
  /** Its limit; for a market order, the worst price that it may get. */
  price: Price;
  /** Units. Above 0. */
  remaining: Quantity;
  /** The market's own units at its price that were there before it. */
  ahead: Quantity;
  /**
   * True while it takes any price that the auction finds. A market order that rested in continuous trading has a limit:
   * its protected price. Source: market-rules R3.9.
   */
  atMarket: boolean;
}

/** One entry as a row of values. */
export type AuctionRow = readonly [
  number: OrderNumber,
  account: AccountId,
  side: Side,
  price: Price,
  remaining: Quantity,
  ahead: Quantity,
  /** Present for market orders only. */
  atMarket?: true,
];

/** The book as plain JSON values; orders in the order of arrival. */
export interface AuctionDump {
  readonly matched: boolean;
  readonly orders: readonly AuctionRow[];
}

/**
 * After the auction, the orders that are left go on into continuous trading in the same order. Source: market-rules
 * R2.8.
 */
export class AuctionBook {
  /** True once its orders were matched. The orders that are left no longer cross. */
  matched = false;
  private readonly byNumber = new Map<OrderNumber, AuctionEntry>();
  private readonly buys = new AuctionLevels('B');
  private readonly sells = new AuctionLevels('S');

  get size(): number {
    return this.byNumber.size;
  }

  /** Adds an order behind all others. */
  add(entry: AuctionEntry): void {
    assert(!this.byNumber.has(entry.number), 'an order waits for an auction only once');
    assert(entry.remaining > 0 && entry.ahead >= 0, 'a waiting order has units left, and 0 or more units in front');
    this.byNumber.set(entry.number, { ...entry });
    this.sum(entry, entry.remaining, 1);
  }

  has(number: OrderNumber): boolean {
    return this.byNumber.has(number);
  }

  entry(number: OrderNumber): AuctionEntry {
    const entry = this.byNumber.get(number);
    if (entry === undefined) throw new InvariantError(`order ${number} does not wait for an auction`);
    return entry;
  }

  remove(number: OrderNumber): void {
    const entry = this.entry(number);
    this.sum(entry, -entry.remaining, -1);
    this.byNumber.delete(number);
  }

  /** Sets the remaining quantity of an order, which keeps its place. At 0 the order leaves. */
  reduce(number: OrderNumber, remaining: Quantity): void {
    const entry = this.entry(number);
    assert(remaining >= 0 && remaining <= entry.remaining, 'an order neither grows in its place nor falls below 0');
    if (remaining === 0) return this.remove(number);
    this.sum(entry, remaining - entry.remaining, 0);
    entry.remaining = remaining;
  }

  fill(number: OrderNumber, quantity: Quantity): void {
    this.reduce(number, (this.entry(number).remaining - quantity) as Quantity);
  }

  /** Turns a market order that was not filled into a limit order. It keeps its place. */
  limit(number: OrderNumber, price: Price): void {
    const entry = this.entry(number);
    this.sum(entry, -entry.remaining, -1);
    entry.atMarket = false;
    if (entry.price !== price) entry.ahead = 0 as Quantity;
    entry.price = price;
    this.sum(entry, entry.remaining, 1);
  }

  /** Fewer of the market's units stand in front of the orders at this price. */
  advance(side: Side, price: Price, quantity: Quantity): void {
    for (const entry of this.byNumber.values()) {
      if (entry.side === side && entry.price === price) entry.ahead = Math.max(0, entry.ahead - quantity) as Quantity;
    }
  }

  /** The first `count` prices of the limit orders of a side, best first. */
  levels(side: Side, count: number): GatheredLevel[] {
    return this.side(side).levels(count);
  }

  /** Units that the orders of a side still have to fill, market orders among them. */
  totalOf(side: Side): Quantity {
    return this.side(side).total as Quantity;
  }

  private side(side: Side): AuctionLevels {
    return side === 'B' ? this.buys : this.sells;
  }

  private sum({ side, price, atMarket }: AuctionEntry, quantity: number, orders: number): void {
    const sums = this.side(side);
    sums.total += quantity;
    if (!atMarket) sums.add(price, quantity, orders);
  }

  /** In the order of arrival. */
  entries(): IterableIterator<Readonly<AuctionEntry>> {
    return this.byNumber.values();
  }

  dump(): AuctionDump {
    return { matched: this.matched, orders: [...this.rows()] };
  }

  /** The entries as rows, in the order of arrival. */
  *rows(): Generator<AuctionRow> {
    for (const { number, account, side, price, remaining, ahead, atMarket } of this.entries()) {
      const row = [number, account, side, price, remaining, ahead] as const;
      yield atMarket ? [...row, true] : row;
    }
  }

  static load({ matched, orders }: AuctionDump): AuctionBook {
    const book = new AuctionBook();
    for (const row of orders) book.addRow(row);
    book.matched = matched;
    return book;
  }

  /** Adds the entry of a row behind all others. */
  addRow([number, account, side, price, remaining, ahead, atMarket]: AuctionRow): void {
    this.add({ number, account, side, price, remaining, ahead, atMarket: atMarket === true });
  }
}
