import { black76, intrinsic, type OptionTerms, RATE } from './black76.ts';
import { exp } from './elementary.ts';

const LOWEST = 0.0001;
const HIGHEST = 5;
const STEPS = 100;

/**
 * The volatility at which Black-76 gives `price`: bisection on [0.0001, 5] in 100 steps; 0 for a price that is not
 * above the discounted intrinsic value. Source: market-rules R8.7.
 */
export function impliedVolatility(
  terms: OptionTerms,
  price: number,
  forward: number,
  years: number,
  rate = RATE,
): number {
  if (price <= exp(-rate * years) * intrinsic(terms, forward)) return 0;
  let low = LOWEST;
  let high = HIGHEST;
  for (let i = 0; i < STEPS; i += 1) {
    const middle = (low + high) / 2;
    if (black76(terms, forward, years, middle, rate) < price) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
