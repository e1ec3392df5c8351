import { goesAside, setAside } from '../../scenarios/set-aside.ts';
import { gather } from '../auction/gather.ts';
import { isGathering } from '../phase.ts';
import type { EventRows } from '../rows/event-rows.ts';
import type { Venue } from '../venue.ts';
import type { AdmittedOrder } from './admitted-order.ts';
import { execute } from './execute.ts';

/**
 * Takes an order into the book that does not wait for a trigger: it trades, gathers for an auction, or is set aside on
 * demand.
 */
export function enter(venue: Venue, order: AdmittedOrder, rows: EventRows): void {
  if (goesAside(order)) setAside(venue, order, rows);
  else if (isGathering(venue.book.phase)) gather(venue, order, rows);
  else execute(venue, order, rows);
}
