import type { Price } from '../../base/money.ts';
import type { Event } from '../event.ts';
import type { OrderTerms, Side } from '../order.ts';
import type { Refusal } from '../refusal.ts';
import type { AdmittedOrder } from './admitted-order.ts';
import { gather } from './auction/gather.ts';
import { execute } from './execute.ts';
import { isGathering } from './phase.ts';
import { lastTradedPrice } from './reference.ts';
import type { Venue } from './venue.ts';

/**
 * What the exchange does with a new order: it acknowledges it, arms it when it is a stop, lets it wait while orders gather for an auction,
 * and else trades it. A stop whose trigger
 * the last price has reached already is rejected. Source: market-rules R3.12, R3.17.
 */
export function decideSubmission(venue: Venue, order: AdmittedOrder): Event[] {
  if (isStop(order.terms)) return submitStop(venue, order);
  const before = acknowledged(venue, order);
  return isGathering(venue.book.phase) ? gather(venue, order, before) : execute(venue, order, before);
}

function submitStop(venue: Venue, order: AdmittedOrder): Event[] {
  const refusal = triggerRefusal(venue, order);
  if (refusal !== undefined) return [{ type: 'OrderRejected', order: order.order, refusal }];
  return [acknowledged(venue, order), { type: 'StopArmed', order: order.order }];
}

function acknowledged(venue: Venue, { order }: AdmittedOrder): Event {
  return { type: 'OrderAcknowledged', order, exchangeOrder: venue.nextExchangeOrder() };
}

/** Why a stop may not begin to wait: the last price has reached its trigger already. Source: market-rules R3.12. */
export function triggerRefusal(venue: Venue, { side, terms }: AdmittedOrder): Refusal | undefined {
  const last = lastTradedPrice(venue);
  if (!isCrossed(side, terms.trigger, last)) return undefined;
  return { rule: 'TriggerAlreadyCrossed', trigger: terms.trigger, last };
}

export function isStop(terms: OrderTerms): boolean {
  return terms.trigger > 0;
}

/** True when a last price fires a stop: at or above the trigger of a buy, at or below that of a sell. Source: market-rules R3.14. */
export function isCrossed(side: Side, trigger: Price, last: Price): boolean {
  return side === 'B' ? last >= trigger : last <= trigger;
}
