import { DAY_MS, type EpochMs, MINUTE_MS } from '../../base/time.ts';
import { log } from './elementary.ts';

const YEAR_MS = 365 * DAY_MS;
const SHORTEST_SMILE_YEARS = 1 / 365;
const LOWEST_VOLATILITY = 0.05;
/** The scaled moneyness up to which the smile is that of the rules, and the one from which on it is flat. */
const PLAIN_UP_TO = 0.5;
const FLAT_FROM = 1;

/**
 * The volatility of a strike: at-the-money volatility plus a skew that makes puts dearer. Far from the money it bends and stays where it is: a
 * square that goes on would make far strikes dearer than near ones. Source: market-rules R8.4.
 */
export function smileVolatility(atm: number, strike: number, forward: number, years: number): number {
  const root = Math.sqrt(years > SHORTEST_SMILE_YEARS ? years : SHORTEST_SMILE_YEARS);
  const k = bent(log(strike / forward) / root);
  const volatility = atm + 0.1 * (-0.35 * k + 1.2 * k * k);
  return volatility > LOWEST_VOLATILITY ? volatility : LOWEST_VOLATILITY;
}

/** A moneyness as it is near the money; beyond, it grows ever slower to three quarters, without a kink. */
function bent(k: number): number {
  const size = k < 0 ? -k : k;
  if (size <= PLAIN_UP_TO) return k;
  const reach = size < FLAT_FROM ? size : FLAT_FROM;
  const beyond = reach - PLAIN_UP_TO;
  const bounded = reach - beyond * beyond;
  return k < 0 ? -bounded : bounded;
}

/** Calendar time to expiry in years of 365 days, at least one minute, until the instant of expiry. Source: market-rules R8.2. */
export function yearsToExpiry(at: EpochMs, expiresAt: EpochMs): number {
  const rest = expiresAt - at;
  return (rest > MINUTE_MS ? rest : MINUTE_MS) / YEAR_MS;
}

/**
 * A volatility as calendar time needs it, when the variance that is still to come is that of `varianceYears`. So a price follows how far the
 * underlying can still go, while carry, discount and what a volatility means stay those of R8.2. Source: market-rules R8.1, R8.2.
 */
export function inCalendarTime(volatility: number, varianceYears: number, years: number): number {
  return varianceYears > 0 && years > 0 ? volatility * Math.sqrt(varianceYears / years) : 0;
}
