/**
 * The state: all accounts, orders, books and settings, as the fold of all events. Only `apply.ts` and the loading of a
 * snapshot write it. The file holds shapes and lookups, not rules.
 */

import { InvariantError } from '../base/assert.ts';
import type { AccountId, ExchangeOrderNumber, InstrumentId, OrderNumber, Tick, TradeId } from '../base/ids.ts';
import type { Paise, Price, Quantity } from '../base/money.ts';
import { PagedList } from '../base/tables/paged-list.ts';
import type { EpochMs, IstDay, WallMs } from '../base/time.ts';
import { CardFile } from './access/card-file.ts';
import { UserIndex } from './access/user-index.ts';
import type { Account } from './account.ts';
import type { BranchPoint } from './branch/branch-point.ts';
import { type CorporateActions, NO_CORPORATE_ACTIONS } from './broker/corporate-actions/corporate-action.ts';
import { GttBook } from './broker/gtt/gtt-book.ts';
import { WaitingOrders } from './broker/orders/waiting-orders.ts';
import type { DayEndStep } from './broker/settlement/day-end-steps.ts';
import type { ClockLine } from './clock/clock-line.ts';
import type { Event } from './event.ts';
import type { Book } from './exchange/book/book.ts';
import { BookStore } from './exchange/book/book-store.ts';
import { type Breaker, NO_BREAKER } from './exchange/guards/circuit-breaker.ts';
import { NO_SHARE_BANDS, type ShareBands } from './exchange/guards/share-band.ts';
import { emptyHouseBooks, type HouseBooks, type Line } from './ledger/books.ts';
import { AlertTable } from './lists/alert-table.ts';
import type { Watchlists } from './lists/watchlist.ts';
import type { MarketWidePositions, PriceBand } from './market.ts';
import type { Order } from './order.ts';
import { OrderDay } from './order-day/order-day.ts';
import { AccountSet } from './portions/account-set.ts';
import type { DuePortion } from './portions/due-portion.ts';
import { HeldShares } from './portions/held-shares.ts';
import { AwaitedOutcomes } from './scenarios/awaited-outcomes.ts';
import type { ScenarioRules } from './scenarios/rules/scenario-rule.ts';
import { StandingTriggers } from './standing/standing-triggers.ts';
import type { Switch } from './switches/switch.ts';
import type { SquareOffSegment } from './trading-days.ts';

export interface Session {
  readonly tokenDigest: string;
  readonly account: AccountId;
  readonly openedAt: WallMs;
  lastUsedAt: WallMs;
}

/** The answer to a first placement under an idempotency key. Source: contract W25. */
export interface PlacementReply {
  readonly bodyDigest: string;
  /** The number of the order, or of the GTT. */
  readonly order: OrderNumber;
  readonly at: EpochMs;
}

/** The users' purchases from the market itself, the other side of every trade without an order. */
export interface Counterparty {
  /** The ISIN of an equity; empty for contracts. */
  readonly isin: string;
  /** Units bought less units sold. */
  sold: Quantity;
  /** The money paid for them, net. */
  received: Paise;
}

/** The ledger lines of one event. */
export interface Posted {
  readonly event: Event;
  readonly lines: readonly Line[];
}

/** The whole state: the fold of all events. Only `apply` and the loading of a snapshot write it. */
export interface State {
  /** The sequence number of the last record; 0 before the first. */
  seq: number;
  /** The instant of the last record. */
  at: EpochMs;
  /** The market clock that an operator has set last; `undefined` while the market follows the wall. */
  clock: ClockLine | undefined;
  /** Where the history left that of another data folder, once for each branch that it is of, the oldest first. */
  branches: readonly BranchPoint[];
  /** The trading day that has begun; 0 before the first. */
  day: IstDay;
  /** The tick whose prices margins are measured by: the day's start, then each revision. Source: market-rules R4.11. */
  riskTick: Tick;
  /** Digests of the SPAN files that are used today. */
  riskFiles: readonly string[];
  lastOrder: OrderNumber;
  lastExchangeOrder: ExchangeOrderNumber;
  lastTrade: TradeId;
  /** By account id, which is the index. */
  readonly accounts: PagedList<Account>;
  readonly accountByUser: UserIndex;
  /** The texts of the users that no decision reads. */
  readonly cards: CardFile;
  /** The orders of today. */
  readonly orders: OrderDay;
  /** The orders among these that wait at the broker for a session. They follow from the orders. */
  readonly afterMarket: WaitingOrders;
  /** The outcomes that come to orders by themselves. Source: docs/outcomes.md. */
  readonly outcomes: AwaitedOutcomes;
  readonly gtts: GttBook;
  /** Everything that waits for a last traded price over days. It follows from the tables of the owners. */
  readonly standing: StandingTriggers;
  /** Books of instruments that had orders today. */
  readonly books: Map<InstrumentId, Book>;
  /** The storage of these books; a day begins with a new one. */
  bookStore: BookStore;
  /** Live sessions by token digest. */
  readonly sessions: Map<string, Session>;
  /** By `replyKey`; emptied when a day begins. */
  readonly replies: Map<string, PlacementReply>;
  readonly counterparties: Map<InstrumentId, Counterparty>;
  /** Shares credited by operators and issued by corporate actions, by ISIN. */
  readonly credited: Map<string, Quantity>;
  /** The balances of the house: together with those of all accounts they are 0. Source: reliability I2. */
  readonly house: HouseBooks;
  /** The postings of the last record, for the views. They are not part of a dump. */
  readonly posted: Posted[];
  /** Underlyings whose contracts an operator has put into their ban period. Source: market-rules R4.36. */
  readonly banned: Set<InstrumentId>;
  /**
   * Underlyings whose contracts are in their ban period because too much is open, with the figures of the day on which
   * it began.
   */
  readonly overLimit: Map<InstrumentId, LimitBan>;
  /**
   * The switches of operators that are on, by `switchKey`, in the order in which they were set. Each stays until it is
   * lifted.
   */
  readonly switches: Map<string, Switch>;
  /** Outcomes that operators ask for, with the uses that they have left. Source: docs/outcomes.md. */
  readonly scenarioRules: ScenarioRules;
  /** How far the indices have halted the market today. Source: market-rules R1.49. */
  breaker: Breaker;
  /** Price bands that an operator widened today. */
  readonly widenedBands: Map<InstrumentId, PriceBand>;
  /** Fixed bands of shares that operators set. Source: market-rules R1.40. */
  shareBands: ShareBands;
  /** The announced corporate actions, before and after their ex-dates. A list never changes; a new one replaces it. */
  corporateActions: CorporateActions;
  /**
   * Segments that were squared off today: no intraday position is opened in them any more. Source: market-rules R2.24.
   */
  readonly squaredOff: Set<SquareOffSegment>;
  /** The last step of this day's end that was done; `undefined` while the day trades. Source: market-rules R7.5. */
  dayEnd: DayEndStep | undefined;
  /** The portion that is due of work over all accounts that has begun; `undefined` while there is none. */
  portion: DuePortion | undefined;
  /**
   * All accounts that are not idle, and few others: those with rows, shares, orders, blocks, or anything else that a
   * day's turn looks at. It follows from the accounts.
   */
  readonly active: AccountSet;
  /**
   * The accounts with intraday rows or unfunded deliveries, and few others: the risk desk looks at them each minute.
   */
  readonly watched: AccountSet;
  /** The accounts of demo users. It follows from the accounts. */
  readonly demoAccounts: AccountSet;
  /** The sums of all holdings. They follow from the accounts. */
  readonly heldShares: HeldShares;
  /** Closing prices of the last day that ended, for instruments that were held then. */
  readonly closing: Map<InstrumentId, Price>;
  /** The watchlists of each account that has some. */
  readonly watchlists: Map<AccountId, Watchlists>;
  /** The price alerts of all accounts. */
  readonly alerts: AlertTable;
}

