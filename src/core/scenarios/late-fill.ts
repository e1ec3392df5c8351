/** Orders that fill although, and after, their cancellation was asked for. Source: docs/outcomes.md. */

import type { EpochMs } from '../../base/time.ts';
import type { Decision } from '../decision.ts';
import type { Event } from '../event.ts';
import { stillAdmitted } from '../exchange/matching/admitted-order.ts';
import { decideCancel } from '../exchange/matching/cancel.ts';
import type { Venue } from '../exchange/venue.ts';
import type { Order } from '../order.ts';
import type { Refusal } from '../refusals/refusal.ts';
import type { State } from '../state.ts';
import { awaited } from './arrival.ts';
import { fillNow } from './set-aside.ts';

const TOO_LATE: Refusal = { rule: 'NotOpenToCancel' };

/**
 * The answer to a client's cancellation of an order that is to fill late; `undefined` for any other order. With a delay
 * the cancellation is under way, and a second one is refused. Without one the order fills now, or is cancelled where
 * nothing may trade.
 */
export function decideLateFill(state: State, venue: Venue, current: Order, at: EpochMs): Decision | undefined {
  const { number: order, scenario } = current;
  const delay = scenario?.lateFill;
  if (delay === undefined || !venue.book.isAside(order)) return undefined;
  if (delay > 0 && !state.outcomes.has(order, 'LateFill')) {
    return { events: [awaited(order, 'LateFill', at, delay)], reply: { type: 'CancelTaken', order, at } };
  }
  const events = delay > 0 ? [tooLate(order)] : fillInsteadOfCancel(venue, current);
  const isRefused = events.at(-1)?.type === 'CancelRejected';
  return {
    events,
    reply: isRefused ? { type: 'Refused', refusal: TOO_LATE, at } : { type: 'OrderCancelled', order, at },
  };
}

/**
 * Fills an order whose cancellation was asked for, so that the cancellation is refused. It is cancelled after all where
 * nothing may trade, and when it has become a stop that waits for its trigger.
 */
export function fillInsteadOfCancel(venue: Venue, order: Order): Event[] {
  const { number } = order;
  const { book } = venue;
  const mayFill = !venue.stopped && book.phase === 'Continuous' && book.isAside(number);
  if (!mayFill) return decideCancel(venue, number, 'Client');
  const events = fillNow(venue, stillAdmitted(order));
  if (events[0]?.type !== 'Traded') return decideCancel(venue, number, 'Client');
  return [...events, tooLate(number)];
}

function tooLate(order: Order['number']): Event {
  return { type: 'CancelRejected', order, refusal: TOO_LATE };
}
