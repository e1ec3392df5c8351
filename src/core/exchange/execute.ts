import type { Quantity } from '../../base/money.ts';
import type { Event } from '../event.ts';
import type { Depth } from '../market.ts';
import type { AdmittedOrder } from './admitted-order.ts';
import { unitsAt } from './market-side.ts';
import { match } from './match.ts';
import { NO_ORDER } from './order-store.ts';
import type { Venue } from './venue.ts';

/** Trades an order as far as it goes, then lets the rest of it rest, or end when it is immediate-or-cancel. Appends to `events`. */
export function execute(venue: Venue, order: AdmittedOrder, events: Event[]): void {
  const depth = venue.market.depth(venue.instrument, venue.tick);
  const left = match(venue, depth, order, events);
  if (left === 0) return;
  if (order.terms.retention === 'IOC') {
    events.push({ type: 'OrderCancelled', order: order.order, reason: 'ImmediateOrCancel' });
  } else {
    events.push({ type: 'OrderRested', order: order.order, ahead: unitsInFront(venue, depth, order) });
  }
}

/** The market's units at the order's price that were there first: those displayed now, and never fewer than the order before it has. */
function unitsInFront(venue: Venue, depth: Depth, { order, side, terms }: AdmittedOrder): Quantity {
  const shown = unitsAt(venue, depth, side, terms.price);
  const { book } = venue;
  const level = book.levelOf(side, terms.price);
  if (level === undefined) return shown as Quantity;
  const { orders } = book;
  const before = orders.number(level.last) === order ? orders.previous(level.last) : level.last;
  return (before === NO_ORDER ? shown : Math.max(shown, book.aheadAt(level, before))) as Quantity;
}
