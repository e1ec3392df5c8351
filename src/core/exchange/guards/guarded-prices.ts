/**
 * The prices at which contracts may be ordered and traded, around an average of their last trades. Shares are not
 * guarded here: they have only their band. `price-range.ts` computes the ranges.
 */

import type { Tick } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import type { PriceBand } from '../../market.ts';
import type { Venue } from '../venue.ts';
import { executionRange, protectionRange } from './price-range.ts';

/** Ticks are seconds. Source: market-rules R1.46, R1.47. */
const PROTECTION_TICKS = 30;
const EXECUTION_TICKS = 60;
/**
 * Without a trade for this number of ticks, 15 minutes, the model's value takes the place of an average. Source:
 * market-rules R1.46.
 */
const IDLE_TICKS = 900;

/**
 * The prices that the limit of a contract may have now; `undefined` in cash, which has only its band. Source:
 * market-rules R1.46.
 */
export function protectionAt(venue: Venue): PriceBand | undefined {
  const { kind } = venue;
  if (kind !== 'future' && kind !== 'option') return undefined;
  return protectionRange(venue.guards, kind, guardReference(venue, PROTECTION_TICKS));
}

/** The prices at which a contract may trade now; `undefined` in cash. Source: market-rules R1.47. */
export function executionAt(venue: Venue): PriceBand | undefined {
  const { kind } = venue;
  if (kind !== 'future' && kind !== 'option') return undefined;
  return executionRange(venue.guards, kind, guardReference(venue, EXECUTION_TICKS));
}

/**
 * True when a buy is dearer than its range allows, or a sale cheaper. The other direction harms nobody. Source:
 * market-rules R1.46.
 */
export function isUnprotected(side: 'B' | 'S', price: Price, { lower, upper }: PriceBand): boolean {
  return side === 'B' ? price > upper : price < lower;
}

/**
 * The average price of the last trades, in whole paise: trades of the market, and trades in which users were the
 * aggressors. Without a trade in these ticks it is the average of the last tick that had one. Before the first trade of
 * the day, and long after the last one, it is the value of the market's model.
 */
export function guardReference(venue: Venue, ticks: number): Price {
  const { book, market, instrument, tick } = venue;
  const print = market.lastPrint(instrument, tick);
  const printed = print.quantity > 0 ? print.tick : Number.NEGATIVE_INFINITY;
  const last = Math.max(printed, book.lastTrade?.tick ?? Number.NEGATIVE_INFINITY);
  if (tick - last > IDLE_TICKS) return Math.round(market.risk(instrument, tick).value) as Price;
  const isHeld = tick - last >= ticks;
  const own = isHeld ? book.turnover(last as Tick, 1) : book.turnover(tick, ticks);
  let { quantity, value } = own;
  if (!isHeld && printed > tick - ticks) {
    const shown = market.turnover(instrument, tick, ticks);
    quantity += shown.quantity;
    value += shown.value;
  } else if (isHeld && printed === last) {
    quantity += print.quantity;
    value += print.price * print.quantity;
  }
  return quantity > 0 ? (Math.round(value / quantity) as Price) : print.price;
}
