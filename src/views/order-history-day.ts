/**
 * The orders of one day with their steps, in columns: a day has millions of steps that nobody asks for, and as objects
 * each would cost the collector several times what it costs here. The days that are kept are in `order-history.ts`.
 */
import { must } from '../base/assert.ts';
import type { AccountId, ExchangeOrderNumber, InstrumentId, OrderNumber } from '../base/ids.ts';
import { type Paise, type Quantity, ZERO_QUANTITY } from '../base/money.ts';
import type { EpochMs } from '../base/time.ts';
import { ORDER_STATUSES, type OrderStatus, type OrderTerms, PRODUCTS, type Product, type Side } from '../core/order.ts';
import { OrderDay } from '../core/order-day.ts';
import { type HistoryEntry, type OrderRecord, REPORT_TYPES, type ReportType } from './order-record.ts';

/** Rows of a page, as a power of two. */
const PAGE_BITS = 10;
const PAGE = 1 << PAGE_BITS;
const INSIDE = PAGE - 1;

/** In front of the first step of an order. */
const NO_STEP = -1;

const SIDES: readonly Side[] = ['B', 'S'];

/** The part of an order that does not change. */
export type OrderHead = Omit<OrderRecord, 'entries'>;

/** Columns of the heads of orders. */
class HeadPage {
  readonly account = new Int32Array(PAGE);
  readonly instrument = new Float64Array(PAGE);
  readonly side = new Uint8Array(PAGE);
  readonly product = new Uint8Array(PAGE);
  readonly receivedAt = new Float64Array(PAGE);
  /** The row of the order's last step. */
  readonly last = new Int32Array(PAGE);
  readonly remarks: string[] = [];
}

/** Columns of steps. */
class StepPage {
  /** The row of the step before of the same order. */
  readonly previous = new Int32Array(PAGE);
  readonly reportType = new Uint8Array(PAGE);
  readonly status = new Uint8Array(PAGE);
  readonly at = new Float64Array(PAGE);
  readonly filled = new Float64Array(PAGE);
  readonly filledAmount = new Float64Array(PAGE);
  readonly exchangeOrder = new Float64Array(PAGE);
  readonly terms: OrderTerms[] = [];
}

export class HistoryDay {
  private readonly rows = new OrderDay<number>();
  private readonly heads: HeadPage[] = [];
  private readonly steps: StepPage[] = [];
  private stepCount = 0;
  /** Most steps have none. */
  private readonly reasons = new Map<number, NonNullable<HistoryEntry['reason']>>();

  has(number: OrderNumber): boolean {
    return this.rows.has(number);
  }

  /** Adds the next order with its first step. Its number is above all that are there. */
  begin(head: OrderHead, step: HistoryEntry): void {
    const row = this.rows.size;
    const place = row & INSIDE;
    if (place === 0) this.heads.push(new HeadPage());
    const page = pageOf(this.heads, row);
    page.account[place] = head.account;
    page.instrument[place] = head.instrument;
    page.side[place] = SIDES.indexOf(head.side);
    page.product[place] = PRODUCTS.indexOf(head.product);
    page.receivedAt[place] = head.receivedAt;
    page.remarks.push(head.remarks);
    this.rows.set(head.number, row);
    page.last[place] = this.write(NO_STEP, step);
  }

  /** Adds the next order with all of its steps. */
  addRecord(record: OrderRecord): void {
    const { number, entries } = record;
    this.begin(record, must(entries[0], 'a history begins with the receipt of its order'));
    for (let place = 1; place < entries.length; place += 1) this.add(number, entries[place] as HistoryEntry);
  }

  /** Adds a step to an order of this day. */
  add(number: OrderNumber, step: HistoryEntry): void {
    const row = this.row(number);
    const page = pageOf(this.heads, row);
    const place = row & INSIDE;
    page.last[place] = this.write(page.last[place] as number, step);
  }

  /**
   * Adds a step that says what the order's last one said, but for its kind, its instant and its reason; returns where
   * it stands, for the setters. Columns are copied as they are: a fold that made an object of each step would spend its
   * time on the collector.
   */
  follow(number: OrderNumber, reportType: ReportType, at: EpochMs): number {
    const order = this.row(number);
    const { last } = pageOf(this.heads, order);
    const before = last[order & INSIDE] as number;
    const from = pageOf(this.steps, before);
    const old = before & INSIDE;
    const step = this.open(before, reportType, at, from.terms[old] as OrderTerms);
    last[order & INSIDE] = step;
    const page = pageOf(this.steps, step);
    const place = step & INSIDE;
    page.status[place] = from.status[old] as number;
    page.filled[place] = from.filled[old] as number;
    page.filledAmount[place] = from.filledAmount[old] as number;
    page.exchangeOrder[place] = from.exchangeOrder[old] as number;
    return step;
  }

  setStatus(step: number, status: OrderStatus): void {
    pageOf(this.steps, step).status[step & INSIDE] = ORDER_STATUSES.indexOf(status);
  }

  setTerms(step: number, terms: OrderTerms): void {
    pageOf(this.steps, step).terms[step & INSIDE] = terms;
  }

  setReason(step: number, reason: HistoryEntry['reason']): void {
    if (reason !== undefined) this.reasons.set(step, reason);
  }

  setExchangeOrder(step: number, number: ExchangeOrderNumber): void {
    pageOf(this.steps, step).exchangeOrder[step & INSIDE] = number;
  }

  /** Adds to what is filled; true when that is all that the terms ask for. */
  fill(step: number, quantity: Quantity, amount: Paise): boolean {
    const page = pageOf(this.steps, step);
    const place = step & INSIDE;
    const filled = (page.filled[place] as number) + quantity;
    page.filled[place] = filled;
    page.filledAmount[place] = (page.filledAmount[place] as number) + amount;
    return filled === this.terms(step).quantity;
  }

