import type { TradeSide } from '../../event.ts';
import type { Venue } from '../venue.ts';
import type { Handle } from './handle.ts';

/** A resting order as a side of a trade. */
export function tradeSideOf(venue: Venue, resting: Handle): TradeSide {
  const { orders } = venue.book.store;
  const number = orders.number(resting);
  return { order: number, account: orders.account(resting), product: venue.order(number).product };
}
