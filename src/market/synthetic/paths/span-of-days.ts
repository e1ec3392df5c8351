import type { IstDay } from '../../../base/time.ts';
import { type MarketDays, withinDays } from '../../session/sessions.ts';

/** The first day of history: 2020-01-01 in IST. */
export const FIRST_DAY = 18_262 as IstDay;
const TREE_LEVELS = 15;
/** How many days the paths span. */
export const TREE_DAYS = 1 << TREE_LEVELS;
/** The last day that the paths reach: in September 2109. */
export const LAST_DAY = (FIRST_DAY + TREE_DAYS - 1) as IstDay;

/** The days that the synthetic market knows. */
export const KNOWN_DAYS: MarketDays = { first: FIRST_DAY, last: LAST_DAY };

/** The day itself, or the nearest that the paths reach. */
export function withinPath(day: IstDay): IstDay {
  return withinDays(KNOWN_DAYS, day);
}
