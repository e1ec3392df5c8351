import { InvariantError } from '../../../base/assert.ts';
import type { OrderNumber } from '../../../base/ids.ts';
import type { CancelReason, Event } from '../../event.ts';
import type { EventRows } from '../rows/event-rows.ts';
import { freshRows } from '../rows/fresh-rows.ts';
import { eventsOf } from '../rows/row-events.ts';
import type { Venue } from '../venue.ts';

/** Takes a resting order or an armed stop out of the book. */
export function decideCancel(venue: Venue, order: OrderNumber, reason: CancelReason): Event[] {
  const rows = freshRows(venue);
  cancel(venue, order, reason, rows);
  return eventsOf(rows, venue, undefined);
}

/** Decides a cancellation, in rows. */
export function cancel({ book }: Venue, order: OrderNumber, reason: CancelReason, rows: EventRows): void {
  const handle = book.store.orders.find(order);
  if (book.restsIn(handle) === undefined && !book.has(order))
    throw new InvariantError(`order ${order} is not in the book`);
  rows.addCancelled(order, handle, reason);
}
