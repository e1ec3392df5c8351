/** The corporate actions that are announced now, by listing, and the listings whose actions have changed. */

import type { InstrumentId } from '../../base/ids.ts';
import type { CorporateAction, CorporateActions } from '../../core/broker/corporate-actions/corporate-action.ts';

/** Gives the actions that are announced now: the same list while nothing changes. */
export type ActionSource = () => CorporateActions;

const NONE: CorporateActions = Object.freeze([]);
export const NO_ACTIONS: ActionSource = () => NONE;

/** The actions of one list by listing, in the order of their ex-dates. */
export class ActionIndex {
  private readonly byListing = new Map<InstrumentId, CorporateAction[]>();

  constructor(actions: CorporateActions) {
    for (const action of [...actions].sort((a, b) => a.exDay - b.exDay)) {
      for (const listing of action.listings) {
        const known = this.byListing.get(listing);
        if (known === undefined) this.byListing.set(listing, [action]);
        else known.push(action);
      }
    }
  }

  /** All actions of a share, by any of its listings. */
  of(listing: InstrumentId): CorporateActions {
    return this.byListing.get(listing) ?? NONE;
  }

  /** Those that change its contracts. */
  adjusting(listing: InstrumentId): CorporateActions {
    return this.of(listing).filter((action) => action.adjustsContracts);
  }

  /** The listings that have other actions than in another index. */
  changedFrom(other: ActionIndex): ReadonlySet<InstrumentId> {
    const listings = new Set([...this.byListing.keys(), ...other.byListing.keys()]);
    for (const listing of listings) if (isSame(this.of(listing), other.of(listing))) listings.delete(listing);
    return listings;
  }
}

function isSame(some: CorporateActions, others: CorporateActions): boolean {
  return some.length === others.length && some.every((action, place) => action === others[place]);
}

/**
 * The index of the newest list: a different object whenever the list is different, so that a cache can notice the
 * change.
 */
export class AnnouncedActions {
  private readonly source: ActionSource;
  private list: CorporateActions = NONE;
  private indexed = new ActionIndex(NONE);

  constructor(source: ActionSource) {
    this.source = source;
  }

  index(): ActionIndex {
    const list = this.source();
    if (list !== this.list) {
      this.list = list;
      this.indexed = new ActionIndex(list);
    }
    return this.indexed;
  }
}
