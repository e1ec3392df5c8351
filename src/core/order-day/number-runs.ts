/**
 * Where an order of a day stands, by its number alone: for tables of entries, and for rows in logs.
 */

import { assert } from '../../base/assert.ts';
import type { OrderNumber } from '../../base/ids.ts';
import { lowerBound } from '../../base/lower-bound.ts';

/** Numbers that follow each other without a gap, and the row of the first. */
interface Run {
  readonly first: number;
  readonly row: number;
  size: number;
}

/**
 * The row of each order of a day by its number, rows being counted in the order of receipt. Numbers increase and are
 * dense while the date is the same, so a day has few runs, and no order costs anything.
 */
export class NumberRuns {
  private readonly runs: Run[] = [];
  private count = 0;

  /** How many orders there are, and the row of the next. */
  get size(): number {
    return this.count;
  }

  /** `undefined` when the number is not one of this day. */
  row(number: OrderNumber): number | undefined {
    const run = this.runOf(number);
    if (run === undefined) return undefined;
    const inside = number - run.first;
    return inside < run.size && Number.isInteger(inside) ? run.row + inside : undefined;
  }

  /** The number of a row that was added. */
  number(row: number): OrderNumber {
    const { runs } = this;
    const last = runs[runs.length - 1] as Run;
    const run =
      row >= last.row
        ? last
        : (runs[lowerBound(0, runs.length - 1, (place) => (runs[place] as Run).row <= row) - 1] as Run);
    return (run.first + row - run.row) as OrderNumber;
  }

  /** The last run that begins at or before a number: nearly always the last of all. */
  private runOf(number: OrderNumber): Run | undefined {
    const { runs } = this;
    const last = runs[runs.length - 1];
    if (last === undefined || number >= last.first) return last;
    return runs[lowerBound(0, runs.length - 1, (place) => (runs[place] as Run).first <= number) - 1];
  }

  /** Adds the next order and returns its row. Its number must be above all others. */
  add(number: OrderNumber): number {
    const last = this.runs[this.runs.length - 1];
    const row = this.count;
    this.count += 1;
    if (last !== undefined && number === last.first + last.size) last.size += 1;
    else {
      assert(last === undefined || number > last.first + last.size, 'order numbers increase');
      this.runs.push({ first: number, row, size: 1 });
    }
    return row;
  }

  /** The numbers, ascending. */
  *numbers(): IterableIterator<OrderNumber> {
    for (const { first, size } of this.runs) {
      for (let place = 0; place < size; place += 1) yield (first + place) as OrderNumber;
    }
  }
}
