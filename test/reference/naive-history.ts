import type { ExchangeOrderNumber, InstrumentId, OrderNumber } from '../../src/base/ids.ts';
import { amountOf, type Paise, type Quantity } from '../../src/base/money.ts';
import type { EpochMs } from '../../src/base/time.ts';
import type { Event } from '../../src/core/event.ts';
import type { HistoryEntry, OrderRecord, ReportType } from '../../src/views/order-record.ts';

type Naive = Omit<OrderRecord, 'entries'> & { readonly entries: HistoryEntry[]; readonly day: number };

/** The histories of orders as objects in one map, in the simplest way: the reference for the rows of logs. */
export class NaiveHistory {
  private readonly orders = new Map<OrderNumber, Naive>();
  private day = 0;

  apply(at: EpochMs, event: Event): void {
    switch (event.type) {
      case 'OrderReceived': {
        const { order: number, account, instrument, side, product, remarks, terms } = event;
        const nothing = { filled: 0 as Quantity, filledAmount: 0 as Paise, exchangeOrder: 0 as ExchangeOrderNumber };
        const first: HistoryEntry = {
          reportType: 'Pending New',
          status: 'Pending',
          at,
          terms,
          ...nothing,
          reason: undefined,
        };
        const head = { number, account, instrument, side, product, remarks, receivedAt: at };
        this.orders.set(number, { ...head, entries: [first], day: this.day });
        return;
      }
      case 'OrderRejected':
        return this.add(event.order, { reportType: 'Rejected', status: 'Rejected', at, reason: event.refusal });
      case 'OrderAcknowledged': {
        const { exchangeOrder } = event;
        const status = this.last(event.order).terms.trigger > 0 ? 'TriggerPending' : 'Open';
        return this.add(event.order, { reportType: 'New Ack', status, at, exchangeOrder });
      }
      case 'StopTriggered':
        return this.add(event.order, { reportType: 'Triggered', status: 'Open', at });
      case 'Traded': {
        for (const side of [event.buy, event.sell]) if (side) this.fill(side.order, at, event);
        return;
      }
      case 'OrderCancelled': {
        const reason = event.reason === 'Client' ? undefined : event.reason;
        return this.add(event.order, { reportType: 'Cancelled', status: 'Cancelled', at, reason });
      }
      case 'OrderReplaced': {
        const { status, terms } = this.last(event.order);
        const hasFired = status === 'Open' && terms.trigger > 0;
        const next = event.terms.trigger === 0 || hasFired ? 'Open' : 'TriggerPending';
        return this.add(event.order, { reportType: 'Replaced', status: next, at, terms: event.terms });
      }
      case 'ReplaceRejected':
        return this.add(event.order, { reportType: 'Replace Rejected', at, reason: event.refusal });
      case 'CancelRejected':
        return this.add(event.order, { reportType: 'Cancel Rejected', at, reason: event.refusal });
      case 'DayRolled':
        this.day += 1;
        for (const [number, { day }] of this.orders) if (day < this.day - 7) this.orders.delete(number);
        return;
      default:
        throw new Error(`${event.type} is not part of the reference`);
    }
  }

  numbers(): OrderNumber[] {
    return [...this.orders.keys()];
  }

  find(number: OrderNumber): OrderRecord | undefined {
    const order = this.orders.get(number);
    if (order === undefined) return undefined;
    const { day: _, ...record } = order;
    return record;
  }

  last(number: OrderNumber): HistoryEntry {
    return this.entries(number).at(-1) as HistoryEntry;
  }

  ending(number: OrderNumber): HistoryEntry | undefined {
    return this.entries(number).findLast(({ reportType }) => ['Rejected', 'Cancelled'].includes(reportType));
  }

  stepAt(number: OrderNumber, kind: ReportType, at: EpochMs): HistoryEntry | undefined {
    return this.entries(number).findLast((entry) => entry.at === at && entry.reportType === kind);
  }

  modifications(number: OrderNumber): number {
    return this.entries(number).filter(({ reportType }) => reportType.startsWith('Replace')).length;
  }

  /** The step of each fill. */
  fills(number: OrderNumber): HistoryEntry[] {
    return this.entries(number).filter(({ reportType }) => reportType === 'Fill');
  }

  instruments(): Set<InstrumentId> {
    return new Set([...this.orders.values()].map(({ instrument }) => instrument));
  }

  private entries(number: OrderNumber): HistoryEntry[] {
    return (this.orders.get(number) as Naive).entries;
  }

  private add(number: OrderNumber, step: Partial<HistoryEntry>): void {
    this.entries(number).push({ ...this.last(number), reason: undefined, ...step });
  }

  private fill(number: OrderNumber, at: EpochMs, { price, quantity }: Extract<Event, { type: 'Traded' }>): void {
    const last = this.last(number);
    const filled = (last.filled + quantity) as Quantity;
    const filledAmount = (last.filledAmount + amountOf(price, quantity)) as Paise;
    const status = filled === last.terms.quantity ? 'Complete' : 'Open';
    this.add(number, { reportType: 'Fill', status, at, filled, filledAmount });
  }
}
