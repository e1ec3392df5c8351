/** Statistics of samples. All of them are NaN where there are too few values to have one. */

export function total(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

export function mean(values: readonly number[]): number {
  return total(values) / values.length;
}

/** The mean of the k-th powers of the distances from the mean. */
function moment(values: readonly number[], power: number): number {
  const middle = mean(values);
  let sum = 0;
  for (const value of values) sum += (value - middle) ** power;
  return sum / values.length;
}

export function deviation(values: readonly number[]): number {
  return Math.sqrt(moment(values, 2));
}

/** 3 for a normal sample. */
export function kurtosis(values: readonly number[]): number {
  return moment(values, 4) / moment(values, 2) ** 2;
}

export function skewness(values: readonly number[]): number {
  return moment(values, 3) / moment(values, 2) ** 1.5;
}

/** The root of the mean square. */
export function size(values: readonly number[]): number {
  return Math.sqrt(mean(values.map((value) => value * value)));
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function correlation(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [mean(a), mean(b)];
  let [both, ofA, ofB] = [0, 0, 0];
  for (let i = 0; i < a.length; i += 1) {
    const [x, y] = [(a[i] as number) - meanA, (b[i] as number) - meanB];
    both += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return both / Math.sqrt(ofA * ofB);
}

export function autocorrelation(values: readonly number[], lag: number): number {
  return correlation(values.slice(lag), values.slice(0, -lag));
}

/** The mean over its standard error: how many of them it lies from 0. */
export function tStatistic(values: readonly number[]): number {
  return mean(values) / (deviation(values) / Math.sqrt(values.length - 1));
}

export function finite(values: readonly number[]): number[] {
  return values.filter(Number.isFinite);
}
