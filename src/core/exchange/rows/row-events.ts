/** Makes events of rows, once, where they leave the exchange for the journal and the views. */

import { InvariantError, must, unreachable } from '../../../base/assert.ts';
import type { OrderNumber } from '../../../base/ids.ts';
import type { Event, Traded, TradeSide } from '../../event.ts';
import type { AdmittedOrder } from '../matching/admitted-order.ts';
import type { Venue } from '../venue.ts';
import { type EventRow, type EventRows, NO_PRICE, NOBODY } from './event-rows.ts';
import { traded } from './traded.ts';

type Coming = AdmittedOrder | undefined;

/**
 * The rows of a decision of `venue` as events. Call it before the first of them is applied. `coming`: the order that
 * came, or got new terms; `undefined` where none did.
 */
export function eventsOf(rows: EventRows, venue: Venue, coming: Coming): Event[] {
  const events: Event[] = [];
  addEvents(events, rows, venue, coming);
  return events;
}

/** Like `eventsOf`, but adds the events after those of the same decision that come before. */
export function addEvents(events: Event[], rows: EventRows, venue: Venue, coming: Coming): void {
  for (let index = 0; index < rows.count; index += 1) events.push(eventOf(rows.at(index), venue, coming));
}

function eventOf(row: EventRow, venue: Venue, coming: Coming): Event {
  const { kind: type, order } = row;
  switch (type) {
    case 'OrderAcknowledged':
      return { type, order, exchangeOrder: row.exchangeOrder };
    case 'OrderRested':
      return { type, order, ahead: row.ahead };
    case 'OrderCancelled':
      return { type, order, reason: row.reason };
    case 'Traded':
      return tradeOf(row, venue, coming);
    case 'QueueAdvanced':
      return { type, instrument: venue.instrument, side: row.side, price: row.price, quantity: row.quantity };
    case 'OrderSetAside':
    case 'StopArmed':
    case 'StopTriggered':
      return { type, order };
    case 'OrderReplaced': {
      const { terms } = must(coming, 'an order that gets new terms is at hand');
      return { type, order, terms, keepsPriority: row.keepsPriority };
    }
    case 'AuctionMatched':
    case 'PhaseMet':
      throw new InvariantError(`${type} is decided as an event`);
    default:
      return unreachable(type);
  }
}

function tradeOf(row: EventRow, venue: Venue, coming: Coming): Traded {
  const { side, trade, price, quantity, takenPrice } = row;
  const incoming = partyOf(row.order, venue, coming);
  const resting = partyOf(row.resting, venue, coming);
  const [buy, sell] = side === 'B' ? [incoming, resting] : [resting, incoming];
  const event = traded(venue, trade, price, quantity, side, buy, sell);
  if (takenPrice !== NO_PRICE) event.taken = { price: takenPrice, generation: row.takenGeneration };
  return event;
}

/** The order that came is asked for its account and product itself: the venue may not know it yet. */
function partyOf(order: OrderNumber, venue: Venue, coming: Coming): TradeSide | undefined {
  if (order === NOBODY) return undefined;
  const { account, product } = order === coming?.order ? coming : venue.order(order);
  return { order, account, product };
}
