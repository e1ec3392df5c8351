import type { AccountId, InstrumentId } from '../../base/ids.ts';

/** Keeps a watchlist under its name, in the place of one that the account has under that name. Idempotent. */
export interface SaveWatchlist {
  readonly type: 'SaveWatchlist';
  readonly account: AccountId;
  readonly name: string;
  /** In the order wished for, each once. */
  readonly instruments: readonly InstrumentId[];
}

export interface DeleteWatchlist {
  readonly type: 'DeleteWatchlist';
  readonly account: AccountId;
  readonly name: string;
}
