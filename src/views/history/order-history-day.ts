/**
 * The orders of one day with their steps. A day has millions of steps that nobody asks for, so they are rows of logs,
 * which a running service keeps in files. In memory are the newest step of each order that is not at its end, and four
 * bytes for each other order. The days that are kept are in `../order-history.ts`.
 */
import { must } from '../../base/assert.ts';
import type { AccountId, ExchangeOrderNumber, InstrumentId, OrderNumber } from '../../base/ids.ts';
import { ByteLog, type MakeStore } from '../../base/logs/byte-log.ts';
import { RowLog } from '../../base/logs/row-log.ts';
import { TextLog } from '../../base/logs/text-log.ts';
import { lowerBound } from '../../base/lower-bound.ts';
import type { Paise, Quantity } from '../../base/money.ts';
import type { EpochMs } from '../../base/time.ts';
import { isFinal } from '../../core/broker/orders/life-cycle.ts';
import type { OrderStatus, OrderTerms } from '../../core/order.ts';
import { NumberRuns } from '../../core/order-day/number-runs.ts';
import type { HistoryEntry, OrderRecord, ReportType } from '../order-record.ts';
import { type OrderHead, OrderHeads } from './order-heads.ts';
import { STEP_WIDTH, StepCells } from './step-cells.ts';

/** Orders of a page, as a power of two. */
const PAGE_BITS = 12;
const PAGE = 1 << PAGE_BITS;
const INSIDE = PAGE - 1;

/**
 * The place of a step: its row in the log, or the complement of its cell while it is the newest of an order that is not
 * at its end.
 */
type StepPlace = number;

/** In front of the first step of an order. No newest step is in the cell of this complement. */
const NO_STEP: StepPlace = -1;

const NO_ORDER = -1;

const MODIFIED: ReadonlySet<ReportType> = new Set(['Replaced', 'Replace Rejected']);
const ENDED: ReadonlySet<ReportType> = new Set(['Rejected', 'Cancelled']);

export class HistoryDay {
  private readonly rows = new NumberRuns();
  private readonly heads: OrderHeads;
  private readonly log: RowLog;
  private readonly texts: TextLog;
  private readonly cells = new StepCells();
  /** The cell that a step of the log is read into: the first, which is the complement of `NO_STEP`. */
  private readonly readCell = this.cells.take();
  /** The place of each order's newest step. */
  private readonly newestPages: Int32Array[] = [];
  /** The reason of the step that is still being written. Most have none. */
  private reason: HistoryEntry['reason'];
  private readonly named = new Set<InstrumentId>();
  /** The row of the order whose newest step is still being written. */
  private unsettled = NO_ORDER;

  constructor(makeStore: MakeStore) {
    this.heads = new OrderHeads(makeStore);
    this.log = new RowLog(STEP_WIDTH, makeStore());
    this.texts = new TextLog(new ByteLog(makeStore()));
  }

  has(number: OrderNumber): boolean {
    return this.rows.row(number) !== undefined;
  }

  /** Adds the next order with its first step. Its number is above all that are there. */
  begin(head: OrderHead, step: HistoryEntry): void {
    this.settle();
    const row = this.rows.add(head.number);
    if ((row & INSIDE) === 0) this.newestPages.push(new Int32Array(PAGE));
    this.heads.add(head);
    this.named.add(head.instrument);
    const cell = this.cells.take();
    this.setNewest(row, ~cell);
    this.cells.begin(cell, NO_STEP);
    this.write(cell, step);
    this.unsettled = row;
  }

  /** Adds the next order with all of its steps. */
  addRecord(record: OrderRecord): void {
    const { number, entries } = record;
    this.begin(record, must(entries[0], 'a history begins with the receipt of its order'));
    for (let place = 1; place < entries.length; place += 1) {
      const entry = entries[place] as HistoryEntry;
      this.write(this.follow(number, entry.reportType, entry.at), entry);
    }
  }

