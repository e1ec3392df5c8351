/**
 * Steps of orders as rows of fixed width, in memory outside the heap: the newest step of each order that is not at its
 * end. A row goes as it is into the log of a day, in `order-history-day.ts`, and comes back from there.
 */
import type { ExchangeOrderNumber } from '../../base/ids.ts';
import type { RowLog } from '../../base/logs/row-log.ts';
import type { Paise, Price, Quantity } from '../../base/money.ts';
import type { EpochMs } from '../../base/time.ts';
import {
  ORDER_STATUSES,
  type OrderStatus,
  type OrderTerms,
  PRICE_TYPES,
  type PriceType,
  RETENTIONS,
  type Retention,
} from '../../core/order.ts';
import { type HistoryEntry, REPORT_TYPES, type ReportType } from '../order-record.ts';

/** Cells of a page, as a power of two. */
const PAGE_BITS = 9;
const PAGE = 1 << PAGE_BITS;
const INSIDE = PAGE - 1;

/** The first number of a row has four bytes in its place, one for each of these. */
const KIND = { reportType: 0, status: 1, priceType: 2, retention: 3 } as const;

/** The numbers of a row after its kinds, by their place. */
const FIELD = {
  /** The row of the order's step before. */
  previous: 1,
  at: 2,
  filled: 3,
  filledAmount: 4,
  exchangeOrder: 5,
  quantity: 6,
  price: 7,
  trigger: 8,
  /** Where the words of the reason stand, in bytes. */
  reasonAt: 9,
  /** The row that it is. */
  own: 11,
} as const;

/**
 * Whole numbers of four bytes, by their place: the free half of the first number of a row, and the two of the number
 * after `reasonAt`. The upper half of a number stays small: a copied row keeps every bit but those of a NaN.
 */
const WORD = {
  /** How many steps up to this one are modifications or refused ones. */
  modifications: 1,
  /** The row of the newest step up to this one that rejected or cancelled the order; 0 without one. */
  ending: 20,
  /** 0 without a reason. */
  reasonLength: 21,
} as const;

/** The numbers of a row. */
export const STEP_WIDTH = 12;
const STEP_BYTES = STEP_WIDTH * Float64Array.BYTES_PER_ELEMENT;
const STEP_WORDS = STEP_BYTES / Uint32Array.BYTES_PER_ELEMENT;

type Field = (typeof FIELD)[keyof typeof FIELD];
type Kind = (typeof KIND)[keyof typeof KIND];
type Word = (typeof WORD)[keyof typeof WORD];

/** Everything of a step but its reason, which is text. */
export type BareEntry = Omit<HistoryEntry, 'reason'>;

interface Page {
  readonly numbers: Float64Array;
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
}

/** Cells by number; the one that was given back last is given out first. */
export class StepCells {
  private readonly pages: Page[] = [];
  private readonly free: number[] = [];
  private count = 0;

  /** A cell of unknown content. */
  take(): number {
    const free = this.free.pop();
    if (free !== undefined) return free;
    const cell = this.count;
    if ((cell & INSIDE) === 0) this.pages.push(emptyPage());
    this.count += 1;
    return cell;
  }

  giveBack(cell: number): void {
    this.free.push(cell);
  }

  /** Adds the row in a cell to a log of `STEP_WIDTH`. */
  append(cell: number, log: RowLog): void {
    this.set(cell, FIELD.own, log.size);
    log.append(this.page(cell).numbers, (cell & INSIDE) * STEP_WIDTH);
  }

  /** Reads a row of a log into a cell. */
  load(cell: number, log: RowLog, row: number): void {
    log.read(row, this.page(cell).numbers, (cell & INSIDE) * STEP_WIDTH);
  }

  write(cell: number, { reportType, status, at, terms, filled, filledAmount, exchangeOrder }: BareEntry): void {
    this.setReportType(cell, reportType);
    this.setStatus(cell, status);
    this.setTerms(cell, terms);
    this.set(cell, FIELD.at, at);
    this.set(cell, FIELD.filled, filled);
    this.set(cell, FIELD.filledAmount, filledAmount);
    this.set(cell, FIELD.exchangeOrder, exchangeOrder);
  }

  read(cell: number): BareEntry {
    return {
      reportType: this.reportType(cell),
      status: this.status(cell),
      at: this.at(cell),
      terms: this.terms(cell),
      filled: this.filled(cell),
      filledAmount: this.get(cell, FIELD.filledAmount) as Paise,
      exchangeOrder: this.get(cell, FIELD.exchangeOrder) as ExchangeOrderNumber,
    };
  }

  reportType(cell: number): ReportType {
    return REPORT_TYPES[this.kind(cell, KIND.reportType)] as ReportType;
  }

  setReportType(cell: number, reportType: ReportType): void {
    this.setKind(cell, KIND.reportType, REPORT_TYPES.indexOf(reportType));
  }

