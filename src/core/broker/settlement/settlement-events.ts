/**
 * The events of the end of a trading day: square-offs, closing prices, settlement, and the steps of the day's end. The
 * charges of a day are in `charges/charge-events.ts`, all other events in `event.ts`.
 */

import type { AccountId, InstrumentId } from '../../../base/ids.ts';
import type { Paise, Price, Quantity } from '../../../base/money.ts';
import type { IstDay } from '../../../base/time.ts';
import type { ExercisedOption, PhysicalDelivery } from '../../charges/contract-note.ts';
import type { InstrumentKind } from '../../instrument.ts';
import type { Product, Side } from '../../order.ts';
import type { SquareOffSegment } from '../../trading-days.ts';
import type { DayEndStep } from './day-end-steps.ts';

/** A segment is squared off: orders against its remaining positions follow. Source: market-rules R2.24. */
export interface SegmentSquaredOff {
  readonly type: 'SegmentSquaredOff';
  readonly segment: SquareOffSegment;
}

export const LOSS_STAGES = ['None', 'Warned', 'SquaredOff'] as const;
export type LossStage = (typeof LOSS_STAGES)[number];

/** Losses on intraday positions have reached 80 % of the funds, or all of them. Source: market-rules R4.35. */
export interface LossesReached {
  readonly type: 'LossesReached';
  readonly account: AccountId;
  readonly stage: Exclude<LossStage, 'None'>;
  /** Realised and unrealised loss, above 0. */
  readonly loss: Paise;
  readonly funds: Paise;
}

/**
 * Contracts on an underlying that expire today would be delivered, and their delivery is not paid for: they are squared
 * off. Source: market-rules R7.4.
 */
export interface DeliveryUnfunded {
  readonly type: 'DeliveryUnfunded';
  readonly account: AccountId;
  readonly group: InstrumentId;
  /** Units that the account would have to deliver and does not own. */
  readonly missing: Quantity;
  /** The money that it would have to pay, missing units at the last price, and the cash that it has for that. */
  readonly needed: Paise;
  readonly available: Paise;
}

/** The closing prices of instruments that are held. */
export interface ClosingPricesSet {
  readonly type: 'ClosingPricesSet';
  /** They add to those of the portions before. */
  readonly added?: true;
  readonly prices: readonly (readonly [instrument: InstrumentId, price: Price])[];
}

export type SettlementReason =
  | 'CashSettlement'
  | 'Exercise'
  | 'Assignment'
  | 'Lapse'
  | 'PhysicalSettlement'
  | 'CloseOut';

/**
 * The clearing house closes or makes a position without an order, at a price per unit that may be 0. It does so for a
 * contract that expires, for the shares that such a contract delivers, and for shares bought in for a sale that nobody
 * covered. Source: market-rules R7.1, R7.2, R2.25.
 */
export interface PositionSettled {
  readonly type: 'PositionSettled';
  readonly account: AccountId;
  readonly instrument: InstrumentId;
  readonly kind: InstrumentKind;
  readonly group: InstrumentId;
  readonly isin: string;
  readonly product: Product;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly price: Price;
  readonly reason: SettlementReason;
}

/**
 * The exercises and deliveries of expired contracts, for the contract note of a day. Source: market-rules R7.1, R7.2.
 */
export interface ExpiryNoted {
  readonly type: 'ExpiryNoted';
  readonly account: AccountId;
  readonly exercises: readonly ExercisedOption[];
  readonly deliveries: readonly PhysicalDelivery[];
}

/**
 * The open quantity of a contract is carried at `price`. `gain` is paid in cash: for futures the difference to the
 * day's basis, for options nothing. Source: market-rules R5.8, R5.9.
 */
export interface PositionMarked {
  readonly type: 'PositionMarked';
  readonly account: AccountId;
  readonly instrument: InstrumentId;
  readonly product: Product;
  readonly price: Price;
  readonly gain: Paise;
}

/**
 * Shares bought on the trading day before are in the depository account. Today's deliveries have left it or come with
 * the next day, and their cost is paid in cash. Source: market-rules R5.18.
 */
export interface SharesSettled {
  readonly type: 'SharesSettled';
  readonly account: AccountId;
  /** Banks were closed: shares on their way come with the next day that settles. Source: market-rules R2.22. */
  readonly settlementHoliday?: true;
  readonly delivered: readonly { readonly isin: string; readonly instrument: InstrumentId; readonly units: Quantity }[];
  readonly received: readonly {
    readonly isin: string;
    readonly instrument: InstrumentId;
    readonly units: Quantity;
    readonly cost: Paise;
  }[];
}

/** A step of the day's end is done. */
export interface DayEndReached {
  readonly type: 'DayEndReached';
  readonly day: IstDay;
  readonly step: DayEndStep;
}

/** A new trading day has begun: day books are empty, open quantities are carried, settled shares are holdings. */
export interface DayRolled {
  readonly type: 'DayRolled';
  readonly day: IstDay;
  /**
   * The first account for which the day has not begun yet: a portion of its own follows. Absent when it has for all.
   */
  readonly upTo?: AccountId;
}

/** The day has begun for the accounts of one more portion: those from `from` on and below `upTo`, or all the rest. */
export interface AccountsRolled {
  readonly type: 'AccountsRolled';
  readonly day: IstDay;
  /** The day that has ended for them. */
  readonly before: IstDay;
  readonly from: AccountId;
  readonly upTo?: AccountId;
}
