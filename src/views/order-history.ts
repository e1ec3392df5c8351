/**
 * The steps of every order of today and of the seven trading days before. The history serves answers alone: no
 * decision reads it. The rows of one day are in `history/order-history-day.ts`. Source: contract W8, W23,
 * market-rules R3.31.
 */
import { must } from '../base/assert.ts';
import { type Json, places, Undecodable, whole } from '../base/codec.ts';
import type { AccountId, ExchangeOrderNumber, InstrumentId, OrderNumber } from '../base/ids.ts';
import { inMemory, type MakeStore } from '../base/logs/byte-log.ts';
import { amountOf, type Paise, type Quantity, ZERO_PAISE, ZERO_QUANTITY } from '../base/money.ts';
import type { EpochMs } from '../base/time.ts';
import type { Event, OrderReceived, OrderReplaced } from '../core/event.ts';
import { isStop, type OrderStatus } from '../core/order.ts';
import type { Refusal } from '../core/refusals/refusal.ts';
import { type GivenOrders, HeldOrders } from './history/held-orders.ts';
import type { OrderHead } from './history/order-heads.ts';
import { HistoryDay } from './history/order-history-day.ts';
import { OrderSteps } from './history/order-steps.ts';
import type { HistoryEntry, OrderRecord, ReportType } from './order-record.ts';
import { decodeRecord, encodeRecord } from './order-row.ts';

/**
 * How many days before the one that runs are kept, which comes first; then each order, with how many days ago it came.
 */
type HistoryRow = number | readonly [daysAgo: number, record: ReturnType<typeof encodeRecord>];

/** Source: contract W23. */
const PAST_DAYS = 7;

/** How far the log of each kept day went at a moment. */
export type HistoryMoment = ReadonlyMap<HistoryDay, number>;

export class OrderHistory implements GivenOrders {
  private readonly makeStore: MakeStore;
  private today: HistoryDay;
  /** Oldest first. */
  private past: HistoryDay[] = [];

  constructor(makeStore: MakeStore = inMemory) {
    this.makeStore = makeStore;
    this.today = new HistoryDay(makeStore);
  }

  apply(at: EpochMs, event: Event): void {
    switch (event.type) {
      case 'OrderReceived':
        return this.receive(at, event);
      case 'OrderRejected':
        return this.end(event.order, 'Rejected', at, 'Rejected', event.refusal);
      case 'AfterMarketTaken': {
        const day = this.known(event.order);
        day.setStatus(day.follow(event.order, 'New Ack', at), 'AfterMarket');
        return day.setReason(event.warning);
      }
      case 'AfterMarketReplaced': {
        const day = this.known(event.order);
        day.setTerms(day.follow(event.order, 'Replaced', at), event.terms);
        return day.setReason(event.warning);
      }
      case 'AfterMarketReleased': {
        const day = this.known(event.order);
        const step = day.follow(event.order, 'Pending New', at);
        day.setStatus(step, 'Pending');
        return day.setTerms(step, event.terms);
      }
      case 'OrderAcknowledged': {
        const day = this.known(event.order);
        const step = day.follow(event.order, 'New Ack', at);
        day.setExchangeOrder(step, event.exchangeOrder);
        return day.setStatus(step, isStop(day.terms(step)) ? 'TriggerPending' : 'Open');
      }
      case 'StopTriggered': {
        const day = this.known(event.order);
        return day.setStatus(day.follow(event.order, 'Triggered', at), 'Open');
      }
      case 'Traded': {
        const amount = amountOf(event.price, event.quantity);
        if (event.buy !== undefined) this.fill(event.buy.order, at, event.quantity, amount);
        if (event.sell !== undefined) this.fill(event.sell.order, at, event.quantity, amount);
        return;
      }
      case 'OrderCancelled': {
        const reason = event.reason === 'Client' ? undefined : event.reason;
        return this.end(event.order, 'Cancelled', at, 'Cancelled', reason);
      }
      case 'OrderReplaced':
        return this.replace(at, event);
      case 'ReplaceRejected':
        return this.refuse(event.order, 'Replace Rejected', at, event.refusal);
      case 'CancelRejected':
        return this.refuse(event.order, 'Cancel Rejected', at, event.refusal);
      case 'DayRolled':
        return this.turnDay();
      default:
    }
  }

  /** An order of the days that are kept, its entries oldest first; `undefined` for any other. */
  find(number: OrderNumber): OrderRecord | undefined {
    return this.dayOf(number)?.record(number);
  }

  /** The steps of an order of the days that are kept; `undefined` for any other. */
  steps(number: OrderNumber): OrderSteps | undefined {
    const day = this.dayOf(number);
    return day && new OrderSteps(day, number);
  }

  /** The orders that are kept now, which stay for as long as somebody holds what this gives. */
  held(): HeldOrders {
    return new HeldOrders([this.today, ...this.past.toReversed()]);
  }

  /** This moment, at which `at` shows orders later too. */
  moment(): HistoryMoment {
    return new Map([...this.past, this.today].map((day) => [day, day.mark]));
  }

  /**
   * An order of the days that are kept, as it stood at a moment; `undefined` for one that was not there, and for one
   * that no step has changed since.
   */
  changedSince(moment: HistoryMoment, number: OrderNumber): HistoryEntry | undefined {
    const day = this.dayOf(number);
    const mark = day && moment.get(day);
    return mark === undefined || day === undefined || day.newestRow(number) < mark
      ? undefined
      : day.before(number, mark);
  }

