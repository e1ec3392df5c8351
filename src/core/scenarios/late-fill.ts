import type { Quantity } from '../../base/money.ts';
import type { EpochMs } from '../../base/time.ts';
import type { Event } from '../event.ts';
import { stillAdmitted } from '../exchange/matching/admitted-order.ts';
import { decideCancel } from '../exchange/matching/cancel.ts';
import type { Venue } from '../exchange/venue.ts';
import { type Order, remaining } from '../order.ts';
import type { State } from '../state.ts';
import { awaited } from './arrival.ts';
import { fillNow } from './set-aside.ts';

/**
 * The events of a client's cancellation of an order that is to fill late; `undefined` for any other order. With a delay
 * the cancellation is under way, and asking for it again changes nothing.
 */
export function decideLateFill(state: State, venue: Venue, order: Order, at: EpochMs): readonly Event[] | undefined {
  const delay = order.scenario?.lateFill;
  if (delay === undefined || !venue.book.isAside(order.number)) return undefined;
  if (delay === 0) return fillInsteadOfCancel(venue, order);
  return state.outcomes.has(order.number, 'LateFill') ? [] : [awaited(order.number, 'LateFill', at, delay)];
}

/**
 * Fills an order whose cancellation was asked for, so that the cancellation is refused. It is cancelled after all where
 * nothing may trade.
 */
export function fillInsteadOfCancel(venue: Venue, order: Order): readonly Event[] {
  const { number } = order;
  if (venue.stopped || venue.book.phase !== 'Continuous') return decideCancel(venue, number, 'Client');
  const { events } = fillNow(venue, stillAdmitted(order), [remaining(order) as Quantity]);
  if (events[0]?.type !== 'Traded') return decideCancel(venue, number, 'Client');
  return [...events, { type: 'CancelRejected', order: number, refusal: { rule: 'NotOpenToCancel' } }];
}