  /**
   * Adds a step that says what the order's last one said, but for its kind, its instant and its reason; returns its
   * cell, for the setters, which serve until the next step of any order. The row is copied as it is: a fold that made
   * an object of each step would spend its time on the collector.
   */
  follow(number: OrderNumber, reportType: ReportType, at: EpochMs): number {
    this.settle();
    const order = this.row(number);
    const before = this.newest(order);
    const cell = before < 0 ? ~before : this.reopen(order, before);
    this.cells.setPrevious(cell, this.cells.own(cell));
    this.cells.setReasonPlace(cell, 0, 0);
    this.cells.setReportType(cell, reportType);
    if (MODIFIED.has(reportType)) this.cells.setModifications(cell, this.cells.modifications(cell) + 1);
    this.cells.setAt(cell, at);
    this.unsettled = order;
    return cell;
  }

  setStatus(cell: number, status: OrderStatus): void {
    this.cells.setStatus(cell, status);
  }

  setTerms(cell: number, terms: OrderTerms): void {
    this.cells.setTerms(cell, terms);
  }

  /** Sets the reason of the step that was added last. */
  setReason(reason: HistoryEntry['reason']): void {
    this.reason = reason;
  }

  setExchangeOrder(cell: number, number: ExchangeOrderNumber): void {
    this.cells.setExchangeOrder(cell, number);
  }

  /** Adds to what is filled; true when that is all that the terms ask for. */
  fill(cell: number, quantity: Quantity, amount: Paise): boolean {
    return this.cells.fill(cell, quantity, amount);
  }

  status(cell: number): OrderStatus {
    return this.cells.status(cell);
  }

  terms(cell: number): OrderTerms {
    return this.cells.terms(cell);
  }

  /** How many units of an order are filled. */
  filled(number: OrderNumber): Quantity {
    return this.cells.filled(this.cellOf(this.newestOf(number)));
  }

  /** The order as it stood after its last step. */
  last(number: OrderNumber): HistoryEntry {
    return this.read(this.newestOf(number));
  }

  /** The newest step that rejected or cancelled an order; `undefined` when it has none. */
  ending(number: OrderNumber): HistoryEntry | undefined {
    this.settle();
    const row = this.cells.ending(this.cellOf(this.newestOf(number)));
    return row === 0 ? undefined : this.read(row);
  }

  /** The newest step of a kind at an instant; `undefined` when the order has none. */
  stepAt(number: OrderNumber, kind: ReportType, at: EpochMs): HistoryEntry | undefined {
    for (const cell of this.stepsBack(number)) {
      if (this.cells.at(cell) < at) return undefined;
      if (this.cells.at(cell) === at && this.cells.reportType(cell) === kind) return this.readFrom(cell);
    }
    return undefined;
  }

  /** How many steps of an order are modifications or refused ones. */
  modifications(number: OrderNumber): number {
    return this.cells.modifications(this.cellOf(this.newestOf(number)));
  }

  /** The row of an order's newest step, by which `step` finds it in one read. */
  newestRow(number: OrderNumber): number {
    this.settle();
    return this.settledRow(this.row(number));
  }

  /** The step of a row of `newestRow`. */
  step(row: number): HistoryEntry {
    return this.read(row);
  }

  /**
   * The row of the fill that made an order's filled units this many, in a day that was loaded and has no step of its
   * own yet: the steps of an order follow each other there, so it is found by halves. `undefined` without such a fill.
   */
  fillingRow(number: OrderNumber, filled: Quantity): number | undefined {
    const newest = this.newestRow(number);
    if (this.isFilling(newest, filled)) return newest;
    const order = this.row(number);
    const first = order === 0 ? 0 : this.settledRow(order - 1) + 1;
    const row = lowerBound(first, newest, (at) => this.cells.filled(this.cellOf(at)) < filled);
    return this.isFilling(row, filled) ? row : undefined;
  }

  private isFilling(row: number, filled: Quantity): boolean {
    const cell = this.cellOf(row);
    return this.cells.filled(cell) === filled && this.cells.reportType(cell) === 'Fill';
  }

  /** An order of this day with all of its steps, oldest first. */
  record(number: OrderNumber): OrderRecord {
    const entries: HistoryEntry[] = [];
    for (const cell of this.stepsBack(number)) entries.push(this.readFrom(cell));
    return { ...this.head(number), entries: entries.reverse() };
  }

  /** How many rows the log has with all steps so far: those of every later step come after them. */
  get mark(): number {
    this.settle();
    return this.log.size;
  }

