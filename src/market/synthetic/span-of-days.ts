import type { IstDay } from '../../base/time.ts';

/** The first day of history: 2020-01-01 in IST. */
export const FIRST_DAY = 18_262 as IstDay;
const TREE_LEVELS = 15;
/** How many days the paths span. */
export const TREE_DAYS = 1 << TREE_LEVELS;
/** The last day that the paths reach: in September 2109. */
export const LAST_DAY = (FIRST_DAY + TREE_DAYS - 1) as IstDay;

/** The day itself, or the nearest that the paths reach. */
export function withinPath(day: IstDay): IstDay {
  if (day < FIRST_DAY) return FIRST_DAY;
  return day > LAST_DAY ? LAST_DAY : day;
}
