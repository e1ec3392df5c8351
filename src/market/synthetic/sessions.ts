import type { Exchange } from '../../base/ids.ts';
import type { EpochMs, IstDay } from '../../base/time.ts';
import { istDay, istTimeOfDay, MINUTE_MS } from '../../base/time.ts';
import { type Instrument, isDerivative } from '../../core/instrument.ts';
import type { TradingCalendar } from '../calendar/trading-calendar.ts';
import type { Session } from '../rules/session-hours.ts';
import { type HoursRegime, MINUTES_IN_DAY } from './profile.ts';
import { FIRST_DAY, LAST_DAY } from './span-of-days.ts';

/** Continuous trading of one day, in minutes after IST midnight: from `open`, up to but without `close`. */
export interface Hours {
  readonly open: number;
  readonly close: number;
}

/** What the market asks of the calendar. */
export interface TradingHours {
  /** The continuous session of an exchange's day; `undefined` when it does not trade. */
  hours(exchange: Exchange, day: IstDay): Hours | undefined;
}

const WHOLE_DAY: Hours = { open: 0, close: MINUTES_IN_DAY };

/**
 * The hours of a calendar of sessions. Of a day with several, as a test of the second site, the market trades in the longest.
 */
export function calendarHours(calendar: Pick<TradingCalendar, 'sessions'>): TradingHours {
  return {
    hours(exchange, day) {
      let longest: Session | undefined;
      for (const session of calendar.sessions(exchange, day)) {
        if (longest === undefined || session.close - session.open > longest.close - longest.open) longest = session;
      }
      return longest && { open: longest.open / MINUTE_MS, close: longest.close / MINUTE_MS };
    },
  };
}

/**
 * When instruments trade: the calendar's sessions or every second, between listing and expiry or replacement, within the days of the
 * path.
 */
export class Sessions {
  private readonly regime: HoursRegime;
  private readonly calendar: TradingHours;

  constructor(regime: HoursRegime, calendar: TradingHours) {
    this.regime = regime;
    this.calendar = calendar;
  }

  /** The hours of an instrument on a day; `undefined` when it does not trade then. */
  hours(instrument: Instrument, day: IstDay): Hours | undefined {
    if (day < FIRST_DAY || day > LAST_DAY) return undefined;
    const hours = this.exchangeHours(instrument.exchange, day);
    if (hours === undefined || !isDerivative(instrument)) return hours;
    const lastDay = istDay(instrument.expiresAt);
    if (day < instrument.listedOn || day > lastDay) return undefined;
    if (instrument.replacedBy !== undefined && day >= instrument.replacedBy.from) return undefined;
    if (day < lastDay) return hours;
    const end = minuteOfDay(instrument.expiresAt);
    if (end <= hours.open) return undefined;
    return end < hours.close ? { open: hours.open, close: end } : hours;
  }

  /** The last day on which an exchange trades that is not after `day`; `undefined` before the first. */
  tradingDay(exchange: Exchange, day: IstDay): IstDay | undefined {
    for (
      let candidate = day < LAST_DAY ? day : LAST_DAY;
      candidate >= FIRST_DAY;
      candidate = (candidate - 1) as IstDay
    ) {
      if (this.exchangeHours(exchange, candidate) !== undefined) return candidate;
    }
    return undefined;
  }

  /** The last day on which the instrument trades that is before `day`; `undefined` when there is none. */
  dayBefore(instrument: Instrument, day: IstDay): IstDay | undefined {
    const first = isDerivative(instrument) ? instrument.listedOn : FIRST_DAY;
    const latest = isDerivative(instrument) ? ((istDay(instrument.expiresAt) + 1) as IstDay) : day;
    let candidate = this.tradingDay(instrument.exchange, ((day < latest ? day : latest) - 1) as IstDay);
    while (candidate !== undefined && candidate >= first) {
      if (this.hours(instrument, candidate) !== undefined) return candidate;
      candidate = this.tradingDay(instrument.exchange, (candidate - 1) as IstDay);
    }
    return undefined;
  }

  private exchangeHours(exchange: Exchange, day: IstDay): Hours | undefined {
    return this.regime === 'always' ? WHOLE_DAY : this.calendar.hours(exchange, day);
  }
}

function minuteOfDay(at: EpochMs): number {
  return Math.floor(istTimeOfDay(at) / MINUTE_MS);
}
