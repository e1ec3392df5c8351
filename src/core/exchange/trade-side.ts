import type { TradeSide } from '../event.ts';
import type { RestingOrder } from './level.ts';
import type { Venue } from './venue.ts';

/** A resting order as a side of a trade. */
export function tradeSideOf(venue: Venue, resting: RestingOrder): TradeSide {
  const { product } = venue.order(resting.number);
  return { order: resting.number, account: resting.account, product };
}
