/**
 * The figures of a trading day up to a second, as quotes show them: open, high, low, volume, turnover, open interest.
 * They are sums over the market's prints, added up once and carried on as time goes.
 */
import type { InstrumentId } from '../../base/ids.ts';
import type { Price, Quantity } from '../../base/money.ts';
import type { DayFigures } from '../../core/market.ts';
import { type DayTape, MINUTE_SECONDS, type MinuteFold } from '../day-tape.ts';
import type { TradedDay } from '../listing.ts';
import { type DayFold, type DayFolds, emptyFold, join } from './day-folds.ts';
import type { Listed } from './listed.ts';

/** How far a day of an instrument has been added up. */
interface Running {
  readonly fold: DayFold;
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

/** Beyond this number the running sums are dropped: adding up again gives the same. */
const KEPT_SUMS = 5_000;

/** The figures of a day up to a second, added up once and carried on as time goes. */
export class DaySums {
  private readonly folds: DayFolds;
  private readonly running = new Map<InstrumentId, Running>();

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
    const running = this.runningOf(listed, traded);
    const last = Math.min(Math.floor(second / MINUTE_SECONDS), running.fold.end - 1);
    copyInto(ANSWER, running.next <= last ? before(running, last) : upTo(running.fold, last));
    join(ANSWER, partOf(running, last, second));
    return ANSWER;
  }

  private runningOf(listed: Listed, traded: TradedDay): Running {
    const known = this.running.get(listed.id);
    if (known !== undefined && known.fold.tape.day === traded.tape.day) return known;
    if (this.running.size >= KEPT_SUMS) this.running.clear();
    const fold = this.folds.get(listed.number, traded);
    const latest = { minute: -1, until: -1, part: emptyFold() };
    const fresh = { fold, next: fold.first, total: emptyFold(), latest };
    this.running.set(listed.id, fresh);
    return fresh;
  }
}

/** The sum of the minutes before one that was not added up yet. */
function before(running: Running, minute: number): MinuteFold {
  const { fold, total } = running;
  if (running.next < minute) addMinutes(fold, running.next, minute, total);
  running.next = minute;
  return total;
}

function upTo(fold: DayFold, minute: number): MinuteFold {
  const total = emptyFold();
  addMinutes(fold, fold.first, minute, total);
  return total;
}

function addMinutes(fold: DayFold, from: number, to: number, total: MinuteFold): void {
  const part = emptyFold();
  for (let minute = from; minute < to; minute += 1) {
    fold.minute(minute, true, part);
    join(total, part);
  }
}

function copyInto(out: MinuteFold, { prints, open, high, low, close, turnover }: MinuteFold): void {
  out.prints = prints;
  out.open = open;
  out.high = high;
  out.low = low;
  out.close = close;
  out.turnover = turnover;
}

/** The fold of a minute up to and with a second of the day: quotes ask for it second by second. */
function partOf({ fold, latest }: Running, minute: number, second: number): MinuteFold {
  const { tape } = fold;
  if (latest.minute === minute && goesOn(tape, latest.until, second)) {
    for (let next = latest.until + 1; next <= second; next += 1) addPrint(tape, next, latest.part);
  } else {
    fold.minuteUntil(minute, second, true, latest.part);
  }
  latest.minute = minute;
  latest.until = second;
  return latest.part;
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
