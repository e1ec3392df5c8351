/**
 * A row of a recorded file, whatever the file is: cells by the number of their column, as texts and as whole numbers.
 * A cell that is not of its kind throws `TapeFault` with its place.
 */

import { NUMBER_FAULTS } from './numbers.ts';
import { TapeFault } from './tape-fault.ts';

const PLAIN_DIGITS = /^(\d+(\.\d*)?)?$/;

export abstract class Row {
  /** The file, or the entry of an archive: `bhav.zip, cm.csv`. */
  readonly document: string;
  protected readonly names: readonly string[];

  constructor(document: string, names: readonly string[]) {
    this.document = document;
    this.names = names;
  }

  /** A cell as it was written, without spaces around it. */
  abstract text(column: number): string;
  /** `line 7`, or `row 7`. */
  abstract where(): string;
  /** The row for later: the object itself becomes the next row. */
  abstract copy(): Row;
  protected abstract paise(column: number): number;
  protected abstract units(column: number): number;

  /** A price above 0, in paise. */
  price(column: number): number {
    const paise = this.paise(column);
    if (paise > 0) return paise;
    throw this.fault(column, `${this.shown(column)} ${paise === 0 ? 'is not a price' : NUMBER_FAULTS[paise]}`);
  }

  /** A price, in paise: 0 for an empty cell, and where the file has no such column. */
  priceIfAny(column: number): number {
    if (column < 0 || this.isEmpty(column)) return 0;
    const paise = this.paise(column);
    return paise >= 0 ? paise : this.refuse(column, paise);
  }

  /** A count of units: 0 for an empty cell, and where the file has no such column. */
  count(column: number): number {
    if (column < 0) return 0;
    const units = this.units(column);
    if (units >= 0) return units;
    return this.isEmpty(column) ? 0 : this.refuse(column, units);
  }

  /** A number that is neither a price nor a count, in plain digits; 0 for an empty cell. */
  decimal(column: number): number {
    const text = column < 0 ? '' : this.text(column);
    const value = Number(text);
    if (PLAIN_DIGITS.test(text) && Number.isFinite(value)) return value;
    throw this.fault(column, `${this.shown(column)} is not a number`);
  }

  /** A fault of a cell, or of the whole row when `column` is below 0. */
  fault(column: number, what: string): TapeFault {
    const cell = column < 0 ? '' : `, column ${this.names[column] ?? column + 1}`;
    return new TapeFault(`${this.document}, ${this.where()}${cell}: ${what}`);
  }

  /** A cell in the words of a fault. */
  shown(column: number): string {
    return JSON.stringify(this.text(column).slice(0, 40));
  }

  isEmpty(column: number): boolean {
    return this.text(column) === '';
  }

  private refuse(column: number, code: number): never {
    throw this.fault(column, `${this.shown(column)} ${NUMBER_FAULTS[code]}`);
  }
}
