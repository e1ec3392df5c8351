import { assert, InvariantError } from '../../../base/assert.ts';
import type { AccountId, OrderNumber } from '../../../base/ids.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import type { Side } from '../../order.ts';

/** An order that waits for an auction. */
export interface AuctionEntry {
  readonly number: OrderNumber;
  readonly account: AccountId;
  readonly side: Side;
  /** Its limit; of a market order the worst price that it may get. */
  price: Price;
  /** Units. Above 0. */
  remaining: Quantity;
  /** The market's own units at its price that were there first. */
  ahead: Quantity;
  /**
   * True while it takes whatever price the auction finds. One that rested in continuous trading has a limit, its
   * protection. Source: market-rules R3.9.
   */
  atMarket: boolean;
}

/** The figures of one entry. */
export type AuctionRow = readonly [
  number: OrderNumber,
  account: AccountId,
  side: Side,
  price: Price,
  remaining: Quantity,
  ahead: Quantity,
  /** Only of an order at the market. */
  atMarket?: true,
];

/** The book as plain JSON values: orders in the order in which they came. */
export interface AuctionDump {
  readonly matched: boolean;
  readonly orders: readonly AuctionRow[];
}

/**
 * The orders of one instrument that gather for an auction, in the order in which they came: they may cross each other,
 * and nothing trades before the auction is matched. What is left of them goes on into continuous trading in this order.
 * Source: market-rules R2.8.
 */
export class AuctionBook {
  /** True once its orders were matched: what is left crosses no more. */
  matched = false;
  private readonly byNumber = new Map<OrderNumber, AuctionEntry>();

  get size(): number {
    return this.byNumber.size;
  }

  /** Lets an order wait behind all others. */
  add(entry: AuctionEntry): void {
    assert(!this.byNumber.has(entry.number), 'an order waits for an auction once');
    assert(entry.remaining > 0 && entry.ahead >= 0, 'what waits has units left, and none or more in front');
    this.byNumber.set(entry.number, { ...entry });
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
    if (!this.byNumber.delete(number)) throw new InvariantError(`order ${number} does not wait for an auction`);
  }

  /** Sets what an order still has to fill, without moving it; it leaves at 0. */
  reduce(number: OrderNumber, remaining: Quantity): void {
    const entry = this.entry(number);
    assert(
      remaining >= 0 && remaining <= entry.remaining,
      'an order neither grows in its place nor falls below nothing',
    );
    entry.remaining = remaining;
    if (remaining === 0) this.remove(number);
  }

  fill(number: OrderNumber, quantity: Quantity): void {
    this.reduce(number, (this.entry(number).remaining - quantity) as Quantity);
  }

  /** A market order that is left over becomes a limit order in its place. */
  limit(number: OrderNumber, price: Price): void {
    const entry = this.entry(number);
    entry.atMarket = false;
    if (entry.price === price) return;
    entry.price = price;
    entry.ahead = 0 as Quantity;
  }

  /** The market's units in front of the orders at this price became fewer. */
  advance(side: Side, price: Price, quantity: Quantity): void {
    for (const entry of this.byNumber.values()) {
      if (entry.side === side && entry.price === price) entry.ahead = Math.max(0, entry.ahead - quantity) as Quantity;
    }
  }

  /** In the order in which they came. */
  entries(): IterableIterator<Readonly<AuctionEntry>> {
    return this.byNumber.values();
  }

  dump(): AuctionDump {
    return { matched: this.matched, orders: [...this.rows()] };
  }

  /** The figures of the entries, in the order in which they came. */
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

  /** Lets the entry of a row wait behind all others. */
  addRow([number, account, side, price, remaining, ahead, atMarket]: AuctionRow): void {
    this.add({ number, account, side, price, remaining, ahead, atMarket: atMarket === true });
  }
}
