/**
 * Candles of minutes and of days, folded from the prints of the tapes. They are the market's own candles: trades of
 * users are not in them.
 */
import type { Tick } from '../../base/ids.ts';
import { dayOf, firstTickOf } from '../../base/tick.ts';
import { type EpochMs, type IstDay, istDay, istInstant, MINUTE_MS } from '../../base/time.ts';
import type { Candle } from '../../core/market.ts';
import { MINUTE_SECONDS, type MinuteFold } from '../day-tape.ts';
import type { TradedDay } from '../listing.ts';
import { dayExtremes } from './day-extremes.ts';
import type { DaySums } from './day-figures.ts';
import { type DayFold, type DayFolds, emptyFold, endOf, join } from './day-folds.ts';
import type { Listed } from './listed.ts';

/** Days whose candle is kept over all instruments. */
const KEPT_DAYS = 100_000;
const DAY_KEYS = 65_536;

/** A range of bars: their starts in [from, to], nothing after `until`. */
interface Range {
  readonly minutes: number;
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly until: Tick;
}

/** Candles as folds of the prints. */
export class Candles {
  private readonly folds: DayFolds;
  private readonly sums: DaySums;
  private readonly firstDay: IstDay;
  private readonly finished = new Map<number, Candle>();

  /** `firstDay`: of the market. */
  constructor(folds: DayFolds, sums: DaySums, firstDay: IstDay) {
    this.folds = folds;
    this.sums = sums;
    this.firstDay = firstDay;
  }

  /** Bars of `minutes`, counted from the open of each day. Source: contract W16. */
  intraday(listed: Listed, range: Range): Candle[] {
    const candles: Candle[] = [];
    const lastDay = Math.min(istDay(range.to), dayOf(range.until));
    for (let day = Math.max(istDay(range.from), this.firstDay) as IstDay; day <= lastDay; day = (day + 1) as IstDay) {
      const fold = this.foldOf(listed, day);
      if (fold !== undefined) addDay(listed, fold, range, candles);
    }
    return candles;
  }

  /** The folds of a day; a day whose folds are kept is not drawn again. */
  private foldOf(listed: Listed, day: IstDay): DayFold | undefined {
    const known = this.folds.known(listed.number, day);
    if (known !== undefined) return known;
    const traded = listed.traded(day);
    return traded && this.folds.get(listed.number, traded);
  }

  /** One bar a day, ascending. Source: contract W16, market-rules R0.5. */
  daily(listed: Listed, from: IstDay, to: IstDay, until: Tick): Candle[] {
    const candles: Candle[] = [];
    const lastDay = Math.min(to, dayOf(until));
    for (let day = Math.max(from, this.firstDay) as IstDay; day <= lastDay; day = (day + 1) as IstDay) {
      const traded = listed.traded(day);
      const candle = traded === undefined ? undefined : this.dayCandle(listed, traded, until - firstTickOf(day));
      if (candle !== undefined) candles.push(candle);
    }
    return candles;
  }

  private dayCandle(listed: Listed, traded: TradedDay, lastSecond: number): Candle | undefined {
    const { tape } = traded;
    if (lastSecond < tape.end - 1) {
      if (tape.lastPrint(lastSecond) < 0) return undefined;
      const fold = this.sums.fold(listed, traded, lastSecond);
      return candleOf(listed, traded, istInstant(tape.day), fold, tape.lotsUpTo(lastSecond), lastSecond);
    }
    const key = listed.number * DAY_KEYS + tape.day;
    const known = this.finished.get(key);
    if (known !== undefined) return known;
    if (this.finished.size >= KEPT_DAYS) this.finished.clear();
    const candle = wholeDay(listed, traded);
    this.finished.set(key, candle);
    return candle;
  }
}

function addDay(listed: Listed, fold: DayFold, { minutes, from, to, until }: Range, candles: Candle[]): void {
  const { tape, traded } = fold;
  const midnight = istInstant(tape.day);
  const lastSecond = Math.min(until - firstTickOf(tape.day), tape.end - 1);
  // Bars count from the open, also those before it.
  const first = tape.open / MINUTE_SECONDS;
  const wanted = Math.max((from - midnight) / MINUTE_MS, fold.first - minutes + 1);
  const skipped = Math.ceil((wanted - first) / minutes);
  const latest = Math.min((to - midnight) / MINUTE_MS, lastSecond / MINUTE_SECONDS);
  const total = emptyFold();
  const part = emptyFold();
  let start = first + skipped * minutes;
  let before = tape.lotsUpTo(start * MINUTE_SECONDS - 1);
  for (; start < fold.end && start <= latest; start += minutes) {
    const end = Math.min(start + minutes, fold.end);
    const last = Math.min(end * MINUTE_SECONDS - 1, lastSecond);
    if (minutes === 1) {
      fold.minuteUntil(start, last, total);
    } else {
      clear(total);
      for (let minute = Math.max(start, fold.first); minute * MINUTE_SECONDS <= last && minute < end; minute += 1) {
        fold.minuteUntil(minute, last, part);
        join(total, part);
      }
    }
    const after = last === endOf(end - 1) ? fold.lotsAfter(end - 1) : tape.lotsUpTo(last);
    if (total.prints > 0)
      candles.push(candleOf(listed, traded, istInstant(tape.day, start * MINUTE_MS), total, after - before, last));
    before = after;
  }
}

function wholeDay(listed: Listed, traded: TradedDay): Candle {
  const { tape } = traded;
  const { tick } = tape;
  const { high, low } = dayExtremes(tape);
  const open = tape.openPrice / tick;
  const close = tape.printPrice(tape.lastPrint(tape.end)).price / tick;
  const fold = { prints: 1, open, high, low, close, turnover: 0 };
  return candleOf(listed, traded, istInstant(tape.day), fold, tape.lotsUpTo(tape.end), tape.end);
}

function candleOf(
  listed: Listed,
  traded: TradedDay,
  start: EpochMs,
  fold: MinuteFold,
  lots: number,
  lastSecond: number,
): Candle {
  const { tick, lot } = traded.tape;
  return {
    start,
    open: small(fold.open * tick) as Candle['open'],
    high: small(fold.high * tick) as Candle['open'],
    low: small(fold.low * tick) as Candle['open'],
    close: small(fold.close * tick) as Candle['open'],
    volume: small(lots * lot),
    openInterest: listed.openInterest(traded, lastSecond),
  };
}

/** The same number; where 32 bits hold it, in a form that takes no memory of its own. */
function small(value: number): number {
  const whole = value | 0;
  return whole === value ? whole : value;
}

function clear(fold: MinuteFold): void {
  fold.prints = 0;
  fold.turnover = 0;
}
