/**
 * Variance as it passes on average through weeks and days. Options are priced by this clock, because the actual
 * variance of coming days must stay unknown to them; the actual one is in `day-clock.ts`.
 */

import type { HoursRegime } from '../../../base/market/hours-regime.ts';
import { type IstDay, weekday } from '../../../base/time.ts';
import { TRADING_DAYS } from '../../day-tape.ts';
import { activityProfile, dayVariance, type PathKind } from '../trades/profile.ts';

const WEEK_DAYS = 7;
const YEAR_DAYS = 365;

/** How much of a year's variance has passed. Readings are in years, and only their differences mean something. */
export interface Clock {
  /** At a minute of a day, which may have a fraction. */
  at(day: IstDay, minute: number): number;
}

/**
 * The variance that a path has on average between two moments: all that can be known of it beforehand. It measures how
 * far the underlying can still go until an option expires. Calendar time does not: most of a day's variance lies in its
 * session, and little in a weekend.
 */
export class MeanClock implements Clock {
  /** Brings an annual volatility of the facts to a year of 365 days of this clock. */
  readonly yearFactor: number;
  private readonly profile: Float64Array;
  /** The variance of the days of a week before each day of it, and of the whole week. */
  private readonly beforeWeekday: readonly number[];
  private readonly variances: readonly number[];
  private readonly week: number;
  private readonly year: number;

  constructor(regime: HoursRegime, kind: PathKind) {
    this.profile = activityProfile(regime, kind);
    this.variances = Array.from({ length: WEEK_DAYS }, (_, number) => dayVariance(regime, number));
    const before: number[] = [];
    let sum = 0;
    for (const variance of this.variances) {
      before.push(sum);
      sum += variance;
    }
    this.beforeWeekday = before;
    this.week = sum;
    this.year = (sum * YEAR_DAYS) / WEEK_DAYS;
    this.yearFactor = Math.sqrt(this.year / TRADING_DAYS);
  }

  /** The share of a day's variance that has passed at a minute, which may have a fraction. */
  passed(minute: number): number {
    const whole = Math.floor(minute);
    const passed = this.profile[whole] as number;
    const rest = minute - whole;
    return rest === 0 ? passed : passed + rest * ((this.profile[whole + 1] as number) - passed);
  }

  at(day: IstDay, minute: number): number {
    const number = weekday(day);
    const ofWeek = (this.beforeWeekday[number] as number) + (this.variances[number] as number) * this.passed(minute);
    return (((day - number) / WEEK_DAYS) * this.week + ofWeek) / this.year;
  }
}

/** The clock of a price that several paths move: `share` of its variance is the market's. */
export function mixedClock(mean: Readonly<Record<PathKind, MeanClock>>, share: number): Clock {
  return { at: (day, minute) => share * mean.market.at(day, minute) + (1 - share) * mean.own.at(day, minute) };
}
