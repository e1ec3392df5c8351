/**
 * An order and its terms: the fields, their allowed values, and small questions about them. The status of an order
 * changes in `broker/orders/life-cycle.ts`, its place in the book in `exchange/book`.
 */

import type { Complete } from '../base/codec.ts';
import type { AccountId, ExchangeOrderNumber, InstrumentId, OrderNumber } from '../base/ids.ts';
import type { Paise, Price, Quantity } from '../base/money.ts';
import type { EpochMs, IstDay } from '../base/time.ts';
import type { InstrumentKind } from './instrument.ts';
import type { OrderScenario } from './scenarios/order-scenario.ts';

export type Side = 'B' | 'S';
export const PRODUCTS = ['C', 'M', 'I'] as const;
/** C delivery, M carried margin on derivatives, I intraday; M on cash counts as I. Source: contract W9. */
export type Product = (typeof PRODUCTS)[number];
export const PRICE_TYPES = ['MKT', 'LMT', 'SL-LMT', 'SL-MKT'] as const;
export type PriceType = (typeof PRICE_TYPES)[number];
export const RETENTIONS = ['DAY', 'IOC'] as const;
export type Retention = (typeof RETENTIONS)[number];

export const ORDER_STATUSES = [
  'Pending',
  'AfterMarket',
  'Open',
  'TriggerPending',
  'Complete',
  'Cancelled',
  'Rejected',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/**
 * A market protection in ten-thousandths of a percent: 1 % is 10,000. Always above 0.
 * Source: interface §modifyOrder `mkt_protection`, market-rules R3.8.
 */
export type ProtectionE4 = number;

/** The terms that a modification may change. */
export interface OrderTerms {
  readonly priceType: PriceType;
  readonly retention: Retention;
  /** Total units, filled ones included. */
  readonly quantity: Quantity;
  /** The limit in paise; for a market order the protected price once it is admitted. 0 before that. */
  readonly price: Price;
  /** 0 for orders without a trigger. */
  readonly trigger: Price;
}

/** The labels that a client's program gives to an order; at least one of them. Source: market-rules R9.5. */
export interface OrderTags {
  /** The strategy that decided, in the client's own words. */
  readonly strategy?: string;
  /** The device that it runs on. */
  readonly device?: string;
}

/** An order as the account's books know it. Only `apply` writes it. */
export interface Order {
  readonly number: OrderNumber;
  readonly account: AccountId;
  readonly instrument: InstrumentId;
  readonly kind: InstrumentKind;
  /** The margin portfolio that it belongs to. */
  readonly group: InstrumentId;
  /** The ISIN of an equity, which names the holding that a delivery sale blocks; empty for contracts. */
  readonly isin: string;
  readonly side: Side;
  readonly product: Product;
  readonly remarks: string;
  /** True for a trade-for-trade share, which is settled gross. Source: market-rules R1.4. */
  readonly gross: boolean;
  /** True when the risk desk placed it to square a position off. Source: market-rules R2.24. */
  readonly squareOff: boolean;
  readonly receivedAt: EpochMs;
  /** Absent from most orders. Source: market-rules R9.5. */
  readonly tags?: OrderTags | undefined;
  /** The outcome that its client asked for; absent from nearly all orders. Source: docs/outcomes.md. */
  readonly scenario?: OrderScenario | undefined;
  terms: OrderTerms;
  status: OrderStatus;
  /** Set while the order waits at the broker for a session. */
  afterMarket: AfterMarket | undefined;
  /** 0 until the exchange acknowledges. */
  exchangeOrder: ExchangeOrderNumber;
  filled: Quantity;
  /** Sum of price times quantity over its fills. */
  filledAmount: Paise;
  /** The instant of its last event. */
  updatedAt: EpochMs;
}

/** The terms of an order's wait at the broker. Source: market-rules R2.18. */
export interface AfterMarket {
  /** The trading day that it waits for. */
  readonly day: IstDay;
  /** The client's protection of a market order. */
  readonly protection?: ProtectionE4;
}

/** A copy of an order, which does not change with the state. It has tags and a scenario only where the order has. */
export function copyOf(order: Readonly<Order>): Order {
  const { tags, scenario } = order;
  const copy = {
    number: order.number,
    account: order.account,
    instrument: order.instrument,
    kind: order.kind,
    group: order.group,
    isin: order.isin,
    side: order.side,
    product: order.product,
    remarks: order.remarks,
    gross: order.gross,
    squareOff: order.squareOff,
    receivedAt: order.receivedAt,
    terms: order.terms,
    status: order.status,
    afterMarket: order.afterMarket,
    exchangeOrder: order.exchangeOrder,
    filled: order.filled,
    filledAmount: order.filledAmount,
    updatedAt: order.updatedAt,
  } satisfies Complete<Omit<Order, 'tags' | 'scenario'>>;
  return { ...copy, ...(tags && { tags }), ...(scenario && { scenario }) };
}

/** Units that are not filled yet. */
export function remaining({ terms, filled }: Pick<Order, 'terms' | 'filled'>): Quantity {
  return (terms.quantity - filled) as Quantity;
}

/** True for terms that wait for a trigger, or waited until it fired. */
export function isStop({ trigger }: OrderTerms): boolean {
  return trigger > 0;
}

/** The other side: S for B, and B for S. */
export function opposite(side: Side): Side {
  return side === 'B' ? 'S' : 'B';
}

/**
 * The same terms with their fields in one fixed order, for events that repeat the terms of a GTT. Their order in the
 * state depends on whether it was loaded. Source: reliability I36.
 */
export function inOneOrder({ priceType, retention, quantity, price, trigger }: OrderTerms): OrderTerms {
  return { priceType, retention, quantity, price, trigger };
}

/** True when two terms are equal. */
export function sameTerms(one: OrderTerms, other: OrderTerms): boolean {
  return (
    one === other ||
    (one.price === other.price &&
      one.quantity === other.quantity &&
      one.trigger === other.trigger &&
      one.priceType === other.priceType &&
      one.retention === other.retention)
  );
}
