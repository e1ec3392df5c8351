import { must } from '../base/assert.ts';
import type { AccountId, ExchangeOrderNumber, InstrumentId, OrderNumber } from '../base/ids.ts';
import { amountOf, type Paise, type Quantity, ZERO_PAISE, ZERO_QUANTITY } from '../base/money.ts';
import type { EpochMs } from '../base/time.ts';
import type { CancelReason, Event, OrderReceived, OrderReplaced, TradeSide } from '../core/event.ts';
import type { OrderStatus, OrderTerms, Product, Side } from '../core/order.ts';
import type { Refusal } from '../core/refusal.ts';

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
  readonly reason?: Refusal | CancelReason;
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
  readonly entries: HistoryEntry[];
}

/** Orders by the day on which they came, the day that runs last. */
type Day = Map<OrderNumber, OrderRecord>;

export type OrderHistoryDump = readonly (readonly OrderRecord[])[];

/** Today and the seven trading days before it. Source: contract W23. */
const DAYS_KEPT = 8;

/** The steps of every order of the days that are kept. */
export class OrderHistory {
  private readonly days: Day[] = [new Map()];

  apply(at: EpochMs, event: Event): void {
    switch (event.type) {
      case 'OrderReceived':
        return this.receive(at, event);
      case 'OrderRejected':
        return this.add(event.order, 'Rejected', at, { status: 'Rejected', reason: event.refusal });
      case 'OrderAcknowledged': {
        const { terms } = this.last(event.order);
        const status = terms.trigger > 0 ? 'TriggerPending' : 'Open';
        return this.add(event.order, 'New Ack', at, { status, exchangeOrder: event.exchangeOrder });
      }
      case 'StopTriggered':
        return this.add(event.order, 'Triggered', at, { status: 'Open' });
      case 'Traded':
        if (event.buy !== undefined) this.fill(event.buy, at, event.quantity, amountOf(event.price, event.quantity));
        if (event.sell !== undefined) this.fill(event.sell, at, event.quantity, amountOf(event.price, event.quantity));
        return;
      case 'OrderCancelled': {
        const reason = event.reason === 'Client' ? {} : { reason: event.reason };
        return this.add(event.order, 'Cancelled', at, { status: 'Cancelled', ...reason });
      }
      case 'OrderReplaced':
        return this.add(event.order, 'Replaced', at, { terms: event.terms, ...this.replacedStatus(event) });
      case 'ReplaceRejected':
        return this.add(event.order, 'Replace Rejected', at, { reason: event.refusal });
      case 'CancelRejected':
        return this.add(event.order, 'Cancel Rejected', at, { reason: event.refusal });
      case 'DayRolled':
        this.days.push(new Map());
        if (this.days.length > DAYS_KEPT) this.days.shift();
        return;
      default:
    }
  }

  /** An order of the days that are kept; its entries are oldest first. */
  find(number: OrderNumber): OrderRecord | undefined {
    for (let index = this.days.length - 1; index >= 0; index -= 1) {
      const record = this.days[index]?.get(number);
      if (record !== undefined) return record;
    }
    return undefined;
  }

  /** The order as it stands after its last step. */
  last(number: OrderNumber): HistoryEntry {
    const { entries } = this.record(number);
    return must(entries[entries.length - 1], `order ${number} has no history`);
  }

  dump(): OrderHistoryDump {
    return this.days.map((day) => [...day.values()]);
  }

  static load(dump: OrderHistoryDump): OrderHistory {
    const history = new OrderHistory();
    history.days.length = 0;
    for (const records of dump) history.days.push(new Map(records.map((record) => [record.number, record])));
    return history;
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
    };
    const record = { number, account, instrument, side, product, remarks, receivedAt: at, entries: [entry] };
    (this.days[this.days.length - 1] as Day).set(number, record);
  }

  /** A limit order is open and so is a stop that has fired; a stop that waits, waits on, and an order that becomes one begins to. */
  private replacedStatus({ order, terms }: OrderReplaced): Pick<HistoryEntry, 'status'> {
    const last = this.last(order);
    const hasFired = last.status === 'Open' && last.terms.trigger > 0;
    return { status: terms.trigger === 0 || hasFired ? 'Open' : 'TriggerPending' };
  }

  private fill({ order }: TradeSide, at: EpochMs, quantity: Quantity, amount: Paise): void {
    const last = this.last(order);
    const filled = (last.filled + quantity) as Quantity;
    const status = filled === last.terms.quantity ? 'Complete' : 'Open';
    this.add(order, 'Fill', at, { status, filled, filledAmount: (last.filledAmount + amount) as Paise });
  }

  private add(number: OrderNumber, reportType: ReportType, at: EpochMs, change: Partial<HistoryEntry>): void {
    const { entries } = this.record(number);
    const { reason: _past, ...last } = must(entries[entries.length - 1], `order ${number} has no history`);
    entries.push({ ...last, reportType, at, ...change });
  }

  private record(number: OrderNumber): OrderRecord {
    return must(this.find(number), `order ${number} has no history`);
  }
}
