/**
 * The figures of a trading day up to a second, as quotes show them: open, high, low, volume, turnover, open interest.
 * They are sums over the market's prints, added up once and carried on as time goes.
 */
import type { InstrumentId } from '../../base/ids.ts';
import type { Price, Quantity } from '../../base/money.ts';
import type { DayFigures } from '../../core/market.ts';
import { MINUTE_SECONDS, type MinuteFold } from '../day-tape.ts';
import type { TradedDay } from '../listing.ts';
import { type DayFold, type DayFolds, emptyFold, join } from './day-folds.ts';
import type { Listed } from './listed.ts';

/** How far a day of an instrument has been added up: the minutes before `next`. */
interface Running {
  readonly fold: DayFold;
  next: number;
  readonly total: MinuteFold;
}

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

  /** The fold of all prints of the day up to and with a second. */
  fold(listed: Listed, traded: TradedDay, second: number): MinuteFold {
    const running = this.runningOf(listed, traded);
    const last = Math.min(Math.floor(second / MINUTE_SECONDS), running.fold.end - 1);
    const part = emptyFold();
    const total = running.next <= last ? running.total : emptyFold();
    for (let minute = running.next <= last ? running.next : running.fold.first; minute < last; minute += 1) {
      running.fold.minute(minute, true, part);
      join(total, part);
    }
    if (total === running.total) running.next = last;
    const result = { ...total };
    running.fold.minuteUntil(last, second, true, part);
    join(result, part);
    return result;
  }

  private runningOf(listed: Listed, traded: TradedDay): Running {
    const known = this.running.get(listed.id);
    if (known !== undefined && known.fold.tape.day === traded.tape.day) return known;
    if (this.running.size >= KEPT_SUMS) this.running.clear();
    const fold = this.folds.get(listed.number, traded.tape);
    const fresh = { fold, next: fold.first, total: emptyFold() };
    this.running.set(listed.id, fresh);
    return fresh;
  }
}
