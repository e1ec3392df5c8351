import type { Quantity } from '../../base/money.ts';
import type { Event } from '../event.ts';
import type { AdmittedOrder } from './admitted-order.ts';
import { aheadOf } from './level.ts';
import { unitsAt } from './market-side.ts';
import { Matching } from './match.ts';
import type { Venue } from './venue.ts';

/** Trades an order as far as it goes, then lets the rest of it rest, or end when it is immediate-or-cancel. Appends to `events`. */
export function execute(venue: Venue, order: AdmittedOrder, events: Event[]): void {
  const matching = new Matching(venue, order, events);
  matching.run();
  if (matching.remaining === 0) return;
  if (order.terms.retention === 'IOC') {
    events.push({ type: 'OrderCancelled', order: order.order, reason: 'ImmediateOrCancel' });
  } else {
    events.push({ type: 'OrderRested', order: order.order, ahead: unitsInFront(venue, order) });
  }
}

/** The market's units at the order's price that were there first: those displayed now, and never fewer than the order before it has. */
function unitsInFront(venue: Venue, { order, side, terms }: AdmittedOrder): Quantity {
  const shown = unitsAt(venue, side, terms.price);
  let last = venue.book.levelOf(side, terms.price)?.last;
  if (last?.number === order) last = last.previous;
  return Math.max(shown, last === undefined ? 0 : aheadOf(last)) as Quantity;
}
