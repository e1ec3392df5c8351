/**
 * The state as plain JSON values, and back. `STATE` names the stored form of every member of `State`, so a forgotten
 * member does not compile. `stateTables` gives the rows of a file, and `stateReaders` reads them. The file itself
 * is not written here.
 */

import {
  type Decoder,
  flag,
  type Json,
  list,
  nullable,
  objectOf,
  oneOf,
  optional,
  pair,
  places,
  real,
  record,
  text,
  Undecodable,
  whole,
} from '../../base/codec.ts';
import { type AccountId, EXCHANGES, type InstrumentId } from '../../base/ids.ts';
import type { Price, Quantity } from '../../base/money.ts';
import type { StoredRow, StoredTable, TableReader } from '../../base/stored-tables.ts';
import { CORPORATE_ACTION_KINDS, type CorporateAction } from '../broker/corporate-actions/corporate-action.ts';
import { firstOrderNumber } from '../broker/orders/order-number.ts';
import { DAY_END_STEPS } from '../broker/settlement/day-end-steps.ts';
import { Book } from '../exchange/book/book.ts';
import { decodeBook, decodeBookRow } from '../exchange/book/book-dump.ts';
import { BookStore } from '../exchange/book/book-store.ts';
import { BREAKER_STAGES, type Breaker } from '../exchange/guards/circuit-breaker.ts';
import { SHARE_BAND_PERCENTS, type ShareBand } from '../exchange/guards/share-band.ts';
import type { HouseBooks } from '../ledger/books.ts';
import { ALERT_ENDS, type Alert, type AlertEnd } from '../lists/alert.ts';
import { fileAlert } from '../lists/alerts.ts';
import type { Watchlist } from '../lists/watchlist.ts';
import { fileWatchlist } from '../lists/watchlists.ts';
import type { PriceBand } from '../market.ts';
import { isIdle, isWatched } from '../portions/portion.ts';
import { AWAITED_OUTCOMES, type OutcomeDue } from '../scenarios/outcome-events.ts';
import { TRIGGER_WAYS } from '../standing/standing-trigger.ts';
import type { Counterparty, LimitBan, PlacementReply, Session, State } from '../state.ts';
import { type Switch, type SwitchTarget, switchKey } from '../switches/switch.ts';
import { SQUARE_OFF_SEGMENTS } from '../trading-days.ts';
import { decodeAccount, encodeAccount } from './account-codec.ts';
import { gttEntries, loadGttEntry } from './gtt-codec.ts';
import { branchOf, clockOf, portionOf } from './head-codec.ts';
import { decodeOrder, encodeOrder } from './order-codec.ts';
import { loadScenarioEntry, scenarioEntries } from './scenario-codec.ts';

/**
 * The version of a dump, raised when its shape changes: a dump of another version is refused, and the state is folded
 * again from the journal.
 */
const SNAPSHOT_VERSION = 3;

/** A member that stands in the head of a dump. */
interface HeadPart {
  readonly in: 'head';
  /** `undefined` for a member that a dump leaves out. */
  encode(state: State): StoredRow | null | undefined;
  /** Throws `Undecodable`. */
  load(state: State, stored: Json | undefined): void;
}

/** A member that is a table of its own in a dump. */
interface TablePart {
  readonly in: 'table';
  /** The entries in their order: each is one text of the fingerprint. */
  entries(state: State): Iterable<StoredRow>;
  /** True when a dump leaves the table out where it has no entry. */
  readonly leftOutEmpty?: true;
  /** The same in smaller rows, where an entry may be large; the entries when absent. */
  rows?(state: State): Iterable<StoredRow>;
  /** Takes an entry or a row. Throws `Undecodable`. */
  load(state: State, row: Json): void;
}

/** A member that is in no dump: it follows from the others, or only serves the record that was applied last. */
interface DerivedPart {
  readonly in: 'nothing';
}

type Part = HeadPart | TablePart | DerivedPart;

const DERIVED: DerivedPart = { in: 'nothing' };

const asIs = <T extends StoredRow>(value: T): T => value;
const copied = <T extends object>(value: T): T => ({ ...value });

function head<Key extends keyof State>(
  key: Key,
  decode: Decoder<State[Key]>,
  encode: (value: State[Key]) => StoredRow | null,
): HeadPart {
  return {
    in: 'head',
    encode: (state) => encode(state[key]),
    load: (state, stored) => {
      state[key] = decode(stored, key);
    },
  };
}

