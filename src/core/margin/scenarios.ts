/** One of the sixteen scenarios: the share of the price scan range, that of the volatility scan range, and the share of the loss that counts. */
export interface Scenario {
  readonly price: number;
  readonly volatility: number;
  readonly weight: number;
}

/** The extreme moves go twice as far and count for this share. Source: market-rules R4.3. */
const EXTREME_WEIGHT = 0.35;

/** In the order of the parameter files. Source: market-rules R4.3. */
export const SCENARIOS: readonly Scenario[] = [
  ...[0, 1 / 3, -1 / 3, 2 / 3, -2 / 3, 1, -1].flatMap((price) => [
    { price, volatility: 1, weight: 1 },
    { price, volatility: -1, weight: 1 },
  ]),
  { price: 2, volatility: 0, weight: EXTREME_WEIGHT },
  { price: -2, volatility: 0, weight: EXTREME_WEIGHT },
];

/**
 * The price moves over which the composite delta is the mean, as shares of the scan range, with their weights: the normal density with the scan
 * range at two deviations. Source: market-rules R4.5.
 */
export const DELTA_POINTS: readonly (readonly [price: number, weight: number])[] = [
  [-1, 0.037],
  [-2 / 3, 0.111],
  [-1 / 3, 0.217],
  [0, 0.27],
  [1 / 3, 0.217],
  [2 / 3, 0.111],
  [1, 0.037],
];
