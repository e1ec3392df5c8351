/**
 * The orders of one day by order number. An order is an object while it lives; one that has ended is packed in
 * `ended-orders.ts` and made again for each reader, because a day has millions of them and few are asked for.
 */

import { assert, must } from '../../base/assert.ts';
import type { OrderNumber } from '../../base/ids.ts';
import type { EpochMs } from '../../base/time.ts';
import { isFinal } from '../broker/orders/life-cycle.ts';
import type { Order } from '../order.ts';
import { EndedOrders } from './ended-orders.ts';
import { InstrumentFacts, type OrderFacts } from './instrument-facts.ts';
import { LiveOrders } from './live-orders.ts';
import { NumberRuns } from './number-runs.ts';

/**
 * The orders of a day, in the order of receipt. Numbers increase and are dense while the date is the same, so an order
 * stands where its number says: nothing is hashed, and no order moves when more come. A trading day of several dates (a
 * weekend in exchange hours) has a run for each date, and more for orders of earlier days that wait for it.
 */
export class OrderDay {
  private readonly rows = new NumberRuns();
  private facts = new InstrumentFacts();
  private living = new LiveOrders();
  private ended = new EndedOrders(this.facts);

  /** How many orders the day has. */
  get size(): number {
    return this.rows.size;
  }

  /** An order as it is now; `undefined` when it is not one of this day. Only `apply` changes it, and by `live`. */
  get(number: OrderNumber): Readonly<Order> | undefined {
    const row = this.rows.row(number);
    return row === undefined ? undefined : this.orderOf(row, number);
  }

  /** An order that has not ended, for `apply` to change; `undefined` when it has, or is not one of this day. */
  findLive(number: OrderNumber): Order | undefined {
    const row = this.rows.row(number);
    return row === undefined ? undefined : this.living.get(row);
  }

  has(number: OrderNumber): boolean {
    return this.rows.row(number) !== undefined;
  }

  /** Adds the next order, which may have ended already. Its number must be above all others. */
  add(order: Order): void {
    const row = this.rows.add(order.number);
    if (isFinal(order.status)) this.ended.write(row, order);
    else this.living.add(row, order);
  }

  /** Packs a live order that has just come to its end. Its object is of no use afterwards. */
  end(order: Order): void {
    assert(isFinal(order.status), 'an order is packed at its end');
    const row = this.rowOf(order.number);
    this.living.remove(row);
    this.ended.write(row, order);
  }

  /** Sets the instant of an order's last event, also of one that has ended: a request for it was refused. */
  setUpdatedAt(number: OrderNumber, at: EpochMs): void {
    const row = this.rowOf(number);
    const order = this.living.get(row);
    if (order === undefined) this.ended.setUpdatedAt(row, at);
    else order.updatedAt = at;
  }

  /** The orders that have not ended, in the order of their numbers: all, or those behind one of this day. */
  live(after?: OrderNumber): IterableIterator<Order> {
    return this.living.values(after === undefined ? 0 : this.rowOf(after) + 1);
  }

  /** All orders in the order of their numbers. Each that has ended is made for its reader: it is for whole dumps. */
  *values(): IterableIterator<Readonly<Order>> {
    let row = 0;
    for (const number of this.rows.numbers()) {
      yield this.orderOf(row, number);
      row += 1;
    }
  }

  /** The numbers, ascending. */
  keys(): IterableIterator<OrderNumber> {
    return this.rows.numbers();
  }

  /** The facts of the instruments that orders of the day are in, those of several orders perhaps more than once. */
  *instruments(): Generator<OrderFacts> {
    yield* this.facts.values();
    yield* this.living.values(0);
  }

  /** Forgets all orders: another day begins. */
  clear(): void {
    this.rows.clear();
    this.facts = new InstrumentFacts();
    this.living = new LiveOrders();
    this.ended = new EndedOrders(this.facts);
  }

  private orderOf(row: number, number: OrderNumber): Readonly<Order> {
    return this.living.get(row) ?? this.ended.read(row, number);
  }

  private rowOf(number: OrderNumber): number {
    return must(this.rows.row(number), 'an order that was given out is of this day');
  }
}