/** A table of a map whose entries are pairs of key and value. */
function mapOf<Key, Value>(
  of: (state: State) => Map<Key, Value>,
  keyOf: Decoder<Key>,
  itemOf: Decoder<Value>,
  encode: (value: Value) => StoredRow,
): TablePart {
  const entryOf = pair(keyOf, itemOf);
  return {
    in: 'table',
    *entries(state) {
      for (const [key, value] of of(state)) yield [key, encode(value)];
    },
    load: (state, row) => {
      of(state).set(...entryOf(row, 'an entry'));
    },
  };
}

/** A table of a map whose values say their keys. */
function valuesOf<Value>(
  of: (state: State) => Map<string, Value>,
  keyOf: (value: Value) => string,
  itemOf: Decoder<Value>,
  encode: (value: Value) => StoredRow,
): TablePart {
  return {
    in: 'table',
    *entries(state) {
      for (const value of of(state).values()) yield encode(value);
    },
    load: (state, row) => {
      const value = itemOf(row, 'an entry');
      of(state).set(keyOf(value), value);
    },
  };
}

function setOf<Value extends StoredRow>(of: (state: State) => Set<Value>, itemOf: Decoder<Value>): TablePart {
  return {
    in: 'table',
    entries: of,
    load: (state, row) => {
      of(state).add(itemOf(row, 'an entry'));
    },
  };
}

/** A table of a list that never changes; a new list replaces it. */
function listOf<Key extends 'shareBands' | 'corporateActions'>(
  key: Key,
  load: (state: State, row: Json) => void,
): TablePart {
  return { in: 'table', entries: (state) => state[key], load };
}

const exchangeOf = oneOf(...EXCHANGES);

/** The decoder of each kind of target. */
const TARGETS: { readonly [Kind in SwitchTarget['kind']]: Decoder<Extract<SwitchTarget, { kind: Kind }>> } = {
  Suspension: record({ kind: oneOf('Suspension'), instrument: whole<InstrumentId> }),
  Halt: record({ kind: oneOf('Halt'), exchange: exchangeOf }),
  RiskReduction: record({ kind: oneOf('RiskReduction'), exchange: exchangeOf }),
  AccountKill: record({ kind: oneOf('AccountKill'), account: whole<AccountId> }),
  InstrumentKill: record({ kind: oneOf('InstrumentKill'), instrument: whole<InstrumentId> }),
  FullKill: record({ kind: oneOf('FullKill') }),
};
const targetKindOf = oneOf('Suspension', 'Halt', 'RiskReduction', 'AccountKill', 'InstrumentKill', 'FullKill');

function targetOf(stored: Json | undefined, field: string): SwitchTarget {
  return TARGETS[targetKindOf(objectOf(stored, field).kind, 'kind')](stored, field);
}

const shareBandOf = record<ShareBand>({ instrument: whole, percent: oneOf(...SHARE_BAND_PERCENTS), from: whole });
const corporateActionOf = record<CorporateAction>({
  kind: oneOf(...CORPORATE_ACTION_KINDS),
  isin: text,
  listings: list(whole<InstrumentId>),
  exDay: whole,
  before: whole,
  after: whole,
  dividend: whole,
  adjustsContracts: flag,
});

const watchlistOf = record<Watchlist>({ account: whole, name: text, instruments: list(whole<InstrumentId>) });

const alertOf = record<Alert>({
  number: whole,
  account: whole,
  instrument: whole,
  way: oneOf(...TRIGGER_WAYS),
  price: whole,
  remarks: text,
  placedAt: whole,
  end: optional(record<AlertEnd>({ how: oneOf(...ALERT_ENDS), at: whole, price: optional(whole<Price>) })),
});

const outcomeOf = record<OutcomeDue>({ order: whole, outcome: oneOf(...AWAITED_OUTCOMES), due: whole });

