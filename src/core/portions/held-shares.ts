import type { InstrumentId } from '../../base/ids.ts';
import { type Holding, heldUnits } from '../account.ts';

/** The sums of all holdings, kept up with each change, so that no credit goes through all accounts. */
export class HeldShares {
  /** The cost of all of them, in paise. */
  cost = 0;
  private readonly byIsin = new Map<string, number>();
  private readonly byListing = new Map<InstrumentId, number>();

  /** Counts a holding as it is, or takes it out with a sign of -1: before and after each change. */
  count(holding: Holding, sign: 1 | -1): void {
    const units = sign * heldUnits(holding);
    this.cost += sign * holding.cost;
    add(this.byIsin, holding.isin, units);
    add(this.byListing, holding.instrument, units);
  }

  /** The units of a share in all accounts. */
  unitsOf(isin: string): number {
    return this.byIsin.get(isin) ?? 0;
  }

  /** The units that are shown under each listing; above 0. */
  listings(): Iterable<readonly [listing: InstrumentId, units: number]> {
    return this.byListing;
  }
}

function add<Key>(sums: Map<Key, number>, key: Key, units: number): void {
  const sum = (sums.get(key) ?? 0) + units;
  if (sum === 0) sums.delete(key);
  else sums.set(key, sum);
}
