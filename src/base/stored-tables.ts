/**
 * Tables as lines of text: a line with the name of a table, then its rows, one a line. The tables never stand in one
 * text, so they may have as many rows as memory holds. The meaning of a row is its reader's.
 */

import { type Json, Undecodable } from './codec.ts';
import { messageOf } from './system-fault.ts';

/** Rows under a name, as they are written. A row is a value that `JSON.stringify` writes. */
export interface StoredTable {
  readonly name: string;
  readonly rows: Iterable<StoredRow>;
}

export type StoredRow = object | string | number;

/** Takes the rows of one table as they are read. Throws `Undecodable` on a row that is none of it. */
export interface TableReader {
  readonly name: string;
  take(row: Json): void;
}

/** The name of a table begins with this mark; no JSON begins with it. */
const NAME_MARK = '#';

/** The lines of tables, each without its end. */
export function* linesOf(tables: Iterable<StoredTable>): Generator<string> {
  for (const { name, rows } of tables) {
    yield NAME_MARK + name;
    for (const row of rows) yield JSON.stringify(row);
  }
}

/** Reads lines of tables, which must come in the order of their readers, and stops after the last of these. */
export class TableLines {
  private readonly lines: Iterator<string>;
  private next: IteratorResult<string>;

  constructor(lines: Iterable<string>) {
    this.lines = lines[Symbol.iterator]();
    this.next = this.lines.next();
  }

  /** Reads the next tables. Throws `Undecodable` when another one stands there, or a row is wrong. */
  read(readers: readonly TableReader[]): void {
    for (const reader of readers) this.readTable(reader);
  }

  /** Throws `Undecodable` when anything follows. */
  end(): void {
    if (!this.next.done) throw new Undecodable(`${this.next.value.slice(0, 80)} follows the last table`);
  }

  private readTable(reader: TableReader): void {
    const { name } = reader;
    if (this.next.done || this.next.value !== NAME_MARK + name) throw new Undecodable(`the table ${name} is missing`);
    this.next = this.lines.next();
    for (let row = 1; !this.next.done && !this.next.value.startsWith(NAME_MARK); row += 1) {
      try {
        reader.take(JSON.parse(this.next.value));
      } catch (error) {
        throw new Undecodable(`row ${row} of ${name}: ${messageOf(error)}`, {
          cause: error,
        });
      }
      this.next = this.lines.next();
    }
  }
}
