/**
 * The result of legs when all of them settle at once, as a function of the price of their underlying: straight lines
 * between strikes, in whole paise. Legs that live on are valued by the model in `model-payoff.ts`.
 */

import type { Payoff } from './payoff.ts';

/** A leg as it settles. A share and a future pay the price itself. */
export interface SettledLeg {
  readonly pays: 'price' | 'call' | 'put';
  /** In paise; 0 without one. */
  readonly strike: number;
  /** Units, below 0 when sold. */
  readonly units: number;
  /** The price at which it was entered, in paise. */
  readonly entry: number;
}

/** The result of one leg at a price of the underlying, in paise. */
export function settledResult({ pays, strike, units, entry }: SettledLeg, price: number): number {
  return units * (worthOf(pays, strike, price) - entry);
}

function worthOf(pays: SettledLeg['pays'], strike: number, price: number): number {
  if (pays === 'price') return price;
  return Math.max(0, pays === 'call' ? price - strike : strike - price);
}

/** The prices at which the slope of legs changes, ascending, from 0 on. */
export function kinksOf(legs: readonly SettledLeg[]): readonly number[] {
  const strikes = legs.filter(({ pays }) => pays !== 'price').map(({ strike }) => strike);
  return [...new Set([0, ...strikes])].sort((a, b) => a - b);
}

/** The units that gain a paisa for each paisa by which the price rises beyond every strike; below 0 they lose it. */
export function unitsAbove(legs: readonly SettledLeg[]): number {
  return legs.reduce((sum, { pays, units }) => (pays === 'put' ? sum : sum + units), 0);
}

/** The exact payoff of legs that settle together. The price of the underlying does not fall below 0. */
export function exactPayoff(legs: readonly SettledLeg[]): Payoff {
  const at = (price: number): number => legs.reduce((sum, leg) => sum + settledResult(leg, price), 0);
  const kinks = kinksOf(legs);
  const results = kinks.map(at);
  const slope = unitsAbove(legs);
  return {
    at,
    breakevens: breakevensOf(kinks, results, slope),
    greatest: slope > 0 ? undefined : Math.max(...results),
    least: slope < 0 ? undefined : Math.min(...results),
  };
}

/** The prices at which the result is 0, to the paisa, half up; the ends of a range in which it is 0 throughout. */
function breakevensOf(kinks: readonly number[], results: readonly number[], slope: number): readonly number[] {
  const found = new Set<number>();
  for (const [place, from] of kinks.entries()) {
    const result = results[place] as number;
    if (result === 0) found.add(from);
    const to = kinks[place + 1];
    const next = results[place + 1];
    if (to === undefined || next === undefined) {
      if (result * slope < 0) found.add(rootOf(from, result, slope));
    } else if (result * next < 0) {
      found.add(rootOf(from, result, Math.round((next - result) / (to - from))));
    }
  }
  return [...found].sort((a, b) => a - b);
}

function rootOf(from: number, result: number, slope: number): number {
  return from + Math.floor((2 * Math.abs(result) + Math.abs(slope)) / (2 * Math.abs(slope)));
}
