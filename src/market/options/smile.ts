import { DAY_MS, type EpochMs, MINUTE_MS } from '../../base/time.ts';
import { log } from './elementary.ts';

const YEAR_MS = 365 * DAY_MS;
const SHORTEST_SMILE_YEARS = 1 / 365;
const LOWEST_VOLATILITY = 0.05;

/** The volatility of a strike: at-the-money volatility plus a skew that makes puts dearer. Source: market-rules R8.4. */
export function smileVolatility(atm: number, strike: number, forward: number, years: number): number {
  const k = log(strike / forward) / Math.sqrt(years > SHORTEST_SMILE_YEARS ? years : SHORTEST_SMILE_YEARS);
  const volatility = atm + 0.1 * (-0.35 * k + 1.2 * k * k);
  return volatility > LOWEST_VOLATILITY ? volatility : LOWEST_VOLATILITY;
}

/** Calendar time to expiry in years of 365 days, at least one minute, until the instant of expiry. Source: market-rules R8.2. */
export function yearsToExpiry(at: EpochMs, expiresAt: EpochMs): number {
  const rest = expiresAt - at;
  return (rest > MINUTE_MS ? rest : MINUTE_MS) / YEAR_MS;
}