  status(cell: number): OrderStatus {
    return ORDER_STATUSES[this.kind(cell, KIND.status)] as OrderStatus;
  }

  setStatus(cell: number, status: OrderStatus): void {
    this.setKind(cell, KIND.status, ORDER_STATUSES.indexOf(status));
  }

  terms(cell: number): OrderTerms {
    return {
      priceType: PRICE_TYPES[this.kind(cell, KIND.priceType)] as PriceType,
      retention: RETENTIONS[this.kind(cell, KIND.retention)] as Retention,
      quantity: this.get(cell, FIELD.quantity) as Quantity,
      price: this.get(cell, FIELD.price) as Price,
      trigger: this.get(cell, FIELD.trigger) as Price,
    };
  }

  setTerms(cell: number, { priceType, retention, quantity, price, trigger }: OrderTerms): void {
    this.setKind(cell, KIND.priceType, PRICE_TYPES.indexOf(priceType));
    this.setKind(cell, KIND.retention, RETENTIONS.indexOf(retention));
    this.set(cell, FIELD.quantity, quantity);
    this.set(cell, FIELD.price, price);
    this.set(cell, FIELD.trigger, trigger);
  }

  at(cell: number): EpochMs {
    return this.get(cell, FIELD.at) as EpochMs;
  }

  setAt(cell: number, at: EpochMs): void {
    this.set(cell, FIELD.at, at);
  }

  setExchangeOrder(cell: number, number: ExchangeOrderNumber): void {
    this.set(cell, FIELD.exchangeOrder, number);
  }

  filled(cell: number): Quantity {
    return this.get(cell, FIELD.filled) as Quantity;
  }

  /** Adds to what is filled; true when that is all that the terms ask for. */
  fill(cell: number, quantity: Quantity, amount: Paise): boolean {
    const filled = this.get(cell, FIELD.filled) + quantity;
    this.set(cell, FIELD.filled, filled);
    this.set(cell, FIELD.filledAmount, this.get(cell, FIELD.filledAmount) + amount);
    return filled === this.get(cell, FIELD.quantity);
  }

  /** The row of the step before. */
  previous(cell: number): number {
    return this.get(cell, FIELD.previous);
  }

  setPrevious(cell: number, row: number): void {
    this.set(cell, FIELD.previous, row);
  }

  /** Makes a cell that of an order's first step, which has this in the place of the row before. */
  begin(cell: number, noRow: number): void {
    this.setPrevious(cell, noRow);
    this.setWord(cell, WORD.modifications, 0);
    this.setWord(cell, WORD.ending, 0);
  }

  modifications(cell: number): number {
    return this.word(cell, WORD.modifications);
  }

  setModifications(cell: number, count: number): void {
    this.setWord(cell, WORD.modifications, count);
  }

  /** The row of the step that rejected or cancelled the order; 0 without one. */
  ending(cell: number): number {
    return this.word(cell, WORD.ending);
  }

  setEnding(cell: number, row: number): void {
    this.setWord(cell, WORD.ending, row);
  }

  /** The row of the step itself, once it is in the log. */
  own(cell: number): number {
    return this.get(cell, FIELD.own);
  }

  reasonAt(cell: number): number {
    return this.get(cell, FIELD.reasonAt);
  }

  reasonLength(cell: number): number {
    return this.word(cell, WORD.reasonLength);
  }

  setReasonPlace(cell: number, at: number, length: number): void {
    this.set(cell, FIELD.reasonAt, at);
    this.setWord(cell, WORD.reasonLength, length);
  }

  private get(cell: number, field: Field): number {
    return this.page(cell).numbers[(cell & INSIDE) * STEP_WIDTH + field] as number;
  }

  private set(cell: number, field: Field, value: number): void {
    this.page(cell).numbers[(cell & INSIDE) * STEP_WIDTH + field] = value;
  }

  private kind(cell: number, kind: Kind): number {
    return this.page(cell).bytes[(cell & INSIDE) * STEP_BYTES + kind] as number;
  }

  private setKind(cell: number, kind: Kind, value: number): void {
    this.page(cell).bytes[(cell & INSIDE) * STEP_BYTES + kind] = value;
  }

  private word(cell: number, word: Word): number {
    return this.page(cell).words[(cell & INSIDE) * STEP_WORDS + word] as number;
  }

  private setWord(cell: number, word: Word, value: number): void {
    this.page(cell).words[(cell & INSIDE) * STEP_WORDS + word] = value;
  }

  private page(cell: number): Page {
    return this.pages[cell >>> PAGE_BITS] as Page;
  }
}

function emptyPage(): Page {
  const numbers = new Float64Array(PAGE * STEP_WIDTH);
  const { buffer } = numbers;
  return { numbers, bytes: new Uint8Array(buffer), words: new Uint32Array(buffer) };
}
