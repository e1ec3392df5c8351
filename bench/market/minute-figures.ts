import type { Bar } from './daily-figures.ts';
import { byKey, type Figures } from './figures.ts';
import { correlation, deviation, kurtosis, mean, size, total } from './samples.ts';

/** The minutes that a day needs to count, and the first and last of noon, counted from 09:15. */
const NOON = [165, 225] as const;
const MOST_MINUTES = 375;

/** Logarithms of the changes of each minute of each day: the first from the day's open. */
export function minuteReturns(days: readonly (readonly Bar[])[]): number[][] {
  return days.map((bars) =>
    bars.map((bar, i) => Math.log(bar.close / (i === 0 ? bar.open : (bars[i - 1] as Bar).close))),
  );
}

/** Sums of `count` returns one after the other, by day; a rest that is shorter is left out. */
function inSteps(returns: readonly number[], count: number): number[] {
  const steps: number[] = [];
  for (let i = 0; i + count <= returns.length; i += count) steps.push(total(returns.slice(i, i + count)));
  return steps;
}

/** Returns over the size of their minute of the day and of their day. */
export function standardised(days: readonly (readonly number[])[]): number[][] {
  const longest = Math.max(...days.map((returns) => returns.length));
  const usual = Array.from({ length: longest }, (_, i) =>
    size(days.flatMap((returns) => (returns[i] === undefined ? [] : [returns[i]]))),
  );
  return days.map((returns) => {
    const flat = returns.map((value, i) => value / (usual[i] || 1));
    const own = size(flat) || 1;
    return flat.map((value) => value / own);
  });
}

/** The correlation of values with those `lag` later on the same day, over all days. */
export function withinDays(days: readonly (readonly number[])[], lag: number): number {
  return correlation(
    days.flatMap((values) => values.slice(0, -lag)),
    days.flatMap((values) => values.slice(lag)),
  );
}

/** The variance of `count` minutes over `count` times that of one. */
function varianceRatio(days: readonly (readonly number[])[], count: number): number {
  const full = days.filter((returns) => returns.length >= Math.min(count, MOST_MINUTES - 15));
  const steps = full.flatMap((returns) => inSteps(returns, Math.min(count, returns.length)));
  const length = mean(full.map((returns) => Math.min(count, returns.length)));
  return mean(steps.map((value) => value * value)) / (length * mean(full.flat().map((value) => value * value)));
}

/** How large the moves of some minutes are beside those of noon. */
function overNoon(
  days: readonly (readonly number[])[],
  part: (returns: readonly number[]) => readonly number[],
): number {
  const noon = days.flatMap((returns) => returns.slice(...NOON));
  return deviation(days.flatMap((returns) => [...part(returns)])) / deviation(noon);
}

/** The figures of an index by minutes. The opening minute counts for variance ratios alone. */
export function minuteFigures(bars: readonly (readonly Bar[])[]): Figures {
  const whole = minuteReturns(bars);
  const days = whole.map((returns) => returns.slice(1));
  const steps = (count: number) => days.map((returns) => inSteps(returns, count));
  const sizes = standardised(days).map((values) => values.map(Math.abs));
  return {
    ...byKey('kurtosis', [1, 5, 15], (count) => kurtosis(steps(count).flat())),
    ...byKey('kurtosisZ', [1, 5], (count) => kurtosis(standardised(steps(count)).flat())),
    ...byKey('vrMinutes', [5, 15, 30, 60, 120, 375], (count) => varianceRatio(days, count)),
    ac1: withinDays(days, 1),
    ...byKey('acZ', [1, 5, 15, 30, 60], (lag) => withinDays(sizes, lag)),
    opening: overNoon(days, (returns) => returns.slice(0, 14)),
    closing: overNoon(days, (returns) => returns.slice(-15)),
    zero: zeroShare(days),
  };
}

/** The part of minutes in which the price does not move. */
export function zeroShare(days: readonly (readonly number[])[]): number {
  const all = days.flat();
  return all.filter((value) => value === 0).length / all.length;
}

/** The bid-ask spread in basis points that the bounce of trades implies; 0 without a bounce. Source: Roll 1984. */
export function rollSpread(days: readonly (readonly number[])[]): number {
  const before = days.flatMap((returns) => returns.slice(1, -1));
  const after = days.flatMap((returns) => returns.slice(2));
  const covariance = correlation(before, after) * deviation(before) * deviation(after);
  return covariance < 0 ? 20_000 * Math.sqrt(-covariance) : 0;
}

/** Correlations of two instruments' returns over steps of minutes. */
export function stepCorrelation(
  a: readonly (readonly number[])[],
  b: readonly (readonly number[])[],
  count: number,
): number {
  const steps = (days: readonly (readonly number[])[]) => days.flatMap((returns) => inSteps(returns.slice(1), count));
  return correlation(steps(a), steps(b));
}
