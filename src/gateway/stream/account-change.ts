/**
 * A durable record as the accounts that it concerns see it: which of their orders, trades, positions, limits, alerts
 * and GTTs it changed. It follows from the record and from the accounts of its orders alone, so a record that is read
 * from the journal again gives the same events with the same indexes.
 */

import type { AccountId, AlertNumber, GttNumber, InstrumentId, OrderNumber } from '../../base/ids.ts';
import type { EpochMs } from '../../base/time.ts';
import type { Event, Traded } from '../../core/event.ts';
import type { Product } from '../../core/order.ts';

/** Facts of the journal that concern one order. A trade concerns two when both of its sides are users'. */
export type OrderStep = Extract<
  Event,
  {
    type:
      | 'OrderReceived'
      | 'OrderRejected'
      | 'AfterMarketTaken'
      | 'AfterMarketReplaced'
      | 'AfterMarketReleased'
      | 'OrderAcknowledged'
      | 'StopTriggered'
      | 'Traded'
      | 'OrderCancelled'
      | 'OrderReplaced'
      | 'ReplaceRejected'
      | 'CancelRejected';
  }
>;

/**
 * Something that a record changed for an account. `day`: a trading day has begun, so that all of its books are new;
 * such a record has no other event.
 */
export type AccountEvent =
  | {
      readonly type: 'order';
      readonly order: OrderNumber;
      /** At least one, in the order of the record. */
      readonly steps: readonly OrderStep[];
    }
  /** The account's own side of a trade, by its order. */
  | { readonly type: 'trade'; readonly order: OrderNumber; readonly traded: Traded }
  | { readonly type: 'position'; readonly instrument: InstrumentId; readonly product: Product }
  | { readonly type: 'limit' }
  | { readonly type: 'alert'; readonly alert: AlertNumber }
  | { readonly type: 'gtt'; readonly gtt: GttNumber }
  | { readonly type: 'day' };

/** The events of one account in one record. The index of an event is its place in the list, from 0. */
export interface AccountChange {
  readonly account: AccountId;
  /** The record. */
  readonly seq: number;
  readonly at: EpochMs;
  /** Orders by their first step, then trades, positions, the limits, alerts and GTTs: each thing once. */
  readonly events: readonly AccountEvent[];
}
