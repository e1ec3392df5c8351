/** Makes rows of events: of those that come back from the journal, and of those that are decided as objects. */

import { assert, InvariantError } from '../../../base/assert.ts';
import type { OrderNumber } from '../../../base/ids.ts';
import type { AuctionMatched, Event, OrderReplaced, OrderRested, Traded } from '../../event.ts';
import { type Order, remaining } from '../../order.ts';
import type { Book } from '../book/book.ts';
import { NO_ORDER } from '../book/handles.ts';
import { type EventRows, NO_PRICE, NOBODY } from './event-rows.ts';
import { addArmed, addReplaced, addRested } from './order-rows.ts';

/** The orders of today as they were before the event. */
export interface OrderRegistry {
  get(number: OrderNumber): Order | undefined;
}

/** Adds the row of an event. An event that does not concern a book gets none. */
export function addRowOf(rows: EventRows, event: Event, book: Book, orders: OrderRegistry): void {
  switch (event.type) {
    case 'OrderRested':
      return addRestedOf(rows, event, orderOf(orders, event.order));
    case 'OrderSetAside': {
      const row = rows.add(event.type);
      row.order = event.order;
      row.quantity = remaining(orderOf(orders, event.order));
      return;
    }
    case 'OrderCancelled':
      return rows.addCancelled(event.order, book.store.orders.find(event.order), event.reason);
    case 'Traded':
      return addTraded(rows, event, book);
    case 'QueueAdvanced':
      return rows.addAdvanced(event.side, event.price, event.quantity);
    case 'AuctionMatched':
      return addMatched(rows, event);
    case 'PhaseMet':
      rows.add(event.type).phase = event.phase;
      return;
    case 'StopArmed':
      return addArmed(rows, event.order, orderOf(orders, event.order));
    case 'StopTriggered':
      rows.add(event.type).order = event.order;
      return;
    case 'OrderReplaced':
      return addReplacedOf(rows, event, orderOf(orders, event.order));
    default:
  }
}

function addRestedOf(rows: EventRows, { ahead }: OrderRested, order: Order): void {
  assert(order.terms.retention === 'DAY', 'an immediate-or-cancel order does not rest');
  addRested(rows, order.number, order, remaining(order), ahead);
}

/** The aggressor stands in no queue. The other side rests, if it is a user's. Source: reliability I10. */
function addTraded(rows: EventRows, event: Traded, book: Book): void {
  const { tick, kind, trade, aggressor, buy, sell, taken, price, quantity } = event;
  const inAuction = event.auction === true;
  const [incoming, resting] = inAuction || aggressor === 'B' ? [buy, sell] : [sell, buy];
  const place = resting === undefined ? NO_ORDER : book.store.orders.find(resting.order);
  rows.setMarket(tick, kind);
  const row = rows.addTraded(
    trade,
    aggressor,
    incoming?.order ?? NOBODY,
    resting?.order ?? NOBODY,
    place,
    price,
    quantity,
  );
  row.inAuction = inAuction;
  if (taken !== undefined) row.takes(taken);
}

function addMatched(rows: EventRows, { tick, result }: AuctionMatched): void {
  rows.tick = tick;
  rows.add('AuctionMatched').price = result?.price ?? NO_PRICE;
}

function addReplacedOf(rows: EventRows, { order, terms, keepsPriority }: OrderReplaced, before: Order): void {
  addReplaced(rows, order, terms, before.terms, terms.quantity - before.filled, keepsPriority);
}

function orderOf(orders: OrderRegistry, number: OrderNumber): Order {
  const order = orders.get(number);
  if (order === undefined) throw new InvariantError(`there is no order ${number}`);
  return order;
}
