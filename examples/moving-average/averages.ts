/** The side that a strategy of two moving averages wants: long is `1`, short `-1`; 0 where there are too few closes. */
export function wantedSide(closes: readonly number[], fast: number, slow: number): -1 | 0 | 1 {
  if (closes.length < slow) return 0;
  return average(closes.slice(-fast)) > average(closes.slice(-slow)) ? 1 : -1;
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
