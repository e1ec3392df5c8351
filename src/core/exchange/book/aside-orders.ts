import { assert, must } from '../../../base/assert.ts';
import type { OrderNumber } from '../../../base/ids.ts';
import type { Quantity } from '../../../base/money.ts';

/** The orders of a book that were set aside, with their unfilled units. Source: docs/outcomes.md. */
export class AsideOrders {
  private readonly orders = new Map<OrderNumber, Quantity>();

  get size(): number {
    return this.orders.size;
  }

  has(number: OrderNumber): boolean {
    return this.orders.has(number);
  }

  remaining(number: OrderNumber): Quantity {
    return must(this.orders.get(number), 'the order was set aside');
  }

  add(number: OrderNumber, remaining: Quantity): void {
    assert(remaining > 0 && !this.has(number), 'an order is set aside once, with units left');
    this.orders.set(number, remaining);
  }

  remove(number: OrderNumber): void {
    assert(this.orders.delete(number), 'the order was set aside');
  }

  /** Fills an order by `quantity`. It leaves when nothing remains. */
  fill(number: OrderNumber, quantity: Quantity): void {
    this.reduce(number, (this.remaining(number) - quantity) as Quantity);
  }

  /** Sets the remaining quantity of an order. At 0 it leaves. */
  reduce(number: OrderNumber, remaining: Quantity): void {
    const before = this.remaining(number);
    assert(remaining >= 0 && remaining <= before, 'an order neither grows in its place nor falls below 0');
    if (remaining === 0) this.remove(number);
    else this.orders.set(number, remaining);
  }

  [Symbol.iterator](): Iterator<readonly [OrderNumber, Quantity]> {
    return this.orders[Symbol.iterator]();
  }
}
