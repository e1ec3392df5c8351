/**
 * The funds of an account as functions of its books: balances, used margin, free cash and money that may be paid out.
 * It changes no book: the lines of every event are in `ledger/postings.ts`.
 */

import {
  addPaise,
  negatePaise,
  type Paise,
  type Quantity,
  scaleHalfUp,
  subtractPaise,
  ZERO_PAISE,
} from '../../../base/money.ts';
import type { Position } from '../../account.ts';
import type { MarginParts } from '../../event.ts';
import type { ClientBooks } from '../../ledger/books.ts';
import type { Side } from '../../order.ts';
import { addFill, netQuantity, realisedAfter, realisedOf, type SettlementWay, settlementWay } from '../../position.ts';

/** The books that the figures of funds need. An `Account` has them. */
export interface Funds {
  readonly books: Readonly<ClientBooks>;
}

export const NO_MARGIN: MarginParts = Object.freeze({
  span: ZERO_PAISE,
  exposure: ZERO_PAISE,
  premium: ZERO_PAISE,
  cash: ZERO_PAISE,
});

/** True when two margins are equal in each part, in paise, and in the floor under their sum. */
export function sameParts(a: MarginParts, b: MarginParts): boolean {
  return (
    a.span === b.span &&
    a.exposure === b.exposure &&
    a.premium === b.premium &&
    a.cash === b.cash &&
    floorOf(a) === floorOf(b)
  );
}

/** The floor of a block in paise; 0 where it has none. */
export function floorOf({ floor = ZERO_PAISE }: MarginParts): Paise {
  return floor;
}

/** The books that fills move. */
export const FILL_BOOKS = ['premium', 'delivery', 'realised'] as const;
export type FillBook = (typeof FILL_BOOKS)[number];

/** The amounts that a conversion adds to the books that fills move. */
export type ConversionMoves = Record<FillBook | 'writtenPremium', Paise>;

const BOOK_OF_WAY: Readonly<Record<SettlementWay, FillBook>> = {
  premium: 'premium',
  delivery: 'delivery',
  result: 'realised',
};

/** The book that fills of a row move. */
export function fillBook({ kind, product }: Pick<Position, 'kind' | 'product'>): FillBook {
  return BOOK_OF_WAY[settlementWay(kind, product)];
}

/**
 * The amount that a fill adds to the book of its row: the proceeds of a sale, the cost of a purchase, or the result of
 * the units that it closes.
 */
export function moneyOfFill(row: Position, side: Side, units: Quantity, amount: Paise): Paise {
  if (fillBook(row) !== 'realised') return side === 'S' ? amount : negatePaise(amount);
  return subtractPaise(realisedAfter(row, side, units, amount), realisedOf(row));
}

/** Books a trial fill: changes the row and the books that the fill moves. */
export function bookFill(books: ClientBooks, row: Position, side: Side, units: Quantity, amount: Paise): void {
  const book = fillBook(row);
  books[book] = addPaise(books[book], moneyOfFill(row, side, units, amount));
  const written = writtenPremium(row);
  addFill(row, side, units, amount);
  books.writtenPremium = addPaise(books.writtenPremium, subtractPaise(writtenPremium(row), written));
}

/**
 * The proceeds of today's sales of an option, as far as the row is still short. They may pay for buying the option back
 * and for nothing else on this day; the next day they are cash. Source: market-rules R4.24, R4.33.
 */
export function writtenPremium(row: Position): Paise {
  if (row.kind !== 'option' || row.daySellQuantity === 0) return ZERO_PAISE;
  const opened = Math.min(-netQuantity(row), row.daySellQuantity);
  return opened <= 0 ? ZERO_PAISE : scaleHalfUp(row.daySellAmount, opened, row.daySellQuantity);
}

/** The change of `writtenPremium` of a row by a fill. The row itself stays unchanged. */
export function writtenByFill(row: Position, side: Side, units: Quantity, amount: Paise): Paise {
  if (row.kind !== 'option') return ZERO_PAISE;
  const filled = { ...row };
  addFill(filled, side, units, amount);
  return subtractPaise(writtenPremium(filled), writtenPremium(row));
}

/**
 * Premium that counts as used: the net premium paid today and the premium of resting orders. The proceeds of options
 * that were held pay for option buys only; the proceeds of options that are short pay for nothing. Where they pay for
 * resting buys, the margin that another world needs stays: of a sum of maxima, the larger of both sums is the most that
 * all portfolios can need together. Source: market-rules R4.24, R4.25, R4.27.
 */
