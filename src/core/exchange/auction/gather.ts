import { assert } from '../../../base/assert.ts';
import type { Quantity } from '../../../base/money.ts';
import type { Event } from '../../event.ts';
import type { AdmittedOrder } from '../matching/admitted-order.ts';
import type { Venue } from '../venue.ts';

/**
 * An order that comes while orders gather for an auction: it waits behind those that came before, and nothing trades.
 * Gives the events, with `before` in front of them.
 */
export function gather(venue: Venue, order: AdmittedOrder, before: Event): Event[] {
  assert(order.terms.retention === 'DAY', 'an immediate-or-cancel order does not wait for an auction');
  return [before, { type: 'OrderRested', order: order.order, ahead: unitsInFront(venue, order) }];
}

/** The market's own units at the order's price as it comes, or its market orders when it is one. */
function unitsInFront({ market, instrument, tick }: Venue, { side, terms }: AdmittedOrder): Quantity {
  const { bids, asks, marketBuys, marketSells } = market.auction(instrument, tick);
  if (terms.priceType === 'MKT') return side === 'B' ? marketBuys : marketSells;
  const levels = side === 'B' ? bids : asks;
  return levels.find(({ price }) => price === terms.price)?.quantity ?? (0 as Quantity);
}
