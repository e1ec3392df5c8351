import type { InstrumentId } from '../../base/ids.ts';
import { addPaise, amountOf, type Paise, type Price, type Quantity } from '../../base/money.ts';
import type { ClientBooks } from '../ledger/books.ts';
import { requirement } from '../margin/requirement.ts';
import type { Product, Side } from '../order.ts';
import type { Desk } from '../ports.ts';
import { addOpen, emptyPosition, type PositionFacts } from '../position.ts';
import { type Account, type Position, positionKey } from '../state.ts';
import { availableMargin, bookFill, FILL_BOOKS, type FillBook, type Funds, marginUsed, NO_MARGIN } from './funds.ts';

/**
 * An account as it would be: orders and fills are tried on copies of the rows that they touch, with the very code that books
 * the real ones, and the account stays as it is.
 */
export class WhatIf {
  private readonly books: ClientBooks;
  private readonly desk: Desk;
  private readonly account: Account;
  private readonly changed: Position[] = [];

  constructor(desk: Desk, account: Account) {
    this.desk = desk;
    this.account = account;
    this.books = { ...account.books };
  }

  /** A row as it would be; `undefined` when nothing was ever traded or ordered in it. */
  seen(facts: PositionFacts, product: Product): Readonly<Position> | undefined {
    for (const row of this.changed) if (row.instrument === facts.instrument && row.product === product) return row;
    return this.account.positions.get(positionKey(facts.instrument, product));
  }

  /** The copy of a row; changes to it count from then on. */
  row(facts: PositionFacts, product: Product): Position {
    for (const row of this.changed) if (row.instrument === facts.instrument && row.product === product) return row;
    const held = this.account.positions.get(positionKey(facts.instrument, product));
    const copy = held === undefined ? emptyPosition(facts, product) : { ...held };
    this.changed.push(copy);
    return copy;
  }

  /** An order rests with `units` still to be filled at `limit`. */
  rest(facts: PositionFacts, product: Product, side: Side, units: Quantity, limit: Price): void {
    addOpen(this.row(facts, product), side, units, amountOf(limit, units));
  }

  /** A resting order is gone. */
  withdraw(facts: PositionFacts, product: Product, side: Side, units: Quantity, limit: Price): void {
    addOpen(this.row(facts, product), side, -units, -amountOf(limit, units));
  }

  /** Units trade at a price. */
  fill(facts: PositionFacts, product: Product, side: Side, units: Quantity, price: Price): void {
    bookFill(this.books, this.row(facts, product), side, units, amountOf(price, units));
  }

  /** Adds what a conversion of copied rows moves. */
  book(moves: Readonly<Record<FillBook, Paise>>): void {
    for (const book of FILL_BOOKS) this.books[book] = addPaise(this.books[book], moves[book]);
  }

  /** The margin in use as it would be. */
  marginUsed(): Paise {
    return marginUsed(this.figures());
  }

  availableMargin(): Paise {
    return availableMargin(this.figures());
  }

  private figures(): Funds {
    const { account } = this;
    const books = { ...this.books };
    for (const rows of this.byGroup()) {
      const portfolio = account.portfolios.get((rows[0] as Position).group);
      const before = portfolio?.parts ?? NO_MARGIN;
      const after = requirement(this.desk, portfolio?.legs, rows);
      books.span = (books.span + after.span - before.span) as Paise;
      books.exposure = (books.exposure + after.exposure - before.exposure) as Paise;
      books.restingPremium = (books.restingPremium + after.premium - before.premium) as Paise;
      books.cashSegment = (books.cashSegment + after.cash - before.cash) as Paise;
    }
    return { books };
  }

  /** The changed rows, those of one portfolio together. */
  private byGroup(): readonly (readonly Position[])[] {
    const { changed } = this;
    if (changed.length === 1) return [changed];
    const groups = new Map<InstrumentId, Position[]>();
    for (const row of changed) {
      const rows = groups.get(row.group);
      if (rows === undefined) groups.set(row.group, [row]);
      else rows.push(row);
    }
    return [...groups.values()];
  }
}
