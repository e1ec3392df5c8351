/**
 * The hours of the market: the phases of an instrument's day, and the trading days before it, in the hours regime and
 * by the calendar. The calendar itself is reference data and comes from outside.
 */

import type { Exchange } from '../../base/ids.ts';
import type { HoursRegime } from '../../base/market/hours-regime.ts';
import { hashAt, hashText, unitOf } from '../../base/random.ts';
import type { EpochMs, IstDay } from '../../base/time.ts';
import { istDay, istTimeOfDay, MINUTE_MS, SECOND_MS } from '../../base/time.ts';
import { PHASES, type Phase } from '../../core/exchange/phase.ts';
import { type Instrument, isDerivative } from '../../core/instrument.ts';
import { longest, type Timetable } from '../../reference/calendar/timetable.ts';
import { houseOf, type TradingCalendar } from '../../reference/calendar/trading-calendar.ts';
import type { PhaseSpan } from '../../reference/rules/phase-table.ts';
import { MINUTE_SECONDS, MINUTES_IN_DAY } from '../day-tape.ts';

/** Continuous trading of one day, in minutes after IST midnight: from `open`, up to but without `close`. */
export interface TradingMinutes {
  readonly open: number;
  readonly close: number;
}

/** The first and the last day that a source knows. */
export interface MarketDays {
  readonly first: IstDay;
  readonly last: IstDay;
}

/** The day itself, or the nearest that a source knows. */
export function withinDays({ first, last }: MarketDays, day: IstDay): IstDay {
  if (day < first) return first;
  return day > last ? last : day;
}

/** The questions that the market asks the calendar. */
export interface TradingHours {
  /** The continuous session of an exchange's day; `undefined` when it does not trade. */
  hours(exchange: Exchange, day: IstDay): TradingMinutes | undefined;
  /** The phases of an instrument's day, in order; none when its exchange does not trade. */
  phases(instrument: Instrument, day: IstDay): readonly PhaseSpan[];
  /** The phases of an exchange's day, in order; none when it does not trade. */
  exchangePhases(exchange: Exchange, day: IstDay): readonly PhaseSpan[];
}

/** The inputs of `calendarHours`. */
export interface CalendarOfHours {
  readonly calendar: Pick<TradingCalendar, 'sessions'>;
  readonly timetable: Pick<Timetable, 'phases' | 'exchangePhases'>;
}

/** One phase of a day, in seconds after IST midnight: from `start`, up to but without `end`. */
export interface DayPhase {
  readonly phase: Phase;
  readonly start: number;
  readonly end: number;
}

/** A phase of an exchange's day. */
export interface ExchangePhase extends DayPhase {
  /** When it ends if its random close is as late as it may be, in seconds after IST midnight. */
  readonly latestEnd: number;
}

const ALL_MINUTES: TradingMinutes = { open: 0, close: MINUTES_IN_DAY };
const LAST_SECOND = MINUTES_IN_DAY * MINUTE_SECONDS;
const WHOLE_DAY: readonly DayPhase[] = [{ phase: 'Continuous', start: 0, end: LAST_SECOND }];

/** The phase at a second of a day, from its start to its end: where the day has none, the market is closed. */
export function phaseSpanAt(phases: readonly DayPhase[], second: number): DayPhase {
  let closedFrom = 0;
  for (const span of phases) {
    if (second < span.start) return { phase: 'Closed', start: closedFrom, end: span.start };
    if (second < span.end) return span;
    closedFrom = span.end;
  }
  return { phase: 'Closed', start: closedFrom, end: LAST_SECOND };
}

/** The phase at a second of a day. */
export function phaseAt(phases: readonly DayPhase[], second: number): Phase {
  return phaseSpanAt(phases, second).phase;
}

/**
 * The hours from a calendar of sessions. On a day with several sessions, such as a test of the second site, the market
 * trades in the longest.
 */
export function calendarHours({ calendar, timetable }: CalendarOfHours): TradingHours {
  return {
    phases: (instrument, day) => timetable.phases(instrument, day),
    exchangePhases: (exchange, day) => timetable.exchangePhases(exchange, day),
    hours(exchange, day) {
      const session = longest(calendar.sessions(exchange, day));
      return session && { open: session.open / MINUTE_MS, close: session.close / MINUTE_MS };
    },
  };
}

/**
 * When instruments trade: the calendar's sessions or every second, between listing and expiry or replacement, within
 * the days of the market.
 */
export class Sessions {
  private readonly regime: HoursRegime;
  private readonly calendar: TradingHours;

