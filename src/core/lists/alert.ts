/**
 * A price alert and its end: the fields and small questions about them. `alert-table.ts` keeps all of them, and
 * `alerts.ts` decides on them.
 */

import type { AccountId, AlertNumber, InstrumentId } from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';
import type { EpochMs } from '../../base/time.ts';
import type { StandingTrigger, TriggerWay } from '../standing/standing-trigger.ts';

/** How an alert may have ended. */
export const ALERT_ENDS = ['Fired', 'Cancelled', 'Expired'] as const;

export interface AlertEnd {
  readonly how: (typeof ALERT_ENDS)[number];
  readonly at: EpochMs;
  /** The last traded price that fired it; absent for any other end. */
  readonly price?: Price;
}

/** A wish to hear once of a last traded price. An alert never changes; one that ends is replaced by its ended form. */
export interface Alert {
  readonly number: AlertNumber;
  readonly account: AccountId;
  readonly instrument: InstrumentId;
  readonly way: TriggerWay;
  readonly price: Price;
  readonly remarks: string;
  readonly placedAt: EpochMs;
  /** Absent while it is active. */
  readonly end?: AlertEnd;
}

/** The trigger that an active alert stands for. */
export function triggerOf({ number, instrument, way, price }: Omit<Alert, 'end'>): StandingTrigger {
  return { owner: 'Alert', number, leg: 0, instrument, way, price };
}

/** True when a last traded price satisfies the condition of an alert: at its price, or beyond it. */
export function isMet({ way, price }: Pick<Alert, 'way' | 'price'>, last: Price): boolean {
  return way === 'Rising' ? last >= price : last <= price;
}
