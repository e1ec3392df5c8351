import type { IstDay } from '../../src/base/time.ts';
import { openToClose, returnsOf } from './daily-figures.ts';
import { deviation, mean, median } from './samples.ts';
import { dailyBars, idOf, type OpenSubject, REGIMES } from './subject.ts';

/** The last three months before a day and the next three after it, by months of 30 days. */
const MONTHS = [-3, -2, -1, 0, 1, 2] as const;
const MONTH_DAYS = 30;
/** A figure is ordinary when at least this many in a hundred are below it, and as many above it. */
const TAIL = 0.1;

export interface Ranked {
  readonly seed: number;
  /** The number of its figures in the outer tenths of their distribution, and the number of all. */
  readonly outside: number;
  readonly of: number;
  /** The root mean square of the distances from the middle of the distribution, 0 to 0.5. */
  readonly distance: number;
}

/**
 * Seeds, the most ordinary around a day first. The compared figures are, in both hours and in each of the six months:
 * the deviation of NIFTY from close to close, the median and the widest of its ranges, its way from the month's begin
 * to its end, and the mean of INDIA VIX; each by its place among those of all the seeds.
 */
export function ordinarySeeds(open: OpenSubject, seeds: readonly number[], on: IstDay): Ranked[] {
  const figures = seeds.map((seed) => REGIMES.flatMap((regime) => monthsOf(open, seed, regime, on)));
  const places = figures.map((own) =>
    own.map((value, i) =>
      placeAmong(
        value,
        figures.map((other) => other[i] as number),
      ),
    ),
  );
  return seeds
    .map((seed, i) => {
      const own = places[i] as number[];
      const outside = own.filter((place) => place < TAIL || place > 1 - TAIL).length;
      return { seed, outside, of: own.length, distance: Math.sqrt(mean(own.map((place) => (place - 0.5) ** 2))) };
    })
    .sort((a, b) => a.outside - b.outside || a.distance - b.distance);
}

function monthsOf(open: OpenSubject, seed: number, regime: (typeof REGIMES)[number], on: IstDay): number[] {
  const subject = open(seed, regime);
  const nifty = idOf(subject, 'NSE', 'NIFTY');
  const vix = idOf(subject, 'NSE', 'INDIAVIX');
  return MONTHS.flatMap((month) => {
    const [from, to] = [on + month * MONTH_DAYS, on + (month + 1) * MONTH_DAYS - 1] as [IstDay, IstDay];
    const bars = dailyBars(subject, nifty, from, to);
    const ranges = bars.map((bar) => Math.log(bar.high / bar.low));
    const ways = openToClose(bars);
    const returns = [ways[0] ?? 0, ...returnsOf(bars)];
    const fear = mean(dailyBars(subject, vix, from, to).map(({ close }) => close));
    const way = returns.reduce((sum, value) => sum + value, 0);
    return [deviation(returns), median(ranges), Math.max(...ranges), way, fear];
  });
}

/** The part of the values that are below, those alike by half. */
function placeAmong(value: number, all: readonly number[]): number {
  const below = all.filter((other) => other < value).length;
  const alike = all.filter((other) => other === value).length;
  return (below + alike / 2) / all.length;
}
