/**
 * The orders of a day that have not ended, as objects. An order that ends leaves no object behind, and a stretch of the
 * day in which all have ended costs one place in a list.
 */

import { assert } from '../../base/assert.ts';
import { PagedTable } from '../../base/tables/paged-table.ts';
import type { Order } from '../order.ts';

/** Orders of a page, as a power of two: small, because one live order keeps its page. */
const PAGE_BITS = 6;

/** Live orders by row. */
export class LiveOrders {
  private readonly orders = new PagedTable<number, Order>(PAGE_BITS);

  get(row: number): Order | undefined {
    return this.orders.get(row);
  }

  /** Adds the order of a row that has none. */
  add(row: number, order: Order): void {
    this.orders.set(row, order);
  }

  /** Takes out the order of a row that has one. */
  remove(row: number): void {
    assert(this.orders.get(row) !== undefined, 'an order ends once');
    this.orders.delete(row);
  }

  /** Those from a row on, in the order of their rows. */
  *values(from: number): IterableIterator<Order> {
    for (const [, order] of this.orders.within(from, Number.POSITIVE_INFINITY)) yield order;
  }
}
