/**
 * A strategy: legs on one underlying, their greeks, and their result by the price of the underlying, at the nearest
 * expiry and today. All prices come from the model of `optionChainGreeks`; amounts are in paise.
 */

import type { Tick } from '../../base/ids.ts';
import { instantOf } from '../../base/tick.ts';
import { DAY_MS } from '../../base/time.ts';
import { type Derivative, type Instrument, isDerivative } from '../../core/instrument.ts';
import type { MarketData, OptionGreeks, Valuation } from '../../core/market.ts';
import { exactPayoff, kinksOf, type SettledLeg, settledResult, unitsAbove } from './exact-payoff.ts';
import { modelPayoff } from './model-payoff.ts';
import type { Payoff } from './payoff.ts';

/** Points of a curve, about. */
const POINTS = 120;
/** The range shows this many deviations of the price until the nearest expiry, and at least this part of the price. */
const DEVIATIONS = 2;
const LEAST_RANGE = 0.05;
/** The range reaches beyond the outer strikes by this part of them. */
const BEYOND_STRIKES = 0.02;
/** A price that is beyond every strike by far, in prices of the underlying or of the highest strike. */
const FAR = 3;
const YEAR_DAYS = 365;
/** Points stand on whole rupees, unless these are too far apart. */
const RUPEE = 100;

/** A leg as it was asked for. */
export interface StrategyLeg {
  readonly instrument: Exclude<Instrument, { kind: 'index' }>;
  /** Below 0 when sold. */
  readonly units: number;
  /** The price at which it is entered, in paise. */
  readonly entry: number;
}

/** A leg with the greeks of one unit. */
export interface MeasuredLeg extends StrategyLeg {
  /** Annual volatility as a share; absent for a share and a future. */
  readonly volatility: number | undefined;
  readonly greeks: Pick<OptionGreeks, 'delta' | 'gamma' | 'theta' | 'vega'>;
}

/** The results at one price of the underlying. */
export interface StrategyPoint {
  readonly price: number;
  readonly atExpiry: number;
  readonly today: number;
}

export interface StrategyFigures {
  readonly legs: readonly MeasuredLeg[];
  /** The contract that expires first; `undefined` when the legs are shares. */
  readonly nearest: Derivative | undefined;
  readonly payoff: Payoff;
  readonly points: readonly StrategyPoint[];
  /** Of all units together. */
  readonly greeks: MeasuredLeg['greeks'];
  /** The premium of the options that are sold, less that of those that are bought. */
  readonly netPremium: number;
}

/** The market at one tick. */
export interface Now {
  readonly market: MarketData;
  readonly tick: Tick;
  /** The last price of the underlying, in paise. */
  readonly spot: number;
}

/** The figures of legs on one underlying. Yields after each piece of work. */
export function* strategyFigures(asked: readonly StrategyLeg[], now: Now): Generator<undefined, StrategyFigures> {
  const legs: MeasuredLeg[] = [];
  for (const leg of asked) {
    legs.push(measured(leg, now));
    yield;
  }
  const nearest = nearestOf(legs);
  const days = nearest === undefined ? 0 : Math.max(0, nearest.expiresAt - instantOf(now.tick)) / DAY_MS;
  const range = rangeOf(legs, days, now.spot);
  const settled = legs.filter(({ instrument }) => settlesWith(instrument, nearest)).map(settledLeg);
  const later = legs.filter(({ instrument }) => !settlesWith(instrument, nearest));
  const living = later.map((leg) => valuedLeg(leg, now, days));
  const payoff =
    living.length === 0
      ? exactPayoff(settled)
      : yield* modelPayoff({
          at: (price) => settled.reduce((sum, leg) => sum + settledResult(leg, price), 0) + resultOf(living, price),
          kinks: kinksOf(settled),
          ...range,
          unitsAbove: unitsAbove([...settled, ...later.map(settledLeg)]),
        });
  const today = legs.map((leg) => valuedLeg(leg, now, 0));
  const points: StrategyPoint[] = [];
  for (const price of pointsOf(range, now.spot, kinksOf(settled), payoff)) {
    points.push({ price, atExpiry: payoff.at(price), today: resultOf(today, price) });
    yield;
  }
  return { legs, nearest, payoff, points, greeks: together(legs), netPremium: netPremium(legs) };
}

const NONE = { gamma: 0, theta: 0, vega: 0 };

