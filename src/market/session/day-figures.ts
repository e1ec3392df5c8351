/**
 * The figures of a trading day up to a second, as quotes show them: open, high, low, volume, turnover, open interest.
 * They are sums over the market's prints, added up once and carried on as time goes.
 */
import type { Price, Quantity } from '../../base/money.ts';
import { RecentMap } from '../../base/tables/recent-map.ts';
import type { IstDay } from '../../base/time.ts';
import type { DayFigures } from '../../core/market.ts';
import { type DayTape, MINUTE_SECONDS, type MinuteFold } from '../day-tape.ts';
import { KEPT_INSTRUMENTS, type TradedDay } from '../listing.ts';
import { type DayFolds, emptyFold, join } from './day-folds.ts';
import type { Listed } from './listed.ts';

/** How far a day of an instrument has been added up. */
interface Running {
  readonly day: IstDay;
  /** The minutes before this one are in `total`. */
  next: number;
  readonly total: MinuteFold;
  /** The minute that was asked for last, up to and with a second of the day. */
  readonly latest: { minute: number; until: number; readonly part: MinuteFold };
}

/** A minute is carried on by its prints over as many seconds at most; over more it is folded again. */
const FEW_SECONDS = 5;

/** The answer of `DaySums.fold`: one for all, since each quote asks for one. */
const ANSWER = emptyFold();
/** A minute as it is added to a sum. */
const PART = emptyFold();

/** The figures of a day up to a second, added up once and carried on as time goes. */
export class DaySums {
  private readonly folds: DayFolds;
  /**
   * By the number of the listing. Sums that are dropped are added up again: that gives the same, and takes as long as
   * the day is old.
   */
  private readonly running = new RecentMap<number, Running>(KEPT_INSTRUMENTS);

  constructor(folds: DayFolds) {
    this.folds = folds;
  }

  /** The figures of a traded day up to and with a second; `undefined` before its first print. */
  figures(listed: Listed, traded: TradedDay, second: number): DayFigures | undefined {
    const { tape } = traded;
    if (tape.lastPrint(second) < 0) return undefined;
    const total = this.fold(listed, traded, second);
    const lots = tape.lotsUpTo(second);
    const { tick, lot } = tape;
    return {
      open: (total.open * tick) as Price,
      high: (total.high * tick) as Price,
      low: (total.low * tick) as Price,
      last: (total.close * tick) as Price,
      previousClose: listed.closeBefore(tape.day).price,
      volume: (lots * lot) as Quantity,
      turnover: tape.turnoverOf(total.turnover),
      openInterest: listed.openInterest(traded, second),
    };
  }

  /** The fold of all prints of the day up to and with a second. It is valid until the next question. */
  fold(listed: Listed, traded: TradedDay, second: number): MinuteFold {
    const running = this.runningOf(listed.number, traded.tape);
    const last = Math.min(Math.floor(second / MINUTE_SECONDS), traded.tape.end / MINUTE_SECONDS - 1);
    const isLater = running.next <= last;
    copyInto(ANSWER, isLater ? this.before(listed, traded, running, last) : this.upTo(listed, traded, last));
    join(ANSWER, partOf(traded.tape, running.latest, last, second));
    return ANSWER;
  }

  private runningOf(number: number, { day, begin }: DayTape): Running {
    const known = this.running.get(number);
    if (known?.day === day) return known;
    const latest = { minute: -1, until: -1, part: emptyFold() };
    const fresh = { day, next: begin / MINUTE_SECONDS, total: emptyFold(), latest };
    this.running.set(number, fresh);
    return fresh;
  }

  /** The sum of the minutes before one that was not added up yet. */
  private before(listed: Listed, traded: TradedDay, running: Running, minute: number): MinuteFold {
    for (; running.next < minute; running.next += 1) {
      this.foldMinute(listed, traded, running.next);
      join(running.total, PART);
    }
    return running.total;
  }

  /** The sum of the minutes before one that is added up already: its day's folds are kept from then on. */
  private upTo(listed: Listed, traded: TradedDay, minute: number): MinuteFold {
    const fold = this.folds.get(listed.number, traded);
    const total = emptyFold();
    for (let earlier = fold.first; earlier < minute; earlier += 1) {
      fold.minute(earlier, true, PART);
      join(total, PART);
    }
    return total;
  }

  /** Folds a whole minute into `PART`. It is not kept, because the sums of thousands of days have it no more. */
  private foldMinute({ number }: Listed, { tape }: TradedDay, minute: number): void {
    const known = this.folds.known(number, tape.day);
    if (known === undefined) tape.fold(minute, tape.end, true, PART);
    else known.minute(minute, true, PART);
  }
}

/** The fold of a minute up to and with a second of the day: quotes ask for it second by second. */
function partOf(tape: DayTape, latest: Running['latest'], minute: number, second: number): MinuteFold {
  if (latest.minute === minute && goesOn(tape, latest.until, second)) {
    for (let next = latest.until + 1; next <= second; next += 1) addPrint(tape, next, latest.part);
  } else {
    tape.fold(minute, second, true, latest.part);
  }
  latest.minute = minute;
  latest.until = second;
  return latest.part;
}

function copyInto(out: MinuteFold, { prints, open, high, low, close, turnover }: MinuteFold): void {
  out.prints = prints;
  out.open = open;
  out.high = high;
  out.low = low;
  out.close = close;
  out.turnover = turnover;
}

/** Where a second may have several prints, or is the last of its minute, the minute is folded as a whole. */
function goesOn(tape: DayTape, from: number, to: number): boolean {
  const isNear = to >= from && to - from <= FEW_SECONDS;
  return isNear && to < tape.close && (to + 1) % MINUTE_SECONDS !== 0 && tape.printsAt === undefined;
}

/** Adds the print of a second to the fold of those before it in its minute. */
function addPrint(tape: DayTape, second: number, part: MinuteFold): void {
  if (tape.lastPrint(second) !== second) return;
  const ticks = tape.printPrice(second).price / tape.tick;
  const lots = tape.lotsUpTo(second) - tape.lotsUpTo(second - 1);
  if (part.prints === 0) {
    part.open = ticks;
    part.high = ticks;
    part.low = ticks;
  }
  if (ticks > part.high) part.high = ticks;
  if (ticks < part.low) part.low = ticks;
  part.close = ticks;
  part.prints += 1;
  part.turnover += ticks * lots;
}
