/**
 * The smile: the volatility of each strike against the volatility at the money, and the time to expiry. The level at
 * the money is not decided here; it comes from the source.
 */
import { DAY_MS, type EpochMs, MINUTE_MS } from '../../base/time.ts';
import { log } from './elementary.ts';

const YEAR_DAYS = 365;
const YEAR_MS = YEAR_DAYS * DAY_MS;
/** How fast variance grows far from the money, and how round the smile is. */
const STEEPNESS = 0.57;
const ROUNDNESS = 1.4;
/**
 * The moneyness at which the smile is lowest, in deviations: one value up to `NEAR.days` before expiry, another from
 * `FAR.days` on.
 */
const NEAR = { days: 2, lowest: 0.48 } as const;
const FAR = { days: 8, lowest: 0.81 } as const;

/**
 * The volatility that the options of all strikes of a month imply together, against the volatility at the money: the
 * root of the mean variance over strikes, as a volatility index is computed.
 */
export const SMILE_AVERAGE = 1.098;

/**
 * The volatility of a strike: that at the money times a ratio which follows from how many deviations the strike is away
 * from the forward. Puts are dearer, and both wings dearer than the money. `varianceYears` is the time to expiry in
 * years of variance. The square of the ratio is a hyperbola, fitted to NIFTY options of January to March 2026 (NSE's
 * daily F&O files): at -2, -1, 0, 1 and 2 deviations 1.36, 1.15, 0.99, 0.93 and 1.06 of the money 8 to 16 days before
 * expiry, and 1.35, 1.15, 1.00, 0.99 and 1.17 with 1 or 2 days left. The shape of market-rules R8.4, a default of the
 * house, has a third of these wings and gave way to them.
 */
export function smileVolatility(atm: number, strike: number, forward: number, varianceYears: number): number {
  const deviation = atm * Math.sqrt(varianceYears);
  if (!(deviation > 0)) return atm;
  const away = log(strike / forward) / deviation;
  const lowest = lowestAt(varianceYears * YEAR_DAYS);
  const variance = 1 + STEEPNESS * (hyperbola(away - lowest) - hyperbola(lowest));
  return atm * Math.sqrt(variance);
}

function lowestAt(days: number): number {
  if (days <= NEAR.days) return NEAR.lowest;
  if (days >= FAR.days) return FAR.lowest;
  return NEAR.lowest + ((FAR.lowest - NEAR.lowest) * (days - NEAR.days)) / (FAR.days - NEAR.days);
}

function hyperbola(x: number): number {
  return Math.sqrt(x * x + ROUNDNESS * ROUNDNESS);
}

/**
 * Calendar time to expiry in years of 365 days, at least one minute, until the instant of expiry. Source: market-rules
 * R8.2.
 */
export function yearsToExpiry(at: EpochMs, expiresAt: EpochMs): number {
  const rest = expiresAt - at;
  return (rest > MINUTE_MS ? rest : MINUTE_MS) / YEAR_MS;
}

/**
 * A volatility for calendar time, when the variance still to come is that of `varianceYears`. So a price follows how
 * far the underlying can still go, while carry, discount and the meaning of a volatility stay those of R8.2. Source:
 * market-rules R8.1, R8.2.
 */
export function inCalendarTime(volatility: number, varianceYears: number, years: number): number {
  return varianceYears > 0 && years > 0 ? volatility * Math.sqrt(varianceYears / years) : 0;
}
