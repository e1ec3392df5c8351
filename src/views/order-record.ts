import type { AccountId, ExchangeOrderNumber, InstrumentId, OrderNumber } from '../base/ids.ts';
import type { Paise, Quantity } from '../base/money.ts';
import type { EpochMs } from '../base/time.ts';
import type { CancelReason } from '../core/event.ts';
import type { OrderStatus, OrderTerms, Product, Side } from '../core/order.ts';
import type { Refusal } from '../core/refusals/refusal.ts';

/** The steps of an order's life in the words of the wire. Source: contract W8. */
export const REPORT_TYPES = [
  'Pending New',
  'New Ack',
  'Triggered',
  'Fill',
  'Replaced',
  'Replace Rejected',
  'Cancelled',
  'Cancel Rejected',
  'Rejected',
] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

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
  readonly entries: readonly HistoryEntry[];
}