  status(step: number): OrderStatus {
    return ORDER_STATUSES[pageOf(this.steps, step).status[step & INSIDE] as number] as OrderStatus;
  }

  terms(step: number): OrderTerms {
    return pageOf(this.steps, step).terms[step & INSIDE] as OrderTerms;
  }

  /** How many units of an order are filled. */
  filled(number: OrderNumber): Quantity {
    return this.filledAt(this.lastStep(number));
  }

  /** The order as it stood after its last step. */
  last(number: OrderNumber): HistoryEntry {
    return this.read(this.lastStep(number));
  }

  /** The newest step of one of two kinds; `undefined` when the order has none. */
  newest(number: OrderNumber, one: ReportType, other: ReportType): HistoryEntry | undefined {
    for (let step = this.lastStep(number); step !== NO_STEP; step = this.before(step)) {
      const reportType = REPORT_TYPES[pageOf(this.steps, step).reportType[step & INSIDE] as number];
      if (reportType === one || reportType === other) return this.read(step);
    }
    return undefined;
  }

  /** How many steps of these kinds an order has. */
  count(number: OrderNumber, kinds: readonly ReportType[]): number {
    let found = 0;
    for (let step = this.lastStep(number); step !== NO_STEP; step = this.before(step)) {
      if (kinds.includes(REPORT_TYPES[pageOf(this.steps, step).reportType[step & INSIDE] as number] as ReportType))
        found += 1;
    }
    return found;
  }

  /** The order as it stood after the fill that made its filled units this many. */
  filling(number: OrderNumber, filled: Quantity): HistoryEntry {
    let found = NO_STEP;
    for (let step = this.lastStep(number); this.filledAt(step) >= filled; step = this.before(step)) found = step;
    return this.read(found);
  }

  /** An order of this day with all of its steps, oldest first. */
  record(number: OrderNumber): OrderRecord {
    const entries: HistoryEntry[] = [];
    for (let step = this.lastStep(number); step !== NO_STEP; step = this.before(step)) entries.push(this.read(step));
    return { ...this.head(number), entries: entries.reverse() };
  }

  /** The account of an order of this day. */
  account(number: OrderNumber): AccountId {
    const row = this.row(number);
    return pageOf(this.heads, row).account[row & INSIDE] as AccountId;
  }

  /** The part that does not change of an order of this day. */
  head(number: OrderNumber): OrderHead {
    const row = this.row(number);
    const { account, instrument, side, product, receivedAt, remarks } = pageOf(this.heads, row);
    const place = row & INSIDE;
    return {
      number,
      account: account[place] as AccountId,
      instrument: instrument[place] as InstrumentId,
      side: SIDES[side[place] as number] as Side,
      product: PRODUCTS[product[place] as number] as Product,
      remarks: remarks[place] as string,
      receivedAt: receivedAt[place] as EpochMs,
    };
  }

  /** The orders in the order of their numbers. */
  *records(): IterableIterator<OrderRecord> {
    for (const number of this.rows.keys()) yield this.record(number);
  }

  /** The instruments that the orders are in. */
  instruments(): Set<InstrumentId> {
    const found = new Set<InstrumentId>();
    for (const row of this.rows.values()) {
      found.add(pageOf(this.heads, row).instrument[row & INSIDE] as InstrumentId);
    }
    return found;
  }

  private row(number: OrderNumber): number {
    return must(this.rows.get(number), 'an order that was given out has a history');
  }

  private lastStep(number: OrderNumber): number {
    const row = this.row(number);
    return pageOf(this.heads, row).last[row & INSIDE] as number;
  }

  /** Units that were filled after a step; none in front of the first. */
  private filledAt(step: number): Quantity {
    return step === NO_STEP ? ZERO_QUANTITY : (pageOf(this.steps, step).filled[step & INSIDE] as Quantity);
  }

  private before(step: number): number {
    return pageOf(this.steps, step).previous[step & INSIDE] as number;
  }

  private write(previous: number, step: HistoryEntry): number {
    const row = this.open(previous, step.reportType, step.at, step.terms);
    const place = row & INSIDE;
    const page = pageOf(this.steps, row);
    page.filled[place] = step.filled;
    page.filledAmount[place] = step.filledAmount;
    page.exchangeOrder[place] = step.exchangeOrder;
    this.setStatus(row, step.status);
    this.setReason(row, step.reason);
    return row;
  }

  /** The next row for a step. */
  private open(previous: number, reportType: ReportType, at: EpochMs, terms: OrderTerms): number {
    const row = this.stepCount;
    const place = row & INSIDE;
    if (place === 0) this.steps.push(new StepPage());
    const page = pageOf(this.steps, row);
    page.previous[place] = previous;
    page.reportType[place] = REPORT_TYPES.indexOf(reportType);
    page.at[place] = at;
    page.terms.push(terms);
    this.stepCount += 1;
    return row;
  }

  private read(step: number): HistoryEntry {
    const page = pageOf(this.steps, step);
    const place = step & INSIDE;
    return {
      reportType: REPORT_TYPES[page.reportType[place] as number] as ReportType,
      status: ORDER_STATUSES[page.status[place] as number] as OrderStatus,
      at: page.at[place] as EpochMs,
      terms: page.terms[place] as OrderTerms,
      filled: page.filled[place] as Quantity,
      filledAmount: page.filledAmount[place] as Paise,
      exchangeOrder: page.exchangeOrder[place] as ExchangeOrderNumber,
      reason: this.reasons.get(step),
    };
  }
}

function pageOf<Page>(pages: readonly Page[], row: number): Page {
  return pages[row >>> PAGE_BITS] as Page;
}