  private readonly seed: number;
  private readonly days: MarketDays;

  /** `seed` draws the random closes; `days` are those of the market. */
  constructor(regime: HoursRegime, calendar: TradingHours, seed: number, days: MarketDays) {
    this.regime = regime;
    this.calendar = calendar;
    this.seed = seed;
    this.days = days;
  }

  /** The phases of an instrument's day in order, each random close drawn; none when it does not trade then. */
  phases(instrument: Instrument, day: IstDay): readonly DayPhase[] {
    if (day < this.days.first || day > this.days.last) return [];
    const { exchange } = instrument;
    const phases =
      this.regime === 'always' ? WHOLE_DAY : this.drawn(exchange, day, this.calendar.phases(instrument, day));
    if (!isDerivative(instrument)) return phases;
    const lastDay = istDay(instrument.expiresAt);
    if (day < instrument.listedOn || day > lastDay) return [];
    if (instrument.replacedBy !== undefined && day >= instrument.replacedBy.from) return [];
    if (day < lastDay) return phases;
    const last = minuteOfDay(instrument.expiresAt) * MINUTE_SECONDS;
    return phases.filter(({ start }) => start < last).map((phase) => ({ ...phase, end: Math.min(phase.end, last) }));
  }

  /**
   * The phases of an exchange's day in order, each random close drawn; none when it does not trade then. Nothing where
   * trading never ends.
   */
  exchangePhases(exchange: Exchange, day: IstDay): readonly ExchangePhase[] | undefined {
    if (this.regime === 'always') return undefined;
    if (day < this.days.first || day > this.days.last) return [];
    return this.drawn(exchange, day, this.calendar.exchangePhases(exchange, day));
  }

  /**
   * The phases of the calendar: all instruments of a house draw the same second of a random close, and what follows
   * begins there.
   */
  private drawn(exchange: Exchange, day: IstDay, spans: readonly PhaseSpan[]): readonly ExchangePhase[] {
    const seed = hashText(this.seed, `random close ${houseOf(exchange)}`);
    let drawn: number | undefined;
    return spans.map((span) => {
      const start = drawn ?? span.start / SECOND_MS;
      const seconds = (span.end - span.randomFrom) / SECOND_MS;
      const place = day * PHASES.length + PHASES.indexOf(span.phase);
      const end = span.randomFrom / SECOND_MS + Math.floor(unitOf(hashAt(seed, place)) * seconds);
      drawn = seconds > 0 ? end : undefined;
      return { phase: span.phase, start, end, latestEnd: span.end / SECOND_MS };
    });
  }

  /** The continuous trading of an instrument on a day; `undefined` when it does not trade then. */
  hours(instrument: Instrument, day: IstDay): TradingMinutes | undefined {
    const continuous = this.phases(instrument, day).find(({ phase }) => phase === 'Continuous');
    return continuous && { open: continuous.start / MINUTE_SECONDS, close: continuous.end / MINUTE_SECONDS };
  }

  /** The last day on which an exchange trades that is not after `day`; `undefined` before the first. */
  tradingDay(exchange: Exchange, day: IstDay): IstDay | undefined {
    const { first, last } = this.days;
    for (let candidate = day < last ? day : last; candidate >= first; candidate = (candidate - 1) as IstDay) {
      if (this.exchangeHours(exchange, candidate) !== undefined) return candidate;
    }
    return undefined;
  }

  /** The last day on which the instrument trades that is before `day`; `undefined` when there is none. */
  dayBefore(instrument: Instrument, day: IstDay): IstDay | undefined {
    const first = isDerivative(instrument) ? instrument.listedOn : this.days.first;
    const latest = isDerivative(instrument) ? ((istDay(instrument.expiresAt) + 1) as IstDay) : day;
    let candidate = this.tradingDay(instrument.exchange, ((day < latest ? day : latest) - 1) as IstDay);
    while (candidate !== undefined && candidate >= first) {
      if (this.hours(instrument, candidate) !== undefined) return candidate;
      candidate = this.tradingDay(instrument.exchange, (candidate - 1) as IstDay);
    }
    return undefined;
  }

  private exchangeHours(exchange: Exchange, day: IstDay): TradingMinutes | undefined {
    return this.regime === 'always' ? ALL_MINUTES : this.calendar.hours(exchange, day);
  }
}

function minuteOfDay(at: EpochMs): number {
  return Math.floor(istTimeOfDay(at) / MINUTE_MS);
}
