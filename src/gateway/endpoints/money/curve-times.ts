import type { InstrumentId, Tick } from '../../../base/ids.ts';
import { type EpochMs, istDay, istInstant, MINUTE_MS } from '../../../base/time.ts';
import type { MarketData } from '../../../core/market.ts';
import type { DayBooks } from '../../../views/day/day-curve.ts';
import { INTERVALS, type Interval, minutesOf } from '../market/time-price-series.ts';

/** The most points of a curve beside the last one. */
const MOST_POINTS = 400;
/** How finely the opening of a carried position's market is looked for. */
const LOOK_MS = 5 * MINUTE_MS;

/** The moments of a curve, ascending, before the last one, and the time between them. */
export interface CurveTimes {
  readonly interval: DayInterval;
  readonly times: readonly EpochMs[];
}

export type DayInterval = Exclude<Interval, '1d'>;
export const DAY_INTERVALS: readonly DayInterval[] = INTERVALS.filter((interval) => interval !== '1d');

/**
 * The moments of the curve of a day: every whole interval since the first result could come, and as much longer ones as
 * keep the points few.
 */
export function curveTimes(market: MarketData, books: DayBooks, asked: DayInterval): CurveTimes {
  const { at } = books;
  const midnight = istInstant(istDay(at));
  const begin = beginOf(market, books);
  const firstOf = (step: number): number => midnight + Math.floor((begin - midnight) / step) * step;
  const isFew = (step: number): boolean => (at - firstOf(step)) / step <= MOST_POINTS;
  const usable = DAY_INTERVALS.slice(DAY_INTERVALS.indexOf(asked));
  const interval = usable.find((one) => isFew(stepOf(one))) ?? usable.at(-1) ?? asked;
  const step = stepOf(interval);
  const times: EpochMs[] = [];
  for (let time = firstOf(step); time < at; time += step) times.push(time as EpochMs);
  return { interval, times: times.slice(-MOST_POINTS) };
}

function stepOf(interval: DayInterval): number {
  return minutesOf(interval) * MINUTE_MS;
}

/** The opening of the first carried position's market, or the first fill, whichever was first; now when neither was. */
function beginOf(market: MarketData, { rows, fills, day, at }: DayBooks): EpochMs {
  const carried = rows.find((row) => row.carriedBuyQuantity + row.carriedSellQuantity > 0);
  const traded = fills.slice(0, 1)[0]?.at ?? at;
  const opened = carried === undefined ? at : openingOf(market, carried.instrument, istInstant(day), traded);
  return Math.min(traded, opened) as EpochMs;
}

/** The first look of a day at which an instrument's market is not closed; `latest` when it was closed until then. */
function openingOf(market: MarketData, id: InstrumentId, midnight: EpochMs, latest: EpochMs): EpochMs {
  for (let time: number = midnight; time < latest; time += LOOK_MS) {
    if (market.phase(id, market.tickAt(time as EpochMs) as Tick) !== 'Closed') return time as EpochMs;
  }
  return latest;
}
