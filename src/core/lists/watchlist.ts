import type { AccountId, InstrumentId } from '../../base/ids.ts';

/** The largest number of lists of an account. */
export const MOST_WATCHLISTS = 50;
/** The largest number of instruments in a list. */
export const MOST_WATCHED = 500;

/** Instruments under a name, as their user wants to see them. */
export interface Watchlist {
  readonly account: AccountId;
  readonly name: string;
  /** In the user's order, each once. Some may have ended since. */
  readonly instruments: readonly InstrumentId[];
}

/** The lists of an account by name, in the order in which the names came. */
export type Watchlists = Map<string, Watchlist>;
