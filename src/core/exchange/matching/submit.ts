import type { Price } from '../../../base/money.ts';
import type { Event } from '../../event.ts';
import { isStop, type Side } from '../../order.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import { gather } from '../auction/gather.ts';
import { isGathering } from '../phase.ts';
import { lastTradedPrice } from '../reference.ts';
import type { Venue } from '../venue.ts';
import type { AdmittedOrder } from './admitted-order.ts';
import { execute } from './execute.ts';

/**
 * What the exchange does with a new order: it acknowledges it, arms it when it is a stop, lets it wait while orders
 * gather for an auction, and else trades it. A stop whose trigger the last price has reached already is rejected, or
 * fires after it was armed.
 * Source: market-rules R3.12, R3.17.
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

/** A stop that is to begin to wait. */
type NewStop = Pick<AdmittedOrder, 'side' | 'terms'>;

/**
 * Why a stop may not begin to wait: triggers are strict, and the last price has reached its own already. Source:
 * market-rules R3.12.
 */
export function triggerRefusal(venue: Venue, { side, terms }: NewStop): Refusal | undefined {
  if (!venue.strictTrigger) return undefined;
  const last = lastTradedPrice(venue);
  if (!isCrossed(side, terms.trigger, last)) return undefined;
  return { rule: 'TriggerAlreadyCrossed', trigger: terms.trigger, last };
}

/**
 * True when a stop that begins to wait fires at once, and trades like an order that comes in. Source: market-rules
 * R3.12.
 */
export function firesAtOnce(venue: Venue, { side, terms }: NewStop): boolean {
  return !venue.strictTrigger && isCrossed(side, terms.trigger, lastTradedPrice(venue));
}

/**
 * True when a last price fires a stop: at or above the trigger of a buy, at or below that of a sell. Source:
 * market-rules R3.14.
 */
function isCrossed(side: Side, trigger: Price, last: Price): boolean {
  return side === 'B' ? last >= trigger : last <= trigger;
}
