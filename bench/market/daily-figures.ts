import { byKey, type Figures } from './figures.ts';
import { autocorrelation, correlation, deviation, kurtosis, mean, median, size, skewness } from './samples.ts';

/** The figures of a bar that statistics of days need. Prices in any unit. */
export interface Bar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** Logarithms of the changes from close to close. */
export function returnsOf(bars: readonly Bar[]): number[] {
  return bars.slice(1).map((bar, i) => Math.log(bar.close / (bars[i] as Bar).close));
}

export function openToClose(bars: readonly Bar[]): number[] {
  return bars.map((bar) => Math.log(bar.close / bar.open));
}

function gapsOf(bars: readonly Bar[]): number[] {
  return bars.slice(1).map((bar, i) => Math.log(bar.open / (bars[i] as Bar).close));
}

function rangesOf(bars: readonly Bar[]): number[] {
  return bars.map((bar) => Math.log(bar.high / bar.low));
}

/** The night's part of the variance of a day. */
export function overnightShare(bars: readonly Bar[]): number {
  const night = deviation(gapsOf(bars)) ** 2;
  return night / (night + deviation(openToClose(bars)) ** 2);
}

/** The volatility that highs and lows imply. Source: Parkinson 1980. */
function parkinson(bars: readonly Bar[]): number {
  return size(rangesOf(bars)) / Math.sqrt(4 * Math.LN2);
}

/** The same with open and close. Source: Garman and Klass 1980. */
function garmanKlass(bars: readonly Bar[]): number {
  const squares = bars.map(
    (bar) => 0.5 * Math.log(bar.high / bar.low) ** 2 - (2 * Math.LN2 - 1) * Math.log(bar.close / bar.open) ** 2,
  );
  return Math.sqrt(mean(squares));
}

/** The variance of sums of `count` returns over `count` times the variance of one; sums overlap. */
function varianceRatio(returns: readonly number[], count: number): number {
  const sums: number[] = [];
  let sum = 0;
  for (let i = 0; i < returns.length; i += 1) {
    sum += returns[i] as number;
    if (i >= count) sum -= returns[i - count] as number;
    if (i >= count - 1) sums.push(sum);
  }
  return deviation(sums) ** 2 / (count * deviation(returns) ** 2);
}

/** How a day's return goes with the mean size of the five returns after it: below 0 when falls make volatility. */
function leverage(returns: readonly number[]): number {
  const after = returns.slice(0, -5).map((_, i) => mean(returns.slice(i + 1, i + 6).map(Math.abs)));
  return correlation(returns.slice(0, -5), after);
}

/** A day's figures of an index. Percent where a row says so. */
export function dailyFigures(bars: readonly Bar[]): Figures {
  const returns = returnsOf(bars);
  const sizes = returns.map(Math.abs);
  const squares = returns.map((value) => value * value);
  const within = size(openToClose(bars));
  return {
    c2c: 100 * deviation(returns) * Math.sqrt(252),
    openClose: 100 * deviation(openToClose(bars)),
    gap: 100 * deviation(gapsOf(bars)),
    overnight: overnightShare(bars),
    medianRange: 100 * median(rangesOf(bars)),
    parkinson: parkinson(bars) / within,
    garmanKlass: garmanKlass(bars) / within,
    kurtosis1d: kurtosis(returns),
    skew: skewness(returns),
    ...byKey('vr', [5, 20], (days) => varianceRatio(returns, days)),
    ...byKey('acSize', [1, 5, 20, 60], (lag) => autocorrelation(sizes, lag)),
    ...byKey('acSquare', [1, 5, 20], (lag) => autocorrelation(squares, lag)),
    logRange: deviation(rangesOf(bars).map(Math.log)),
    leverage: leverage(returns),
  };
}
