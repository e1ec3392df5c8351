/**
 * Prints of a day that was recorded tick by tick: as they are, in their order, several of one second each by itself. A
 * row that only changes the quote moves the touch and is not a print.
 */
import { NO_PRINT } from '../../base/market/recording-form.ts';
import { MINUTES_IN_DAY, type MinuteFold, minuteOf } from '../day-tape.ts';
import { type DayPrints, NO_PRINTS, type PrintRun, type RecordedQuote } from './print-run.ts';
import type { QuoteColumns, TickColumns } from './recorded-days.ts';

/** The inputs of the prints of a day of ticks. */
export interface TickPrintTerms {
  readonly ticks: TickColumns;
  /** Paise of a tick: every price of the day is a multiple of it. */
  readonly tick: number;
  readonly isIndex: boolean;
}

interface Columns {
  readonly seconds: Int32Array;
  readonly ticks: Int32Array;
  readonly unitsBefore: Float64Array;
  readonly bought: Uint8Array;
}

export class TickPrints implements DayPrints {
  readonly first: number;
  readonly end: number;
  readonly units: number;
  readonly open: number;
  private readonly rows: TickColumns;
  private readonly columns: Columns;
  /** The number of prints before each minute. */
  private readonly before: Int32Array;
  /** The row at or before the second that was asked for last. */
  private row = -1;

  /** There is one print at least. */
  constructor({ ticks, tick, isIndex }: TickPrintTerms) {
    this.rows = ticks;
    const rows = printRows(ticks, isIndex);
    this.columns = columnsOf(ticks, rows, tick);
    const { seconds, unitsBefore } = this.columns;
    this.before = new Int32Array(MINUTES_IN_DAY + 1);
    for (const second of seconds) this.before[minuteOf(second) + 1] = (this.before[minuteOf(second) + 1] as number) + 1;
    for (let minute = 0; minute < MINUTES_IN_DAY; minute += 1) {
      this.before[minute + 1] = (this.before[minute + 1] as number) + (this.before[minute] as number);
    }
    this.first = minuteOf(seconds[0] as number);
    this.end = minuteOf(seconds[seconds.length - 1] as number) + 1;
    this.units = unitsBefore[seconds.length] as number;
    this.open = this.columns.ticks[0] as number;
  }

  has(minute: number): boolean {
    return this.countBefore(minute + 1) > this.countBefore(minute);
  }

  unitsBefore(minute: number): number {
    return this.columns.unitsBefore[this.countBefore(minute)] as number;
  }

  minuteBefore(minute: number): number {
    const count = this.countBefore(minute);
    return count === 0 ? -1 : minuteOf(this.columns.seconds[count - 1] as number);
  }

  closeBefore(minute: number): number {
    const count = this.countBefore(minute);
    return count === 0 ? 0 : (this.columns.ticks[count - 1] as number);
  }

  fold(minute: number, out: MinuteFold): void {
    const { ticks } = this.columns;
    const [from, to] = [this.countBefore(minute), this.countBefore(minute + 1)];
    out.prints = to - from;
    out.open = ticks[from] as number;
    out.high = out.open;
    out.low = out.open;
    out.close = ticks[to - 1] as number;
    for (let print = from + 1; print < to; print += 1) {
      const here = ticks[print] as number;
      if (here > out.high) out.high = here;
      if (here < out.low) out.low = here;
    }
  }

  run(minute: number): PrintRun {
    if (minute < 0 || minute >= MINUTES_IN_DAY) return NO_PRINTS;
    return { from: this.countBefore(minute), to: this.countBefore(minute + 1), ...this.columns };
  }

  openInterestAt(second: number): number | undefined {
    const { openInterest } = this.rows;
    return openInterest?.[Math.max(this.rowAt(second), 0)];
  }

  quoteAt(second: number): RecordedQuote | undefined {
    const { quotes } = this.rows;
    const row = quotes === undefined ? -1 : this.rowAt(second);
    return quotes === undefined || row < 0 ? undefined : quoteOf(quotes, row, this.rows.second[row] as number);
  }

  private countBefore(minute: number): number {
    return this.before[Math.min(Math.max(minute, 0), MINUTES_IN_DAY)] as number;
  }

  /** The last row at or before a second; -1 when there is none. Questions mostly go a second ahead of the last. */
  private rowAt(second: number): number {
    const seconds = this.rows.second;
    let row = this.row;
    if (row >= seconds.length || (row >= 0 && (seconds[row] as number) > second)) row = search(seconds, second);
    else if (row + 1 < seconds.length && (seconds[row + 1] as number) <= second) row = search(seconds, second);
    this.row = row;
    return row;
  }
}

/** The last place with a value of `second` or less; -1 when there is none. */
function search(seconds: Int32Array, second: number): number {
  let low = 0;
  let high = seconds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((seconds[middle] as number) <= second) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * The rows that are prints: those with a quantity, each first price, and each price that is not the one before, which
 * only a trade can have made. Of an index every row is one.
 */
function printRows({ price, quantity, bought }: TickColumns, isIndex: boolean): number[] {
  const rows: number[] = [];
  if (bought !== undefined) {
    for (let row = 0; row < price.length; row += 1) if (bought[row] !== NO_PRINT) rows.push(row);
    return rows;
  }
  for (let row = 0; row < price.length; row += 1) {
    if (isIndex || (quantity[row] as number) > 0 || row === 0 || price[row] !== price[row - 1]) rows.push(row);
  }
  return rows;
}

function columnsOf(recorded: TickColumns, rows: readonly number[], tick: number): Columns {
  const { second, price, quantity, quotes } = recorded;
  const seconds = Int32Array.from(rows, (row) => second[row] as number);
  const ticks = Int32Array.from(rows, (row) => (price[row] as number) / tick);
  const unitsBefore = new Float64Array(rows.length + 1);
  const bought = new Uint8Array(rows.length);
  for (let print = 0; print < rows.length; print += 1) {
    const row = rows[print] as number;
    unitsBefore[print + 1] = (unitsBefore[print] as number) + (quantity[row] as number);
    bought[print] =
      recorded.bought?.[row] ?? boughtBy(quotes, row, price[row] as number) ?? byMove(ticks, bought, print);
  }
  return { seconds, ticks, unitsBefore, bought };
}

/** The side by the touch that stands with the print: a price at the ask was bought, one at the bid was sold. */
function boughtBy(quotes: QuoteColumns | undefined, row: number, price: number): number | undefined {
  if (quotes === undefined) return undefined;
  const [bid, ask] = [quotes.bid[row] as number, quotes.ask[row] as number];
  if (ask > 0 && price >= ask) return 1;
  return bid > 0 && price <= bid ? 0 : undefined;
}

/** The side by the move from the price before; the same side again where it did not move. */
function byMove(ticks: Int32Array, bought: Uint8Array, print: number): number {
  if (print === 0) return 1;
  const [before, here] = [ticks[print - 1] as number, ticks[print] as number];
  if (here === before) return bought[print - 1] as number;
  return here > before ? 1 : 0;
}

function quoteOf(quotes: QuoteColumns, row: number, since: number): RecordedQuote {
  return {
    bid: quotes.bid[row] as number,
    bidUnits: quotes.bidQuantity[row] as number,
    ask: quotes.ask[row] as number,
    askUnits: quotes.askQuantity[row] as number,
    since,
  };
}
