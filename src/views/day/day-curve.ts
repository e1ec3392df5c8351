/**
 * The result of an account over the trading day, point by point: the rows as the day began, with the fills and the
 * conversions up to each point, at the price that was the last one then. A pure function of the day's books and of the
 * market. It is made instrument by instrument in small steps.
 */

import type { AccountId, InstrumentId, Tick } from '../../base/ids.ts';
import type { Stretches } from '../../base/logs/placed-rows.ts';
import {
  addPaise,
  amountOf,
  type Paise,
  type Price,
  type Quantity,
  ZERO_PAISE,
  ZERO_PRICE,
  ZERO_QUANTITY,
} from '../../base/money.ts';
import { type EpochMs, type IstDay, istInstant, SECOND_MS } from '../../base/time.ts';
import { type Account, type Position, positionKey } from '../../core/account.ts';
import type { MarketData } from '../../core/market.ts';
import type { Product, Side } from '../../core/order.ts';
import { addCarried, addFill, emptyPosition, netQuantity } from '../../core/position.ts';
import { positionFigures } from '../../core/query.ts';
import type { Conversion } from '../conversions.ts';
import type { GivenOrders } from '../history/held-orders.ts';
import { isLast } from '../merge.ts';
import { OpenLots } from '../open-lots.ts';
import type { OwnBar } from '../own/own-bar.ts';
import { lastPrice } from '../quote.ts';
import type { Fill } from '../trade-book.ts';
import type { Views } from '../views.ts';

/** The books of one account's day, of one moment. Nothing changes them afterwards. */
export interface DayBooks {
  readonly account: AccountId;
  readonly day: IstDay;
  /** The moment of the books: the last point. */
  readonly at: EpochMs;
  readonly rows: readonly Position[];
  readonly fills: Stretches<Fill>;
  /** The orders of the fills. */
  readonly orders: GivenOrders;
  readonly conversions: readonly Conversion[];
}

export function dayBooksOf(views: Views, account: Account, day: IstDay, at: EpochMs): DayBooks {
  return {
    account: account.id,
    day,
    at,
    rows: Array.from(account.positions.values(), (row) => ({ ...row })),
    fills: views.trades.fillsOf(account.id),
    orders: views.history.held(),
    conversions: views.conversions.conversionsOf(account.id).slice(),
  };
}

/** Something that changed rows of one instrument. */
type Move = (Conversion & { readonly product?: never }) | FillMove;

interface FillMove {
  readonly at: EpochMs;
  readonly product: Product;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly amount: Paise;
}

/** The moves of one account's day by instrument. */
export class DayMoves {
  private readonly books: DayBooks;
  private readonly byInstrument = new Map<InstrumentId, Move[]>();
  private taken = 0;

  constructor(books: DayBooks) {
    this.books = books;
    for (const conversion of books.conversions) this.file(conversion.instrument, conversion);
  }

  /** Takes in at most `most` fills; true when all are in. */
  take(most: number): boolean {
    const { fills, orders } = this.books;
    const end = Math.min(fills.length, this.taken + most);
    for (const { order, instrument, at, price, quantity } of fills.slice(this.taken, end)) {
      const { product, side } = orders.head(order);
      this.file(instrument, { at, product, side, quantity, amount: amountOf(price, quantity) });
    }
    this.taken = end;
    return end === fills.length;
  }

  /** Oldest first. */
  of(instrument: InstrumentId): readonly Move[] {
    return (this.byInstrument.get(instrument) ?? []).sort((a, b) => a.at - b.at);
  }

  private file(instrument: InstrumentId, move: Move): void {
    const moves = this.byInstrument.get(instrument);
    if (moves === undefined) this.byInstrument.set(instrument, [move]);
    else moves.push(move);
  }
}

/** The result of one instrument at a moment, in paise. */
export interface PointResult {
  readonly realised: Paise;
  readonly open: Paise;
}

/** The rows of one instrument as the day goes on. */
export class InstrumentDay {
  private readonly parts: { readonly views: Views; readonly market: MarketData };
  private readonly books: DayBooks;
  private readonly instrument: InstrumentId;
  private readonly moves: readonly Move[];
  private readonly rows: Map<number, Position>;
  private readonly lots: OpenLots | undefined;
  private readonly own: readonly OwnBar[];
  private moved = 0;
  private ownPassed = 0;
  private lastOwn: OwnBar | undefined;

