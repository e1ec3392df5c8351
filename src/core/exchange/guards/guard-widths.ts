import type { Tick } from '../../../base/ids.ts';
import type { ProtectionE4 } from '../../order.ts';

/**
 * A width: an amount of paise up to a reference price, and a percentage of the reference price above it. Source:
 * market-rules R1.46 to R1.48.
 */
export interface Width {
  readonly upTo: number;
  readonly paise: number;
  readonly percent: number;
}

/** The protection of market orders whose reference price (paise) is below `below`. Source: market-rules R3.8. */
export interface Slab {
  readonly below: number;
  readonly protection: ProtectionE4;
}

/** How wide the guards of prices are on one day. Source: market-rules R0.9 (`lpp`, `sl_gap`, `mpp`). */
export interface GuardWidths {
  /** Limit price protection. Source: market-rules R1.46. */
  readonly protection: { readonly future: Width; readonly option: Width };
  /** The execution range. Source: market-rules R1.47. */
  readonly execution: { readonly future: Width; readonly option: Width };
  /**
   * From the trigger of a stop to its limit: one width for options, one for all others. Source: market-rules R1.48.
   */
  readonly gap: { readonly option: Width; readonly other: Width };
  /**
   * By reference price, the last slab without an end: one list for options, one for all others. Source: market-rules
   * R3.8.
   */
  readonly slabs: { readonly option: readonly Slab[]; readonly other: readonly Slab[] };
}

/** The widths by day. Source: market-rules R0.9. */
export interface GuardTable {
  /** The widths on the day of a tick. Every match asks for them, so they must be found at once. */
  at(tick: Tick): GuardWidths;
}
