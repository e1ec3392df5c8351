/**
 * The facts that follow from commands, in the past tense: of orders, trades, margin, users and money. Other files of
 * events stand beside the code that decides them; `Event` names them all. Their fields are journal bytes and stay.
 */

import type {
  AccountId,
  ExchangeOrderNumber,
  GttNumber,
  InstrumentId,
  OrderNumber,
  Tick,
  TradeId,
} from '../base/ids.ts';
import type { Paise, Price, Quantity } from '../base/money.ts';
import type { IstDay } from '../base/time.ts';
import type {
  AddressesSet,
  ApiKeyRenewed,
  OrderRateSet,
  SessionClosed,
  SessionOpened,
  SessionTouched,
} from './access/access-events.ts';
import type { BranchBegun } from './branch/branch-point.ts';
import type { RiskGroupSet } from './broker/account/risk-group-terms.ts';
import type {
  CorporateActionAnnounced,
  CorporateActionWithdrawn,
  DividendPaid,
  HoldingAdjusted,
  PositionAdjusted,
} from './broker/corporate-actions/corporate-action-events.ts';
import type { GttCancelled, GttFired, GttModified, GttPlaced, GttTriggered } from './broker/gtt/gtt-events.ts';
import type {
  AfterMarketReleased,
  AfterMarketReplaced,
  AfterMarketTaken,
} from './broker/orders/after-market-events.ts';
import type {
  AccountsRolled,
  ClosingPricesSet,
  DayEndReached,
  DayRolled,
  DeliveryUnfunded,
  ExpiryNoted,
  LossesReached,
  PositionMarked,
  PositionSettled,
  SegmentSquaredOff,
  SharesSettled,
} from './broker/settlement/settlement-events.ts';
import type { ChargesPosted, ConversionCharged } from './charges/charge-events.ts';
import type { ClockMarked, ClockSet } from './clock/clock-line.ts';
import type { Equilibrium } from './exchange/auction/equilibrium.ts';
import type { BreakerTripped } from './exchange/guards/circuit-breaker.ts';
import type { AuctionSession, Phase } from './exchange/phase.ts';
import type { IdempotencyKey } from './idempotency-key.ts';
import type { InstrumentKind } from './instrument.ts';
import type {
  AlertCancelled,
  AlertExpired,
  AlertFired,
  AlertPlaced,
  WatchlistDeleted,
  WatchlistSaved,
} from './lists/list-events.ts';
import type { MarketWidePositions } from './market.ts';
import type { OrderTags, OrderTerms, Product, Side } from './order.ts';
import type { PortionDone } from './portions/portion-events.ts';
import type { Refusal } from './refusals/refusal.ts';
import type { OrderScenario } from './scenarios/order-scenario.ts';
import type { OrderSetAside, OutcomeAwaited } from './scenarios/outcome-events.ts';
import type { ScenarioSet, ScenariosCleared, ScenarioUsed } from './scenarios/rules/scenario-rule.ts';
import type { BandWidened, ShareBandSet, SwitchSet } from './switches/switch-events.ts';
import type { WallStamped } from './wall-stamp.ts';

/** An order was taken and numbered. Its status is Pending. `terms.price` is the protected price of a market order. */
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
  /** Set for a trade-for-trade share. */
  readonly gross?: true;
  /** Set when the risk desk placed it to square a position off. */
  readonly squareOff?: true;
  /** Set when a GTT placed it: the service asked, on behalf of the client. */
  readonly gtt?: GttNumber;
  readonly tags?: OrderTags;
  readonly scenario?: OrderScenario;
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

/** The rest of an Open order is in the book, behind all others at its price. */
export interface OrderRested {
  readonly type: 'OrderRested';
  readonly order: OrderNumber;
  /** Units of the market's own displayed quantity that stand in front of it. */
  readonly ahead: Quantity;
}

/** A stop order waits for its trigger, behind all others at the same trigger. */
export interface StopArmed {
  readonly type: 'StopArmed';
  readonly order: OrderNumber;
}

/**
 * The last price went through the trigger: TriggerPending becomes Open. The order is no longer armed and not yet in the
 * book.
 */
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

/** Two sides matched. A side that is absent is the market's own. The price is that of the resting side. */
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
   * Set when displayed depth of the market was traded: the level, on the market's side, that is now smaller. Its price
   * differs from the trade's when the market came through a resting order.
   */
  readonly taken?: { readonly price: Price; readonly generation: number };
  /**
   * Set in an auction, where both sides waited. The aggressor is then the user's side, or the buyer when both are
   * users.
   */
  readonly auction?: true;
}

/**
 * The orders that had gathered were matched at one price. Their trades come before this event in the same record.
 * Source: market-rules R2.8.
 */
export interface AuctionMatched {
  readonly type: 'AuctionMatched';
  readonly instrument: InstrumentId;
  readonly session: AuctionSession;
  readonly tick: Tick;
  /** The traded price and quantity, with the market's own orders; absent when there was no price. */
  readonly result?: Equilibrium;
}

/**
 * The market traded, or a user took, `quantity` of the market's own units in front of the users' orders at this price.
 */
export interface QueueAdvanced {
  readonly type: 'QueueAdvanced';
  readonly instrument: InstrumentId;
  readonly side: Side;
  readonly price: Price;
  readonly quantity: Quantity;
}

/**
 * The book of an instrument has come to another phase of its day. The effects on its orders follow in the same record.
 */
export interface PhaseMet {
  readonly type: 'PhaseMet';
  readonly instrument: InstrumentId;
  readonly phase: Phase;
}

/**
 * Why an order was cancelled: by its client, by the exchange's rules and guards, or by the day's end. Source:
 * market-rules R3.17, R3.24, R1.42, R1.46, R1.47.
 */
