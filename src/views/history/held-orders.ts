/**
 * The orders of the days that a history kept at a moment, for readers who go through many of them in many turns of the
 * event loop: more days may turn meanwhile than the history keeps.
 */
import { must } from '../../base/assert.ts';
import type { OrderNumber } from '../../base/ids.ts';
import type { HistoryEntry } from '../order-record.ts';
import type { OrderHead } from './order-heads.ts';
import type { HistoryDay } from './order-history-day.ts';

/** Orders that were given out. */
export interface GivenOrders {
  /** The part of an order that does not change. */
  head(number: OrderNumber): OrderHead;
  /** An order as it stood after the step of a row. */
  step(number: OrderNumber, row: number): HistoryEntry;
}

export class HeldOrders implements GivenOrders {
  private readonly days: readonly HistoryDay[];

  /** `days`: newest first, since nearly all orders that are asked for are of the last. */
  constructor(days: readonly HistoryDay[]) {
    this.days = days;
  }

  head(number: OrderNumber): OrderHead {
    return this.dayOf(number).head(number);
  }

  step(number: OrderNumber, row: number): HistoryEntry {
    return this.dayOf(number).step(row);
  }

  private dayOf(number: OrderNumber): HistoryDay {
    const day = this.days.find((one) => one.has(number));
    return must(day, 'an order of the kept days is held');
  }
}
