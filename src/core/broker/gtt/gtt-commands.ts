/** The commands on GTTs: those of clients, and the one by which the service places the order of a fired one. */

import type { AccountId, GttNumber, InstrumentId } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import type { IdempotencyKey } from '../../idempotency-key.ts';
import type { GttOrder } from './gtt.ts';

/** A leg as a client asks for it. The last traded price decides which way its trigger is. */
export interface AskedLeg extends GttOrder {
  readonly trigger: Price;
}

/** A leg as a modification asks for it. Its trigger stays when it is absent. */
export interface ChangedLeg extends GttOrder {
  readonly trigger?: Price;
}

export interface PlaceGtt {
  readonly type: 'PlaceGtt';
  readonly account: AccountId;
  readonly instrument: InstrumentId;
  readonly legs: readonly [AskedLeg] | readonly [AskedLeg, AskedLeg];
  readonly remarks: string;
  readonly idempotency?: IdempotencyKey;
}

/** Gives a GTT other legs. A second leg that is left out stays as it is. */
export interface ModifyGtt {
  readonly type: 'ModifyGtt';
  readonly account: AccountId;
  readonly gtt: GttNumber;
  /** The instrument that the client named; it must be the one of the GTT. */
  readonly instrument: InstrumentId;
  readonly legs: readonly [ChangedLeg] | readonly [ChangedLeg, ChangedLeg];
  readonly remarks: string;
}

export interface CancelGtt {
  readonly type: 'CancelGtt';
  readonly account: AccountId;
  readonly gtt: GttNumber;
}

/** Places the order of a GTT whose trigger has fired. Nothing happens when it no longer waits for that. */
export interface FireGtt {
  readonly type: 'FireGtt';
  readonly gtt: GttNumber;
}