/** How each member of the state is stored. Heads and tables stand in a dump in this order. */
const STATE: { readonly [Key in keyof State]: Part } = {
  seq: head('seq', whole, asIs),
  at: head('at', whole, asIs),
  clock: {
    in: 'head',
    encode: ({ clock }) => clock && { ...clock },
    load: (state, stored) => {
      state.clock = stored === undefined ? undefined : clockOf(stored, 'clock');
    },
  },
  branches: {
    in: 'head',
    encode: ({ branches }) => (branches.length === 0 ? undefined : branches.map((point) => ({ ...point }))),
    load: (state, stored) => {
      state.branches = stored === undefined ? [] : list(branchOf)(stored, 'branches');
    },
  },
  day: head('day', whole, asIs),
  dayEnd: {
    in: 'head',
    encode: ({ dayEnd }) => dayEnd ?? null,
    load: (state, stored) => {
      state.dayEnd = nullable(oneOf(...DAY_END_STEPS))(stored, 'dayEnd') ?? undefined;
    },
  },
  portion: {
    in: 'head',
    encode: ({ portion }) => portion && { ...portion },
    load: (state, stored) => {
      state.portion = stored === undefined ? undefined : portionOf(stored, 'portion');
    },
  },
  /** Filled with the accounts and the orders. */
  active: DERIVED,
  watched: DERIVED,
  demoAccounts: DERIVED,
  heldShares: DERIVED,
  riskTick: head('riskTick', whole, asIs),
  riskFiles: head('riskFiles', list(text), (files) => [...files]),
  breaker: head('breaker', record<Breaker>({ stage: oneOf(0, ...BREAKER_STAGES), until: whole }), copied),
  lastOrder: head('lastOrder', whole, asIs),
  lastExchangeOrder: head('lastExchangeOrder', whole, asIs),
  lastTrade: head('lastTrade', whole, asIs),
  house: {
    in: 'head',
    encode: ({ house }) => ({ ...house }),
    load: (state, stored) => {
      Object.assign(state.house, houseOf(stored, 'house'));
    },
  },
  accounts: {
    in: 'table',
    *entries({ accounts, cards }) {
      for (const account of accounts) yield encodeAccount(account, cards);
    },
    load: (state, row) => {
      const account = decodeAccount(row, state.cards);
      if (account.id !== state.accounts.length) throw new Undecodable(`account ${account.id} stands in another place`);
      state.accounts.push(account);
      if (!isIdle(account)) state.active.add(account.id);
      if (isWatched(account)) state.watched.add(account.id);
      if (account.demo) state.demoAccounts.add(account.id);
      for (const holding of account.holdings.values()) state.heldShares.count(holding, 1);
      state.accountByUser.add(account.id);
    },
  },
  /** Filled with the accounts. */
  accountByUser: DERIVED,
  /** Filled with the accounts. */
  cards: DERIVED,
  orders: {
    in: 'table',
    *entries({ orders }) {
      for (const order of orders.values()) yield encodeOrder(order);
    },
    load: (state, row) => {
      const order = decodeOrder(row);
      state.orders.add(order);
      if (order.afterMarket !== undefined) state.afterMarket.add(order);
    },
  },
  /** Filled with the orders. */
  afterMarket: DERIVED,
  outcomes: {
    in: 'table',
    leftOutEmpty: true,
    *entries({ outcomes }) {
      for (const awaited of outcomes) yield { ...awaited };
    },
    load: (state, row) => state.outcomes.add(outcomeOf(row, 'an awaited outcome')),
  },
  gtts: { in: 'table', leftOutEmpty: true, entries: gttEntries, load: loadGttEntry },
  /** Filled with the GTTs. */
  standing: DERIVED,
  books: {
    in: 'table',
    *entries({ books }) {
      for (const [instrument, book] of books) yield [instrument, book.dump()];
    },
    *rows({ books }) {
      for (const [instrument, book] of books) {
        yield [instrument, book.dumpWithoutOrders()];
        for (const row of book.rows()) yield [instrument, row];
      }
    },
    load: (state, row) => {
      const [id, stored] = places(row, 'a book', 2);
      const instrument: InstrumentId = whole(id, 'instrument');
      if (!Array.isArray(stored)) {
        state.books.set(instrument, Book.load(decodeBook(stored, 'a book'), state.bookStore));
        return;
      }
      const book = state.books.get(instrument);
      if (book === undefined) throw new Undecodable(`an order of ${instrument} stands before its book`);
      book.addRow(decodeBookRow(stored, 'an order of a book'));
    },
  },
  /** Made when the day is known, and filled with the books. */
  bookStore: DERIVED,
  sessions: valuesOf(
    (state) => state.sessions,
    ({ tokenDigest }) => tokenDigest,
    record<Session>({ tokenDigest: text, account: whole, openedAt: whole, lastUsedAt: whole }),
    copied,
  ),
  replies: mapOf(
    (state) => state.replies,
    text,
    record<PlacementReply>({ bodyDigest: text, order: whole, at: whole }),
    ({ bodyDigest, order, at }) => ({ bodyDigest, order, at }),
  ),
  counterparties: mapOf(
    (state) => state.counterparties,
    whole<InstrumentId>,
    record<Counterparty>({ isin: text, sold: whole, received: whole }),
    copied,
  ),
  credited: mapOf((state) => state.credited, text, whole<Quantity>, asIs),
  banned: setOf((state) => state.banned, whole<InstrumentId>),
  overLimit: {
    ...mapOf(
      (state) => state.overLimit,
      whole<InstrumentId>,
      record<LimitBan>({ openInterest: real, limit: real, since: whole }),
      copied,
    ),
    leftOutEmpty: true,
  },
  switches: valuesOf(
    (state) => state.switches,
    ({ target }) => switchKey(target),
    record<Switch>({ target: targetOf, since: whole, by: text, why: text }),
    (set) => ({ ...set, target: { ...set.target } }),
  ),
  scenarioRules: { in: 'table', leftOutEmpty: true, entries: scenarioEntries, load: loadScenarioEntry },
  widenedBands: mapOf(
    (state) => state.widenedBands,
    whole<InstrumentId>,
    record<PriceBand>({ lower: whole, upper: whole }),
    ({ lower, upper }) => ({ lower, upper }),
  ),
  shareBands: {
    ...listOf('shareBands', (state, row) => {
      state.shareBands = [...state.shareBands, shareBandOf(row, 'a share band')];
    }),
    leftOutEmpty: true,
  },
  corporateActions: listOf('corporateActions', (state, row) => {
    state.corporateActions = [...state.corporateActions, corporateActionOf(row, 'a corporate action')];
  }),
  squaredOff: setOf((state) => state.squaredOff, oneOf(...SQUARE_OFF_SEGMENTS)),
  closing: mapOf((state) => state.closing, whole<InstrumentId>, whole<Price>, asIs),
  watchlists: {
    in: 'table',
    leftOutEmpty: true,
    *entries({ watchlists }) {
      for (const lists of watchlists.values()) for (const list of lists.values()) yield { ...list };
    },
    load: (state, row) => fileWatchlist(state, watchlistOf(row, 'a watchlist')),
  },
  alerts: {
    in: 'table',
    leftOutEmpty: true,
    *entries({ alerts }) {
      for (const alert of alerts.values()) yield { ...alert };
    },
    load: (state, row) => fileAlert(state, alertOf(row, 'an alert')),
  },
  /** Of the record that was applied last, for the views of that moment. */
  posted: DERIVED,
};

