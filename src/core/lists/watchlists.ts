/**
 * The watchlists that the service keeps for its users: how they are saved and deleted, and which instruments of a list
 * are shown. Trading does not know them.
 */

import { assert, must } from '../../base/assert.ts';
import type { AccountId, InstrumentId } from '../../base/ids.ts';
import type { EpochMs, IstDay } from '../../base/time.ts';
import { type Instrument, type InstrumentDirectory, type Instruments, isDerivative } from '../instrument.ts';
import type { Refusal } from '../refusals/refusal.ts';
import type { State } from '../state.ts';
import type { DeleteWatchlist, SaveWatchlist } from './list-commands.ts';
import type { WatchlistDeleted, WatchlistSaved } from './list-events.ts';
import { MOST_WATCHED, MOST_WATCHLISTS, type Watchlist } from './watchlist.ts';

/** The watchlists of an account, oldest name first. */
export function watchlistsOf({ watchlists }: State, account: AccountId): readonly Watchlist[] {
  return [...(watchlists.get(account)?.values() ?? [])];
}

/**
 * The instruments of a list that are listed at `at`, on trading day `day`, in the list's order. A contract that a
 * corporate action has replaced is shown as the one in its place; one that expired, or that an import has delisted, is
 * left out.
 */
export function listedOf(
  directory: InstrumentDirectory,
  { instruments }: Watchlist,
  day: IstDay,
  at: EpochMs,
): Instrument[] {
  const listed = new Map<InstrumentId, Instrument>();
  for (const id of instruments) {
    const instrument = presentOf(directory, id, day);
    if (instrument === undefined) continue;
    const { exchange, tradingSymbol } = instrument;
    if (directory.find(exchange, tradingSymbol, at)?.id === instrument.id) listed.set(instrument.id, instrument);
  }
  return [...listed.values()];
}

/** The instrument that stands for another one on a trading day; most often that one itself. */
function presentOf(instruments: Instruments, id: InstrumentId, day: IstDay): Instrument | undefined {
  const instrument = instruments.get(id);
  const replacedBy = instrument !== undefined && isDerivative(instrument) ? instrument.replacedBy : undefined;
  if (replacedBy === undefined || replacedBy.from > day) return instrument;
  return presentOf(instruments, replacedBy.id, day);
}

/** Nothing when the account has this very list already. */
export function decideSaveWatchlist(state: State, command: SaveWatchlist): WatchlistSaved[] | Refusal {
  const { account, name, instruments } = command;
  assert(instruments.length <= MOST_WATCHED, 'a watchlist is no longer than it may be');
  assert(new Set(instruments).size === instruments.length, 'an instrument stands once in a watchlist');
  const lists = state.watchlists.get(account);
  const known = lists?.get(name);
  if (known === undefined && lists !== undefined && lists.size >= MOST_WATCHLISTS) {
    return { rule: 'TooManyWatchlists', most: MOST_WATCHLISTS };
  }
  const same = known?.instruments.join() === instruments.join();
  return known !== undefined && same ? [] : [{ type: 'WatchlistSaved', account, name, instruments }];
}

/** Refuses a name that the account has no list of. */
export function decideDeleteWatchlist(state: State, command: DeleteWatchlist): WatchlistDeleted[] | Refusal {
  const { account, name } = command;
  if (state.watchlists.get(account)?.has(name) !== true) return { rule: 'WatchlistNotFound' };
  return [{ type: 'WatchlistDeleted', account, name }];
}

/** A list that replaces another one keeps its place. */
export function applyWatchlistSaved(state: State, { account, name, instruments }: WatchlistSaved): void {
  fileWatchlist(state, { account, name, instruments });
}

/** Files a list with those of its account. */
export function fileWatchlist({ watchlists }: State, list: Watchlist): void {
  const lists = watchlists.get(list.account) ?? new Map<string, Watchlist>();
  watchlists.set(list.account, lists.set(list.name, list));
}

/** Forgets a watchlist. Throws when there is none of that name. */
export function applyWatchlistDeleted({ watchlists }: State, { account, name }: WatchlistDeleted): void {
  const lists = must(watchlists.get(account), 'a deleted watchlist was there');
  assert(lists.delete(name), 'a deleted watchlist was there');
  if (lists.size === 0) watchlists.delete(account);
}

/** Checks the bounds of all watchlists, and that each is filed under its own name. */
export function checkWatchlists({ watchlists, accounts }: State): void {
  for (const [account, lists] of watchlists) {
    assert(accounts.at(account) !== undefined, `the watchlists of ${account} belong to an account`);
    assert(lists.size > 0 && lists.size <= MOST_WATCHLISTS, `account ${account} has no more watchlists than it may`);
    for (const [name, list] of lists) {
      assert(list.account === account && list.name === name, `watchlist ${name} is filed under its name`);
      const { instruments } = list;
      assert(instruments.length <= MOST_WATCHED, `watchlist ${name} is no longer than it may be`);
      assert(new Set(instruments).size === instruments.length, `each instrument stands once in watchlist ${name}`);
    }
  }
}
