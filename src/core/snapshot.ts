import type { Account, Holding, Position } from './account.ts';
import type { CorporateActions } from './broker/corporate-action.ts';
import { firstOrderNumber } from './broker/order-number.ts';
import { fileRow, portfolioOf } from './broker/rows.ts';
import type { MarginParts } from './event.ts';
import { Book } from './exchange/book.ts';
import { BookStore } from './exchange/book-store.ts';
import type { Breaker } from './exchange/guards/circuit-breaker.ts';
import type { HouseBooks } from './ledger/books.ts';
import { NO_SHARE_BANDS, type PriceBand, type ShareBands } from './market.ts';
import type { Order } from './order.ts';
import type { DayEndStep } from './settlement/day-end-steps.ts';
import {
  type Counterparty,
  emptyState,
  type LimitBan,
  type PlacementReply,
  type Session,
  type State,
} from './state.ts';
import { type Switch, switchKey } from './switches/switch.ts';
import type { SquareOffSegment } from './trading-days.ts';

/** The shape of a dump, raised when it changes: a dump of another version is refused, and the state folded anew from the journal. */
const SNAPSHOT_VERSION = 3;

type OrderRow = readonly unknown[];

type AccountScalars = Omit<Account, 'positions' | 'portfolios' | 'holdings' | 'deliveries'>;

interface AccountDump extends AccountScalars {
  readonly rows: readonly Position[];
  /** The blocked margin of each portfolio, by group. */
  readonly parts: readonly (readonly [group: number, parts: MarginParts])[];
  readonly shares: readonly Holding[];
}

interface StateDump {
  readonly version: number;
  readonly seq: number;
  readonly at: number;
  readonly day: number;
  readonly dayEnd: DayEndStep | null;
  readonly riskTick: number;
  readonly riskFiles: readonly string[];
  readonly lastOrder: number;
  readonly lastExchangeOrder: number;
  readonly lastTrade: number;
  readonly house: HouseBooks;
  readonly accounts: readonly AccountDump[];
  readonly orders: readonly OrderRow[];
  readonly books: readonly (readonly [instrument: number, book: unknown])[];
  readonly sessions: readonly Session[];
  readonly replies: readonly (readonly [key: string, reply: PlacementReply])[];
  readonly counterparties: readonly (readonly [instrument: number, counterparty: Counterparty])[];
  readonly credited: readonly (readonly [isin: string, units: number])[];
  readonly banned: readonly number[];
  /** Absent while nothing is open beyond its limit. */
  readonly overLimit?: readonly (readonly [underlying: number, ban: LimitBan])[];
  readonly switches: readonly Switch[];
  readonly breaker: Breaker;
  readonly widenedBands: readonly (readonly [instrument: number, band: PriceBand])[];
  /** Absent while every share has the usual one. */
  readonly shareBands?: ShareBands;
  readonly corporateActions: CorporateActions;
  readonly squaredOff: readonly SquareOffSegment[];
  readonly closing: readonly (readonly [instrument: number, price: number])[];
}

/** The whole state as plain JSON values. Dumping what was loaded gives the same bytes. Source: reliability I32. */
export function dumpState(state: State): unknown {
  return { ...dumpHead(state), ...dumpTables(state) };
}

/** The scalars of a dump. */
export function dumpHead(state: State): object {
  const { seq, at, day, riskTick, lastOrder, lastExchangeOrder, lastTrade } = state;
  const riskFiles = [...state.riskFiles];
  const house = { ...state.house };
  const breaker = { ...state.breaker };
  return {
    version: SNAPSHOT_VERSION,
    seq,
    at,
    day,
    dayEnd: state.dayEnd ?? null,
    riskTick,
    riskFiles,
    breaker,
    lastOrder,
    lastExchangeOrder,
    lastTrade,
    house,
  };
}

/** The collections of a dump, each in the order of its entries. */
export function dumpTables(state: State): { readonly [table: string]: readonly unknown[] } {
  return {
    accounts: state.accounts.map(dumpAccount),
    orders: Array.from(state.orders.values(), dumpOrder),
    books: Array.from(state.books, ([instrument, book]) => [instrument, book.dump()]),
    sessions: Array.from(state.sessions.values(), (session) => ({ ...session })),
    replies: Array.from(state.replies, ([key, { bodyDigest, order, at }]) => [key, { bodyDigest, order, at }]),
    counterparties: Array.from(state.counterparties, ([instrument, entry]) => [instrument, { ...entry }]),
    credited: Array.from(state.credited),
    banned: Array.from(state.banned),
    ...(state.overLimit.size === 0 ? {} : { overLimit: Array.from(state.overLimit, ([id, ban]) => [id, { ...ban }]) }),
    switches: Array.from(state.switches.values(), (set) => ({ ...set, target: { ...set.target } })),
    widenedBands: Array.from(state.widenedBands, ([instrument, { lower, upper }]) => [instrument, { lower, upper }]),
    ...(state.shareBands.length === 0 ? {} : { shareBands: state.shareBands }),
    corporateActions: state.corporateActions,
    squaredOff: Array.from(state.squaredOff),
    closing: Array.from(state.closing),
  };
}