const houseOf = record<HouseBooks>({
  bank: whole,
  clearing: whole,
  brokerage: whole,
  levies: whole,
  depository: whole,
  margin: whole,
});

const PARTS: readonly (readonly [name: string, part: Part])[] = Object.entries(STATE);

/** The scalars of a dump. A dump of what was loaded gives the same bytes. Source: reliability I32. */
export function dumpHead(state: State): object {
  const parts = PARTS.flatMap(([name, part]) => (part.in === 'head' ? [[name, part.encode(state)] as const] : []));
  const kept = parts.filter(([, stored]) => stored !== undefined);
  return { version: SNAPSHOT_VERSION, ...Object.fromEntries(kept) };
}

/** The collections of a dump, each in the order of its entries. */
export function* dumpTables(state: State): Generator<StoredTable> {
  for (const [name, part] of PARTS) {
    if (part.in !== 'table' || (part.leftOutEmpty && isEmpty(part.entries(state)))) continue;
    yield { name, rows: part.entries(state) };
  }
}

function isEmpty(entries: Iterable<StoredRow>): boolean {
  for (const _ of entries) return false;
  return true;
}

function loadHead(state: State, stored: Json): void {
  const values = objectOf(stored, 'the head');
  const { version } = values;
  if (version !== SNAPSHOT_VERSION) throw new Undecodable(`a snapshot of version ${version} cannot be loaded`);
  for (const [name, part] of PARTS) if (part.in === 'head') part.load(state, values[name]);
  if (state.day > 0) state.bookStore = new BookStore(firstOrderNumber(state.day));
}

const HEAD = 'state';

/** The whole state as tables of small rows. */
export function* stateTables(state: State): Generator<StoredTable> {
  yield { name: HEAD, rows: [dumpHead(state)] };
  for (const [name, part] of PARTS) {
    if (part.in === 'table') yield { name, rows: part.rows?.(state) ?? part.entries(state) };
  }
}

/**
 * The readers that fill an empty state from the rows of `stateTables`. They throw `Undecodable` for a snapshot of
 * another version and for a row that is not of one. The caller checks whether the state is whole.
 */
export function stateReaders(state: State): TableReader[] {
  const readers: TableReader[] = [{ name: HEAD, take: (row) => loadHead(state, row) }];
  for (const [name, part] of PARTS) {
    if (part.in === 'table') readers.push({ name, take: (row) => part.load(state, row) });
  }
  return readers;
}
