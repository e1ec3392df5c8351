import type { Event } from '../../event.ts';
import { goesAside, setAside } from '../../scenarios/set-aside.ts';
import { gather } from '../auction/gather.ts';
import { isGathering } from '../phase.ts';
import type { Venue } from '../venue.ts';
import type { AdmittedOrder } from './admitted-order.ts';
import { execute } from './execute.ts';

/**
 * Takes an order into the book that does not wait for a trigger: it trades, gathers for an auction, or is set aside on
 * demand. Returns the events, with `before` in front of them.
 */
export function enter(venue: Venue, order: AdmittedOrder, before: Event): Event[] {
  if (goesAside(order)) return setAside(venue, order, before);
  return isGathering(venue.book.phase) ? gather(venue, order, before) : execute(venue, order, before);
}
