/**
 * The sums of the orders of one side that gather for an auction, by price. They are kept with every change: quotes ask
 * for them, and a hundred thousand orders may gather.
 */

import type { Price, Quantity } from '../../../base/money.ts';
import type { Side } from '../../order.ts';

/** The limit orders of one price. */
export interface GatheredLevel {
  readonly price: Price;
  readonly quantity: Quantity;
  readonly orders: number;
}

interface Sum {
  quantity: number;
  orders: number;
}

export class AuctionLevels {
  /** Units of all orders, of those at market too. */
  total = 0;
  private readonly best: 1 | -1;
  private readonly sums = new Map<Price, Sum>();

  constructor(side: Side) {
    this.best = side === 'B' ? 1 : -1;
  }

  /** Adds units and orders to a price, or takes them from it where they are below 0. */
  add(price: Price, quantity: number, orders: number): void {
    const sum = this.sums.get(price);
    if (sum === undefined) this.sums.set(price, { quantity, orders });
    else if (sum.orders + orders === 0) this.sums.delete(price);
    else {
      sum.quantity += quantity;
      sum.orders += orders;
    }
  }

  /** The first `count` prices of limit orders, best first. It looks once at each price: a band has some thousands. */
  levels(count: number): GatheredLevel[] {
    const prices: Price[] = [];
    for (const price of this.sums.keys()) {
      let place = prices.length;
      while (place > 0 && this.isBetter(price, prices[place - 1] as Price)) place -= 1;
      if (place === count) continue;
      prices.splice(place, 0, price);
      if (prices.length > count) prices.pop();
    }
    return prices.map((price) => this.level(price));
  }

  private isBetter(one: Price, other: Price): boolean {
    return (one - other) * this.best > 0;
  }

  private level(price: Price): GatheredLevel {
    const { quantity, orders } = this.sums.get(price) as Sum;
    return { price, quantity: quantity as Quantity, orders };
  }
}
