/**
 * The outcomes that come by themselves: an order that was pending is taken, one that rests is cancelled or fills late.
 * Each comes in a record of its own, by a command of the service. Source: docs/outcomes.md.
 */

import type { EpochMs } from '../../base/time.ts';
import { admit } from '../broker/orders/admission.ts';
import type { Event } from '../event.ts';
import { decideCancel } from '../exchange/matching/cancel.ts';
import type { Order } from '../order.ts';
import { type DecisionPorts, instrumentOf } from '../ports.ts';
import { orderOf, type State } from '../state.ts';
import { venueOf } from '../venue-of.ts';
import { decideTaking } from './arrival.ts';
import { fillInsteadOfCancel } from './late-fill.ts';
import type { MeetOutcome } from './outcome-events.ts';
import { pendingWish } from './pending-wish.ts';

/** Lets an awaited outcome happen; nothing before its instant, or when it is not awaited any more. */
export function decideMeetOutcome(
  state: State,
  ports: DecisionPorts,
  at: EpochMs,
  { order: number, outcome }: MeetOutcome,
): readonly Event[] {
  const due = state.outcomes.of(number).find((awaited) => awaited.outcome === outcome)?.due;
  if (due === undefined || due > at) return [];
  const order = orderOf(state, number);
  if (outcome === 'Acknowledge') return takeNow(state, ports, at, order);
  const venue = venueOf(state, ports, instrumentOf(ports, order.instrument));
  return outcome === 'Cancel' ? decideCancel(venue, number, 'OnDemand') : fillInsteadOfCancel(venue, order);
}

/** Nothing was blocked for a pending order, so that it passes every check again. */
function takeNow(state: State, ports: DecisionPorts, at: EpochMs, { number }: Order): readonly Event[] {
  const wish = pendingWish(state, ports, number);
  const admission = admit(wish, number);
  if (admission.refusal !== undefined) return [{ type: 'OrderRejected', order: number, refusal: admission.refusal }];
  const events: Event[] = [];
  decideTaking(wish.venue, admission.admitted, at, events);
  return events;
}
