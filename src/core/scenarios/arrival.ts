import type { OrderNumber } from '../../base/ids.ts';
import type { EpochMs } from '../../base/time.ts';
import type { Event } from '../event.ts';
import type { AdmittedOrder } from '../exchange/matching/admitted-order.ts';
import { decideSubmission } from '../exchange/matching/submit.ts';
import type { Venue } from '../exchange/venue.ts';
import type { AwaitedOutcome, OutcomeAwaited } from './outcome-events.ts';

/** An admitted order goes to the exchange, or stays pending for as long as its client asked. */
export function decideArrival(venue: Venue, order: AdmittedOrder, at: EpochMs): readonly Event[] {
  const delay = order.scenario?.ackDelay;
  return delay === undefined ? decideTaking(venue, order, at) : [awaited(order.order, 'Acknowledge', at, delay)];
}

/** The exchange takes an admitted order, or refuses it because its client asked for that. */
export function decideTaking(venue: Venue, order: AdmittedOrder, at: EpochMs): readonly Event[] {
  const { order: number, scenario } = order;
  if (scenario?.reject !== undefined) {
    return [{ type: 'OrderRejected', order: number, refusal: { rule: 'RejectedOnDemand', text: scenario.reject } }];
  }
  const events = decideSubmission(venue, order);
  const [first, ...others] = events;
  if (scenario?.cancelAfter === undefined || first?.type !== 'OrderAcknowledged') return events;
  return [first, awaited(number, 'Cancel', at, scenario.cancelAfter), ...others];
}

/** An outcome that comes by itself, `delay` milliseconds after an instant. */
export function awaited(order: OrderNumber, outcome: AwaitedOutcome, at: EpochMs, delay: number): OutcomeAwaited {
  return { type: 'OutcomeAwaited', order, outcome, due: (at + delay) as EpochMs };
}
