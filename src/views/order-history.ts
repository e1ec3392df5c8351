import { must } from '../base/assert.ts';
import type { AccountId, ExchangeOrderNumber, InstrumentId, OrderNumber } from '../base/ids.ts';
import { amountOf, type Paise, type Quantity, ZERO_PAISE, ZERO_QUANTITY } from '../base/money.ts';
import type { EpochMs } from '../base/time.ts';
import type { CancelReason, Event, OrderReceived, OrderReplaced } from '../core/event.ts';
import type { OrderStatus, OrderTerms, Product, Side } from '../core/order.ts';
import { OrderDay } from '../core/order-day.ts';
import type { Refusal } from '../core/refusal.ts';
import { type OrderRow, recordOfRow, rowOfRecord } from './order-row.ts';

/** The steps of an order's life in the words of the wire. Source: contract W8. */
export type ReportType =
  | 'Pending New'
  | 'New Ack'
  | 'Triggered'
  | 'Fill'
  | 'Replaced'
  | 'Replace Rejected'
  | 'Cancelled'
  | 'Cancel Rejected'
  | 'Rejected';

/** The order as it was at one step. */
export interface HistoryEntry {
  readonly reportType: ReportType;
  readonly status: OrderStatus;
  readonly at: EpochMs;
  readonly terms: OrderTerms;
  readonly filled: Quantity;
  /** Sum of price times quantity over the fills so far. */
  readonly filledAmount: Paise;
  /** 0 before the exchange acknowledged. */
  readonly exchangeOrder: ExchangeOrderNumber;
  /** Why the step was a refusal or a cancellation that the client did not ask for. */
  readonly reason: Refusal | CancelReason | undefined;
}

/** One order with all of its steps, oldest first. */
export interface OrderRecord {
  readonly number: OrderNumber;
  readonly account: AccountId;
  readonly instrument: InstrumentId;
  readonly side: Side;
  readonly product: Product;
  readonly remarks: string;
  readonly receivedAt: EpochMs;
  entries: readonly HistoryEntry[];
}

/** The orders of one day by number, in the order of receipt. */
type Day = OrderDay<OrderRecord>;

/** The orders of each day that is kept, the day that runs last. */
export type OrderHistoryDump = readonly (readonly OrderRow[])[];

/** Source: contract W23. */
const PAST_DAYS = 7;

/** An entry that is still being written. */
type Draft = { -readonly [Field in keyof HistoryEntry]: HistoryEntry[Field] };

/** The steps of every order of today and of the seven trading days before. Source: contract W8, W23, market-rules R3.31. */
export class OrderHistory {
  private today: Day = new OrderDay();
  /** Oldest first. */
  private past: Day[] = [];

  apply(at: EpochMs, event: Event): void {
    switch (event.type) {
      case 'OrderReceived':
        return this.receive(at, event);
      case 'OrderRejected':
        return this.end(event.order, 'Rejected', at, 'Rejected', event.refusal);
      case 'AfterMarketTaken':
        this.append(event.order, 'New Ack', at).status = 'AfterMarket';
        return;
      case 'AfterMarketReplaced':
        this.append(event.order, 'Replaced', at).terms = event.terms;
        return;
      case 'AfterMarketReleased': {
        const entry = this.append(event.order, 'Pending New', at);
        entry.status = 'Pending';
        entry.terms = event.terms;
        return;
      }
      case 'OrderAcknowledged': {
        const entry = this.append(event.order, 'New Ack', at);
        entry.exchangeOrder = event.exchangeOrder;
        entry.status = entry.terms.trigger > 0 ? 'TriggerPending' : 'Open';
        return;
      }
      case 'StopTriggered':
        this.append(event.order, 'Triggered', at).status = 'Open';
        return;
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
        this.append(event.order, 'Replace Rejected', at).reason = event.refusal;
        return;
      case 'CancelRejected':
        this.append(event.order, 'Cancel Rejected', at).reason = event.refusal;
        return;
      case 'DayRolled':
        return this.turnDay();
      default:
    }
  }

