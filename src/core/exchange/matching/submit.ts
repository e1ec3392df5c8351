/**
 * A new order at the exchange, after the broker's admission: it is acknowledged, then armed, gathered or traded. The
 * rules for a trigger that is already reached are here too.
 */

import type { Price } from '../../../base/money.ts';
import type { Event } from '../../event.ts';
import { isStop, type Side } from '../../order.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import { lastTradedPrice } from '../reference.ts';
import type { EventRows } from '../rows/event-rows.ts';
import { freshRows } from '../rows/fresh-rows.ts';
import { addArmed } from '../rows/order-rows.ts';
import { addEvents } from '../rows/row-events.ts';
import type { Venue } from '../venue.ts';
import type { AdmittedOrder } from './admitted-order.ts';
import { enter } from './enter.ts';

/**
 * Decides a new order. First it is acknowledged. Then a stop is armed, an order for an auction waits, and any other
 * order trades. When the last price has already reached the trigger of a stop, the stop is rejected, or it fires after
 * it was armed. The events are added to `events`. Source: market-rules R3.12, R3.17.
 */
export function decideSubmission(venue: Venue, order: AdmittedOrder, events: Event[]): void {
  const refusal = isStop(order.terms) ? triggerRefusal(venue, order) : undefined;
  if (refusal !== undefined) {
    events.push({ type: 'OrderRejected', order: order.order, refusal });
    return;
  }
  const rows = freshRows(venue);
  submit(venue, order, rows);
  addEvents(events, rows, venue, order);
}

/** Decides a new order that the exchange takes, in rows. */
export function submit(venue: Venue, order: AdmittedOrder, rows: EventRows): void {
  const row = rows.add('OrderAcknowledged');
  row.order = order.order;
  row.exchangeOrder = venue.nextExchangeOrder();
  if (isStop(order.terms)) addArmed(rows, order.order, order);
  else enter(venue, order, rows);
}

/** A stop before it begins to wait. */
type NewStop = Pick<AdmittedOrder, 'side' | 'terms'>;

/**
 * The refusal of a stop when triggers are strict and the last price has already reached its trigger; else `undefined`.
 * Source: market-rules R3.12.
 */
export function triggerRefusal(venue: Venue, { side, terms }: NewStop): Refusal | undefined {
  if (!venue.strictTrigger) return undefined;
  const last = lastTradedPrice(venue);
  if (!isCrossed(side, terms.trigger, last)) return undefined;
  return { rule: 'TriggerAlreadyCrossed', trigger: terms.trigger, last };
}

/** True when a stop fires as soon as it is armed, and trades like an incoming order. Source: market-rules R3.12. */
export function firesAtOnce(venue: Venue, { side, terms }: NewStop): boolean {
  return !venue.strictTrigger && isCrossed(side, terms.trigger, lastTradedPrice(venue));
}

/**
 * True when a last traded price fires a stop: at or above the trigger of a buy, at or below that of a sell. Source:
 * market-rules R3.14.
 */
function isCrossed(side: Side, trigger: Price, last: Price): boolean {
  return side === 'B' ? last >= trigger : last <= trigger;
}
