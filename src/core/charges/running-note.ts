/**
 * The contract note of a day that is still running: executed orders are added and taken away one by one, so that a fill
 * costs the work of its own order. The rounding is that of `contract-note.ts`.
 */

import type { Exchange } from '../../base/ids.ts';
import type { ChargeRates } from './charge-rates.ts';
import {
  addSold,
  type ChargeableDay,
  type ContractNote,
  type ExecutedOrder,
  noteOfSums,
  type SegmentSum,
} from './contract-note.ts';
import { addCharges, NO_CHARGES, orderCharges, subtractCharges } from './order-charges.ts';

/** One segment's sum, with the number of orders in it. */
interface CountedSum extends SegmentSum {
  readonly orders: number;
}

export class RunningNote {
  private readonly rates: ChargeRates;
  private readonly segments = new Map<Exchange, CountedSum>();
  private readonly sold = new Map<string, number>();

  constructor(rates: ChargeRates) {
    this.rates = rates;
  }

  add(order: ExecutedOrder): void {
    this.change(order, 1);
  }

  /** Takes away an order that was added as it is. */
  remove(order: ExecutedOrder): void {
    this.change(order, -1);
  }

  /** The note of what was added, with the exercises and the physical deliveries of the day. */
  note({ exercises = [], deliveries = [] }: Omit<ChargeableDay, 'orders'>): ContractNote {
    return noteOfSums(this.rates, { segments: this.segments, sold: this.sold, exercises, deliveries });
  }

  private change(order: ExecutedOrder, times: 1 | -1): void {
    const { exchange } = order;
    const sum = this.segments.get(exchange) ?? { charges: NO_CHARGES, squaredOff: 0, orders: 0 };
    const own = orderCharges(this.rates, order);
    const charges = times === 1 ? addCharges(sum.charges, own) : subtractCharges(sum.charges, own);
    const squaredOff = sum.squaredOff + (order.squaredOff ? times : 0);
    const orders = sum.orders + times;
    if (orders === 0) this.segments.delete(exchange);
    else this.segments.set(exchange, { charges, squaredOff, orders });
    addSold(this.sold, order, times);
  }
}
