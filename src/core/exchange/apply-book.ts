import type { OrderNumber } from '../../base/ids.ts';
import type { Event, OrderReplaced, Traded, TradeSide } from '../event.ts';
import type { Order } from '../order.ts';
import type { Book } from './book.ts';

/** Finds an order of today as it was before the event. */
export type OrderLookup = (number: OrderNumber) => Order;

/** The only function by which events change a book. Events that concern no book pass. */
export function applyToBook(book: Book, event: Event, lookup: OrderLookup): void {
  switch (event.type) {
    case 'OrderRested':
      return book.rest(lookup(event.order), event.ahead);
    case 'StopArmed':
      return book.arm(lookup(event.order));
    case 'StopTriggered':
    case 'OrderCancelled':
      return book.withdraw(lookup(event.order));
    case 'Traded':
      return trade(book, event, lookup);
    case 'QueueAdvanced':
      return book.advanceQueue(event.side, event.price, event.quantity);
    case 'OrderReplaced':
      return replace(book, event, lookup(event.order));
    default:
  }
}

function trade(book: Book, event: Traded, lookup: OrderLookup): void {
  const { aggressor, buy, sell, taken, tick, price, quantity } = event;
  if (buy !== undefined) fill(book, buy, quantity, lookup);
  if (sell !== undefined) fill(book, sell, quantity, lookup);
  if (taken !== undefined) book.take(buy === undefined ? 'B' : 'S', taken.price, taken.generation, quantity);
  if ((aggressor === 'B' ? buy : sell) !== undefined) book.lastTrade = { tick, price };
}

/** The side that came in is not in the book yet; the side that rested is. */
function fill(book: Book, side: TradeSide, quantity: number, lookup: OrderLookup): void {
  const order = lookup(side.order);
  if (order.place?.kind === 'resting') book.reduce(order, order.place, order.place.remaining - quantity);
}

function replace(book: Book, { terms, keepsPriority }: OrderReplaced, order: Order): void {
  if (!keepsPriority) book.withdraw(order);
  else if (order.place?.kind === 'resting') book.reduce(order, order.place, terms.quantity - order.filled);
}
