/**
 * An account as it would be with other orders and fills, to measure margin before an order is admitted. Only copies of
 * rows change; the account in the state stays as it is.
 */

import type { InstrumentId } from '../../../base/ids.ts';
import { addPaise, amountOf, type Paise, type Price, type Quantity, subtractPaise } from '../../../base/money.ts';
import { type Account, type Portfolio, type Position, positionKey } from '../../account.ts';
import type { MarginParts } from '../../event.ts';
import { settlesGross } from '../../instrument.ts';
import { type ClientBooks, copyOfBooks } from '../../ledger/books.ts';
import {
  calendarTurns,
  type ExplainedWorld,
  explainRequirement,
  isContract,
  requirement,
} from '../../margin/requirement.ts';
import type { Product, Side } from '../../order.ts';
import type { DecisionPorts } from '../../ports.ts';
import { addOpen, emptyPosition, type PositionFacts } from '../../position.ts';
import {
  availableMargin,
  bookFill,
  type CashFunds,
  type ConversionMoves,
  FILL_BOOKS,
  type Funds,
  floorOf,
  marginUsed,
  NO_MARGIN,
} from '../account/funds.ts';
import { heldByFill } from '../account/held-proceeds.ts';
import { emptyPortfolio, portfolioOf, rowOf } from '../account/rows.ts';

/** A portfolio with copied rows in the place of its own. */
interface TriedPortfolio {
  readonly group: InstrumentId;
  /** That of the account; where it has none, one that keeps the sums of a trial of several contracts. */
  portfolio: Portfolio | undefined;
  readonly rows: Position[];
  /** Contracts whose rows may have changed since they were measured. Most trials have one row, and no such list. */
  loose: InstrumentId[] | undefined;
  /** The margin that it blocks in the books of the trial. */
  parts: MarginParts;
  /** True when a row may have changed since the margin was measured. */
  stale: boolean;
  /** The portfolio that was touched before this one. */
  readonly next: TriedPortfolio | undefined;
}

/**
 * An account as it would be. Orders and fills are tried on copies of the rows that they touch, by the same code that
 * books the real ones; the account stays as it is.
 */
export class WhatIf implements CashFunds {
  private readonly changing: ClientBooks;
  private readonly ports: DecisionPorts;
  private readonly account: Account;
  /** The portfolio that was touched last: most orders touch one. */
  private tried: TriedPortfolio | undefined;

  constructor(ports: DecisionPorts, account: Account) {
    this.ports = ports;
    this.account = account;
    this.changing = copyOfBooks(account.books);
  }

  /** A copy on which more can be tried without any effect here. */
  copy(): WhatIf {
    const made = new WhatIf(this.ports, this.account);
    Object.assign(made.changing, this.changing);
    for (let tried = this.tried; tried !== undefined; tried = tried.next) {
      made.tried = {
        ...tried,
        rows: tried.rows.map((row) => ({ ...row })),
        loose: tried.loose && [],
        next: made.tried,
      };
    }
    return made;
  }

  /** A row as it would be; `undefined` when the account never traded or ordered in it. */
  seen(facts: PositionFacts, product: Product): Readonly<Position> | undefined {
    const copy = rowIn(this.triedOf(facts.group), facts, product);
    return copy ?? this.account.positions.get(positionKey(facts.instrument, product));
  }

  /** The copy of a row. Changes to it count when the funds are asked for next. */
  row(facts: PositionFacts, product: Product): Position {
    const tried = this.triedOf(facts.group);
    if (tried === undefined) {
      const copy = this.copyOf(facts, product);
      this.addPortfolio(facts.group, [copy]);
      return copy;
    }
    tried.stale = true;
    const known = rowIn(tried, facts, product);
    const copy = known ?? this.copyOf(facts, product);
    if (known === undefined) addRow(tried, copy);
    const { loose } = tried;
    if (loose !== undefined && loose.at(-1) !== facts.instrument && isContract(facts)) loose.push(facts.instrument);
    return copy;
  }

  private copyOf(facts: PositionFacts, product: Product): Position {
    const held = this.account.positions.get(positionKey(facts.instrument, product));
    return held === undefined ? emptyPosition(facts, product) : { ...held };
  }

  /** Rests an order with `units` unfilled at `limit`. */
  rest(facts: PositionFacts, product: Product, side: Side, units: Quantity, limit: Price): void {
    addOpen(this.row(facts, product), side, units, amountOf(limit, units));
  }

  /** Withdraws a resting order. */
  withdraw(facts: PositionFacts, product: Product, side: Side, units: Quantity, limit: Price): void {
    addOpen(this.row(facts, product), side, -units, -amountOf(limit, units));
  }

  /** Trades units at a price. */
  fill(facts: PositionFacts, product: Product, side: Side, units: Quantity, price: Price): void {
    const row = this.row(facts, product);
    const amount = amountOf(price, units);
    if (product === 'C' && side === 'S') this.hold(row, units, amount);
    bookFill(this.changing, row, side, units, amount);
  }

  /** Trades all orders of one side that rest in a row of a contract or of intraday shares, at their limits. */
  fillResting(facts: PositionFacts, product: Product, side: Side): void {
    const row = this.row(facts, product);
    const [units, amount] =
      side === 'B' ? [row.openBuyQuantity, row.openBuyAmount] : [row.openSellQuantity, row.openSellAmount];
    if (units === 0) return;
    addOpen(row, side, -units, -amount);
    bookFill(this.changing, row, side, units, amount);
  }

