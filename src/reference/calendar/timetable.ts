/**
 * The phases of every instrument's day. A session of its own, as Muhurat, has the phases before and in continuous
 * trading, moved to its opening; no closing auction and no trading after the close. The rules that a phase brings are
 * in the core. Source: market-rules 2.1, R2.1 to R2.3, R2.20.
 */
import type { Exchange } from '../../base/ids.ts';
import { civilDate, type IstDay } from '../../base/time.ts';
import { type Future, type Instrument, isDerivative } from '../../core/instrument.ts';
import type { PhaseClass, PhaseSpan, PhaseTable } from '../rules/phase-table.ts';
import type { TradingStretch } from '../rules/session-hours.ts';
import type { ExpiryCalendar } from './expiry-calendar.ts';
import { classOf, type TradingCalendar } from './trading-calendar.ts';

/**
 * In its last trading days, the one of its expiry included, the current future shares the opening auction with the
 * next. Source: R2.3.
 */
const LAST_DAYS_OF_FUTURE = 5;

export class Timetable {
  private readonly calendar: TradingCalendar;
  private readonly expiries: ExpiryCalendar;
  private readonly table: PhaseTable;

  constructor(calendar: TradingCalendar, expiries: ExpiryCalendar, table: PhaseTable) {
    this.calendar = calendar;
    this.expiries = expiries;
    this.table = table;
  }

  /** The phases of an instrument's day in order, whether it is listed then or not; none on a day without trading. */
  phases(instrument: Instrument, day: IstDay): readonly PhaseSpan[] {
    return this.ofClass(this.phaseClass(instrument, day), instrument.exchange, day);
  }

  /**
   * The phases of an exchange's day in order: those of shares with futures and options in cash, of options in
   * derivatives; none on a day without trading.
   */
  exchangePhases(exchange: Exchange, day: IstDay): readonly PhaseSpan[] {
    return this.ofClass(classOf(exchange) === 'cash' ? 'SharesWithContracts' : 'Contracts', exchange, day);
  }

  private ofClass(name: PhaseClass, exchange: Exchange, day: IstDay): readonly PhaseSpan[] {
    const session = longest(this.calendar.sessions(exchange, day));
    if (session === undefined) return [];
    return this.calendar.isOrdinaryDay(exchange, day) && !this.calendar.isSpecialDay(exchange, day)
      ? this.table.on(name, day)
      : this.ofSpecialSession(name, exchange, day, session);
  }

  /** A special session at ordinary hours is a day like any other. */
  private ofSpecialSession(
    name: PhaseClass,
    exchange: Exchange,
    day: IstDay,
    { open, close }: TradingStretch,
  ): readonly PhaseSpan[] {
    const ordinary = this.calendar.ordinaryHours(exchange, day);
    if (open === ordinary.open && close === ordinary.close) return this.table.on(name, day);
    const shift = open - this.table.continuous(name, day).start;
    const moved: PhaseSpan[] = [];
    for (const span of this.table.on(name, day)) {
      if (span.phase === 'Continuous') return [...moved, { ...span, start: open, end: close, randomFrom: close }];
      moved.push({
        phase: span.phase,
        start: span.start + shift,
        randomFrom: span.randomFrom + shift,
        end: span.end + shift,
      });
    }
    return moved;
  }

  private phaseClass(instrument: Instrument, day: IstDay): PhaseClass {
    if (instrument.kind === 'index') return 'Indices';
    if (isDerivative(instrument)) {
      return instrument.kind === 'future' && this.isNear(instrument, day) ? 'NearFutures' : 'Contracts';
    }
    return instrument.hasDerivatives ? 'SharesWithContracts' : 'OtherShares';
  }

  /** True for the current future, and in its last days for the next as well. Source: market-rules R2.3. */
  private isNear({ exchange, expiryDay }: Future, day: IstDay): boolean {
    const current = this.expiryFrom(exchange, day);
    if (expiryDay <= current) return true;
    if (expiryDay > this.expiryFrom(exchange, (current + 1) as IstDay)) return false;
    let first = current;
    for (let i = 1; i < LAST_DAYS_OF_FUTURE; i += 1) first = this.calendar.previousTradingDay(exchange, first);
    return day >= first;
  }

  /** The first monthly expiry from a day on. */
  private expiryFrom(exchange: Exchange, day: IstDay): IstDay {
    const house = exchange === 'BFO' ? 'BFO' : 'NFO';
    const { year, month } = civilDate(day);
    const expiry = this.expiries.expiryOf(house, this.expiries.monthlyWeek(house, year, month));
    if (expiry >= day) return expiry;
    const next = month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 };
    return this.expiries.expiryOf(house, this.expiries.monthlyWeek(house, next.year, next.month));
  }
}

/** Of a day with several sessions, as a test of the second site, the market trades in the longest. */
export function longest(sessions: readonly TradingStretch[]): TradingStretch | undefined {
  let found: TradingStretch | undefined;
  for (const session of sessions) {
    if (found === undefined || session.close - session.open > found.close - found.open) found = session;
  }
  return found;
}
