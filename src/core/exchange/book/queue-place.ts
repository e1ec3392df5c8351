/**
 * Finds the place of resting orders in their queues: the units that trade before they do. A queue may be long, so a
 * search has a bound.
 */

import type { OrderNumber } from '../../../base/ids.ts';
import type { Quantity } from '../../../base/money.ts';
import type { Book } from './book.ts';
import { type Handle, NO_ORDER } from './handles.ts';

/** The most orders that a search for one place passes, ended ones included: well below a millisecond. */
const MOST_PASSED = 10_000;

/** True for an order that stands in a queue. Stops, the orders of an auction and those set aside stand in none. */
export function isQueued(book: Book, order: OrderNumber): boolean {
  return book.auction?.has(order) !== true && !book.isAside(order) && book.isResting(order);
}

/** The places of orders in one book, which must not change meanwhile. Orders of one level share the search. */
export class QueuePlaces {
  private readonly book: Book;
  private readonly most: number;
  /** The users' units in front of orders that were asked for; `undefined` where they are too many to be counted. */
  private readonly known = new Map<Handle, number | undefined>();

  constructor(book: Book, most = MOST_PASSED) {
    this.book = book;
    this.most = most;
  }

  /**
   * The units in front of an order that is in a queue: the market's and those of users; `undefined` when too many
   * orders stand in front of it to be counted.
   */
  aheadOf(order: OrderNumber): Quantity | undefined {
    const { book, known } = this;
    const handle = book.store.orders.find(order);
    if (!known.has(handle)) known.set(handle, this.search(handle));
    const users = known.get(handle);
    return users === undefined ? undefined : ((book.aheadAt(handle) + users) as Quantity);
  }

  /** Passes the orders in front, from the nearest one to the first of the queue or to one whose place is known. */
  private search(handle: Handle): number | undefined {
    const { orders } = this.book.store;
    let units = 0;
    let next = orders.previous(handle);
    for (let passed = 0; next !== NO_ORDER; passed += 1) {
      if (passed === this.most) return undefined;
      if (!orders.isEnded(next)) units += orders.remaining(next);
      if (this.known.has(next)) {
        const before = this.known.get(next);
        return before === undefined ? undefined : units + before;
      }
      next = orders.previous(next);
    }
    return units;
  }
}