  /** An order as it stood after its last step before the mark; `undefined` when it has none. */
  before(number: OrderNumber, mark: number): HistoryEntry | undefined {
    this.settle();
    for (const cell of this.stepsBack(number)) if (this.cells.own(cell) < mark) return this.readFrom(cell);
    return undefined;
  }

  /** The row of a step and those of the steps of its order before it, newest first; others may be read in between. */
  *rowsBack(newest: number): Generator<number> {
    for (let row = newest; row !== NO_STEP; row = this.cells.previous(this.cellOf(row))) yield row;
  }

  /** The account of an order of this day. */
  account(number: OrderNumber): AccountId {
    return this.heads.account(this.row(number));
  }

  /** The part that does not change of an order of this day. */
  head(number: OrderNumber): OrderHead {
    return this.heads.read(this.row(number), number);
  }

  /** The orders in the order of their numbers. */
  *records(): IterableIterator<OrderRecord> {
    for (const number of this.rows.numbers()) yield this.record(number);
  }

  /** The instruments that the orders are in. */
  instruments(): ReadonlySet<InstrumentId> {
    return this.named;
  }

  private row(number: OrderNumber): number {
    return must(this.rows.row(number), 'an order that was given out has a history');
  }

  /** The row of the newest step of an order by the order's row, when all steps are in the log. */
  private settledRow(order: number): number {
    const place = this.newest(order);
    return place < 0 ? this.cells.own(~place) : place;
  }

  private newestOf(number: OrderNumber): StepPlace {
    return this.newest(this.row(number));
  }

  private newest(row: number): StepPlace {
    return (this.newestPages[row >>> PAGE_BITS] as Int32Array)[row & INSIDE] as number;
  }

  private setNewest(row: number, place: StepPlace): void {
    (this.newestPages[row >>> PAGE_BITS] as Int32Array)[row & INSIDE] = place;
  }

  /** The cells of an order's steps, newest first. Each serves until the next is asked for. */
  private *stepsBack(number: OrderNumber): Generator<number> {
    for (let place = this.newestOf(number); place !== NO_STEP; ) {
      const cell = this.cellOf(place);
      place = this.cells.previous(cell);
      yield cell;
    }
  }

  /** The cell that a step stands in; one of the log is read into the cell for that. */
  private cellOf(place: StepPlace): number {
    if (place < 0) return ~place;
    this.cells.load(this.readCell, this.log, place);
    return this.readCell;
  }

  private write(cell: number, step: HistoryEntry): void {
    this.cells.write(cell, step);
    this.cells.setReasonPlace(cell, 0, 0);
    this.setReason(step.reason);
  }

  /** Brings the newest step of an order that was at its end back into a cell: a request for it was refused. */
  private reopen(row: number, place: StepPlace): number {
    const cell = this.cells.take();
    this.cells.load(cell, this.log, place);
    this.setNewest(row, ~cell);
    return cell;
  }

  /** Adds the newest step to the log. The cell of an order at its end is free for another one. */
  private settle(): void {
    const row = this.unsettled;
    this.unsettled = NO_ORDER;
    if (row === NO_ORDER) return;
    const cell = ~this.newest(row);
    if (this.reason !== undefined) {
      const { at, length } = this.texts.add(JSON.stringify(this.reason));
      this.cells.setReasonPlace(cell, at, length);
      this.reason = undefined;
    }
    if (ENDED.has(this.cells.reportType(cell))) this.cells.setEnding(cell, this.log.size);
    this.cells.append(cell, this.log);
    if (!isFinal(this.cells.status(cell))) return;
    this.setNewest(row, this.cells.own(cell));
    this.cells.giveBack(cell);
  }

  private read(place: StepPlace): HistoryEntry {
    return this.readFrom(this.cellOf(place));
  }

  private readFrom(cell: number): HistoryEntry {
    return { ...this.cells.read(cell), reason: this.reasonOf(cell) };
  }

  private reasonOf(cell: number): HistoryEntry['reason'] {
    const length = this.cells.reasonLength(cell);
    if (length !== 0) return JSON.parse(this.texts.read(this.cells.reasonAt(cell), length));
    const isBeingWritten = this.unsettled !== NO_ORDER && ~this.newest(this.unsettled) === cell;
    return isBeingWritten ? this.reason : undefined;
  }
}