  constructor(
    parts: { readonly views: Views; readonly market: MarketData; readonly avgModel: 'aggregate' | 'running' },
    books: DayBooks,
    instrument: InstrumentId,
    moves: readonly Move[],
  ) {
    this.parts = parts;
    this.books = books;
    this.instrument = instrument;
    this.moves = moves;
    this.rows = rowsAtStart(books, instrument);
    this.own = parts.views.ownTrades.minutesOf(instrument, istInstant(books.day), books.at);
    if (parts.avgModel === 'running') {
      this.lots = new OpenLots();
      this.lots.begin({ accounts: [{ id: books.account, positions: this.rows }] });
    }
  }

  /** Takes in at most `most` moves before a moment; true when there are no others. */
  moveTo(at: EpochMs, most: number): boolean {
    const end = Math.min(this.moves.length, this.moved + most);
    for (; this.moved < end; this.moved += 1) {
      const move = this.moves[this.moved] as Move;
      if (move.at >= at) return true;
      this.take(move);
    }
    const next = this.moves[this.moved];
    return next === undefined || next.at >= at;
  }

  /** The result just before a moment on a whole second. Moments are asked for in their order, after `moveTo`. */
  before(at: EpochMs): PointResult {
    return this.resultAt(this.isOpen() ? this.priceBefore(at) : ZERO_PRICE);
  }

  /** The result at the moment of the books. */
  last(): PointResult {
    const { views, market } = this.parts;
    return this.resultAt(lastPrice(views, market, this.instrument, market.tickAt(this.books.at)));
  }

  private take(move: Move): void {
    const { instrument, lots } = this;
    const { account } = this.books;
    if (move.product !== undefined) {
      const { product, side, quantity, amount } = move;
      addFill(this.row(product), side, quantity, amount);
      lots?.fill({ account, product }, instrument, side, quantity, amount);
      return;
    }
    convert(this.row(move.from), this.row(move.to), move);
    lots?.convert({ ...move, account });
  }

  private row(product: Product): Position {
    const key = positionKey(this.instrument, product);
    const known = this.rows.get(key);
    if (known !== undefined) return known;
    const facts = { instrument: this.instrument, kind: 'equity', group: this.instrument, isin: '' } as const;
    const made = emptyPosition(facts, product);
    this.rows.set(key, made);
    return made;
  }

  private isOpen(): boolean {
    for (const row of this.rows.values()) if (netQuantity(row) !== 0) return true;
    return false;
  }

  private resultAt(price: Price): PointResult {
    let realised = ZERO_PAISE;
    let open = ZERO_PAISE;
    for (const row of this.rows.values()) {
      const figures = positionFigures(row, price, this.lots?.openAmountOf(this.books.account, row));
      realised = addPaise(realised, figures.realised);
      open = addPaise(open, figures.countedOpen);
    }
    return { realised, open };
  }

  /** The last traded price before a moment, as `lastPrice` says it, without the users' trades after it. */
  private priceBefore(at: EpochMs): Price {
    for (let next = this.own[this.ownPassed]; next !== undefined && next.start < at; next = this.own[this.ownPassed]) {
      if (next.lastTick >= 0) this.lastOwn = next;
      this.ownPassed += 1;
    }
    const print = this.parts.market.lastPrint(this.instrument, (at / SECOND_MS - 1) as Tick);
    return this.lastOwn !== undefined && isLast(this.lastOwn, print) ? this.lastOwn.close : print.price;
  }
}

/** The rows of an instrument as the day began: nothing traded, and what conversions of carried units moved is back. */
function rowsAtStart({ rows, conversions }: DayBooks, instrument: InstrumentId): Map<number, Position> {
  const start = new Map<number, Position>();
  for (const row of rows) {
    if (row.instrument !== instrument) continue;
    start.set(positionKey(instrument, row.product), {
      ...row,
      dayBuyQuantity: ZERO_QUANTITY,
      dayBuyAmount: ZERO_PAISE,
      daySellQuantity: ZERO_QUANTITY,
      daySellAmount: ZERO_PAISE,
    });
  }
  for (const conversion of conversions) {
    const { from, to, side, age, quantity, amount } = conversion;
    if (conversion.instrument !== instrument || age === 'day') continue;
    const origin = start.get(positionKey(instrument, from));
    const target = start.get(positionKey(instrument, to));
    if (origin !== undefined) addCarried(origin, side, quantity, amount);
    if (target !== undefined && to !== 'C') addCarried(target, side, -quantity, -amount);
  }
  return start;
}

/** Units that become a delivery count as of today. Source: market-rules R5.16. */
function convert(from: Position, to: Position, { side, age, quantity, amount }: Conversion): void {
  if (age === 'carried') addCarried(from, side, -quantity, -amount);
  else addFill(from, side, -quantity as Quantity, -amount as Paise);
  if (age === 'carried' && to.product !== 'C') addCarried(to, side, quantity, amount);
  else addFill(to, side, quantity, amount);
}
