import type { Event } from '../event.ts';
import { stillAdmitted } from './admitted-order.ts';
import { execute } from './execute.ts';
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
  return execute(venue, stillAdmitted(venue.order(number)), { type: 'StopTriggered', order: number });
}
