import type { Event } from '../../event.ts';
import { isStop, type OrderTerms } from '../../order.ts';
import type { EventRows } from '../rows/event-rows.ts';
import { freshRows } from '../rows/fresh-rows.ts';
import { addArmed, addReplaced } from '../rows/order-rows.ts';
import { eventsOf } from '../rows/row-events.ts';
import type { Venue } from '../venue.ts';
import type { AdmittedOrder } from './admitted-order.ts';
import { enter } from './enter.ts';
import { triggerRefusal } from './submit.ts';

/**
 * Gives new terms to an order that rests or is armed. With fewer units, or no change, it keeps its place. With another
 * price, trigger, type or retention, or with more units, it comes in again behind all others. Source: market-rules
 * R3.18, R3.19.
 */
export function decideReplace(venue: Venue, order: AdmittedOrder, previous: OrderTerms): Event[] {
  const refusal = waits(venue, order, previous) ? triggerRefusal(venue, order) : undefined;
  if (refusal !== undefined) return [{ type: 'ReplaceRejected', order: order.order, refusal }];
  const rows = freshRows(venue);
  replace(venue, order, previous, rows);
  return eventsOf(rows, venue, order);
}

/** Decides new terms that the exchange takes, in rows. */
export function replace(venue: Venue, order: AdmittedOrder, previous: OrderTerms, rows: EventRows): void {
  const { terms } = order;
  const keeps = keepsPriority(terms, previous);
  const isArmed = waits(venue, order, previous);
  addReplaced(rows, order.order, terms, previous, order.remaining, keeps);
  if (keeps) return;
  if (isArmed) addArmed(rows, order.order, order);
  else enter(venue, order, rows);
}

/** True when an order with its new terms waits for its trigger, behind all others. */
function waits({ book }: Venue, { order, terms }: AdmittedOrder, previous: OrderTerms): boolean {
  if (!isStop(terms) || keepsPriority(terms, previous)) return false;
  return !(book.isResting(order) && isStop(previous));
}

function keepsPriority(terms: OrderTerms, previous: OrderTerms): boolean {
  return (
    terms.priceType === previous.priceType &&
    terms.retention === previous.retention &&
    terms.price === previous.price &&
    terms.trigger === previous.trigger &&
    terms.quantity <= previous.quantity
  );
}
