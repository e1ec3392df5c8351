/**
 * A table of one day's orders by order number, in place of a map: numbers are dense, so an entry is found by its place.
 * The entries may be of any kind.
 */

import type { OrderNumber } from '../../base/ids.ts';
import { NumberRuns } from './number-runs.ts';

/** Entries of a page, as a power of two: a page is small enough to be moved whole while it fills. */
const PAGE_BITS = 10;
const INSIDE = (1 << PAGE_BITS) - 1;

/**
 * One entry for each order of a day, by order number, in the order of receipt. Numbers increase and are dense while the
 * date is the same, so an entry stands where its number says: nothing is hashed, and no entry moves when more come. A
 * trading day of several dates (a weekend in exchange hours) has a run for each date, and more for orders of earlier
 * days that wait for it.
 */
export class OrderDay<Entry> {
  private readonly rows = new NumberRuns();
  /** The entries by row. */
  private readonly pages: Entry[][] = [];

  /** How many orders the day has. */
  get size(): number {
    return this.rows.size;
  }

  /** The entry of an order; `undefined` when the order is not one of this day. */
  get(number: OrderNumber): Entry | undefined {
    const row = this.rows.row(number);
    return row === undefined ? undefined : this.pages[row >>> PAGE_BITS]?.[row & INSIDE];
  }

  has(number: OrderNumber): boolean {
    return this.get(number) !== undefined;
  }

  /** Adds the next order. Its number must be above all others. */
  set(number: OrderNumber, entry: Entry): void {
    const row = this.rows.add(number);
    if ((row & INSIDE) === 0) this.pages.push([]);
    this.pages[row >>> PAGE_BITS]?.push(entry);
  }

  /** The entries in the order of their numbers. */
  *values(): IterableIterator<Entry> {
    for (const page of this.pages) yield* page;
  }

  /**
   * Calls `see` for every entry, in the order of their numbers. It serves reads of a whole day: an iterator would make
   * an object for each entry.
   */
  forEach(see: (entry: Entry) => void): void {
    for (const page of this.pages) for (const entry of page) see(entry);
  }

  /** The numbers, ascending. */
  keys(): IterableIterator<OrderNumber> {
    return this.rows.numbers();
  }

  /** Forgets all orders: another day begins. */
  clear(): void {
    this.rows.clear();
    this.pages.length = 0;
  }
}
