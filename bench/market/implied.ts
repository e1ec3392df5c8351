import type { OptionType } from '../../src/core/instrument.ts';
import { black76 } from '../../src/market/options/black76.ts';

const MOST_DEVIATION = 3;
const STEPS = 50;

/**
 * The deviation of the logarithm until expiry that an option's price implies, 0.02 for 2 %: volatility times the root
 * of the time left. It needs no measure of time. NaN for a price that no deviation gives. Prices in one unit.
 */
export function impliedDeviation(type: OptionType, strike: number, forward: number, value: number): number {
  const worth = (deviation: number) => black76({ type, strike }, forward, 1, deviation, 0);
  if (!(value > worth(0)) || value >= worth(MOST_DEVIATION)) return Number.NaN;
  let [low, high] = [0, MOST_DEVIATION];
  for (let i = 0; i < STEPS; i += 1) {
    const half = (low + high) / 2;
    if (worth(half) < value) low = half;
    else high = half;
  }
  return (low + high) / 2;
}
