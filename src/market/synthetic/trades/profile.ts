import type { HoursRegime } from '../../../base/market/hours-regime.ts';
import { CLOSE_MINUTE, MINUTES_IN_DAY } from '../../day-tape.ts';

/** How much of a day's variance falls in each minute, before chance shares it out further. */

const OPEN_MINUTE = 555;
const SESSION_MINUTES = CLOSE_MINUTE - OPEN_MINUTE;
/** The market moves more of its way over night than a sector or a company does. */
export type PathKind = 'market' | 'own';

/** The share of a day's variance between 09:15 and 15:30; the rest is the night, in which `always` still trades. */
const SESSION_SHARE = { always: { market: 0.55, own: 0.55 }, exchange: { market: 0.64, own: 0.81 } } as const;
/** Variance of a weekend day in `exchange` hours, a weekday being 1: the news of a weekend. */
const WEEKEND_VARIANCE = 0.05;

/** How busy the open and the close are beside the rest of the session: the close hardly more than noon. */
const OPEN_BUSYNESS = 3.4;
const CLOSE_BUSYNESS = 0.25;

/**
 * The cumulative share of a day's variance at each minute, 0 at midnight IST and 1 at the next. Between 09:15 and 15:30
 * busy at the open, then quiet.
 */
export function activityProfile(regime: HoursRegime, kind: PathKind): Float64Array {
  const share = SESSION_SHARE[regime][kind];
  const weights = new Float64Array(MINUTES_IN_DAY);
  for (let minute = 0; minute < MINUTES_IN_DAY; minute += 1) weights[minute] = sessionWeight(minute);
  const session = sum(weights);
  const night = (1 - share) / (MINUTES_IN_DAY - SESSION_MINUTES);
  const cumulative = new Float64Array(MINUTES_IN_DAY + 1);
  for (let minute = 0; minute < MINUTES_IN_DAY; minute += 1) {
    const weight = weights[minute] as number;
    const part = weight > 0 ? (weight / session) * share : night;
    cumulative[minute + 1] = (cumulative[minute] as number) + part;
  }
  return cumulative;
}

function sessionWeight(minute: number): number {
  if (minute < OPEN_MINUTE || minute >= CLOSE_MINUTE) return 0;
  const sinceOpen = minute - OPEN_MINUTE;
  const toClose = CLOSE_MINUTE - 1 - minute;
  return 0.6 + OPEN_BUSYNESS / (1 + sinceOpen / 12) + CLOSE_BUSYNESS / (1 + toClose / 20);
}

function sum(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** The variance of a weekday number (0 Sunday to 6 Saturday), an ordinary trading day being 1. */
export function dayVariance(regime: HoursRegime, weekdayNumber: number): number {
  return regime === 'always' || (weekdayNumber !== 0 && weekdayNumber !== 6) ? 1 : WEEKEND_VARIANCE;
}
