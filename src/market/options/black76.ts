/**
 * Prices and sensitivities of European options by Black's model of 1976. Pure functions: the volatility of a
 * strike comes from `smile.ts`, and nothing here knows instruments or days.
 */
import type { OptionType } from '../../core/instrument.ts';
import { exp, log, normalCumulative, normalDensity } from './elementary.ts';

/** The discount rate, continuous, a year. Source: market-rules R8.3. */
export const RATE = 0.07;

/** A European option on a forward. Prices in any one unit; time in years; volatility and rate as shares (0.125). */
export interface OptionTerms {
  readonly type: OptionType;
  readonly strike: number;
}

export interface Greeks {
  /** Per unit of the forward. */
  readonly delta: number;
  readonly gamma: number;
  /** Per volatility point (1 %). */
  readonly vega: number;
  /** Per calendar day. */
  readonly theta: number;
  /** Per 1 % of rate, the forward fixed. */
  readonly rho: number;
}

/** The value of an option on a forward by Black's model of 1976. Source: market-rules R8.1. */
export function black76(terms: OptionTerms, forward: number, years: number, volatility: number, rate = RATE): number {
  const { strike, type } = terms;
  const discount = exp(-rate * years);
  const deviation = volatility * Math.sqrt(years);
  if (!(deviation > 0) || !(forward > 0)) return discount * intrinsic(terms, forward);
  const d1 = log(forward / strike) / deviation + 0.5 * deviation;
  const d2 = d1 - deviation;
  return type === 'CE'
    ? discount * (forward * normalCumulative(d1) - strike * normalCumulative(d2))
    : discount * (strike * normalCumulative(-d2) - forward * normalCumulative(-d1));
}

/** The gain of exercising now, never below 0. */
export function intrinsic(terms: OptionTerms, forward: number): number {
  const inside = terms.type === 'CE' ? forward - terms.strike : terms.strike - forward;
  return inside > 0 ? inside : 0;
}

/**
 * The sensitivities of one unit; those of a certain payment without time or volatility. Source: market-rules R8.5.
 */
export function greeks(terms: OptionTerms, forward: number, years: number, volatility: number, rate = RATE): Greeks {
  const root = Math.sqrt(years);
  const deviation = volatility * root;
  const d1 = log(forward / terms.strike) / deviation + 0.5 * deviation;
  const discount = exp(-rate * years);
  const density = discount * normalDensity(d1);
  const price = black76(terms, forward, years, volatility, rate);
  if (!(deviation > 0)) return certain(terms, discount, price, years, rate);
  return {
    delta: terms.type === 'CE' ? discount * normalCumulative(d1) : -discount * normalCumulative(-d1),
    gamma: density / (forward * deviation),
    vega: (forward * density * root) / 100,
    theta: ((-forward * density * volatility) / (2 * root) + rate * price) / 365,
    rho: (-years * price) / 100,
  };
}

/** The greeks of an option whose payment is known: it moves with the forward, or not at all. */
function certain({ type }: OptionTerms, discount: number, price: number, years: number, rate: number): Greeks {
  const inside = type === 'CE' ? discount : -discount;
  return {
    delta: price > 0 ? inside : 0,
    gamma: 0,
    vega: 0,
    theta: (rate * price) / 365,
    rho: (-years * price) / 100,
  };
}

/**
 * The change of the value when the spot changes by one, with the forward at S e^(rT): N(d1), or N(d1) - 1 for a put.
 * Without volatility it is all or nothing.
 */
export function spotDelta(terms: OptionTerms, forward: number, years: number, volatility: number): number {
  const deviation = volatility * Math.sqrt(years);
  if (!(deviation > 0)) return intrinsic(terms, forward) === 0 ? 0 : terms.type === 'CE' ? 1 : -1;
  const d1 = log(forward / terms.strike) / deviation + 0.5 * deviation;
  return terms.type === 'CE' ? normalCumulative(d1) : -normalCumulative(-d1);
}