  /** An order of the days that are kept, its entries oldest first; `undefined` for any other. */
  find(number: OrderNumber): OrderRecord | undefined {
    const current = this.today.get(number);
    if (current !== undefined) return current;
    for (const day of this.past) {
      const record = day.get(number);
      if (record !== undefined) return record;
    }
    return undefined;
  }

  /** An order that was given out, as it stood after its last step. */
  last(number: OrderNumber): HistoryEntry {
    return lastOf(this.record(number));
  }

  /** The step that rejected or cancelled an order; `undefined` for an order that did not end so. Refusals may have come after it. */
  ending(number: OrderNumber): HistoryEntry | undefined {
    return this.record(number).entries.find(
      ({ reportType }) => reportType === 'Rejected' || reportType === 'Cancelled',
    );
  }

  dump(): OrderHistoryDump {
    return [...this.past, this.today].map((day) => Array.from(day.values(), rowOfRecord));
  }

  static load(dump: OrderHistoryDump): OrderHistory {
    const days = dump.map(dayOfRows);
    const history = new OrderHistory();
    history.today = must(days.pop(), 'a history has the day that runs');
    history.past = days;
    return history;
  }

  private turnDay(): void {
    this.past.push(this.today);
    if (this.past.length > PAST_DAYS) this.past.shift();
    this.today = new OrderDay();
  }

  private receive(at: EpochMs, event: OrderReceived): void {
    const { order: number, account, instrument, side, product, remarks, terms } = event;
    const entry: HistoryEntry = {
      reportType: 'Pending New',
      status: 'Pending',
      at,
      terms,
      filled: ZERO_QUANTITY,
      filledAmount: ZERO_PAISE,
      exchangeOrder: 0 as ExchangeOrderNumber,
      reason: undefined,
    };
    this.today.set(number, { number, account, instrument, side, product, remarks, receivedAt: at, entries: [entry] });
  }

  private end(order: OrderNumber, step: ReportType, at: EpochMs, status: OrderStatus, reason: Draft['reason']): void {
    const entry = this.append(order, step, at);
    entry.status = status;
    entry.reason = reason;
  }

  /** A limit order is open and so is a stop that has fired; a stop that waits, waits on, and an order that becomes one begins to. */
  private replace(at: EpochMs, { order, terms }: OrderReplaced): void {
    const entry = this.append(order, 'Replaced', at);
    const hasFired = entry.status === 'Open' && entry.terms.trigger > 0;
    entry.status = terms.trigger === 0 || hasFired ? 'Open' : 'TriggerPending';
    entry.terms = terms;
  }

  private fill(order: OrderNumber, at: EpochMs, quantity: Quantity, amount: Paise): void {
    const entry = this.append(order, 'Fill', at);
    entry.filled = (entry.filled + quantity) as Quantity;
    entry.filledAmount = (entry.filledAmount + amount) as Paise;
    entry.status = entry.filled === entry.terms.quantity ? 'Complete' : 'Open';
  }

  /** A new entry that says what the last one said, without its reason. Every field by name: entries share one shape. */
  private append(order: OrderNumber, reportType: ReportType, at: EpochMs): Draft {
    const record = this.record(order);
    const { status, terms, filled, filledAmount, exchangeOrder } = lastOf(record);
    const entry: Draft = { reportType, status, at, terms, filled, filledAmount, exchangeOrder, reason: undefined };
    // An array that is pushed to keeps room for sixteen more; most orders have two or three entries.
    record.entries = record.entries.concat(entry);
    return entry;
  }

  private record(number: OrderNumber): OrderRecord {
    return must(this.find(number), 'an order that was given out has a history');
  }
}

function dayOfRows(rows: readonly OrderRow[]): Day {
  const day: Day = new OrderDay();
  for (const row of rows) {
    const record = recordOfRow(row);
    day.set(record.number, record);
  }
  return day;
}

function lastOf({ entries }: OrderRecord): HistoryEntry {
  return must(entries[entries.length - 1], 'a history begins with the receipt of its order');
}
