import { EventRows } from '../rows/event-rows.ts';
import { LevelTable } from './level-table.ts';
import { OrderTable } from './order-table.ts';
import { PricePages } from './price-pages.ts';

/**
 * The orders, levels and prices of all books of one state. The books share these tables, so that many small books cost
 * the same as one large book.
 */
export class BookStore {
  readonly orders: OrderTable;
  readonly levels = new LevelTable();
  readonly pages = new PricePages();
  /** The events of one decision on one of these books. Each decision writes them again. */
  readonly rows = new EventRows();

  /** `first`: any order number of the day of these books. Without it the first order sets the day. */
  constructor(first?: number) {
    this.orders = new OrderTable(first);
  }
}
