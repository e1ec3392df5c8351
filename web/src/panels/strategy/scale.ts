/**
 * The geometry of the payoff: from prices and results to places in the picture. It draws what the service sent and
 * computes no result.
 */

/** Maps a value to a place; ends of a range that is a single value stand apart. */
export type Scale = (value: number) => number;

export function scaleOf(from: number, to: number, start: number, end: number): Scale {
  const range = to - from || 1;
  return (value) => start + ((value - from) / range) * (end - start);
}

/** The lowest and the highest of values, with 0 among them and a margin of a part of the range. */
export function boundsOf(values: readonly number[], margin: number): readonly [low: number, high: number] {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const spare = (high - low || 1) * margin;
  return [low - spare, high + spare];
}

/** Round values inside a range, about `count` of them: 1, 2 or 5 times a power of ten apart. */
export function gridOf(low: number, high: number, count: number): readonly number[] {
  const rough = (high - low) / count;
  if (!(rough > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1);
  const lines: number[] = [];
  for (let line = Math.ceil(low / step); line * step <= high; line += 1) lines.push(line * step);
  return lines;
}

/** The place of the entry whose value is nearest, the first of several; 0 of none. */
export function nearestTo(values: readonly number[], wanted: number): number {
  let nearest = 0;
  for (const [place, value] of values.entries()) {
    if (Math.abs(value - wanted) < Math.abs((values[nearest] ?? 0) - wanted)) nearest = place;
  }
  return nearest;
}

/** A figure on an axis: `1.2L`, `15k`, `-800`. */
export function shortFigure(value: number): string {
  const size = Math.abs(value);
  const [unit, name] = size >= 1e7 ? [1e7, 'Cr'] : size >= 1e5 ? [1e5, 'L'] : size >= 1e3 ? [1e3, 'k'] : [1, ''];
  const text = String(Math.round((size / unit) * 10) / 10);
  return `${value < 0 ? '\u2212' : ''}${text}${name}`;
}
