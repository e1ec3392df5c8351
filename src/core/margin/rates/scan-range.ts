const TRADING_DAYS = 252;
const DEVIATIONS = 6;

/** The deviation of a trading day from an annual volatility. */
export function dailyDeviation(volatility: number): number {
  return volatility / Math.sqrt(TRADING_DAYS);
}

/** The price scan range as a share of the underlying's price. Source: market-rules R4.1. */
export function priceScanRange(volatility: number, floor: number): number {
  return Math.max(DEVIATIONS * dailyDeviation(volatility) * Math.SQRT2, floor);
}

/** The volatility scan range in absolute points. Source: market-rules R4.2. */
export function volatilityScanRange(volatility: number, floor: number): number {
  return Math.max(0.25 * volatility, floor);
}
