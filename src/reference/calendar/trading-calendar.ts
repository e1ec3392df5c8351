/**
 * The trading days and hours of the exchanges, from the tables of holidays and special sessions. After the last year
 * with a holiday table every weekday trades. Cut-offs and settlement are in `exchange-days.ts`. Source: market-rules
 * 2.5.
 */
import { assert } from '../../base/assert.ts';
import type { Exchange } from '../../base/ids.ts';
import { civilDate, type EpochMs, type IstDay, istDay, istInstant, istTimeOfDay, weekday } from '../../base/time.ts';
import type { DataRow } from '../rules/data-table.ts';
import { parseTimeOfDay } from '../rules/phase-table.ts';
import type { InstrumentClass, SessionHours, TradingStretch } from '../rules/session-hours.ts';

export const CASH_EXCHANGES = ['NSE', 'BSE'] as const;
export type CashExchange = (typeof CASH_EXCHANGES)[number];

/** The exchange house of a segment, which closes on one set of holidays. */
export function houseOf(exchange: Exchange): CashExchange {
  return exchange === 'NSE' || exchange === 'NFO' ? 'NSE' : 'BSE';
}

/** The segment in which the contracts of that house trade. */
export function contractExchangeOf(exchange: Exchange): 'NFO' | 'BFO' {
  return houseOf(exchange) === 'NSE' ? 'NFO' : 'BFO';
}

export function classOf(exchange: Exchange): InstrumentClass {
  return exchange === 'NFO' || exchange === 'BFO' ? 'derivatives' : 'cash';
}

export class TradingCalendar {
  private readonly holidays: Record<CashExchange, Set<IstDay>> = { NSE: new Set(), BSE: new Set() };
  private readonly specials: Record<CashExchange, Map<IstDay, readonly TradingStretch[]>> = {
    NSE: new Map(),
    BSE: new Map(),
  };
  private readonly hours: SessionHours;

  constructor(holidays: readonly DataRow[], specialSessions: readonly DataRow[], hours: SessionHours) {
    this.hours = hours;
    for (const row of holidays) this.holidays[row.oneOf('exchange', CASH_EXCHANGES)].add(row.day('date'));
    for (const row of specialSessions) {
      const sessions = row.text('sessions').split('|').map(parseSession);
      this.specials[row.oneOf('exchange', CASH_EXCHANGES)].set(row.day('date'), sessions);
    }
  }

  /** A weekday that is not a holiday. Expiries move back to such a day; special sessions do not count. */
  isOrdinaryDay(exchange: Exchange, day: IstDay): boolean {
    const dayOfWeek = weekday(day);
    return dayOfWeek !== 0 && dayOfWeek !== 6 && !this.holidays[houseOf(exchange)].has(day);
  }

  /** A day with a session of its own, as Muhurat or a budget on a Sunday. */
  isSpecialDay(exchange: Exchange, day: IstDay): boolean {
    return this.specials[houseOf(exchange)].has(day);
  }

  /** The hours of continuous trading of an ordinary day. */
  ordinaryHours(exchange: Exchange, day: IstDay): TradingStretch {
    return this.hours.on(classOf(exchange), day);
  }

  /** A day with any session: ordinary days and those with a special session, as Muhurat. */
  isTradingDay(exchange: Exchange, day: IstDay): boolean {
    return this.isOrdinaryDay(exchange, day) || this.specials[houseOf(exchange)].has(day);
  }

  /** The last trading day before `day`. */
  previousTradingDay(exchange: Exchange, day: IstDay): IstDay {
    return this.step(exchange, day, -1);
  }

  /** The first trading day after `day`. */
  nextTradingDay(exchange: Exchange, day: IstDay): IstDay {
    return this.step(exchange, day, 1);
  }

  /** `day` itself when it trades, else the last trading day before it. */
  tradingDayOnOrBefore(exchange: Exchange, day: IstDay): IstDay {
    return this.isTradingDay(exchange, day) ? day : this.previousTradingDay(exchange, day);
  }

  /** The stretches of continuous trading of a day, in order; none on a day without trading. */
  sessions(exchange: Exchange, day: IstDay): readonly TradingStretch[] {
    const special = this.specials[houseOf(exchange)].get(day);
    if (special) return special;
    return this.isOrdinaryDay(exchange, day) ? [this.hours.on(classOf(exchange), day)] : [];
  }

  /** True when an instrument of the exchange trades continuously at the instant. */
  isOpen(exchange: Exchange, at: EpochMs): boolean {
    const timeOfDay = istTimeOfDay(at);
    return this.sessions(exchange, istDay(at)).some(({ open, close }) => open <= timeOfDay && timeOfDay < close);
  }

  /** The instant at which trading of the day ends; by the ordinary hours on a day that does not trade. */
  closingInstant(exchange: Exchange, day: IstDay): EpochMs {
    const last = this.sessions(exchange, day).at(-1) ?? this.hours.on(classOf(exchange), day);
    return istInstant(day, last.close);
  }

  private step(exchange: Exchange, day: IstDay, direction: 1 | -1): IstDay {
    for (let distance = 1; distance <= 30; distance += 1) {
      const candidate = (day + direction * distance) as IstDay;
      if (this.isTradingDay(exchange, candidate)) return candidate;
    }
    assert(false, `no trading day within 30 days of ${JSON.stringify(civilDate(day))}`);
  }
}

function parseSession(text: string): TradingStretch {
  const [open = '', close = ''] = text.split('-');
  return { open: parseTimeOfDay(open), close: parseTimeOfDay(close) };
}
