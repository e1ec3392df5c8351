import type { Quantity } from '../../../base/money.ts';
import type { Event } from '../../event.ts';
import type { Depth } from '../../market.ts';
import type { Venue } from '../venue.ts';
import type { AdmittedOrder } from './admitted-order.ts';
import { unitsAt } from './market-side.ts';
import { canTrade, match } from './match.ts';

/**
 * Trades an order as far as possible. Then the other units rest, or they end when the order is immediate-or-cancel.
 * Returns the events, with `before` in front of them.
 */
export function execute(venue: Venue, order: AdmittedOrder, before: Event): Event[] {
  const depth = venue.market.depth(venue.instrument, venue.tick);
  if (!canTrade(venue, depth, order)) return [before, ending(venue, depth, order)];
  const events = [before];
  const left = match(venue, depth, order, events);
  if (left > 0) events.push(ending(venue, depth, order));
  return events;
}

/** The event for units that did not trade. */
function ending(venue: Venue, depth: Depth, order: AdmittedOrder): Event {
  if (order.terms.retention === 'IOC') {
    return { type: 'OrderCancelled', order: order.order, reason: 'ImmediateOrCancel' };
  }
  return { type: 'OrderRested', order: order.order, ahead: unitsInFront(venue, depth, order) };
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
