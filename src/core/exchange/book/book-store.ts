import { LevelTable } from './level-table.ts';
import { OrderTable } from './order-table.ts';
import { PricePages } from './price-pages.ts';

/**
 * Where all books of one state keep their orders, levels and prices: many small books then cost what one large book
 * costs.
 */
export class BookStore {
  readonly orders: OrderTable;
  readonly levels = new LevelTable();
  readonly pages = new PricePages();

  /** `first`: any order number of the day that the books are of; that of the first order when it is left out. */
  constructor(first?: number) {
    this.orders = new OrderTable(first);
  }
}