export const CANCEL_REASONS = [
  'OutsideProtection',
  'BeyondExecutionRange',
  'OutsideBand',
  'Client',
  'ImmediateOrCancel',
  'SelfTrade',
  /** It came against an order of the risk desk for the same account, which is never cancelled for another order. */
  'SelfTradeWithDesk',
  'SquareOff',
  'AuctionEnd',
  'SessionEnd',
  'KillSwitch',
  /** It waited for a day whose terms a corporate action changed. */
  'CorporateAction',
  /** Its client asked for that when he placed it. Source: docs/outcomes.md. */
  'OnDemand',
  'DayEnd',
] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

/** The rest of the order is gone from the book. */
export interface OrderCancelled {
  readonly type: 'OrderCancelled';
  readonly order: OrderNumber;
  readonly reason: CancelReason;
}

/**
 * The order has new terms. When it keeps its priority, its place in the book stays as it is. Otherwise it has left the
 * book, and an `OrderRested`, a `StopArmed` or trades follow.
 */
export interface OrderReplaced {
  readonly type: 'OrderReplaced';
  readonly order: OrderNumber;
  readonly terms: OrderTerms;
  readonly keepsPriority: boolean;
}

/** A modification was refused; the order is as it was. Nothing is recorded for an order of another client. */
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

/** The blocked margin of one portfolio, in paise, by the figures of `limit`. */
export interface MarginParts {
  readonly span: Paise;
  readonly exposure: Paise;
  /** Premium of option buys that still rest. */
  readonly premium: Paise;
  /** Cash segment: delivery buys that still rest, and intraday positions and orders. */
  readonly cash: Paise;
  /**
   * The part of `premium` that premium received does not free: what another world needs beyond this SPAN and exposure.
   * Absent when it is 0. Source: market-rules R4.24, R4.27.
   */
  readonly floor?: Paise;
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
  /** The part of the row's amount that moves with the quantity. */
  readonly amount: Paise;
}

/** From now on margins are measured by the prices of this tick and by these SPAN files. */
export interface MarginsRevised {
  readonly type: 'MarginsRevised';
  readonly tick: Tick;
  readonly spanFiles: readonly string[];
}

export interface UserRegistered extends WallStamped {
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

export interface CashPaidOut {
  readonly type: 'CashPaidOut';
  readonly account: AccountId;
  readonly amount: Paise;
}

/** The value of the pledged shares of one ISIN as collateral from now on: all of them at `price`, less the haircut. */
export interface CollateralValue {
  readonly account: AccountId;
  readonly isin: string;
  readonly instrument: InstrumentId;
  /** The previous close at which they are valued. */
  readonly price: Price;
  /** The part of the value that does not count, in 1/10,000. */
  readonly haircut: number;
  readonly collateral: Paise;
}

export interface SharesPledged extends CollateralValue {
  readonly type: 'SharesPledged';
  readonly quantity: Quantity;
}

export interface SharesReleased extends CollateralValue {
  readonly type: 'SharesReleased';
  readonly quantity: Quantity;
}

/** A day has begun: pledged shares count at the close before it. */
export interface CollateralRevalued extends CollateralValue {
  readonly type: 'CollateralRevalued';
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

/** Only reductions are taken in the contracts on an underlying, or all orders are taken again. */
export interface BanSet {
  readonly type: 'BanSet';
  readonly underlying: InstrumentId;
  readonly banned: boolean;
  readonly by: string;
}

/**
 * The open contracts on a share are above the market-wide limit, or far enough below it again. The figures are those of
 * the day, in units of the share.
 */
export interface LimitBanSet extends MarketWidePositions {
  readonly type: 'LimitBanSet';
  readonly underlying: InstrumentId;
  readonly banned: boolean;
  readonly day: IstDay;
}

/** All facts that a record can hold. Only `apply` reads them to change the state, and recovery needs nothing else. */
export type Event =
  | OrderReceived
  | OrderRejected
  | AfterMarketTaken
  | AfterMarketReplaced
  | AfterMarketReleased
  | OrderAcknowledged
  | OrderRested
  | OrderSetAside
  | OutcomeAwaited
  | StopArmed
  | StopTriggered
  | Traded
  | QueueAdvanced
  | AuctionMatched
  | PhaseMet
  | OrderCancelled
  | OrderReplaced
  | ReplaceRejected
  | CancelRejected
  | GttPlaced
  | GttModified
  | GttCancelled
  | GttTriggered
  | GttFired
  | MarginBlocked
  | PositionConverted
  | SegmentSquaredOff
  | LossesReached
  | DeliveryUnfunded
  | ClosingPricesSet
  | PositionSettled
  | ExpiryNoted
  | PositionMarked
  | SharesSettled
  | ConversionCharged
  | ChargesPosted
  | DayEndReached
  | DayRolled
  | AccountsRolled
  | PortionDone
  | MarginsRevised
  | UserRegistered
  | CashDeposited
  | CashPaidOut
  | SharesPledged
  | SharesReleased
  | CollateralRevalued
  | HoldingCredited
  | BanSet
  | LimitBanSet
  | SwitchSet
  | ClockSet
  | ClockMarked
  | BranchBegun
  | ScenarioSet
  | ScenariosCleared
  | ScenarioUsed
  | AddressesSet
  | OrderRateSet
  | ApiKeyRenewed
  | RiskGroupSet
  | BreakerTripped
  | BandWidened
  | ShareBandSet
  | CorporateActionAnnounced
  | CorporateActionWithdrawn
  | DividendPaid
  | HoldingAdjusted
  | PositionAdjusted
  | WatchlistSaved
  | WatchlistDeleted
  | AlertPlaced
  | AlertFired
  | AlertCancelled
  | AlertExpired
  | SessionOpened
  | SessionTouched
  | SessionClosed;
