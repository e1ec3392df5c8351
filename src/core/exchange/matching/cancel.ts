import { InvariantError } from '../../../base/assert.ts';
import type { OrderNumber } from '../../../base/ids.ts';
import type { CancelReason, Event } from '../../event.ts';
import type { Venue } from '../venue.ts';

/** Takes what is left of an order out of the book, or a stop out of the waiting ones. */
export function decideCancel({ book }: Venue, order: OrderNumber, reason: CancelReason): Event[] {
  if (!book.has(order)) throw new InvariantError(`order ${order} is not in the book`);
  return [{ type: 'OrderCancelled', order, reason }];
}
