import { parse } from 'csv-parse/sync';
import { assert, must } from '../../base/assert.ts';
import { parsePrice } from '../../base/decimal.ts';
import type { Price } from '../../base/money.ts';
import { type IstDay, parseIsoDay } from '../../base/time.ts';

/**
 * One row of a file of the data folder. The files are ours: a cell that is not what its column says is a bug, and throws with the
 * file and the row.
 */
export class DataRow {
  private readonly cells: Readonly<Record<string, string>>;
  private readonly place: string;

  constructor(cells: Readonly<Record<string, string>>, place: string) {
    this.cells = cells;
    this.place = place;
  }

  text(column: string): string {
    return must(this.cells[column], `${this.place}: no column ${column}`);
  }

  /** A finite decimal number. */
  number(column: string): number {
    const value = Number(this.filled(column));
    assert(Number.isFinite(value), `${this.place}: ${column} is not a number`);
    return value;
  }

  /** Rupees with at most two decimals. */
  price(column: string): Price {
    return must(parsePrice(this.filled(column)), `${this.place}: ${column} is not a price`);
  }

  optionalPrice(column: string): Price | undefined {
    return this.text(column) === '' ? undefined : this.price(column);
  }

  day(column: string): IstDay {
    return must(parseIsoDay(this.text(column)), `${this.place}: ${column} is not a date`);
  }

  optionalDay(column: string): IstDay | undefined {
    return this.text(column) === '' ? undefined : this.day(column);
  }

  /** One of a closed set of words. */
  oneOf<T extends string>(column: string, words: readonly T[]): T {
    const value = this.text(column);
    return must(
      words.find((word) => word === value),
      `${this.place}: ${column} is ${value}`,
    );
  }

  private filled(column: string): string {
    const value = this.text(column);
    assert(value !== '', `${this.place}: ${column} is empty`);
    return value;
  }
}

/** The rows of a file with a header. `name` is told when a cell is wrong. */
export function readTable(name: string, text: string): DataRow[] {
  const records = parse<Record<string, string>>(text, { columns: true });
  return records.map((cells, index) => new DataRow(cells, `${name} row ${index + 1}`));
}
