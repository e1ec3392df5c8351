/**
 * The books of money of accounts and of the house, and the line that moves a balance. The lines of each event are in
 * `postings.ts`.
 */

import { assert } from '../../base/assert.ts';
import type { AccountId } from '../../base/ids.ts';
import { addPaise, type Paise, ZERO_PAISE } from '../../base/money.ts';

/**
 * The books of money of one account. A balance above 0 is the client's, one below 0 is owed by him.
 *
 * - `cash`: the ledger at the day's start, opening balances with it. Inside the day it moves only by a pay-out beyond
 *   `payin`.
 * - `payin`: money paid in today, less what was paid out of it.
 * - `premium`: option premiums of today, received less paid.
 * - `delivery`: deliveries of today, sold less bought.
 * - `realised`: result of today on futures and intraday positions, marking to market and cash settlement at expiry
 *   with it.
 * - `charges`: brokerage, levies and fees of today.
 * - `settlement`: what physical deliveries and auctions of another day still owe or bring.
 */
export const MONEY_BOOKS = ['cash', 'payin', 'premium', 'delivery', 'realised', 'charges', 'settlement'] as const;
export type MoneyBook = (typeof MONEY_BOOKS)[number];

/**
 * Memo books of an account, which hold no money: pledged shares at their value after haircut, margin by the parts of
 * its blocks, the part of that margin that premium received does not free (`premiumFloor`), the proceeds of today's
 * sales of options that are still short, and the proceeds of delivery sales that pay for nothing before the next day.
 */
const MEMO_BOOKS = [
  'collateral',
  'span',
  'exposure',
  'restingPremium',
  'cashSegment',
  'writtenPremium',
  'heldProceeds',
  'premiumFloor',
] as const;
export type MemoBook = (typeof MEMO_BOOKS)[number];

/** The books that become cash when a day begins. Source: market-rules R4.24, R4.32. */
export const DAY_BOOKS: readonly MoneyBook[] = ['payin', 'premium', 'delivery', 'realised', 'charges'];
/** The memo books that a day's beginning empties: margin is measured by its figures, and pledged shares stay. */
export const DAY_MEMO_BOOKS: readonly MemoBook[] = MEMO_BOOKS.filter((book) => book !== 'collateral');

export type ClientBook = MoneyBook | MemoBook;

const CLIENT_BOOKS: readonly ClientBook[] = [...MONEY_BOOKS, ...MEMO_BOOKS];

/** All books of one account, in paise. */
export type ClientBooks = { [Book in ClientBook]: Paise };

/**
 * The house's own books: the other side of all clients. `bank` is minus all net pay-ins so far, `clearing` is the other
 * side of the exchange's trades and of the trades between users, `brokerage` is the house's income, `levies` are taxes
 * and fees to be passed on. `depository` and `margin` are the other sides of the memo books.
 */
export const HOUSE_MONEY_BOOKS = ['bank', 'clearing', 'brokerage', 'levies'] as const;
const HOUSE_MEMO_BOOKS = ['depository', 'margin'] as const;
export type HouseBook = (typeof HOUSE_MONEY_BOOKS)[number] | (typeof HOUSE_MEMO_BOOKS)[number];
export type HouseBooks = { [Book in HouseBook]: Paise };

/** One line of a posting: the amount that is added to one book, in paise. A line without an account is the house's. */
export type Line = ClientLine | HouseLine;

export interface ClientLine {
  readonly account: AccountId;
  readonly book: ClientBook;
  readonly amount: Paise;
}

export interface HouseLine {
  readonly account?: never;
  readonly book: HouseBook;
  readonly amount: Paise;
}

/** The books of an account in which every balance is 0 paise. */
export function emptyClientBooks(): ClientBooks {
  return {
    cash: ZERO_PAISE,
    payin: ZERO_PAISE,
    premium: ZERO_PAISE,
    delivery: ZERO_PAISE,
    realised: ZERO_PAISE,
    charges: ZERO_PAISE,
    settlement: ZERO_PAISE,
    collateral: ZERO_PAISE,
    span: ZERO_PAISE,
    exposure: ZERO_PAISE,
    restingPremium: ZERO_PAISE,
    cashSegment: ZERO_PAISE,
    writtenPremium: ZERO_PAISE,
    heldProceeds: ZERO_PAISE,
    premiumFloor: ZERO_PAISE,
  };
}

