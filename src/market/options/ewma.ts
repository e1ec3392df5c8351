import type { Price } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import { CLOSE_MINUTE, TRADING_DAYS } from '../day-tape.ts';
import type { Listing } from '../listing.ts';
import { log } from './elementary.ts';

/** Source: market-rules R4.1. */
const LAMBDA = 0.995;
/** The number of past returns that count; the volatility of the facts stands for all earlier ones. */
const RETURNS = 20;

interface Known {
  readonly day: IstDay;
  readonly volatility: number;
}

const known = new WeakMap<Listing, Known>();

/**
 * The annual volatility of an index or share that is known when a day begins: the exponentially weighted mean of
 * squared daily returns, begun from the volatility of the facts. Fair values at the close stand for closes. Source:
 * market-rules R4.1.
 */
export function ewmaVolatility(listed: Listing, day: IstDay): number {
  const before = known.get(listed);
  if (before?.day === day) return before.volatility;
  const volatility = Math.sqrt(dailyVariance(listed, day) * TRADING_DAYS);
  known.set(listed, { day, volatility });
  return volatility;
}

function dailyVariance(listed: Listing, day: IstDay): number {
  const { volatility } = listed;
  const days = daysBefore(listed, day);
  const value = (of: IstDay) => listed.fairValue(of, CLOSE_MINUTE);
  let variance = (volatility * volatility) / TRADING_DAYS;
  let last = days[0];
  for (const next of days.slice(1)) {
    if (last === undefined) break;
    const before = listed.inTermsOf(next, Math.round(value(last)) as Price, last);
    const move = log(value(next) / before);
    variance = LAMBDA * variance + (1 - LAMBDA) * move * move;
    last = next;
  }
  return variance;
}

/** The trading days before `day`, oldest first: one more than there are returns. */
function daysBefore(listed: Listing, day: IstDay): IstDay[] {
  const days: IstDay[] = [];
  let candidate = listed.dayBefore(day);
  while (candidate !== undefined && days.length <= RETURNS) {
    days.push(candidate);
    candidate = listed.dayBefore(candidate);
  }
  return days.reverse();
}
