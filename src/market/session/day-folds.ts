/**
 * The prints of a day folded minute by minute, with a limited memory over all instruments. Candles and figures of the
 * day are built from these folds and do not read single prints.
 */
import type { IstDay } from '../../base/time.ts';
import { type DayTape, MINUTE_SECONDS, type MinuteFold } from '../day-tape.ts';
import type { TradedDay } from '../listing.ts';

/**
 * Numbers kept for a minute: open, high, low, close in ticks, prints, turnover in ticks times lots, and the lots of the
 * day up to its end.
 */
const FIELDS = 7;
const UNKNOWN = -1;
const NO_TURNOVER = Number.NaN;

export function emptyFold(): MinuteFold {
  return { prints: 0, open: 0, high: 0, low: 0, close: 0, turnover: 0 };
}

/** The prints of one instrument's day, folded minute by minute; a minute is folded when it is first asked for. */
export class DayFold {
  readonly traded: TradedDay;
  readonly tape: DayTape;
  /** The first minute, and the one after the last. */
  readonly first: number;
  readonly end: number;
  private readonly fields: Float64Array;

  constructor(traded: TradedDay) {
    const { tape } = traded;
    this.traded = traded;
    this.tape = tape;
    this.first = tape.begin / MINUTE_SECONDS;
    this.end = tape.end / MINUTE_SECONDS;
    this.fields = new Float64Array((this.end - this.first) * FIELDS).fill(UNKNOWN);
  }

  /** The fold of a whole minute of the day, into `out`. */
  minute(minute: number, withTurnover: boolean, out: MinuteFold): void {
    const { fields } = this;
    const at = (minute - this.first) * FIELDS;
    const known = fields[at + 4] !== UNKNOWN && !(withTurnover && Number.isNaN(fields[at + 5] as number));
    if (!known) {
      this.tape.fold(minute, this.tape.end, withTurnover, out);
      this.keep(minute, withTurnover, out);
      return;
    }
    out.open = fields[at] as number;
    out.high = fields[at + 1] as number;
    out.low = fields[at + 2] as number;
    out.close = fields[at + 3] as number;
    out.prints = fields[at + 4] as number;
    out.turnover = fields[at + 5] as number;
  }

  /** The fold of a minute up to and with a second of the day, into `out`; without turnover. */
  minuteUntil(minute: number, until: number, out: MinuteFold): void {
    if (endOf(minute) <= until) this.minute(minute, false, out);
    else this.tape.fold(minute, until, false, out);
  }

  /** Lots traded on the day up to the end of a minute that `minute` has folded. */
  lotsAfter(minute: number): number {
    return this.fields[(minute - this.first) * FIELDS + 6] as number;
  }

  private keep(minute: number, withTurnover: boolean, fold: MinuteFold): void {
    const { fields } = this;
    const at = (minute - this.first) * FIELDS;
    fields[at] = fold.open;
    fields[at + 1] = fold.high;
    fields[at + 2] = fold.low;
    fields[at + 3] = fold.close;
    fields[at + 4] = fold.prints;
    fields[at + 5] = withTurnover ? fold.turnover : NO_TURNOVER;
    fields[at + 6] = this.tape.lotsUpTo(endOf(minute));
  }
}

/** The last second of a minute of the day. */
export function endOf(minute: number): number {
  return (minute + 1) * MINUTE_SECONDS - 1;
}

/** Adds a later fold to an earlier one. */
export function join(total: MinuteFold, later: MinuteFold): void {
  if (later.prints === 0) return;
  if (total.prints === 0) {
    total.open = later.open;
    total.high = later.high;
    total.low = later.low;
  } else {
    if (later.high > total.high) total.high = later.high;
    if (later.low < total.low) total.low = later.low;
  }
  total.close = later.close;
  total.prints += later.prints;
  total.turnover += later.turnover;
}

/** How many minutes of folds are kept over all instruments, at 56 bytes. */
const KEPT_MINUTES = 1_000_000;
const DAY_KEYS = 65_536;

/** The days that were folded last. Keeping them never changes an answer, only its cost. */
export class DayFolds {
  private readonly byKey = new Map<number, DayFold>();
  private minutes = 0;

  /** The folds of a day of the listed instrument of that number, where they are still kept. */
  known(listed: number, day: IstDay): DayFold | undefined {
    return this.byKey.get(keyOf(listed, day));
  }

  /** The folds of a day of the listed instrument of that number. */
  get(listed: number, traded: TradedDay): DayFold {
    const { day } = traded.tape;
    const known = this.known(listed, day);
    if (known !== undefined) return known;
    const made = new DayFold(traded);
    this.byKey.set(keyOf(listed, day), made);
    this.minutes += made.end - made.first;
    this.forgetOldest();
    return made;
  }

  private forgetOldest(): void {
    for (const [key, fold] of this.byKey) {
      if (this.minutes <= KEPT_MINUTES) return;
      this.byKey.delete(key);
      this.minutes -= fold.end - fold.first;
    }
  }
}

function keyOf(listed: number, day: IstDay): number {
  return listed * DAY_KEYS + day;
}