export function premiumUsed(funds: Funds): Paise {
  return Math.max(funds.books.premiumFloor, premiumToPay(funds)) as Paise;
}

/** The net premium that today's trades and resting orders have to pay. */
export function premiumToPay({ books }: Funds): Paise {
  return Math.max(0, books.restingPremium + books.writtenPremium - books.premium) as Paise;
}

/** The part of `premiumUsed` that is margin: premium received pays for no margin. */
export function floorBeyondPremium(funds: Funds): Paise {
  return Math.max(0, funds.books.premiumFloor - premiumToPay(funds)) as Paise;
}

/**
 * The margin in use of the cash segment: resting delivery buys and intraday margin, the net cost of today's deliveries,
 * and proceeds of sales that pay for nothing before the next day.
 */
export function cashSegmentUsed({ books }: Funds): Paise {
  return (books.cashSegment + Math.max(0, -books.delivery) + books.heldProceeds) as Paise;
}

/** A loss counts at once; a profit is cash from the next day on. Source: market-rules R4.24. */
export function realisedLoss({ books }: Funds): Paise {
  return Math.max(0, -books.realised) as Paise;
}

/** Today's charges, and the unpaid cost of a settlement of another day. Both count at once, not at the day's end. */
export function dues({ books }: Funds): Paise {
  return (Math.max(0, -books.charges) + Math.max(0, -books.settlement)) as Paise;
}

/** All margin in use, in paise; never negative. Source: market-rules R4.32. */
export function marginUsed(funds: Funds): Paise {
  const { span, exposure } = funds.books;
  return (span + exposure + premiumUsed(funds) + cashSegmentUsed(funds) + realisedLoss(funds) + dues(funds)) as Paise;
}

/**
 * The balance of the day's start and the net proceeds of today's delivery sales. The proceeds were not transferred in,
 * so they are not a pay-in. Source: interface §Limits, market-rules R4.24.
 */
export function cashBalance({ books }: Funds): Paise {
  return (books.cash + Math.max(0, books.delivery)) as Paise;
}

/** Source: market-rules R4.32. */
export function totalMargin(funds: Funds): Paise {
  const { payin, collateral } = funds.books;
  return addPaise(addPaise(cashBalance(funds), payin), collateral);
}

/** Negative when the margin in use is above the funds. */
export function availableMargin(funds: Funds): Paise {
  return subtractPaise(totalMargin(funds), marginUsed(funds));
}

/** The facts that free cash needs. An `Account` has them. */
export interface CashFunds extends Funds {
  readonly deliveries: ReadonlyMap<string, readonly Readonly<Position>[]>;
}

/** The money that resting delivery buys block. It adds up the rows of today, which are few. */
function restingDeliveries(account: CashFunds): Paise {
  let sum = ZERO_PAISE;
  for (const rows of account.deliveries.values()) for (const row of rows) sum = addPaise(sum, row.openBuyAmount);
  return sum;
}

/**
 * Collateral that no margin uses: margins of contracts and of intraday shares take collateral before they take cash.
 */
export function unusedCollateral(account: CashFunds): Paise {
  const { collateral, span, exposure, cashSegment } = account.books;
  if (collateral === 0) return ZERO_PAISE;
  const margins = span + exposure + floorBeyondPremium(account) + cashSegment - restingDeliveries(account);
  return Math.max(0, collateral - margins) as Paise;
}

/**
 * The money that may pay premiums and deliveries: the available margin without collateral. Below 0 when cash is short
 * already. For an account without collateral it equals `availableMargin`. Source: market-rules R4.25, R3.5 row 16.
 */
export function cashFree(account: CashFunds): Paise {
  return subtractPaise(availableMargin(account), unusedCollateral(account));
}

/**
 * The money that may be paid out while no open position loses: free cash without the proceeds of today's deliveries,
 * which settle on the next trading day. Those proceeds may pay for resting purchases.
 */
export function withdrawable(account: CashFunds): Paise {
  const { delivery, heldProceeds } = account.books;
  const proceeds = Math.max(0, delivery - heldProceeds - restingDeliveries(account));
  return Math.max(0, cashFree(account) - proceeds) as Paise;
}
