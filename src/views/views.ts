import { assert } from '../base/assert.ts';
import type { EpochMs } from '../base/time.ts';
import type { Event } from '../core/event.ts';
import type { State } from '../core/state.ts';
import { Conversions, type ConversionsDump } from './conversions.ts';
import { Ledger, type LedgerDump } from './ledger.ts';
import { OpenLots, type OpenLotsDump } from './open-lots.ts';
import { OrderHistory, type OrderHistoryDump } from './order-history.ts';
import { OwnTrades, type OwnTradesDump } from './own-trades.ts';
import { TradeBook, type TradeBookDump } from './trade-book.ts';

/** What clients ask for that the core need not know: folds over the events, at the same record as the state. */
export interface Views {
  readonly history: OrderHistory;
  readonly trades: TradeBook;
  readonly ownTrades: OwnTrades;
  readonly ledger: Ledger;
  readonly conversions: Conversions;
  readonly lots: OpenLots;
}

export interface ViewsDump {
  readonly version: number;
  readonly history: OrderHistoryDump;
  readonly trades: TradeBookDump;
  readonly ownTrades: OwnTradesDump;
  readonly ledger: LedgerDump;
  /** Absent when nothing was converted. */
  readonly conversions?: ConversionsDump;
  /** Absent when the aggregate model tells all of them. */
  readonly lots?: OpenLotsDump;
}

/** Raised when a stored form or its meaning changes: views of another version are folded anew from the journal. */
const VERSION = 4;

export function emptyViews(): Views {
  return {
    history: new OrderHistory(),
    trades: new TradeBook(),
    ownTrades: new OwnTrades(),
    ledger: new Ledger(),
    conversions: new Conversions(),
    lots: new OpenLots(),
  };
}

/** Folds one record that the state has just taken: its events, which say all that a view needs, and what they posted. */
export function applyToViews(views: Views, state: State, at: EpochMs, events: readonly Event[]): void {
  for (const event of events) {
    views.history.apply(at, event);
    views.trades.apply(at, event, views.history);
    views.ownTrades.apply(event);
    views.conversions.apply(event);
    views.lots.apply(event, state);
  }
  views.ledger.fold(at, state.posted);
}

/** The views as plain JSON values: loading and dumping again gives the same bytes. */
export function dumpViews({ history, trades, ownTrades, ledger, conversions, lots }: Views): ViewsDump {
  const converted = conversions.dump();
  const parted = lots.dump();
  return {
    version: VERSION,
    history: history.dump(),
    trades: trades.dump(),
    ownTrades: ownTrades.dump(),
    ledger: ledger.dump(),
    ...(converted.length === 0 ? {} : { conversions: converted }),
    ...(parted.length === 0 ? {} : { lots: parted }),
  };
}

/** `state` is the state that was dumped beside them. */
export function loadViews(dump: ViewsDump, state: State): Views {
  assert(dump.version === VERSION, `views of version ${dump.version} cannot be read`);
  return {
    history: OrderHistory.load(dump.history),
    trades: TradeBook.load(dump.trades),
    ownTrades: OwnTrades.load(dump.ownTrades),
    ledger: Ledger.load(dump.ledger),
    conversions: Conversions.load(dump.conversions ?? []),
    lots: OpenLots.load(dump.lots ?? [], state),
  };
}