/** The state of a dump. Throws for a dump of another version; whether the bytes are whole is the reader's to check. */
export function loadState(dump: unknown): State {
  const from = dump as StateDump;
  if (from.version !== SNAPSHOT_VERSION) throw new Error(`a snapshot of version ${from.version} cannot be loaded`);
  const state = emptyState();
  const { seq, at, day, riskTick, lastOrder, lastExchangeOrder, lastTrade } = from as unknown as State;
  Object.assign(state, { seq, at, day, riskTick, lastOrder, lastExchangeOrder, lastTrade });
  if (day > 0) state.bookStore = new BookStore(firstOrderNumber(day));
  state.dayEnd = from.dayEnd ?? undefined;
  state.riskFiles = [...from.riskFiles];
  state.breaker = { ...from.breaker };
  Object.assign(state.house, from.house);
  for (const account of from.accounts) {
    const loaded = loadAccount(account);
    state.accounts.push(loaded);
    state.accountByUser.set(loaded.userId, loaded.id);
  }
  for (const row of from.orders) {
    const order = loadOrder(row);
    state.orders.set(order.number, order);
    if (order.afterMarket !== undefined) state.afterMarket.add(order.number);
  }
  fill(state.books, from.books, ([instrument, book]) => [
    instrument as Order['instrument'],
    Book.load(book as never, state.bookStore),
  ]);
  fill(state.sessions, from.sessions, (session) => [session.tokenDigest, { ...session }]);
  fill(state.replies, from.replies, ([key, reply]) => [key, { ...reply }]);
  fill(state.counterparties, from.counterparties, ([id, entry]) => [id as Order['instrument'], { ...entry }]);
  fill(state.credited, from.credited, ([isin, units]) => [isin, units as Holding['settled']]);
  for (const underlying of from.banned) state.banned.add(underlying as Order['instrument']);
  fill(state.overLimit, from.overLimit ?? [], ([id, ban]) => [id as Order['instrument'], { ...ban }]);
  fill(state.switches, from.switches, (set) => [switchKey(set.target), { ...set }]);
  fill(state.widenedBands, from.widenedBands, ([id, band]) => [id as Order['instrument'], { ...band }]);
  state.shareBands = from.shareBands ?? NO_SHARE_BANDS;
  state.corporateActions = from.corporateActions;
  for (const segment of from.squaredOff) state.squaredOff.add(segment);
  fill(state.closing, from.closing, ([id, price]) => [id as Order['instrument'], price as Position['mark']]);
  return state;
}

function fill<Row, Key, Value>(map: Map<Key, Value>, rows: readonly Row[], entryOf: (row: Row) => [Key, Value]): void {
  for (const row of rows) {
    const [key, value] = entryOf(row);
    map.set(key, value);
  }
}

function dumpAccount(account: Account): AccountDump {
  const { positions, portfolios, holdings, deliveries: _, ...scalars } = account;
  return {
    ...scalars,
    books: { ...account.books },
    orders: [...account.orders],
    sessions: [...account.sessions],
    rows: Array.from(positions.values(), (row) => ({ ...row })),
    parts: Array.from(portfolios.values(), ({ group, parts }) => [group, dumpParts(parts)] as const),
    shares: Array.from(holdings.values(), (holding) => ({ ...holding })),
  };
}

function dumpParts({ span, exposure, premium, cash }: MarginParts): MarginParts {
  return { span, exposure, premium, cash };
}

function loadAccount({ rows, parts, shares, ...scalars }: AccountDump): Account {
  const account: Account = {
    ...scalars,
    books: { ...scalars.books },
    orders: [...scalars.orders],
    sessions: [...scalars.sessions],
    positions: new Map(),
    portfolios: new Map(),
    holdings: new Map(),
    deliveries: new Map(),
  };
  for (const row of rows) fileRow(account, { ...row });
  for (const [group, blocked] of parts) portfolioOf(account, group as Position['group']).parts = dumpParts(blocked);
  for (const holding of shares) account.holdings.set(holding.isin, { ...holding });
  return account;
}

function dumpOrder(order: Order): OrderRow {
  const { priceType, retention, quantity, price, trigger } = order.terms;
  return [
    order.number,
    order.account,
    order.instrument,
    order.kind,
    order.group,
    order.isin,
    order.side,
    order.product,
    order.remarks,
    order.receivedAt,
    priceType,
    retention,
    quantity,
    price,
    trigger,
    order.status,
    order.exchangeOrder,
    order.filled,
    order.filledAmount,
    order.updatedAt,
    order.squareOff,
    order.gross,
    order.afterMarket?.day ?? 0,
    order.afterMarket?.protection ?? 0,
    ...(order.tags === undefined ? [] : [order.tags]),
  ];
}

function loadOrder(row: OrderRow): Order {
  const [number, account, instrument, kind, group, isin, side, product, remarks, receivedAt, ...rest] = row;
  const [
    priceType,
    retention,
    quantity,
    price,
    trigger,
    status,
    exchangeOrder,
    filled,
    filledAmount,
    updatedAt,
    squareOff,
    gross,
    waitsFor,
    protection,
    tags,
  ] = rest;
  const order = {
    number,
    account,
    instrument,
    kind,
    group,
    isin,
    side,
    product,
    remarks,
    receivedAt,
    ...(tags === undefined ? {} : { tags }),
    terms: { priceType, retention, quantity, price, trigger },
    status,
    exchangeOrder,
    filled,
    filledAmount,
    updatedAt,
    squareOff,
    gross,
    afterMarket: waitsFor === 0 ? undefined : protection === 0 ? { day: waitsFor } : { day: waitsFor, protection },
  };
  return order as unknown as Order;
}
