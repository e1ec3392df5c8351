import type { Quantity } from '../../../base/money.ts';
import type { Event } from '../../event.ts';
import type { Depth } from '../../market.ts';
import type { Venue } from '../venue.ts';
import type { AdmittedOrder } from './admitted-order.ts';
import { unitsAt } from './market-side.ts';
import { canTrade, match } from './match.ts';

/**
 * Trades an order as far as it goes, then lets the rest of it rest, or end when it is immediate-or-cancel. Gives the
 * events, with `before` in front of them.
 */
export function execute(venue: Venue, order: AdmittedOrder, before: Event): Event[] {
  const depth = venue.market.depth(venue.instrument, venue.tick);
  if (!canTrade(venue, depth, order)) return [before, ending(venue, depth, order)];
  const events = [before];
  const left = match(venue, depth, order, events);
  if (left > 0) events.push(ending(venue, depth, order));
  return events;
}

/** What becomes of units that found nobody. */
function ending(venue: Venue, depth: Depth, order: AdmittedOrder): Event {
  if (order.terms.retention === 'IOC') {
    return { type: 'OrderCancelled', order: order.order, reason: 'ImmediateOrCancel' };
  }
  return { type: 'OrderRested', order: order.order, ahead: unitsInFront(venue, depth, order) };
}

/**
 * The market's units at the order's price that were there first: those displayed now, and never fewer than the order
 * before it has.
 */
function unitsInFront(venue: Venue, depth: Depth, { order, side, terms }: AdmittedOrder): Quantity {
  const shown = unitsAt(venue, depth, side, terms.price);
  const { book } = venue;
  const level = book.levelOf(side, terms.price);
  if (level === undefined) return shown as Quantity;
  return Math.max(shown, book.aheadOfLast(level, order)) as Quantity;
}
