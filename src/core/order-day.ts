/**
 * A table of one day's orders by order number, in place of a map: numbers are dense, so an entry is found by its place.
 * The entries may be of any kind.
 */

import { assert } from '../base/assert.ts';
import type { OrderNumber } from '../base/ids.ts';
import { lowerBound } from '../base/lower-bound.ts';

/** Entries of a page, as a power of two: a page is small enough to be moved whole while it fills. */
const PAGE_BITS = 10;
const INSIDE = (1 << PAGE_BITS) - 1;

/** Entries whose numbers follow each other without a gap. */
interface Run<Entry> {
  readonly first: number;
  size: number;
  readonly pages: Entry[][];
}

/**
 * One entry for each order of a day, by order number, in the order of receipt. Numbers increase and are dense while the
 * date is the same, so an entry stands where its number says: nothing is hashed, and no entry moves when more come. A
 * trading day of several dates (a weekend in exchange hours) has a run for each date, and more for orders of earlier
 * days that wait for it.
 */
export class OrderDay<Entry> {
  private readonly runs: Run<Entry>[] = [];
  private count = 0;

  /** How many orders the day has. */
  get size(): number {
    return this.count;
  }

  /** The entry of an order; `undefined` when the order is not one of this day. */
  get(number: OrderNumber): Entry | undefined {
    const run = this.runOf(number);
    if (run === undefined) return undefined;
    const place = number - run.first;
    return place < run.size && Number.isInteger(place) ? run.pages[place >>> PAGE_BITS]?.[place & INSIDE] : undefined;
  }

  /** The last run that begins at or before a number: nearly always the last of all. */
  private runOf(number: OrderNumber): Run<Entry> | undefined {
    const { runs } = this;
    const last = runs[runs.length - 1];
    if (last === undefined || number >= last.first) return last;
    return runs[lowerBound(0, runs.length - 1, (place) => (runs[place] as Run<Entry>).first <= number) - 1];
  }

  has(number: OrderNumber): boolean {
    return this.get(number) !== undefined;
  }

  /** Adds the next order. Its number must be above all others. */
  set(number: OrderNumber, entry: Entry): void {
    let run = this.runs[this.runs.length - 1];
    if (run === undefined || number !== run.first + run.size) {
      assert(run === undefined || number > run.first + run.size, 'order numbers increase');
      run = { first: number, size: 0, pages: [] };
      this.runs.push(run);
    }
    const page = run.size >>> PAGE_BITS;
    if ((run.size & INSIDE) === 0) run.pages.push([]);
    run.pages[page]?.push(entry);
    run.size += 1;
    this.count += 1;
  }

  /** The entries in the order of their numbers. */
  *values(): IterableIterator<Entry> {
    for (const { pages } of this.runs) for (const page of pages) yield* page;
  }

  /**
   * Calls `see` for every entry, in the order of their numbers. It serves reads of a whole day: an iterator would make
   * an object for each entry.
   */
  forEach(see: (entry: Entry) => void): void {
    for (const { pages } of this.runs) for (const page of pages) for (const entry of page) see(entry);
  }

  /** The numbers, ascending. */
  *keys(): IterableIterator<OrderNumber> {
    for (const { first, size } of this.runs) {
      for (let place = 0; place < size; place += 1) yield (first + place) as OrderNumber;
    }
  }

  /** Forgets all orders: another day begins. */
  clear(): void {
    this.runs.length = 0;
    this.count = 0;
  }
}
