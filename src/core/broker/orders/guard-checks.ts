import type { Price } from '../../../base/money.ts';
import { isUnprotected, protectionAt } from '../../exchange/guards/guarded-prices.ts';
import { stopGap } from '../../exchange/guards/price-range.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import type { Trace } from '../trials/check-trace.ts';
import { waits } from './order-checks.ts';
import type { OrderWish } from './order-wish.ts';

/**
 * The limit of a client's stop-limit order lies near its trigger. The broker sets the limits of his own. Source:
 * market-rules R1.48.
 */
export function withinStopGap(wish: OrderWish, trace?: Trace): Refusal | undefined {
  const { terms, instrument, venue } = wish;
  if (terms.priceType !== 'SL-LMT' || !waits(wish)) return undefined;
  const { trigger, price: limit } = terms;
  const widest = stopGap(venue.guards, instrument.kind, trigger);
  trace?.note('gap', 'paise', Math.abs(limit - trigger));
  trace?.note('widest gap', 'paise', Math.floor(widest));
  if (Math.abs(limit - trigger) <= widest) return undefined;
  return { rule: 'StopGapTooWide', trigger, limit, widest: Math.floor(widest) as Price };
}

/**
 * In continuous trading this keeps limits of contracts away from prices that nobody can mean. A market order has its
 * own protection, and a stop is checked when it fires. Source: market-rules R1.46.
 */
export function insideProtection(wish: OrderWish, trace?: Trace): Refusal | undefined {
  const { venue, side, terms } = wish;
  if (terms.priceType !== 'LMT' && (terms.priceType !== 'SL-LMT' || waits(wish))) return undefined;
  const range = venue.phase === 'Continuous' ? protectionAt(venue) : undefined;
  if (range === undefined) return undefined;
  trace?.note('price', 'paise', terms.price);
  trace?.note('lowest protected price', 'paise', range.lower);
  trace?.note('highest protected price', 'paise', range.upper);
  if (!isUnprotected(side, terms.price, range)) return undefined;
  return { rule: 'OutsideProtection', price: terms.price, ...range };
}
