/**
 * The days on which contracts expire. An exchange has one expiry a week, so a week number names it: the number stays
 * when a holiday moves the day. The choice of the expiries that are listed is in `contract-schedule.ts`. Source:
 * market-rules R1.30, R1.31.
 */
import { must } from '../../base/assert.ts';
import { civilDate, dayOfCivil, type IstDay, parseIsoDay, weekday } from '../../base/time.ts';
import type { DerivativeExchange } from '../rules/contract-cycles.ts';
import type { ExpiryWeekdays } from '../rules/expiry-weekdays.ts';
import type { TradingCalendar } from './trading-calendar.ts';

/** Monday, 31 December 2018: the Monday of week 0. */
const FIRST_MONDAY = must(parseIsoDay('2018-12-31'), 'a date');
/** The largest number of a week that a contract token can hold: weeks to April 2058. */
export const LAST_WEEK = 2_047;

export class ExpiryCalendar {
  private readonly calendar: TradingCalendar;
  private readonly weekdays: ExpiryWeekdays;

  constructor(calendar: TradingCalendar, weekdays: ExpiryWeekdays) {
    this.calendar = calendar;
    this.weekdays = weekdays;
  }

  /** The day on which contracts of a week expire: its weekday, or the last ordinary day before it. */
  expiryOf(exchange: DerivativeExchange, week: number): IstDay {
    let day = this.scheduledDay(exchange, week);
    while (!this.calendar.isOrdinaryDay(exchange, day)) day = (day - 1) as IstDay;
    return day;
  }

  /** The week whose contracts expire on `day`; `undefined` when none do. */
  weekOf(exchange: DerivativeExchange, day: IstDay): number | undefined {
    const week = weekNumber(day);
    for (let candidate = week; candidate <= week + 2; candidate += 1) {
      if (candidate >= 0 && candidate <= LAST_WEEK && this.expiryOf(exchange, candidate) === day) return candidate;
    }
    return undefined;
  }

  /** The week of the last expiry of a month (1 to 12). */
  monthlyWeek(exchange: DerivativeExchange, year: number, month: number): number {
    const firstOfNext = month === 12 ? dayOfCivil(year + 1, 1, 1) : dayOfCivil(year, month + 1, 1);
    const lastDay = (must(firstOfNext, 'a first of a month') - 1) as IstDay;
    const week = weekNumber(lastDay);
    return this.scheduledDay(exchange, week) <= lastDay ? week : week - 1;
  }

  /** The month whose last expiry the week holds, as months since the year 0; `undefined` for the other weeks. */
  monthOf(exchange: DerivativeExchange, week: number): number | undefined {
    const { year, month } = civilDate(this.scheduledDay(exchange, week));
    return this.monthlyWeek(exchange, year, month) === week ? year * 12 + month - 1 : undefined;
  }

  /** The weekday of the rule, whatever the holidays. */
  private scheduledDay(exchange: DerivativeExchange, week: number): IstDay {
    const monday = (FIRST_MONDAY + week * 7) as IstDay;
    return (monday + this.weekdays.on(exchange, monday) - 1) as IstDay;
  }
}

/** The number of the week, Monday to Sunday, that holds a day. */
export function weekNumber(day: IstDay): number {
  const monday = day - ((weekday(day) + 6) % 7);
  return (monday - FIRST_MONDAY) / 7;
}
