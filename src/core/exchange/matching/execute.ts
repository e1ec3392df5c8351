import type { Quantity } from '../../../base/money.ts';
import type { Depth } from '../../market.ts';
import { NO_ORDER } from '../book/handles.ts';
import type { EventRows } from '../rows/event-rows.ts';
import { addRested } from '../rows/order-rows.ts';
import type { Venue } from '../venue.ts';
import type { AdmittedOrder } from './admitted-order.ts';
import { unitsAt } from './market-side.ts';
import { canTrade, match } from './match.ts';

/** Trades an order as far as possible. Then the other units rest, or they end when the order is immediate-or-cancel. */
export function execute(venue: Venue, order: AdmittedOrder, rows: EventRows): void {
  const depth = venue.market.depth(venue.instrument, venue.tick);
  const left = canTrade(venue, depth, order) ? match(venue, depth, order, rows) : order.remaining;
  if (left > 0) end(venue, depth, order, left, rows);
}

/** Ends with the units that did not trade. */
function end(venue: Venue, depth: Depth, order: AdmittedOrder, left: number, rows: EventRows): void {
  if (order.terms.retention === 'IOC') rows.addCancelled(order.order, NO_ORDER, 'ImmediateOrCancel');
  else addRested(rows, order.order, order, left, unitsInFront(venue, depth, order));
}

/**
 * The market's units in front of the order at its price: those displayed now, but never fewer than in front of the
 * order before it.
 */
function unitsInFront(venue: Venue, depth: Depth, { order, side, terms }: AdmittedOrder): Quantity {
  const shown = unitsAt(venue, depth, side, terms.price);
  const { book } = venue;
  const level = book.levelOf(side, terms.price);
  if (level === undefined) return shown as Quantity;
  return Math.max(shown, book.aheadOfLast(level, order)) as Quantity;
}