  /** Adds the money that a conversion of copied rows moves. */
  book(moves: Readonly<ConversionMoves>): void {
    for (const book of FILL_BOOKS) this.changing[book] = addPaise(this.changing[book], moves[book]);
    this.changing.writtenPremium = addPaise(this.changing.writtenPremium, moves.writtenPremium);
  }

  /** Adds charges of today, in paise; an amount below 0 gives them back. */
  charge(amount: Paise): void {
    this.changing.charges = subtractPaise(this.changing.charges, amount);
  }

  /** Makes the trial true of its account, which has to be a copy made for trials. */
  keep(): void {
    const { account, books } = this;
    Object.assign(account.books, books);
    for (let tried = this.tried; tried !== undefined; tried = tried.next) {
      for (const row of tried.rows) Object.assign(rowOf(account, row, row.product), row);
      portfolioOf(account, tried.group).parts = tried.parts;
    }
  }

  /** The books as they would be, with every touched portfolio measured again. */
  get books(): Readonly<ClientBooks> {
    const { changing, ports } = this;
    for (let tried = this.tried; tried !== undefined; tried = tried.next) {
      if (!tried.stale) continue;
      const before = tried.parts;
      const after = requirement(ports, tried.portfolio, tried.rows, tried.loose);
      changing.span = (changing.span + after.span - before.span) as Paise;
      changing.exposure = (changing.exposure + after.exposure - before.exposure) as Paise;
      changing.restingPremium = (changing.restingPremium + after.premium - before.premium) as Paise;
      changing.cashSegment = (changing.cashSegment + after.cash - before.cash) as Paise;
      changing.premiumFloor = (changing.premiumFloor + floorOf(after) - floorOf(before)) as Paise;
      tried.parts = after;
      tried.stale = false;
    }
    return changing;
  }

  /** Today's delivery rows as they would be: the money of a withdrawn purchase is not blocked in them any more. */
  get deliveries(): CashFunds['deliveries'] {
    const rows: Map<string, readonly Readonly<Position>[]> = new Map(this.account.deliveries);
    for (let tried = this.tried; tried !== undefined; tried = tried.next) {
      for (const { product, isin } of tried.rows) if (product === 'C') rows.set(isin, this.deliveriesOf(isin));
    }
    return rows;
  }

  /**
   * True when the calendar charge of a portfolio bends down while units of a contract trade. Source: market-rules R4.7.
   */
  turnsWithin({ group, instrument }: PositionFacts, side: Side, units: Quantity): boolean {
    const tried = this.triedOf(group);
    const portfolio = tried?.portfolio ?? this.account.portfolios.get(group);
    return calendarTurns(this.ports, portfolio, instrument, side === 'B' ? units : -units, tried?.rows, tried?.loose);
  }

  /** The world that sets the margin of contracts on an underlying, as it would be; `undefined` when there are none. */
  decidingWorld({ group }: PositionFacts): ExplainedWorld | undefined {
    const tried = this.triedOf(group);
    return explainRequirement(this.ports, tried?.portfolio ?? this.account.portfolios.get(group), tried?.rows);
  }

  /** The funds as they would be. The books are measured once for all their figures. */
  private measured(): Funds {
    return { books: this.books };
  }

  /** The margin in use as it would be. */
  marginUsed(): Paise {
    return marginUsed(this.measured());
  }

  availableMargin(): Paise {
    return availableMargin(this.measured());
  }

  /** Holds back the proceeds of a delivery sale that pay for nothing today, by the rows as they would be. */
  private hold(row: Position, units: Quantity, amount: Paise): void {
    const { account, ports, changing } = this;
    const isGross = ({ instrument }: Readonly<Position>): boolean => settlesGross(ports.instruments.get(instrument));
    const sale = { row, gross: isGross(row), units, amount };
    const held = heldByFill(account.holdings.get(row.isin), this.deliveriesOf(row.isin), sale, isGross);
    changing.heldProceeds = addPaise(changing.heldProceeds, held);
  }

  /** Today's delivery rows of an ISIN as they would be, with those that exist in the trial alone. */
  private deliveriesOf(isin: string): Readonly<Position>[] {
    const rows = new Map<InstrumentId, Readonly<Position>>();
    for (const row of this.account.deliveries.get(isin) ?? []) rows.set(row.instrument, row);
    for (let tried = this.tried; tried !== undefined; tried = tried.next) {
      for (const row of tried.rows) if (row.product === 'C' && row.isin === isin) rows.set(row.instrument, row);
    }
    return [...rows.values()];
  }

  private triedOf(group: InstrumentId): TriedPortfolio | undefined {
    for (let tried = this.tried; tried !== undefined; tried = tried.next) if (tried.group === group) return tried;
    return undefined;
  }

  private addPortfolio(group: InstrumentId, rows: Position[]): void {
    const portfolio = this.account.portfolios.get(group);
    const parts = portfolio?.parts ?? NO_MARGIN;
    this.tried = { group, portfolio, rows, loose: undefined, parts, stale: true, next: this.tried };
  }
}

/** Adds a further row. */
function addRow(tried: TriedPortfolio, copy: Position): void {
  tried.rows.push(copy);
  tried.loose ??= [];
  tried.portfolio ??= emptyPortfolio(tried.group);
}

function rowIn(
  tried: TriedPortfolio | undefined,
  { instrument }: PositionFacts,
  product: Product,
): Position | undefined {
  if (tried === undefined) return undefined;
  for (const row of tried.rows) if (row.instrument === instrument && row.product === product) return row;
  return undefined;
}
