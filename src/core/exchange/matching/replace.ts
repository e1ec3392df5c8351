import type { Event } from '../../event.ts';
import { isStop, type OrderTerms } from '../../order.ts';
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
  const { terms } = order;
  if (keepsPriority(terms, previous)) return [replaced(order, true)];
  const waits = isStop(terms) && !(venue.book.isResting(order.order) && isStop(previous));
  if (!waits) return enter(venue, order, replaced(order, false));
  const refusal = triggerRefusal(venue, order);
  if (refusal !== undefined) return [{ type: 'ReplaceRejected', order: order.order, refusal }];
  return [replaced(order, false), { type: 'StopArmed', order: order.order }];
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

function replaced({ order, terms }: AdmittedOrder, keeps: boolean): Event {
  return { type: 'OrderReplaced', order, terms, keepsPriority: keeps };
}
