/**
 * The views together: folds over the events that clients ask for and the core need not know, at the same record as the
 * state. They start empty, take each record once, and are stored beside the state in a snapshot. Each view has a file
 * of its own.
 */

import { type Json, objectOf, Undecodable } from '../base/codec.ts';
import { inMemory, type MakeStore } from '../base/logs/byte-log.ts';
import type { StoredTable, TableReader } from '../base/stored-tables.ts';
import type { EpochMs } from '../base/time.ts';
import type { Event } from '../core/event.ts';
import type { State } from '../core/state.ts';
import { Conversions } from './conversions.ts';
import { Ledger } from './ledger.ts';
import { OpenLots } from './open-lots.ts';
import { OrderHistory } from './order-history.ts';
import { OwnTrades } from './own/own-trades.ts';
import { TradeBook } from './trade-book.ts';

export interface Views {
  readonly history: OrderHistory;
  readonly trades: TradeBook;
  readonly ownTrades: OwnTrades;
  readonly ledger: Ledger;
  readonly conversions: Conversions;
  readonly lots: OpenLots;
}

/** Raised when a stored form or its meaning changes: views of another version are folded again from the journal. */
const VERSION = 7;

/** The versions that are read. Version 6 has the whole event in each entry of a trade. */
const READABLE: readonly (Json | undefined)[] = [6, VERSION];

/** `makeStore` keeps the rows that no decision needs. */
export function emptyViews(makeStore: MakeStore = inMemory): Views {
  return {
    history: new OrderHistory(makeStore),
    trades: new TradeBook(makeStore),
    ownTrades: new OwnTrades(makeStore),
    ledger: new Ledger(makeStore),
    conversions: new Conversions(),
    lots: new OpenLots(),
  };
}

/**
 * Folds one record that the state has just taken: its events, which say all that a view needs, and what they posted.
 */
export function applyToViews(views: Views, state: State, at: EpochMs, events: readonly Event[]): void {
  for (const event of events) {
    views.history.apply(at, event);
    views.trades.apply(at, event, views.history);
    views.ownTrades.apply(event);
    views.conversions.apply(at, event);
    views.lots.apply(event, state);
  }
  views.ledger.fold(at, state.posted);
}

/** The views in the order in which they are stored. The compiler refuses this when one is missing. */
const STORED = Object.keys({
  history: 0,
  trades: 0,
  ownTrades: 0,
  ledger: 0,
  conversions: 0,
  lots: 0,
} satisfies Record<keyof Views, 0>) as (keyof Views)[];

const HEAD = 'views';

/** The views as tables of rows: loading and storing them again gives the same bytes. */
export function* viewsTables(views: Views): Generator<StoredTable> {
  yield { name: HEAD, rows: [{ version: VERSION }] };
  for (const name of STORED) yield { name, rows: views[name].rows() };
}

/**
 * The readers that fill empty views from the rows of `viewsTables`. `state` is the whole state that was stored beside
 * them: it gives most of the lots, and the prices of auctions.
 */
export function viewsReaders(views: Views, state: State): TableReader[] {
  views.lots.begin(state);
  views.ownTrades.begin(state);
  const readers: TableReader[] = [{ name: HEAD, take: refuseOther }];
  for (const name of STORED) readers.push({ name, take: (row) => views[name].take(row, views.history) });
  return readers;
}

function refuseOther(row: Json): void {
  const { version } = objectOf(row, 'the head');
  if (!READABLE.includes(version)) throw new Undecodable(`views of version ${version} cannot be read`);
}