/** The books of an account with cash alone: most accounts are idle, and fifteen balances cost 110 bytes more. */
class CashBooks implements Readonly<ClientBooks> {
  cash: Paise;

  constructor(cash: Paise) {
    this.cash = cash;
  }

  get payin(): Paise {
    return ZERO_PAISE;
  }

  get premium(): Paise {
    return ZERO_PAISE;
  }

  get delivery(): Paise {
    return ZERO_PAISE;
  }

  get realised(): Paise {
    return ZERO_PAISE;
  }

  get charges(): Paise {
    return ZERO_PAISE;
  }

  get settlement(): Paise {
    return ZERO_PAISE;
  }

  get collateral(): Paise {
    return ZERO_PAISE;
  }

  get span(): Paise {
    return ZERO_PAISE;
  }

  get exposure(): Paise {
    return ZERO_PAISE;
  }

  get restingPremium(): Paise {
    return ZERO_PAISE;
  }

  get cashSegment(): Paise {
    return ZERO_PAISE;
  }

  get writtenPremium(): Paise {
    return ZERO_PAISE;
  }

  get heldProceeds(): Paise {
    return ZERO_PAISE;
  }

  get premiumFloor(): Paise {
    return ZERO_PAISE;
  }
}

/** The books of a new account. */
export function newBooks(): Readonly<ClientBooks> {
  return new CashBooks(ZERO_PAISE);
}

/** A copy with every balance in a field of its own. A spread of an account's books may lack some. */
export function copyOfBooks(books: Readonly<ClientBooks>): ClientBooks {
  if (!(books instanceof CashBooks)) return { ...books };
  const copy = emptyClientBooks();
  copy.cash = books.cash;
  return copy;
}

/** The books of an account to move a balance of: they get a field for each balance when one besides cash is moved. */
export function booksToMove(account: { books: Readonly<ClientBooks> }, book: ClientBook): ClientBooks {
  if (book !== 'cash' && account.books instanceof CashBooks) account.books = copyOfBooks(account.books);
  return account.books;
}

/** The same balances in little memory, where there is no more than cash. */
export function packedBooks(books: Readonly<ClientBooks>): Readonly<ClientBooks> {
  for (const book of CLIENT_BOOKS) if (book !== 'cash' && books[book] !== 0) return books;
  return books instanceof CashBooks ? books : new CashBooks(books.cash);
}

/** The books of the house in which every balance is 0 paise. */
export function emptyHouseBooks(): HouseBooks {
  return {
    bank: ZERO_PAISE,
    clearing: ZERO_PAISE,
    brokerage: ZERO_PAISE,
    levies: ZERO_PAISE,
    depository: ZERO_PAISE,
    margin: ZERO_PAISE,
  };
}

/** All money of an account, with the amounts that it owes and is owed. */
export function ledgerBalance(books: Readonly<ClientBooks>): Paise {
  let sum = ZERO_PAISE;
  for (const book of MONEY_BOOKS) sum = addPaise(sum, books[book]);
  return sum;
}

/** The scope of a line: the lines of a posting sum to 0 in each scope. */
type Circle = 'money' | 'collateral' | 'margin';

const CIRCLES: Readonly<Record<ClientBook | HouseBook, Circle>> = {
  cash: 'money',
  payin: 'money',
  premium: 'money',
  delivery: 'money',
  realised: 'money',
  charges: 'money',
  settlement: 'money',
  bank: 'money',
  clearing: 'money',
  brokerage: 'money',
  levies: 'money',
  collateral: 'collateral',
  depository: 'collateral',
  span: 'margin',
  exposure: 'margin',
  restingPremium: 'margin',
  cashSegment: 'margin',
  writtenPremium: 'margin',
  heldProceeds: 'margin',
  premiumFloor: 'margin',
  margin: 'margin',
};

/** Throws unless the lines of one event sum to 0, of money, of collateral and of margin. Source: reliability I4. */
export function assertBalanced(lines: readonly Line[]): void {
  let money = 0;
  let collateral = 0;
  let margin = 0;
  for (const { book, amount } of lines) {
    const circle = CIRCLES[book];
    if (circle === 'money') money += amount;
    else if (circle === 'collateral') collateral += amount;
    else margin += amount;
  }
  assert(money === 0 && collateral === 0 && margin === 0, 'the lines of a posting sum to 0');
}
