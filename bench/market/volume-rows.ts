import type { Figures } from './figures.ts';
import { named } from './figures.ts';
import { LARGE_SHARES } from './path-rows.ts';
import { REAL_VOLUMES } from './real/real-volumes.ts';
import { mean, median } from './samples.ts';
import type { Span } from './span.ts';
import { dailyBars, day, idOf, type Subject, sessionBars } from './subject.ts';
import { dailyVolumes, minuteVolumes, volumeShape, volumesTogether } from './volume-figures.ts';

const DAYS = [day('2024-01-01'), day('2026-08-21')] as const;
const YEAR_DAYS = 250;
const BY_MINUTE = ['RELIANCE', 'HDFCBANK', 'TCS'] as const;

/** Rows of the volumes of shares. */
export function volumeRows(subject: Subject, { minutes }: Span): Figures {
  const bars = LARGE_SHARES.map((name) => dailyBars(subject, idOf(subject, 'NSE', `${name}-EQ`), ...DAYS));
  const own = bars.map((days) => dailyVolumes(days));
  const middleOf = (name: string) => median(own.map((figures) => figures[name] as number));
  const pairs = bars.flatMap((a, i) => bars.slice(i + 1).map((b) => volumesTogether(a, b)));
  const levels = bars.map((days, i) => {
    const real = REAL_VOLUMES[LARGE_SHARES[i] as string] as number;
    return median(days.slice(-YEAR_DAYS).map(({ volume }) => volume)) / real;
  });
  const byMinute = BY_MINUTE.map((name) => sessionBars(subject, idOf(subject, 'NSE', `${name}-EQ`), ...minutes));
  const shapes = byMinute.map((days) => volumeShape(days));
  const shape = ['first15', 'first60', 'noonHour', 'last30'].map((part) => [
    part,
    mean(shapes.map((s) => s[part] as number)),
  ]);
  return {
    'volume.memory': middleOf('memory'),
    'volume.withRange': middleOf('withRange'),
    'volume.spread': middleOf('spread'),
    'volume.together': median(pairs),
    'volume.level': median(levels),
    'volume.lowest': Math.min(...levels),
    'volume.highest': Math.max(...levels),
    'volume.minutes': mean(byMinute.map((days) => minuteVolumes(days))),
    ...named('volume', Object.fromEntries(shape)),
  };
}