function measured(leg: StrategyLeg, { market, tick }: Now): MeasuredLeg {
  const known = market.greeks(leg.instrument.id, tick);
  if (known === undefined) return { ...leg, volatility: undefined, greeks: { delta: 1, ...NONE } };
  const { volatility, delta, gamma, theta, vega } = known;
  return { ...leg, volatility, greeks: { delta, gamma, theta, vega } };
}

function nearestOf(legs: readonly StrategyLeg[]): Derivative | undefined {
  let nearest: Derivative | undefined;
  for (const { instrument } of legs) {
    if (isDerivative(instrument) && (nearest === undefined || instrument.expiresAt < nearest.expiresAt))
      nearest = instrument;
  }
  return nearest;
}

/** Shares count at the price of the moment, whenever that is. */
function settlesWith(instrument: Instrument, nearest: Derivative | undefined): boolean {
  return !isDerivative(instrument) || instrument.expiryDay === nearest?.expiryDay;
}

function settledLeg({ instrument, units, entry }: StrategyLeg): SettledLeg {
  if (instrument.kind !== 'option') return { pays: 'price', strike: 0, units, entry };
  return { pays: instrument.optionType === 'CE' ? 'call' : 'put', strike: instrument.strike, units, entry };
}

/** A leg that the model values at a moment. */
interface ValuedLeg {
  readonly value: Valuation;
  readonly days: number;
  readonly units: number;
  readonly entry: number;
}

function valuedLeg({ instrument, units, entry }: StrategyLeg, { market, tick }: Now, days: number): ValuedLeg {
  return { value: market.valuation(instrument.id, tick), days, units, entry };
}

function resultOf(legs: readonly ValuedLeg[], price: number): number {
  return legs.reduce((sum, { value, days, units, entry }) => sum + units * (value(price, days) - entry), 0);
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly farAbove: number;
}

/** `days`: until the nearest expiry. */
function rangeOf(legs: readonly MeasuredLeg[], days: number, spot: number): Range {
  const volatility = Math.max(0, ...legs.map((leg) => leg.volatility ?? 0));
  const half = Math.max(LEAST_RANGE, DEVIATIONS * volatility * Math.sqrt(days / YEAR_DAYS));
  const strikes = legs.flatMap(({ instrument }) => (instrument.kind === 'option' ? [instrument.strike as number] : []));
  const lowest = Math.min(spot * (1 - half), ...strikes.map((strike) => strike * (1 - BEYOND_STRIKES)));
  const highest = Math.max(spot * (1 + half), ...strikes.map((strike) => strike * (1 + BEYOND_STRIKES)));
  return { from: Math.max(0, lowest), to: highest, farAbove: farAbove(legs, spot) };
}

/** A price far beyond every strike and every entry, in paise. */
export function farAbove(legs: readonly StrategyLeg[], spot: number): number {
  const prices = legs.map(({ instrument, entry }) =>
    Math.max(entry, instrument.kind === 'option' ? instrument.strike : 0),
  );
  return FAR * Math.max(spot, ...prices);
}

/** Prices in even steps, with the spot, the strikes and the breakevens among them, ascending, in whole paise. */
function pointsOf(
  { from, to }: Range,
  spot: number,
  kinks: readonly number[],
  { breakevens }: Payoff,
): readonly number[] {
  const wide = (to - from) / POINTS;
  const step = wide >= RUPEE ? Math.ceil(wide / RUPEE) * RUPEE : Math.max(1, Math.ceil(wide));
  const prices = new Set([spot]);
  for (let price = Math.floor(from / step) * step; price <= to + step; price += step) prices.add(price);
  for (const price of [...kinks, ...breakevens]) if (price >= from && price <= to) prices.add(price);
  return [...prices].sort((a, b) => a - b);
}

function together(legs: readonly MeasuredLeg[]): MeasuredLeg['greeks'] {
  const sum = (of: keyof MeasuredLeg['greeks']): number =>
    legs.reduce((total, { units, greeks }) => total + units * greeks[of], 0);
  return { delta: sum('delta'), gamma: sum('gamma'), theta: sum('theta'), vega: sum('vega') };
}

function netPremium(legs: readonly StrategyLeg[]): number {
  return legs.reduce(
    (sum, { instrument, units, entry }) => (instrument.kind === 'option' ? sum - units * entry : sum),
    0,
  );
}
