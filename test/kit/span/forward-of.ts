import { RATE } from '../../../src/market/options/black76.ts';
import { exp } from '../../../src/market/options/elementary.ts';

/** The forward of a spot price at the discount rate: S e^(rT). Source: market-rules R8.8 without dividends. */
export function forwardOf(spot: number, years: number): number {
  return spot * exp(RATE * years);
}
