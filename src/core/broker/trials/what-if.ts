import type { InstrumentId } from '../../../base/ids.ts';
import { addPaise, amountOf, type Paise, type Price, type Quantity, subtractPaise } from '../../../base/money.ts';
import { type Account, type Portfolio, type Position, positionKey } from '../../account.ts';
import type { MarginParts } from '../../event.ts';
import { settlesGross } from '../../instrument.ts';
import type { ClientBooks } from '../../ledger/books.ts';
import { calendarTurns, type ExplainedWorld, explainRequirement, requirement } from '../../margin/requirement.ts';
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
  marginUsed,
  NO_MARGIN,
} from '../account/funds.ts';
import { heldByFill } from '../account/held-proceeds.ts';

/** A portfolio with rows that stand in for its own. */
interface TriedPortfolio {
  readonly group: InstrumentId;
  readonly portfolio: Portfolio | undefined;
  readonly rows: Position[];
  /** What it blocks in the books of the trial. */
  parts: MarginParts;
  /** True when a row may have changed since. */
  stale: boolean;
  /** The portfolio that was touched before it. */
  readonly next: TriedPortfolio | undefined;
}

/**
 * An account as it would be: orders and fills are tried on copies of the rows that they touch, with the very code that
 * books the real ones, and the account stays as it is.
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
    this.changing = { ...account.books };
  }

  /** The same account, on which more can be tried without a trace here. */
  copy(): WhatIf {
    const made = new WhatIf(this.ports, this.account);
    Object.assign(made.changing, this.changing);
    for (let tried = this.tried; tried !== undefined; tried = tried.next) {
      made.tried = { ...tried, rows: tried.rows.map((row) => ({ ...row })), next: made.tried };
    }
    return made;
  }

  /** A row as it would be; `undefined` when nothing was ever traded or ordered in it. */
  seen(facts: PositionFacts, product: Product): Readonly<Position> | undefined {
    const copy = rowIn(this.triedOf(facts.group), facts, product);
    return copy ?? this.account.positions.get(positionKey(facts.instrument, product));
  }

  /** The copy of a row; changes to it count until the funds are next asked for. */
  row(facts: PositionFacts, product: Product): Position {
    const tried = this.triedOf(facts.group);
    if (tried === undefined) {
      const copy = this.copyOf(facts, product);
      this.addPortfolio(facts.group, [copy]);
      return copy;
    }
    tried.stale = true;
    const known = rowIn(tried, facts, product);
    if (known !== undefined) return known;
    const copy = this.copyOf(facts, product);
    tried.rows.push(copy);
    return copy;
  }

  private copyOf(facts: PositionFacts, product: Product): Position {
    const held = this.account.positions.get(positionKey(facts.instrument, product));
    return held === undefined ? emptyPosition(facts, product) : { ...held };
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
    const row = this.row(facts, product);
    const amount = amountOf(price, units);
    if (product === 'C' && side === 'S') this.hold(row, units, amount);
    bookFill(this.changing, row, side, units, amount);
  }

  /** All orders of one side that rest in a row of a contract or of intraday shares trade at their limits. */
  fillResting(facts: PositionFacts, product: Product, side: Side): void {
    const row = this.row(facts, product);
    const [units, amount] =
      side === 'B' ? [row.openBuyQuantity, row.openBuyAmount] : [row.openSellQuantity, row.openSellAmount];
    if (units === 0) return;
    addOpen(row, side, -units, -amount);
    bookFill(this.changing, row, side, units, amount);
  }

  /** Adds what a conversion of copied rows moves. */
  book(moves: Readonly<ConversionMoves>): void {
    for (const book of FILL_BOOKS) this.changing[book] = addPaise(this.changing[book], moves[book]);
    this.changing.writtenPremium = addPaise(this.changing.writtenPremium, moves.writtenPremium);
  }

  /** Takes charges of today, in paise; below 0 it gives them back. */
  charge(amount: Paise): void {
    this.changing.charges = subtractPaise(this.changing.charges, amount);
  }

  /** The books as they would be, every touched portfolio measured anew. */
  get books(): Readonly<ClientBooks> {
    const { changing, ports } = this;
    for (let tried = this.tried; tried !== undefined; tried = tried.next) {
      if (!tried.stale) continue;
      const before = tried.parts;
      const after = requirement(ports, tried.portfolio, tried.rows);
      changing.span = (changing.span + after.span - before.span) as Paise;
      changing.exposure = (changing.exposure + after.exposure - before.exposure) as Paise;
      changing.restingPremium = (changing.restingPremium + after.premium - before.premium) as Paise;
      changing.cashSegment = (changing.cashSegment + after.cash - before.cash) as Paise;
      tried.parts = after;
      tried.stale = false;
    }
    return changing;
  }

  /** The delivery rows as they are: an order that is tried has filled when cash is asked for. */
  get deliveries(): Account['deliveries'] {
    return this.account.deliveries;
  }

  /** True when the calendar charge of a portfolio turns while units of a contract trade. Source: market-rules R4.7. */
  turnsWithin({ group, instrument }: PositionFacts, side: Side, units: Quantity): boolean {
    const tried = this.triedOf(group);
    const portfolio = tried?.portfolio ?? this.account.portfolios.get(group);
    return calendarTurns(this.ports, portfolio, instrument, side === 'B' ? units : -units, tried?.rows);
  }

  /** The world that sets the margin of contracts on an underlying, as it would be; `undefined` when there are none. */
  decidingWorld({ group }: PositionFacts): ExplainedWorld | undefined {
    const tried = this.triedOf(group);
    return explainRequirement(this.ports, tried?.portfolio ?? this.account.portfolios.get(group), tried?.rows);
  }

  /** The funds as they would be, measured once for all that is asked of them. */
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

  /** What a delivery sale brings that pays for nothing today, by the rows as they would be. */
  private hold(row: Position, units: Quantity, amount: Paise): void {
    const { account, ports, changing } = this;
    const gross = settlesGross(ports.instruments.get(row.instrument));
    const held = heldByFill(account.holdings.get(row.isin), this.deliveriesOf(row.isin), { row, gross, units, amount });
    changing.heldProceeds = addPaise(changing.heldProceeds, held);
  }

  /** Today's delivery rows of an ISIN as they would be, with those that only the trial has. */
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
    this.tried = { group, portfolio, rows, parts: portfolio?.parts ?? NO_MARGIN, stale: true, next: this.tried };
  }
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