  /** An order that was given out, as it stood after its last step. */
  last(number: OrderNumber): HistoryEntry {
    return this.known(number).last(number);
  }

  /** The account of an order of the days that are kept; `undefined` for any other. */
  accountOf(number: OrderNumber): AccountId | undefined {
    return this.dayOf(number)?.account(number);
  }

  /** The part that does not change of an order that was given out. */
  head(number: OrderNumber): OrderHead {
    return this.known(number).head(number);
  }

  /** The row of the newest step of an order that was given out: `step` finds it by that in one read. */
  newestRow(number: OrderNumber): number {
    return this.known(number).newestRow(number);
  }

  /** An order that was given out, as it stood after the step of a row. */
  step(number: OrderNumber, row: number): HistoryEntry {
    return this.known(number).step(row);
  }

  /**
   * The row of the fill that made the filled units of an order this many, in a history that has just been loaded;
   * `undefined` without such a fill.
   */
  fillingRow(number: OrderNumber, filled: Quantity): number | undefined {
    return this.dayOf(number)?.fillingRow(number, filled);
  }

  /** How many units of an order that was given out are filled. */
  filled(number: OrderNumber): Quantity {
    return this.known(number).filled(number);
  }

  /**
   * The step that rejected or cancelled an order; `undefined` for an order that did not end so. Refusals may have come
   * after it.
   */
  ending(number: OrderNumber): HistoryEntry | undefined {
    return this.known(number).ending(number);
  }

  /** The newest step of a kind that an order that was given out made at an instant; `undefined` without one. */
  stepAt(number: OrderNumber, kind: ReportType, at: EpochMs): HistoryEntry | undefined {
    return this.known(number).stepAt(number, kind, at);
  }

  /** How often an order was modified, or was refused to be. */
  modifications(number: OrderNumber): number {
    return this.known(number).modifications(number);
  }

  /** The instruments that the orders of the kept days are in. */
  instruments(): Set<InstrumentId> {
    return new Set([...this.past, this.today].flatMap((day) => [...day.instruments()]));
  }

  /** The rows that a history is loaded from: the orders of the oldest day first. */
  *rows(): Generator<HistoryRow> {
    yield this.past.length;
    for (const [index, day] of [...this.past, this.today].entries()) {
      for (const record of day.records()) yield [this.past.length - index, encodeRecord(record)];
    }
  }

  /** Takes the next row of `rows` into an empty history. Throws `Undecodable`. */
  take(stored: Json): void {
    if (!Array.isArray(stored)) {
      const days: number = whole(stored, 'days');
      if (days > PAST_DAYS) throw new Undecodable(`${days} days are more than are kept`);
      this.past = Array.from({ length: days }, () => new HistoryDay(this.makeStore));
      return;
    }
    const [ago, row = 0] = places(stored, 'an order of a day', 2);
    const daysAgo: number = whole(ago, 'daysAgo');
    const day = daysAgo === 0 ? this.today : this.past[this.past.length - daysAgo];
    if (day === undefined) throw new Undecodable(`no day is kept that was ${daysAgo} days ago`);
    day.addRecord(decodeRecord(row));
  }

  private turnDay(): void {
    this.past.push(this.today);
    if (this.past.length > PAST_DAYS) this.past.shift();
    this.today = new HistoryDay(this.makeStore);
  }

  private receive(at: EpochMs, event: OrderReceived): void {
    const { order: number, account, instrument, side, product, remarks, terms } = event;
    this.today.begin(
      { number, account, instrument, side, product, remarks, receivedAt: at },
      {
        reportType: 'Pending New',
        status: 'Pending',
        at,
        terms,
        filled: ZERO_QUANTITY,
        filledAmount: ZERO_PAISE,
        exchangeOrder: 0 as ExchangeOrderNumber,
        reason: undefined,
      },
    );
  }

  private end(
    order: OrderNumber,
    report: ReportType,
    at: EpochMs,
    status: OrderStatus,
    reason: HistoryEntry['reason'],
  ): void {
    const day = this.known(order);
    const step = day.follow(order, report, at);
    day.setStatus(step, status);
    day.setReason(reason);
  }

  private refuse(order: OrderNumber, report: ReportType, at: EpochMs, reason: Refusal): void {
    const day = this.known(order);
    day.follow(order, report, at);
    day.setReason(reason);
  }

  /**
   * A limit order is open and so is a stop that has fired; a stop that waits, waits on, and an order that becomes one
   * begins to.
   */
  private replace(at: EpochMs, { order, terms }: OrderReplaced): void {
    const day = this.known(order);
    const step = day.follow(order, 'Replaced', at);
    const hasFired = day.status(step) === 'Open' && isStop(day.terms(step));
    day.setStatus(step, terms.trigger === 0 || hasFired ? 'Open' : 'TriggerPending');
    day.setTerms(step, terms);
  }

  private fill(order: OrderNumber, at: EpochMs, quantity: Quantity, amount: Paise): void {
    const day = this.known(order);
    const step = day.follow(order, 'Fill', at);
    day.setStatus(step, day.fill(step, quantity, amount) ? 'Complete' : 'Open');
  }

  private known(number: OrderNumber): HistoryDay {
    return must(this.dayOf(number), 'an order that was given out has a history');
  }

  private dayOf(number: OrderNumber): HistoryDay | undefined {
    if (this.today.has(number)) return this.today;
    return this.past.find((day) => day.has(number));
  }
}