/** A ban period that the market's open interest brought about. */
export interface LimitBan extends MarketWidePositions {
  /** Its first trading day. */
  readonly since: IstDay;
}

/** One list that serves all accounts whose lists are empty, as they are on most days. */
export const NOTHING_YET: readonly never[] = Object.freeze([]);

/** The state before the first record. */
export function emptyState(): State {
  const accounts = new PagedList<Account>();
  return {
    seq: 0,
    at: 0 as EpochMs,
    clock: undefined,
    branches: [],
    day: 0 as IstDay,
    riskTick: 0 as Tick,
    riskFiles: [],
    lastOrder: 0 as OrderNumber,
    lastExchangeOrder: 1_100_000_000_000_000 as ExchangeOrderNumber,
    lastTrade: 400_000_000 as TradeId,
    accounts,
    accountByUser: new UserIndex(accounts),
    cards: new CardFile(),
    orders: new OrderDay(),
    afterMarket: new WaitingOrders(),
    outcomes: new AwaitedOutcomes(),
    gtts: new GttBook(),
    standing: new StandingTriggers(),
    books: new Map(),
    bookStore: new BookStore(),
    sessions: new Map(),
    replies: new Map(),
    counterparties: new Map(),
    credited: new Map(),
    house: emptyHouseBooks(),
    posted: [],
    banned: new Set(),
    overLimit: new Map(),
    switches: new Map(),
    scenarioRules: new Map(),
    breaker: NO_BREAKER,
    widenedBands: new Map(),
    shareBands: NO_SHARE_BANDS,
    corporateActions: NO_CORPORATE_ACTIONS,
    squaredOff: new Set(),
    dayEnd: undefined,
    portion: undefined,
    active: new AccountSet(),
    watched: new AccountSet(),
    demoAccounts: new AccountSet(),
    heldShares: new HeldShares(),
    closing: new Map(),
    watchlists: new Map(),
    alerts: new AlertTable(),
  };
}

/** The key of a remembered placement. */
export function replyKey(account: AccountId, key: string): string {
  return `${account}:${key}`;
}

/** The account of an id that was given out. It must exist. */
export function accountOf(state: State, id: AccountId): Account {
  const account = state.accounts.at(id);
  if (account === undefined) throw new InvariantError(`there is no account ${id}`);
  return account;
}

/** An order of today. It must exist. */
export function orderOf(state: State, number: OrderNumber): Readonly<Order> {
  const order = state.orders.get(number);
  if (order === undefined) throw new InvariantError(`there is no order ${number}`);
  return order;
}

/** An order of today that has not ended, for `apply` to change. It must exist. */
export function liveOrderOf(state: State, number: OrderNumber): Order {
  const order = state.orders.findLive(number);
  if (order === undefined) throw new InvariantError(`there is no live order ${number}`);
  return order;
}

/** The orders of an account that have not ended, oldest first. */
export function* liveOrdersOf(state: State, account: Account): Iterable<Order> {
  for (const number of account.orders) {
    const order = state.orders.findLive(number);
    if (order !== undefined) yield order;
  }
}

/**
 * An order of today that belongs to the account; an order of another account is treated as unknown. Source: contract
 * W22.
 */
export function ownOrder(state: State, account: AccountId, number: OrderNumber): Readonly<Order> | undefined {
  const order = state.orders.get(number);
  return order?.account === account ? order : undefined;
}
