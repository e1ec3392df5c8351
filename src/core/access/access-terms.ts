import type { WallMs } from '../../base/time.ts';

/**
 * The largest number of orders a second that an account may send to one segment: placements, modifications and
 * cancellations. Source: market-rules R9.2, R9.5.
 */
export interface OrderRate {
  readonly perSecond: number;
  /** The exchange's twelve digits for a registered algorithm. All other orders carry the generic number. */
  readonly algoId?: string;
}

/** The regulator's terms for the orders of one account that come over the interface. */
export interface Access {
  /** The registered addresses, the primary one first, and the time of their last change. */
  readonly registered?: { readonly addresses: readonly string[]; readonly since: WallMs };
  /** Whether orders may come from the registered addresses only. */
  readonly fixed: boolean;
  /** Absent when the account has no rate of its own. */
  readonly orderRate?: OrderRate;
}
