import { LevelTable } from './level-table.ts';
import { OrderTable } from './order-table.ts';

/** Where all books of one state keep their orders and levels: many small books then cost what one large book costs. */
export class BookStore {
  readonly orders = new OrderTable();
  readonly levels = new LevelTable();
}
