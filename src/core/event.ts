import type { AccountId, ExchangeOrderNumber, InstrumentId, OrderNumber, Tick, TradeId } from '../base/ids.ts';
import type { Paise, Price, Quantity } from '../base/money.ts';
import type { IstDay } from '../base/time.ts';
import type { IdempotencyKey } from './command.ts';
import type { InstrumentKind } from './instrument.ts';
import type { OrderTerms, Product, Side } from './order.ts';
import type { Refusal } from './refusal.ts';

/** An order was taken in and numbered. Its status is Pending. `terms.price` is the protected price of a market order. */
export interface OrderReceived {
  readonly type: 'OrderReceived';
  readonly order: OrderNumber;
  readonly account: AccountId;
  readonly instrument: InstrumentId;
  readonly kind: InstrumentKind;
  readonly group: InstrumentId;
  readonly isin: string;
  readonly side: Side;
  readonly product: Product;
  readonly terms: OrderTerms;
  readonly remarks: string;
  readonly idempotency?: IdempotencyKey;
}

/** The broker or the exchange refused a Pending order. */
export interface OrderRejected {
  readonly type: 'OrderRejected';
  readonly order: OrderNumber;
  readonly refusal: Refusal;
}

/** The exchange took the order: Open, or TriggerPending for a stop. */
export interface OrderAcknowledged {
  readonly type: 'OrderAcknowledged';
  readonly order: OrderNumber;
  readonly exchangeOrder: ExchangeOrderNumber;
}

/** What is left of an Open order rests in the book, behind everybody at its price. */
export interface OrderRested {
  readonly type: 'OrderRested';
  readonly order: OrderNumber;
  /** Units of the market's own displayed quantity that were there first. */
  readonly ahead: Quantity;
}

/** A stop order waits for its trigger. Behind all that wait at the same trigger. */
export interface StopArmed {
  readonly type: 'StopArmed';
  readonly order: OrderNumber;
}

/** The last price went through the trigger: TriggerPending becomes Open. The order is no longer armed and not yet in the book. */
export interface StopTriggered {
  readonly type: 'StopTriggered';
  readonly order: OrderNumber;
}

/** One side of a trade. The market itself has no order and no account. */
export interface TradeSide {
  readonly order: OrderNumber;
  readonly account: AccountId;
  readonly product: Product;
}

/** A match. A side that is absent is the market's own. The price is the resting side's. */
export interface Traded {
  readonly type: 'Traded';
  readonly trade: TradeId;
  readonly instrument: InstrumentId;
  readonly kind: InstrumentKind;
  readonly group: InstrumentId;
  readonly tick: Tick;
  readonly price: Price;
  readonly quantity: Quantity;
  readonly aggressor: Side;
  readonly buy?: TradeSide;
  readonly sell?: TradeSide;
  /**
   * Set when displayed depth of the market was traded: the level, on the market's side, that is now smaller. Its price is
   * another than the trade's when the market came through a resting order.
   */
  readonly taken?: { readonly price: Price; readonly generation: number };
}

/** The market traded, or a user took, `quantity` of the market's own units in front of the users' orders at this price. */
export interface QueueAdvanced {
  readonly type: 'QueueAdvanced';
  readonly instrument: InstrumentId;
  readonly side: Side;
  readonly price: Price;
  readonly quantity: Quantity;
}

export type CancelReason = 'Client' | 'ImmediateOrCancel' | 'SelfTrade' | 'DayEnd';

/** What was left of the order is gone from the book. */
export interface OrderCancelled {
  readonly type: 'OrderCancelled';
  readonly order: OrderNumber;
  readonly reason: CancelReason;
}

/**
 * The order has new terms. When it keeps its priority its place in the book stays as it is; otherwise it has left the book
 * and an `OrderRested`, a `StopArmed` or trades follow.
 */
export interface OrderReplaced {
  readonly type: 'OrderReplaced';
  readonly order: OrderNumber;
  readonly terms: OrderTerms;
  readonly keepsPriority: boolean;
}

/** A modification was refused; the order is as it was. Nothing is recorded for orders that are not the client's. */
export interface ReplaceRejected {
  readonly type: 'ReplaceRejected';
  readonly order: OrderNumber;
  readonly refusal: Refusal;
}

export interface CancelRejected {
  readonly type: 'CancelRejected';
  readonly order: OrderNumber;
  readonly refusal: Refusal;
}

/** Margin in paise that one portfolio holds blocked, by the figures of `limit`. */
export interface MarginParts {
  readonly span: Paise;
  readonly exposure: Paise;
  /** Premium of option buys that still rest. */
  readonly premium: Paise;
  /** Cash segment: delivery buys that still rest, and intraday positions and orders. */
  readonly cash: Paise;
}

/** The blocked margin of a portfolio is now this. */
export interface MarginBlocked {
  readonly type: 'MarginBlocked';
  readonly account: AccountId;
  readonly group: InstrumentId;
  readonly parts: MarginParts;
}

export interface PositionConverted {
  readonly type: 'PositionConverted';
  readonly account: AccountId;
  readonly instrument: InstrumentId;
  readonly kind: InstrumentKind;
  readonly group: InstrumentId;
  readonly isin: string;
  readonly from: Product;
  readonly to: Product;
  readonly side: Side;
  readonly age: 'day' | 'carried';
  readonly quantity: Quantity;
  /** The share of the amount that moves with the quantity. */
  readonly amount: Paise;
}

/** A new trading day: day books are empty, carried quantities are carried, settled shares are holdings. */
export interface DayRolled {
  readonly type: 'DayRolled';
  readonly day: IstDay;
}

export interface UserRegistered {
  readonly type: 'UserRegistered';
  readonly account: AccountId;
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly sealedCredentials: string;
  readonly usesTotp: boolean;
  readonly demo: boolean;
}

export interface CashDeposited {
  readonly type: 'CashDeposited';
  readonly account: AccountId;
  readonly amount: Paise;
  readonly opening: boolean;
}

export interface HoldingCredited {
  readonly type: 'HoldingCredited';
  readonly account: AccountId;
  readonly isin: string;
  /** The listing that the shares are shown under. */
  readonly instrument: InstrumentId;
  readonly quantity: Quantity;
  readonly cost: Paise;
}

/** Of the contracts on an underlying only reductions are taken, or everything is again. */
export interface BanSet {
  readonly type: 'BanSet';
  readonly underlying: InstrumentId;
  readonly banned: boolean;
  readonly by: string;
}

export interface SessionOpened {
  readonly type: 'SessionOpened';
  readonly account: AccountId;
  readonly tokenDigest: string;
  readonly totpStep?: number;
}

export interface SessionTouched {
  readonly type: 'SessionTouched';
  readonly tokenDigest: string;
}

export interface SessionClosed {
  readonly type: 'SessionClosed';
  readonly tokenDigest: string;
  readonly reason: 'Logout' | 'Idle' | 'DayEnd' | 'TooMany';
}

/** What happened. `apply` is the only reader that changes state; recovery needs nothing else. */
export type Event =
  | OrderReceived
  | OrderRejected
  | OrderAcknowledged
  | OrderRested
  | StopArmed
  | StopTriggered
  | Traded
  | QueueAdvanced
  | OrderCancelled
  | OrderReplaced
  | ReplaceRejected
  | CancelRejected
  | MarginBlocked
  | PositionConverted
  | DayRolled
  | UserRegistered
  | CashDeposited
  | HoldingCredited
  | BanSet
  | SessionOpened
  | SessionTouched
  | SessionClosed;
