/**
 * The candles of a chart: how long a stretch is asked for at a time, and their times. A chart draws the times of its
 * candles as if they were of Greenwich, so they are moved by the hours that India is ahead.
 */
import type { Interval } from '../../../../client/src/generated/operations.ts';
import type { CandleRow } from '../../../../client/src/wire.ts';

/** The intervals that the chart offers, with the days of one stretch. */
export const CHART_INTERVALS = [
  { interval: '1mi', title: '1m', days: 2 },
  { interval: '3mi', title: '3m', days: 5 },
  { interval: '5mi', title: '5m', days: 8 },
  { interval: '15mi', title: '15m', days: 25 },
  { interval: '30mi', title: '30m', days: 45 },
  { interval: '60mi', title: '1h', days: 90 },
  { interval: '1d', title: '1D', days: 730 },
] as const satisfies readonly { interval: Interval; title: string; days: number }[];

export type ChartInterval = (typeof CHART_INTERVALS)[number]['interval'];

/** The seconds of a day and of a minute, by which intervals are named. */
const UNITS = { d: 86_400, mi: 60 } as const;
const IST_SECONDS = 19_800;
const DAY_MS = 86_400_000;

export interface Candle {
  /** Seconds since 1970, as the chart draws them. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Units. */
  readonly volume: number;
}

export function candleOf({ epochTime, open, high, low, close, volume }: CandleRow): Candle {
  return { time: epochTime + IST_SECONDS, open, high, low, close, volume };
}

/** The stretch of candles that ends at an instant; several times as long as usual where `times` says so. */
export function stretchTo(end: Date, interval: ChartInterval, times = 1): { readonly from: Date; readonly to: Date } {
  const days = CHART_INTERVALS.find((one) => one.interval === interval)?.days ?? 1;
  return { from: new Date(end.getTime() - times * days * DAY_MS), to: end };
}

/** True when candles of the interval may stand between two: the market was stepped, ran fast, or was closed. */
export function hasGap(last: Candle, next: Candle, interval: ChartInterval): boolean {
  const [, count = '', unit] = /^(\d+)(mi|d)$/.exec(interval) ?? [];
  return next.time - last.time > Number(count) * UNITS[unit === 'd' ? 'd' : 'mi'];
}

/** The stretch up to a drawn candle from an earlier one, which may have been half made when it was left. */
export function stretchBetween(last: Candle, next: Candle): { readonly from: Date; readonly to: Date } {
  return { from: new Date((last.time - IST_SECONDS) * 1_000), to: justBefore(next) };
}

/** The candles with those of a gap in their places, each time once. */
export function filled(candles: readonly Candle[], gap: readonly Candle[]): readonly Candle[] {
  const read = new Set(gap.map(({ time }) => time));
  return [...candles.filter(({ time }) => !read.has(time)), ...gap].sort((one, other) => one.time - other.time);
}

/** The instant just before a drawn candle. */
export function justBefore({ time }: Candle): Date {
  return new Date((time - IST_SECONDS) * 1_000 - 1_000);
}

/** Older candles in front of newer ones, each time once. */
export function joined(older: readonly Candle[], newer: readonly Candle[]): readonly Candle[] {
  const first = newer[0]?.time ?? Number.POSITIVE_INFINITY;
  return [...older.filter(({ time }) => time < first), ...newer];
}
