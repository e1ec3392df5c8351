/**
 * Where an order of a day stands, by its number alone: for tables of entries, and for rows in logs.
 */

import { assert, must } from '../../base/assert.ts';
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
    const run = must(
      this.lastRun((one) => one.row <= row),
      'a row was added',
    );
    return (run.first + row - run.row) as OrderNumber;
  }

  /** The last run that begins at or before a number: nearly always the last of all. */
  private runOf(number: OrderNumber): Run | undefined {
    const last = this.runs[this.runs.length - 1];
    if (last === undefined || number >= last.first) return last;
    return this.lastRun(({ first }) => first <= number);
  }

  /** The last run that begins so. Those in front of it do, too, and those behind it do not. */
  private lastRun(beginsSo: (run: Run) => boolean): Run | undefined {
    const { runs } = this;
    return runs[lowerBound(0, runs.length, (place) => beginsSo(runs[place] as Run)) - 1];
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
