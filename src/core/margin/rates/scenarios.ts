/** One of the sixteen scenarios. */
export interface Scenario {
  /** The move of the price, in thirds of the price scan range. */
  readonly thirds: number;
  /** The move of volatility, in volatility scan ranges. */
  readonly volatility: number;
  /** The share of the loss that counts, in per cent. */
  readonly percent: number;
}

/** The extreme moves go twice as far and count for this share. Source: market-rules R4.3. */
const EXTREME_PERCENT = 35;

/** In the order of the parameter files. Source: market-rules R4.3. */
export const SCENARIOS: readonly Scenario[] = [
  ...[0, 1, -1, 2, -2, 3, -3].flatMap((thirds) => [
    { thirds, volatility: 1, percent: 100 },
    { thirds, volatility: -1, percent: 100 },
  ]),
  { thirds: 6, volatility: 0, percent: EXTREME_PERCENT },
  { thirds: -6, volatility: 0, percent: EXTREME_PERCENT },
];

/**
 * The price moves over which the composite delta is the mean, in thirds of the scan range, with their weights: the
 * normal density with the scan range at two deviations. Source: market-rules R4.5.
 */
export const DELTA_POINTS: readonly (readonly [thirds: number, weight: number])[] = [
  [-3, 0.037],
  [-2, 0.111],
  [-1, 0.217],
  [0, 0.27],
  [1, 0.217],
  [2, 0.111],
  [3, 0.037],
];
