import type { Event } from '../event.ts';
import { type AdmittedOrder, stillAdmitted } from './admitted-order.ts';
import { execute } from './execute.ts';
import { isUnprotected, protectionAt } from './guards/guarded-prices.ts';
import { lastTradedPrice } from './reference.ts';
import type { Venue } from './venue.ts';

/**
 * In continuous trading, the stop that the last traded price fires, with what it then trades; of several the one that was armed first. Empty when none fires:
 * ask again until it is, since its trades may fire others. Source: market-rules R3.14, R3.15.
 */
export function decideTriggers(venue: Venue): Event[] {
  if (venue.stopped || !venue.book.hasStops() || venue.book.phase !== 'Continuous') return [];
  const number = venue.book.firedBy(lastTradedPrice(venue));
  if (number === undefined) return [];
  const fired: Event = { type: 'StopTriggered', order: number };
  const order = stillAdmitted(venue.order(number));
  if (isLeftUnprotected(venue, order)) {
    return [fired, { type: 'OrderCancelled', order: number, reason: 'OutsideProtection' }];
  }
  return execute(venue, order, fired);
}

/** The limit of a client's stop-limit is looked at now; one that the broker gave to a stop-market order is not. Source: R1.46, R3.15. */
function isLeftUnprotected(venue: Venue, { side, terms }: AdmittedOrder): boolean {
  if (terms.priceType !== 'SL-LMT') return false;
  const range = protectionAt(venue);
  return range !== undefined && isUnprotected(side, terms.price, range);
}
