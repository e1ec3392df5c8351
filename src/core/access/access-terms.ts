import type { WallMs } from '../../base/time.ts';

/**
 * How many orders a second an account may send to one segment: placements, modifications and cancellations. Source:
 * market-rules R9.2, R9.5.
 */
export interface OrderRate {
  readonly perSecond: number;
  /** The exchange's twelve digits for a registered algorithm; orders of others carry the generic one. */
  readonly algoId?: string;
}

/** What the regulator asks of the orders that come over the interface, for one account. */
export interface Access {
  /** The registered addresses, the primary one first, and when they became other ones. */
  readonly registered?: { readonly addresses: readonly string[]; readonly since: WallMs };
  /** Whether orders may come from the registered addresses only. */
  readonly fixed: boolean;
  /** Absent when the account has no rate of its own. */
  readonly orderRate?: OrderRate;
}
