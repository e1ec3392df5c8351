import type { Price } from '../../base/money.ts';
import type { Event } from '../event.ts';
import type { OrderTerms, Side } from '../order.ts';
import type { AdmittedOrder } from './admitted-order.ts';
import { execute } from './execute.ts';
import { lastTradedPrice } from './reference.ts';
import type { Venue } from './venue.ts';

/**
 * What the exchange does with a new order: it acknowledges it, arms it when it is a stop, and else trades it. A stop whose trigger
 * the last price has reached already is rejected. Source: market-rules R3.12, R3.17.
 */
export function decideSubmission(venue: Venue, order: AdmittedOrder): Event[] {
  const { terms, side } = order;
  const last = lastTradedPrice(venue);
  if (isStop(terms) && isCrossed(side, terms.trigger, last)) {
    const refusal = { rule: 'TriggerAlreadyCrossed', trigger: terms.trigger, last } as const;
    return [{ type: 'OrderRejected', order: order.order, refusal }];
  }
  const events: Event[] = [{ type: 'OrderAcknowledged', order: order.order, exchangeOrder: venue.nextExchangeOrder() }];
  if (isStop(terms)) events.push({ type: 'StopArmed', order: order.order });
  else execute(venue, order, events);
  return events;
}

export function isStop(terms: OrderTerms): boolean {
  return terms.trigger > 0;
}

/** True when a last price fires a stop: at or above the trigger of a buy, at or below that of a sell. Source: market-rules R3.14. */
export function isCrossed(side: Side, trigger: Price, last: Price): boolean {
  return side === 'B' ? last >= trigger : last <= trigger;
}
