import type { OrderNumber } from '../../base/ids.ts';
import type { EpochMs } from '../../base/time.ts';
import type { Event } from '../event.ts';
import type { AdmittedOrder } from '../exchange/matching/admitted-order.ts';
import { decideSubmission } from '../exchange/matching/submit.ts';
import type { Venue } from '../exchange/venue.ts';
import type { AwaitedOutcome, OutcomeAwaited } from './outcome-events.ts';

/**
 * An admitted order goes to the exchange, or stays pending for as long as its client asked. The events are added to
 * `events`.
 */
export function decideArrival(venue: Venue, order: AdmittedOrder, at: EpochMs, events: Event[]): void {
  const delay = order.scenario?.ackDelay;
  if (delay === undefined) decideTaking(venue, order, at, events);
  else events.push(awaited(order.order, 'Acknowledge', at, delay));
}

/**
 * The exchange takes an admitted order, or refuses it because its client asked for that. The events are added to
 * `events`.
 */
export function decideTaking(venue: Venue, order: AdmittedOrder, at: EpochMs, events: Event[]): void {
  const { order: number, scenario } = order;
  if (scenario?.reject !== undefined) {
    events.push({ type: 'OrderRejected', order: number, refusal: { rule: 'RejectedOnDemand', text: scenario.reject } });
    return;
  }
  const before = events.length;
  decideSubmission(venue, order, events);
  if (scenario?.cancelAfter === undefined || events[before]?.type !== 'OrderAcknowledged') return;
  events.splice(before + 1, 0, awaited(number, 'Cancel', at, scenario.cancelAfter));
}

/** An outcome that comes by itself, `delay` milliseconds after an instant. */
export function awaited(order: OrderNumber, outcome: AwaitedOutcome, at: EpochMs, delay: number): OutcomeAwaited {
  return { type: 'OutcomeAwaited', order, outcome, due: (at + delay) as EpochMs };
}
