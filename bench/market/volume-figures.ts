import type { Bar } from './daily-figures.ts';
import type { Figures } from './figures.ts';
import { minuteReturns, standardised } from './minute-figures.ts';
import { autocorrelation, correlation, deviation, mean, median, total } from './samples.ts';

export interface VolumeBar extends Bar {
  readonly volume: number;
}

/**
 * Each day is compared with the mean of equally many days before and after it, so that years of growth do not count as
 * memory.
 */
const TREND_DAYS = 60;

/** The logarithm of each day's volume, beside its trend. */
function logVolumes(bars: readonly VolumeBar[]): number[] {
  const logs = bars.map((bar) => Math.log(Math.max(1, bar.volume)));
  return logs.map((value, i) => value - mean(logs.slice(Math.max(0, i - TREND_DAYS), i + TREND_DAYS + 1)));
}

/** The day's volumes of a share: memory, tie to the day's range, spread. */
export function dailyVolumes(bars: readonly VolumeBar[]): Figures {
  const logs = bars.map((bar) => Math.log(Math.max(1, bar.volume)));
  const ranges = bars.map((bar) => Math.log(Math.log(bar.high / bar.low) + 1e-4));
  return { memory: autocorrelation(logs, 1), withRange: correlation(logs, ranges), spread: deviation(logs) };
}

/** How the daily volumes of two shares go together. */
export function volumesTogether(a: readonly VolumeBar[], b: readonly VolumeBar[]): number {
  return correlation(logVolumes(a), logVolumes(b));
}

/** The tie of a minute's volume to its move, when the minute of the day and the day are taken out of both. */
export function minuteVolumes(days: readonly (readonly VolumeBar[])[]): number {
  const moves = standardised(minuteReturns(days)).map((values) =>
    values.map((value) => Math.log(Math.abs(value) + 0.1)),
  );
  const logs = days.map((bars) => bars.map((bar) => Math.log(Math.max(1, bar.volume))));
  return correlation(adjusted(logs).flat(), adjusted(moves).flat());
}

/** Each value without the mean of its minute and the mean of its day. */
function adjusted(days: readonly (readonly number[])[]): number[][] {
  const longest = Math.max(...days.map((values) => values.length));
  const usual = Array.from({ length: longest }, (_, i) =>
    mean(days.flatMap((values) => (values[i] === undefined ? [] : [values[i]]))),
  );
  return days.map((values) => {
    const flat = values.map((value, i) => value - (usual[i] as number));
    const own = mean(flat);
    return flat.map((value) => value - own);
  });
}

/** The parts of a day's volume in its first 15 minutes, first hour, noon hour and last half hour: medians of days. */
export function volumeShape(days: readonly (readonly VolumeBar[])[]): Figures {
  const part = (from: number, to?: number) =>
    median(
      days.map((bars) => {
        const volumes = bars.map((bar) => bar.volume);
        return total(volumes.slice(from, to)) / total(volumes);
      }),
    );
  return { first15: part(0, 15), first60: part(0, 60), noonHour: part(165, 225), last30: part(-30) };
}
