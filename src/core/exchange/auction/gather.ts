import { assert } from '../../../base/assert.ts';
import type { Quantity } from '../../../base/money.ts';
import type { AdmittedOrder } from '../matching/admitted-order.ts';
import type { EventRows } from '../rows/event-rows.ts';
import { addRested } from '../rows/order-rows.ts';
import type { Venue } from '../venue.ts';

/**
 * Takes in an order while orders gather for an auction. It waits behind the orders that came before it, and nothing
 * trades.
 */
export function gather(venue: Venue, order: AdmittedOrder, rows: EventRows): void {
  assert(order.terms.retention === 'DAY', 'an immediate-or-cancel order does not wait for an auction');
  addRested(rows, order.order, order, order.remaining, unitsInFront(venue, order));
}

/**
 * The market's own units at the order's price as it comes; for a market order, the units of the market's own market
 * orders.
 */
function unitsInFront({ market, instrument, tick }: Venue, { side, terms }: AdmittedOrder): Quantity {
  const { bids, asks, marketBuys, marketSells } = market.auction(instrument, tick);
  if (terms.priceType === 'MKT') return side === 'B' ? marketBuys : marketSells;
  const levels = side === 'B' ? bids : asks;
  return levels.find(({ price }) => price === terms.price)?.quantity ?? (0 as Quantity);
}
