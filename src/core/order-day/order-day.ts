/**
 * The orders of one day by order number. An order is a row of numbers (`order-page.ts`), and an object only for those
 * who ask for it: a day has millions of orders, and few are asked for.
 */

import { must } from '../../base/assert.ts';
import type { OrderNumber } from '../../base/ids.ts';
import type { EpochMs } from '../../base/time.ts';
import type { Order } from '../order.ts';
import type { OrderFacts } from './instrument-facts.ts';
import { NumberRuns } from './number-runs.ts';
import { type OrderHead, OrderRows } from './order-rows.ts';

/**
 * The orders of a day, in the order of receipt. Numbers increase and are dense while the date is the same, so an order
 * stands where its number says: nothing is hashed, and no order moves when more come. A trading day of several dates (a
 * weekend in exchange hours) has a run for each date, and more for orders of earlier days that wait for it.
 *
 * The orders that it gives out show what the state has when they are read, not what it had when they were asked for:
 * `copyOf` makes one that stays.
 */
export class OrderDay {
  private runs = new NumberRuns();
  private rows = new OrderRows();

  /** How many orders the day has. */
  get size(): number {
    return this.runs.size;
  }

  /** An order; `undefined` when it is not one of this day. Only `apply` changes it, and by `findLive`. */
  get(number: OrderNumber): Readonly<Order> | undefined {
    const row = this.runs.row(number);
    return row === undefined ? undefined : this.rows.at(row, number);
  }

  /** An order that has not ended, for `apply` to change; `undefined` when it has, or is not one of this day. */
  findLive(number: OrderNumber): Order | undefined {
    const row = this.runs.row(number);
    return row === undefined || !this.rows.isLive(row) ? undefined : this.rows.at(row, number);
  }

  has(number: OrderNumber): boolean {
    return this.runs.row(number) !== undefined;
  }

  /** Adds the next order, which is received at this instant. Its number must be above all others. */
  receive(number: OrderNumber, order: OrderHead, at: EpochMs): void {
    this.runs.add(number);
    this.rows.receive(order, at);
  }

  /** Adds the next order, which may have ended already. Its number must be above all others. */
  add(order: Readonly<Order>): void {
    this.runs.add(order.number);
    this.rows.add(order);
  }

  /** Sets the instant of an order's last event, also of one that has ended: a request for it was refused. */
  setUpdatedAt(number: OrderNumber, at: EpochMs): void {
    this.rows.setUpdatedAt(this.rowOf(number), at);
  }

  /** The orders that have not ended, in the order of their numbers: all, or those after one of this day. */
  *live(after?: OrderNumber): IterableIterator<Order> {
    const { rows, runs } = this;
    for (const row of rows.live(after === undefined ? 0 : this.rowOf(after) + 1)) yield rows.at(row, runs.number(row));
  }

  /** All orders in the order of their numbers. */
  *values(): IterableIterator<Readonly<Order>> {
    const { rows, runs } = this;
    let row = 0;
    for (const number of runs.numbers()) {
      yield rows.at(row, number);
      row += 1;
    }
  }

  /** The numbers, ascending. */
  keys(): IterableIterator<OrderNumber> {
    return this.runs.numbers();
  }

  /** The facts of the instruments that orders of the day are in, perhaps more than once. */
  instruments(): readonly OrderFacts[] {
    return this.rows.instruments();
  }

  /** Forgets all orders: another day begins. Orders that were given out before stay as they are. */
  clear(): void {
    this.runs = new NumberRuns();
    this.rows = new OrderRows();
  }

  private rowOf(number: OrderNumber): number {
    return must(this.runs.row(number), 'an order that was given out is of this day');
  }
}
