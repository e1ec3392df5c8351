import { assert } from '../../base/assert.ts';
import type { OrderNumber } from '../../base/ids.ts';
import type { CancelReason, Event } from '../event.ts';
import type { Venue } from './venue.ts';

/** Takes what is left of an order out of the book, or a stop out of the waiting ones. */
export function decideCancel(venue: Venue, order: OrderNumber, reason: CancelReason): Event[] {
  assert(venue.order(order).place !== undefined, 'an order that is cancelled has a place');
  return [{ type: 'OrderCancelled', order, reason }];
}
