import { InvariantError } from '../../../base/assert.ts';
import type { OrderNumber } from '../../../base/ids.ts';
import type { CancelReason, Event } from '../../event.ts';
import type { Venue } from '../venue.ts';

/** Takes a resting order or an armed stop out of the book. */
export function decideCancel({ book }: Venue, order: OrderNumber, reason: CancelReason): Event[] {
  if (!book.has(order)) throw new InvariantError(`order ${order} is not in the book`);
  return [{ type: 'OrderCancelled', order, reason }];
}
