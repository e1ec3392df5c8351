import type { OrderNumber } from '../../base/ids.ts';
import type { TradeSide } from '../event.ts';
import type { Venue } from './venue.ts';

/** A resting order as a side of a trade. */
export function tradeSideOf(venue: Venue, number: OrderNumber): TradeSide {
  const { account, product } = venue.order(number);
  return { order: number, account, product };
}
