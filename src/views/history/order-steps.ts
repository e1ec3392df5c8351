/**
 * The steps of one order, for readers who go through them in many turns of the event loop: an order may have thousands.
 * They hold the day of the order, which they outlive in the history.
 */
import type { OrderNumber } from '../../base/ids.ts';
import type { HistoryEntry } from '../order-record.ts';
import type { OrderHead } from './order-heads.ts';
import type { HistoryDay } from './order-history-day.ts';

export class OrderSteps {
  readonly head: OrderHead;
  /** The row of the newest step: another one with each step. */
  readonly newest: number;
  /** How many of the steps up to that one are modifications or refused ones. */
  readonly modifications: number;
  private readonly day: HistoryDay;

  constructor(day: HistoryDay, number: OrderNumber) {
    this.day = day;
    this.head = day.head(number);
    this.newest = day.newestRow(number);
    this.modifications = day.modifications(number);
  }

  /** The rows of the steps up to that one, newest first. */
  rows(): Generator<number> {
    return this.day.rowsBack(this.newest);
  }

  /** The order as it stood after the step of a row. */
  entry(row: number): HistoryEntry {
    return this.day.step(row);
  }
}
