import { addPaise, negatePaise, type Paise, type Quantity, subtractPaise, ZERO_PAISE } from '../../base/money.ts';
import type { MarginParts } from '../event.ts';
import type { ClientBooks } from '../ledger/books.ts';
import type { Side } from '../order.ts';
import { addFill, realisedAfter, realisedOf, type SettlementWay, settlementWay } from '../position.ts';
import type { Position } from '../state.ts';

/** Whose funds are asked for. An `Account` is such. */
export interface Funds {
  readonly books: Readonly<ClientBooks>;
}

export const NO_MARGIN: MarginParts = Object.freeze({
  span: ZERO_PAISE,
  exposure: ZERO_PAISE,
  premium: ZERO_PAISE,
  cash: ZERO_PAISE,
});

export function sameParts(a: MarginParts, b: MarginParts): boolean {
  return a.span === b.span && a.exposure === b.exposure && a.premium === b.premium && a.cash === b.cash;
}

/** The books that fills move. */
export const FILL_BOOKS = ['premium', 'delivery', 'realised'] as const;
export type FillBook = (typeof FILL_BOOKS)[number];

const BOOK_OF_WAY: Readonly<Record<SettlementWay, FillBook>> = {
  premium: 'premium',
  delivery: 'delivery',
  result: 'realised',
};

/** The book that fills of a row move. */
export function fillBook({ kind, product }: Pick<Position, 'kind' | 'product'>): FillBook {
  return BOOK_OF_WAY[settlementWay(kind, product)];
}

/** What a fill adds to the book of its row: what a sale brings and a purchase costs, or the result of what it closes. */
export function moneyOfFill(row: Position, side: Side, units: Quantity, amount: Paise): Paise {
  if (fillBook(row) !== 'realised') return side === 'S' ? amount : negatePaise(amount);
  return subtractPaise(realisedAfter(row, side, units, amount), realisedOf(row));
}

/** Books a fill that is tried: the row and the book that it moves. */
export function bookFill(books: ClientBooks, row: Position, side: Side, units: Quantity, amount: Paise): void {
  const book = fillBook(row);
  books[book] = addPaise(books[book], moneyOfFill(row, side, units, amount));
  addFill(row, side, units, amount);
}

/** Premium that counts as used: what was paid net today and what rests. Premium received pays for option buys only. Source: R4.24, R4.25. */
export function premiumUsed({ books }: Funds): Paise {
  return Math.max(0, books.restingPremium - books.premium) as Paise;
}

/** Cash segment: resting delivery buys and intraday margin, and what today's deliveries cost net. */
export function cashSegmentUsed({ books }: Funds): Paise {
  return (books.cashSegment + Math.max(0, -books.delivery)) as Paise;
}

/** A loss counts at once; a profit is cash from the next day on. Source: market-rules R4.24. */
export function realisedLoss({ books }: Funds): Paise {
  return Math.max(0, -books.realised) as Paise;
}

/** Today's charges, and what a settlement of another day still costs. Neither waits for the day's end. */
export function dues({ books }: Funds): Paise {
  return (Math.max(0, -books.charges) + Math.max(0, -books.settlement)) as Paise;
}

/** All margin in use, in paise; never negative. Source: market-rules R4.32. */
export function marginUsed(funds: Funds): Paise {
  const { span, exposure } = funds.books;
  return (span + exposure + premiumUsed(funds) + cashSegmentUsed(funds) + realisedLoss(funds) + dues(funds)) as Paise;
}

/** Money paid in today and the net proceeds of today's delivery sales. */
export function payIn({ books }: Funds): Paise {
  return (books.payin + Math.max(0, books.delivery)) as Paise;
}

/** Source: market-rules R4.32. */
export function totalMargin(funds: Funds): Paise {
  return addPaise(addPaise(funds.books.cash, payIn(funds)), funds.books.collateral);
}

/** Negative when more is in use than there is. */
export function availableMargin(funds: Funds): Paise {
  return subtractPaise(totalMargin(funds), marginUsed(funds));
}
