/**
 * The events of GTTs: placed, modified, ended without an order, triggered, and fired with an order. `apply-gtt.ts`
 * applies them. Their fields are journal bytes and stay.
 */

import type { AccountId, GttNumber, InstrumentId, OrderNumber, Tick } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import type { IdempotencyKey } from '../../idempotency-key.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import type { GttEnd, GttLegs } from './gtt.ts';

/** A GTT waits for its triggers. */
export interface GttPlaced {
  readonly type: 'GttPlaced';
  readonly gtt: GttNumber;
  readonly account: AccountId;
  readonly instrument: InstrumentId;
  readonly legs: GttLegs;
  readonly remarks: string;
  /** The last price that decided the ways of the triggers. */
  readonly last: Price;
  readonly idempotency?: IdempotencyKey;
}

/** A GTT has other legs or remarks. */
export interface GttModified {
  readonly type: 'GttModified';
  readonly gtt: GttNumber;
  readonly account: AccountId;
  readonly legs: GttLegs;
  readonly remarks: string;
  /** The last price that decided the ways of the triggers that changed. */
  readonly last: Price;
}

/** A GTT ended without an order. */
export interface GttCancelled {
  readonly type: 'GttCancelled';
  readonly gtt: GttNumber;
  readonly account: AccountId;
  readonly reason: GttEnd;
}

/**
 * A last traded price came to the trigger of a leg. The other leg ends with this. The order follows in a later record.
 */
export interface GttTriggered {
  readonly type: 'GttTriggered';
  readonly gtt: GttNumber;
  readonly account: AccountId;
  readonly leg: 0 | 1;
  readonly price: Price;
  readonly tick: Tick;
}

/**
 * The order of a GTT was placed, in the same record. `refusal` is the refusal of the order by the broker or the
 * exchange as it came.
 */
export interface GttFired {
  readonly type: 'GttFired';
  readonly gtt: GttNumber;
  readonly account: AccountId;
  readonly order: OrderNumber;
  readonly refusal?: Refusal;
}
