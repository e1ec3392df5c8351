import type { AccountId, InstrumentId } from '../../base/ids.ts';

/** The account has this watchlist, in the place of the one that it had under the name. */
export interface WatchlistSaved {
  readonly type: 'WatchlistSaved';
  readonly account: AccountId;
  readonly name: string;
  readonly instruments: readonly InstrumentId[];
}

export interface WatchlistDeleted {
  readonly type: 'WatchlistDeleted';
  readonly account: AccountId;
  readonly name: string;
}
