/**
 * Reading of the CSV files of the data folder: rows with named cells, each read as a number, a date, a price or one of
 * given words. A file of the data folder is ours: a wrong cell is a bug and ends the start. Files of an operator are
 * read elsewhere, and refused in words.
 */
import { parse } from 'csv-parse/sync';
import { assert, InvariantError } from '../../base/assert.ts';
import { parsePrice } from '../../base/decimal.ts';
import type { Price } from '../../base/money.ts';
import { type IstDay, parseIsoDay } from '../../base/time.ts';

/**
 * One row of a file of the data folder. The files are ours: a cell that is not what its column says is a bug, and
 * throws with the file and the row.
 */
export class DataRow {
  private readonly columns: Columns;
  private readonly cells: readonly string[];
  private readonly file: string;
  private readonly row: number;

  constructor(columns: Columns, cells: readonly string[], file: string, row: number) {
    this.columns = columns;
    this.cells = cells;
    this.file = file;
    this.row = row;
  }

  text(column: string): string {
    const place = this.columns.get(column);
    if (place === undefined) this.fail(`no column ${column}`);
    return this.cells[place] as string;
  }

  /** A finite decimal number. */
  number(column: string): number {
    const value = Number(this.filled(column));
    return Number.isFinite(value) ? value : this.fail(`${column} is not a number`);
  }

  /** Rupees with at most two decimals. */
  price(column: string): Price {
    return parsePrice(this.filled(column)) ?? this.fail(`${column} is not a price`);
  }

  optionalPrice(column: string): Price | undefined {
    return this.text(column) === '' ? undefined : this.price(column);
  }

  day(column: string): IstDay {
    return parseIsoDay(this.text(column)) ?? this.fail(`${column} is not a date`);
  }

  optionalDay(column: string): IstDay | undefined {
    return this.text(column) === '' ? undefined : this.day(column);
  }

  /** One of a closed set of words. */
  oneOf<T extends string>(column: string, words: readonly T[]): T {
    const value = this.text(column);
    return words.find((word) => word === value) ?? this.fail(`${column} is ${value}`);
  }

  private filled(column: string): string {
    const value = this.text(column);
    return value === '' ? this.fail(`${column} is empty`) : value;
  }

  private fail(what: string): never {
    throw new InvariantError(`${this.file} row ${this.row}: ${what}`);
  }
}

/** The place of each column among the cells of a row. */
type Columns = ReadonlyMap<string, number>;

/** The rows of a file with a header. The message of a wrong cell gives `name`. */
export function readTable(name: string, text: string): DataRow[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const [header = [], ...rows] = lines.map(cellsOf);
  const columns = new Map(header.map((column, place) => [column, place]));
  return rows.map((cells, index) => {
    assert(cells.length === header.length, `${name} row ${index + 1} has ${cells.length} cells, not ${header.length}`);
    return new DataRow(columns, cells, name, index + 1);
  });
}

/** Most lines have no quotes, and a start reads ten thousand. No cell of ours holds the end of a line. */
function cellsOf(line: string): readonly string[] {
  return line.includes('"') ? (parse(line)[0] as string[]) : line.split(',');
}
