import assert from 'node:assert/strict';
import { must } from '../../src/base/assert.ts';
import type { Account } from '../../src/core/account.ts';
import type { Book } from '../../src/core/exchange/book/book.ts';
import { copyOfBooks } from '../../src/core/ledger/books.ts';
import { copyOf } from '../../src/core/order.ts';
import type { State } from '../../src/core/state.ts';

/*
 * Compares two states member by member, and not what is stored of them: what the codecs forgot would be missing on both
 * sides of a comparison of dumps. The compiler refuses this file when a member of the state is compared by nothing.
 */

type Compare<T> = (one: T, other: T, what: string) => void;

/** How each member of the state is compared. */
const MEMBERS: { readonly [Key in keyof State]: Compare<State[Key]> } = {
  seq: same,
  at: same,
  clock: same,
  branches: same,
  day: same,
  riskTick: same,
  riskFiles: same,
  lastOrder: same,
  lastExchangeOrder: same,
  lastTrade: same,
  accounts: (one, other) => {
    assert.equal(one.length, other.length, 'accounts');
    for (const [id, account] of [...one].entries()) sameAccount(account, other.at(id) as Account, `account ${id}`);
  },
  accountByUser: (one, other) => same(one.size, other.size, 'the number of user ids'),
  // Compared with the accounts.
  cards: () => undefined,
  orders: (one, other) => same(Array.from(one.values(), copyOf), Array.from(other.values(), copyOf), 'orders'),
  afterMarket: (one, other) => same(one.numbers(), other.numbers(), 'afterMarket'),
  outcomes: (one, other) => same([...one], [...other], 'outcomes'),
  gtts: (one, other) => {
    same(one.last, other.last, 'the last GTT');
    same([...one.values()], [...other.values()], 'GTTs');
    same([...one.triggered], [...other.triggered], 'GTTs that have fired');
    same(one.liveCount, other.liveCount, 'the number of live GTTs');
  },
  standing: (one, other) => {
    same([...one.instruments()], [...other.instruments()], 'the instruments of standing triggers');
    same([...one.all()], [...other.all()], 'standing triggers');
  },
  books: (one, other) => {
    same([...one.keys()], [...other.keys()], 'the instruments of books');
    for (const [id, book] of one) sameBook(book, other.get(id) as Book, `book ${id}`);
  },
  // Memory for the books, which are compared by what they show of it.
  bookStore: () => undefined,
  sessions: inOrder,
  replies: inOrder,
  counterparties: inOrder,
  credited: inOrder,
  house: same,
  // Of the last record, which a restored state has not applied.
  posted: () => undefined,
  banned: (one, other) => same([...one], [...other], 'banned'),
  overLimit: inOrder,
  switches: inOrder,
  scenarioRules: inOrder,
  breaker: same,
  widenedBands: inOrder,
  shareBands: same,
  corporateActions: same,
  squaredOff: (one, other) => same([...one], [...other], 'squaredOff'),
  dayEnd: same,
  portion: same,
  // It may have idle accounts beside the others; the invariants hold it.
  active: () => undefined,
  watched: () => undefined,
  demoAccounts: (one, other) => same([...one], [...other], 'demoAccounts'),
  heldShares: (one, other) => {
    same(one.cost, other.cost, 'the cost of all shares');
    same(new Map(one.listings()), new Map(other.listings()), 'the units of all shares');
  },
  closing: inOrder,
  alerts: (one, other) => same([...one.values()], [...other.values()], 'alerts'),
  watchlists: (one, other) => {
    same([...one.keys()], [...other.keys()], 'the accounts with watchlists');
    for (const [id, lists] of one) inOrder(lists, other.get(id) as typeof lists, `the watchlists of ${id}`);
  },
};

/** Throws unless the states are the same in every member, however they came to be. */
export function assertSameState(one: State, other: State): void {
  for (const { id, userId, card } of one.accounts) {
    same(one.cards.read(card), other.cards.read(must(other.accounts.at(id), userId).card), `the card of ${userId}`);
    same(id, other.accountByUser.get(userId), `the account of ${userId}`);
  }
  for (const key of Object.keys(MEMBERS) as (keyof State)[]) compareMember(key, one, other);
  same(Object.keys(other).sort(), Object.keys(one).sort(), 'the members of the state');
}

function compareMember<Key extends keyof State>(key: Key, one: State, other: State): void {
  MEMBERS[key](one[key], other[key], key);
}

function same(one: unknown, other: unknown, what: string): void {
  assert.deepStrictEqual(other, one, what);
}

function inOrder<Key, Value>(one: ReadonlyMap<Key, Value>, other: ReadonlyMap<Key, Value>, what: string): void {
  same([...one], [...other], what);
}

/** The sums of margins are made again when they are asked for: the rest of a portfolio is compared. */
function sameAccount(one: Account, other: Account, what: string): void {
  const { positions, portfolios, holdings, deliveries, card: _, ...own } = one;
  const { positions: _1, portfolios: _2, holdings: _3, deliveries: _4, card: _5, ...otherOwn } = other;
  same({ ...own, books: copyOfBooks(own.books) }, { ...otherOwn, books: copyOfBooks(otherOwn.books) }, what);
  inOrder(positions, other.positions, `${what}: positions`);
  inOrder(holdings, other.holdings, `${what}: holdings`);
  for (const { sums: _, touched: _1, ...kept } of portfolios.values()) {
    if (kept.legs.size === 0 && kept.shares.length === 0 && !hasAny(kept.parts)) continue;
    const again = other.portfolios.get(kept.group);
    if (again === undefined) assert.fail(`${what}: there is no portfolio ${kept.group}`);
    const { sums: _2, touched: _3, ...otherKept } = again;
    same({ ...kept, legs: new Map(kept.legs) }, { ...otherKept, legs: new Map(otherKept.legs) }, what);
    for (const row of [...again.shares, ...[...again.legs.values()].flat()]) {
      assert.ok([...other.positions.values()].includes(row), `${what}: a row of ${row.instrument}`);
    }
  }
  same(new Map([...deliveries].filter(([, rows]) => rows.length > 0)), other.deliveries, `${what}: deliveries`);
}

function hasAny(parts: object): boolean {
  return Object.values(parts).some((part) => part !== 0);
}

/** By what a book shows of itself: its orders as they would trade, its stops, its depth, its last trade. */
function sameBook(one: Book, other: Book, what: string): void {
  same(seen(one), seen(other), what);
}

function seen(book: Book): object {
  const { orders } = book.store;
  const side = (of: 'B' | 'S') =>
    Array.from(book.ordersOf(of), (handle) => ({
      number: orders.number(handle),
      account: orders.account(handle),
      remaining: orders.remaining(handle),
      price: book.priceOf(handle),
      ahead: book.aheadAt(handle),
    }));
  const total = (of: 'B' | 'S') => [book.orderCount(of), book.totalOf(of), book.levels(of, book.levelCount(of))];
  return {
    phase: book.phase,
    buys: side('B'),
    sells: side('S'),
    totals: [total('B'), total('S')],
    stops: book.armedStops(),
    auction: book.auction && [book.auction.matched, ...book.auction.entries()],
    lastTrade: book.lastTrade && { ...book.lastTrade },
    taken: book.dump().taken,
    recent: book.dump().recent,
  };
}
