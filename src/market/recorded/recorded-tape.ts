/**
 * One recorded day of an instrument as a tape: its prints, and the touch around them. It counts units, and prices in
 * paise where the record is off the tick. The prints come from candles or from ticks by `print-run.ts`.
 */
import type { Price, Quantity } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import type { Side } from '../../core/order.ts';
import {
  type Bounds,
  type ClosingTape,
  type DayTape,
  MINUTE_SECONDS,
  type MinuteFold,
  minuteOf,
  type TapePrint,
} from '../day-tape.ts';
import type { BookedTape } from '../synthetic/trades/book-shape.ts';
import type { TouchUnits } from '../synthetic/trades/book-side.ts';
import { type DayPrints, type PrintRun, placeAfter } from './print-run.ts';
import type { MinuteFigures } from './recorded-days.ts';
import { RecordedTouch } from './recorded-touch.ts';

/** The inputs of a recorded tape. */
export interface RecordedTapeTerms {
  readonly day: IstDay;
  /** The step of its prices in paise: the instrument's, or 1 where the record is off it. */
  readonly tick: Price;
  /** The instrument's: its book stands on these, and prints fill orders in whole lots. 0 of an index. */
  readonly grid: Price;
  readonly lot: Quantity;
  readonly seed: number;
  /** Seconds of continuous trading. */
  readonly open: number;
  readonly close: number;
  readonly prints: DayPrints;
  /** Paise: the price before the first print of the day. */
  readonly before: number;
  /** The width of the touch as a share of the price. */
  readonly spreadShare: number;
  readonly closing: ClosingTape | undefined;
  readonly officialClose: Price | undefined;
  /** Units of continuous trading, where the record says so; else those of all prints count. */
  readonly units?: number | undefined;
  /** Fair values and bounds by minute, where the record has them. */
  readonly minutes?: MinuteFigures | undefined;
}

export class RecordedTape implements DayTape, BookedTape {
  readonly day: IstDay;
  readonly tick: Price;
  readonly lot = 1 as Quantity;
  readonly lots: number;
  readonly seed: number;
  readonly open: number;
  readonly close: number;
  readonly begin: number;
  readonly end: number;
  readonly openPrice: Price;
  readonly closing: ClosingTape | undefined;
  readonly officialClose: Price | undefined;
  private readonly terms: RecordedTapeTerms;
  private readonly prints: DayPrints;
  private readonly touch: RecordedTouch;
  private readonly figures: KnownMinutes | undefined;

  constructor(terms: RecordedTapeTerms) {
    const { prints, tick } = terms;
    this.terms = terms;
    this.prints = prints;
    this.day = terms.day;
    this.tick = tick;
    this.seed = terms.seed;
    this.lots = terms.units ?? prints.units;
    this.open = terms.open;
    this.close = terms.close;
    this.begin = Math.min(terms.open, prints.first * MINUTE_SECONDS);
    this.end = Math.max(terms.close, prints.end * MINUTE_SECONDS);
    this.openPrice = (prints.open * tick) as Price;
    this.closing = terms.closing;
    this.officialClose = terms.officialClose;
    this.touch = new RecordedTouch(terms);
    this.figures = terms.minutes && new KnownMinutes(terms.minutes);
  }

  touches(second: number, count: number, bids: Int32Array, asks: Int32Array): void {
    this.touch.fill(second, count, bids, asks);
  }

  unitsAtTouch(second: number, side: Side): TouchUnits | undefined {
    return this.touch.unitsAt(second, side);
  }

  /** The price of the last print before the minute: what follows it is not foreseen. */
  fairValue(minute: number): number {
    const known = this.figures?.at(minute);
    if (known !== undefined) return known.fair;
    const ticks = this.prints.closeBefore(minute);
    return ticks === 0 ? this.terms.before : ticks * this.tick;
  }

  lastPrint(second: number): number {
    const { run, place } = this.last(second);
    return place < run.from ? -1 : (run.seconds[place] as number);
  }

  /** The last print of the day where continuous trading has none. */
  lastContinuous(): number {
    const last = this.lastPrint(this.close - 1);
    return last >= this.open ? last : this.lastPrint(this.end);
  }

  /** Before the day's first print it is that print. */
  printPrice(second: number): { readonly price: Price; readonly aggressor: Side } {
    const { run, place } = this.last(second);
    if (place < run.from) return { price: this.openPrice, aggressor: 'B' };
    return this.printAt(run, place);
  }

  printQuantity(second: number): Quantity {
    return (this.wholeLots(this.lotsUpTo(second)) - this.wholeLots(this.lotsUpTo(second - 1))) as Quantity;
  }

  printsAt(second: number): readonly TapePrint[] {
    const run = this.prints.run(minuteOf(second));
    const found: TapePrint[] = [];
    for (let place = placeAfter(run, second - 1); place < placeAfter(run, second); place += 1) {
      const before = this.wholeLots(run.unitsBefore[place] as number);
      const after = this.wholeLots(run.unitsBefore[place + 1] as number);
      found.push({ ...this.printAt(run, place), quantity: (after - before) as Quantity });
    }
    return found;
  }

  hasPrints(minute: number): boolean {
    return this.prints.has(minute);
  }

