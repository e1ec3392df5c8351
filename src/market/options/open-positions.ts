/**
 * The open interest of all contracts on a share over both exchanges, and the limit on it. It counts the market's
 * positions, not those of our accounts.
 */

import type { InstrumentId } from '../../base/ids.ts';
import { firstTickOf, instantOf } from '../../base/tick.ts';
import { type EpochMs, type IstDay, istInstant } from '../../base/time.ts';
import type { Derivative } from '../../core/instrument.ts';
import type { MarketWidePositions } from '../../core/market.ts';
import type { MarketFacts } from '../../reference/instruments/facts.ts';
import { CLOSE_MINUTE } from '../day-tape.ts';
import type { Listing, Listings } from '../listing.ts';
import { modelAt } from './risk-figures.ts';

/** Source: SEBI circular of 29-May-2025, in force since 1-Oct-2025. */
const DELIVERED_DAYS = 65;

/** The contracts on an index or a share that are listed at an instant. */
export type ContractsOn = (underlying: InstrumentId, at: EpochMs) => Iterable<Derivative>;

/** The inputs for counting the positions of the whole market. */
export interface OpenMarket {
  readonly listings: Listings;
  readonly facts: MarketFacts;
  readonly contractsOn: ContractsOn;
}

/**
 * Open interest of a share and its listing on the other exchange together as a day begins, and its limit. No data here
 * has the free float, so the limit is the part of the rule that follows from delivery. `undefined` where delivery is
 * not known. Source: market-rules R4.36.
 */
export function marketWidePositions(
  market: OpenMarket,
  share: InstrumentId,
  day: IstDay,
): MarketWidePositions | undefined {
  const { listings: known, facts } = market;
  const contracts = facts.factsOf(share)?.contracts;
  if (contracts === undefined) return undefined;
  const twin = facts.twinOf(share);
  const listings = (twin === undefined ? [share] : [share, twin]).map((id) => known.get(id));
  const openInterest = listings.reduce((sum, listed) => sum + futuresEquivalent(market, listed, day), 0);
  const volume = listings.reduce((sum, listed) => sum + listed.typicalVolume(day), 0);
  return { openInterest: Math.round(openInterest), limit: Math.round(DELIVERED_DAYS * contracts.delivered * volume) };
}

/** Open units of all contracts on one listing as a day begins: futures count in full, options by their delta. */
function futuresEquivalent({ listings, contractsOn }: OpenMarket, underlying: Listing, day: IstDay): number {
  const at = instantOf(firstTickOf(day));
  const spot = underlying.closeBefore(day).price;
  const atm = underlying.atm(underlying.dayBefore(day) ?? day, CLOSE_MINUTE);
  let sum = 0;
  for (const contract of contractsOn(underlying.instrument.id, at)) {
    const listed = listings.passing(contract);
    const units = listed.openInterestBefore(day);
    if (units > 0) sum += units * Math.abs(deltaOf(listed, day, spot, atm));
  }
  return sum;
}

function deltaOf(listed: Listing, day: IstDay, spot: number, atm: number): number {
  if (listed.instrument.kind !== 'option') return 1;
  return modelAt(listed, { day, minutes: 0, at: istInstant(day), spot, atm }).delta(spot);
}
