import type { Figures } from './figures.ts';
import { withinDays } from './minute-figures.ts';
import { kurtosis, mean, median } from './samples.ts';

/** The figures of an index by seconds, of prices at each second of some days. */
export function secondFigures(days: readonly (readonly number[])[]): Figures {
  const returns = days.map((prices) => prices.slice(1).map((price, i) => Math.log(price / (prices[i] as number))));
  const minutes = days.flatMap((prices) => everyMinute(prices));
  return {
    kurtosis1s: kurtosis(returns.flat()),
    vr60: square(minutes) / (60 * square(returns.flat())),
    ac1s: withinDays(returns, 1),
    jump: 10_000 * median(returns.map((values) => Math.max(...values.map(Math.abs)))),
  };
}

function everyMinute(prices: readonly number[]): number[] {
  const ends = prices.filter((_, second) => second % 60 === 0);
  return ends.slice(1).map((price, i) => Math.log(price / (ends[i] as number)));
}

function square(values: readonly number[]): number {
  return mean(values.map((value) => value * value));
}