  lotsUpTo(second: number): number {
    const minute = minuteOf(second);
    if (second === (minute + 1) * MINUTE_SECONDS - 1) return this.prints.unitsBefore(minute + 1);
    const run = this.prints.run(minute);
    if (run.to === run.from) return this.prints.unitsBefore(minute);
    return run.unitsBefore[placeAfter(run, second)] as number;
  }

  tradedWithin(from: number, to: number): { readonly lots: number; readonly ticksTimesLots: number } {
    let ticksTimesLots = 0;
    const last = Math.min(minuteOf(to), this.prints.end - 1);
    for (let minute = Math.max(minuteOf(from + 1), this.prints.first); minute <= last; minute += 1) {
      const run = this.prints.run(minute);
      ticksTimesLots += turnover(run, placeAfter(run, from), placeAfter(run, to));
    }
    return { lots: this.lotsUpTo(to) - this.lotsUpTo(from), ticksTimesLots };
  }

  turnoverOf(ticksTimesLots: number): number {
    return ticksTimesLots * this.tick;
  }

  fold(minute: number, until: number, withTurnover: boolean, out: MinuteFold): void {
    out.prints = 0;
    out.turnover = 0;
    if (!this.prints.has(minute)) return;
    const isWhole = until >= (minute + 1) * MINUTE_SECONDS - 1;
    if (isWhole) this.prints.fold(minute, out);
    if (isWhole && !withTurnover) return;
    const run = this.prints.run(minute);
    const to = isWhole ? run.to : placeAfter(run, until);
    if (!isWhole) foldPrices(run, to, out);
    if (withTurnover) out.turnover = turnover(run, run.from, to);
  }

  openInterestAt(second: number): Quantity | undefined {
    return this.prints.openInterestAt(second) as Quantity | undefined;
  }

  highBound(minute: number): number {
    return this.figures?.at(minute)?.bounds.high ?? this.touch.bounds(minute).high;
  }

  lowBound(minute: number): number {
    return this.figures?.at(minute)?.bounds.low ?? this.touch.bounds(minute).low;
  }

  nearBounds(minute: number): Bounds {
    return this.figures?.at(minute)?.near ?? this.touch.bounds(minute);
  }

  printsBeyond(minute: number, level: number, up: boolean): number {
    const run = this.prints.run(minute);
    let count = 0;
    for (let place = run.from; place < run.to; place += 1) {
      const price = (run.ticks[place] as number) * this.tick;
      if (up ? price >= level : price <= level) count += 1;
    }
    return count;
  }

  /** In an auction the buyer counts as the aggressor. */
  private printAt(run: PrintRun, place: number): { readonly price: Price; readonly aggressor: Side } {
    const price = ((run.ticks[place] as number) * this.tick) as Price;
    const bought = run.bought[place] === 1 || (run.seconds[place] as number) >= this.close;
    return { price, aggressor: bought ? 'B' : 'S' };
  }

  /** The last print at or before a second; a place before the run where there is none. */
  private last(second: number): { readonly run: PrintRun; readonly place: number } {
    const minute = Math.min(minuteOf(second), this.prints.end - 1);
    const run = this.prints.run(minute);
    const place = placeAfter(run, second) - 1;
    if (place >= run.from) return { run, place };
    const before = this.prints.run(this.prints.minuteBefore(minute));
    return { run: before, place: before.to - 1 };
  }

  /** Units in whole lots: what is over waits for the next prints, so that orders are filled in lots. */
  private wholeLots(units: number): number {
    const { lot } = this.terms;
    return lot > 1 ? units - (units % lot) : units;
  }
}

/** The figures of a recorded minute. */
interface KnownMinute {
  readonly fair: number;
  readonly bounds: Bounds;
  readonly near: Bounds;
}

class KnownMinutes {
  private readonly figures: MinuteFigures;
  private readonly rows: ReadonlyMap<number, number>;

  constructor(figures: MinuteFigures) {
    this.figures = figures;
    this.rows = new Map(Array.from(figures.minute, (minute, row) => [minute, row]));
  }

  at(minute: number): KnownMinute | undefined {
    const row = this.rows.get(minute);
    if (row === undefined) return undefined;
    const { fair, low, high, nearLow, nearHigh } = this.figures;
    return {
      fair: fair[row] as number,
      bounds: { low: low[row] as number, high: high[row] as number },
      near: { low: nearLow[row] as number, high: nearHigh[row] as number },
    };
  }
}

function turnover({ ticks, unitsBefore }: PrintRun, from: number, to: number): number {
  let sum = 0;
  for (let place = from; place < to; place += 1) {
    sum += (ticks[place] as number) * ((unitsBefore[place + 1] as number) - (unitsBefore[place] as number));
  }
  return sum;
}

function foldPrices({ from, ticks }: PrintRun, to: number, out: MinuteFold): void {
  if (to === from) return;
  out.prints = to - from;
  out.open = ticks[from] as number;
  out.close = ticks[to - 1] as number;
  out.high = out.open;
  out.low = out.open;
  for (let place = from + 1; place < to; place += 1) {
    const here = ticks[place] as number;
    if (here > out.high) out.high = here;
    if (here < out.low) out.low = here;
  }
}
