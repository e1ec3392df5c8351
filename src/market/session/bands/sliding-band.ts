/**
 * The steps by which the band of a share with contracts slides: its width, the trigger of each flex and its
 * cooling-off. These are the fixed numbers of the rule; `flexes.ts` applies them to a day.
 */
import { ceilToTick, floorToTick, type Price } from '../../../base/money.ts';
import type { PriceBand } from '../../../core/market.ts';

/** Shares of the base price are whole basis points. */
const WHOLE = 10_000;
/** Half the width of the band. Source: market-rules R1.42, R1.43. */
const HALF_WIDTH = 1_000;
/**
 * The distance before an edge at which trades ask for the next flex: 9.90 %, 14.90 %... Source: market-rules R1.42.
 */
const BEFORE_EDGE = 10;
/** The number of trades at or beyond that level that a flex needs. Source: market-rules R1.42. */
export const FLEX_TRADES = 50;
/** The cooling-off is shorter in this last part of a session. Source: market-rules R1.42. */
const LAST_MINUTES = 30;

/** How far the band slides at a flex, and how long trading cools off before it, in minutes. */
export interface FlexStep {
  readonly slide: number;
  readonly cooling: number;
  readonly coolingAtTheEnd: number;
}

const FIRST: FlexStep = { slide: 500, cooling: 15, coolingAtTheEnd: 5 };
const MIDDLE: FlexStep = { slide: 300, cooling: 30, coolingAtTheEnd: 30 };
const LATER: FlexStep = { slide: 200, cooling: 60, coolingAtTheEnd: 60 };

/** The n-th flex of a day, counted from 1. Source: market-rules R1.42. */
export function flexStep(flex: number): FlexStep {
  if (flex <= 2) return FIRST;
  return flex <= 4 ? MIDDLE : LATER;
}

/** Minutes between the trades that ask for a flex and the flex. Source: market-rules R1.42. */
export function coolingMinutes(flex: number, minutesLeft: number): number {
  const { cooling, coolingAtTheEnd } = flexStep(flex);
  return minutesLeft <= LAST_MINUTES ? coolingAtTheEnd : cooling;
}

/**
 * The band of a share with contracts, or of a contract's underlying, after a slide of `slid` basis points of its base,
 * rounded inwards to the tick. `half` is half its width in basis points. Source: market-rules R1.42, R1.43.
 */
export function slidBand(base: Price, slid: number, tick: Price, half = HALF_WIDTH): PriceBand {
  return {
    lower: Math.max(tick, ceilToTick((base * (WHOLE + slid - half)) / WHOLE, tick)) as Price,
    upper: Math.max(tick, floorToTick((base * (WHOLE + slid + half)) / WHOLE, tick)) as Price,
  };
}

/**
 * The prices at which trades begin to ask for the next flex, downwards and upwards, in paise, not rounded. Source:
 * market-rules R1.42.
 */
export function flexTriggers(base: Price, slid: number): { readonly down: number; readonly up: number } {
  return {
    down: (base * (WHOLE + slid - HALF_WIDTH + BEFORE_EDGE)) / WHOLE,
    up: (base * (WHOLE + slid + HALF_WIDTH - BEFORE_EDGE)) / WHOLE,
  };
}
