import type { OrderNumber } from '../../base/ids.ts';
import type { Quantity } from '../../base/money.ts';
import type { Event, OrderReplaced, Traded, TradeSide } from '../event.ts';
import { type Order, remaining, type Side } from '../order.ts';
import type { Book } from './book.ts';

/** Finds an order of today as it was before the event. */
export type OrderLookup = (number: OrderNumber) => Order;

/** The only function by which events change a book. Events that concern no book pass. */
export function applyToBook(book: Book, event: Event, lookup: OrderLookup): void {
  switch (event.type) {
    case 'OrderRested': {
      const order = lookup(event.order);
      const { number, account, side, terms } = order;
      return book.rest({ number, account, side, price: terms.price, remaining: remaining(order) }, event.ahead);
    }
    case 'StopArmed': {
      const { number, account, side, terms } = lookup(event.order);
      return book.arm(number, account, side, terms.trigger);
    }
    case 'StopTriggered':
      return book.disarm(event.order);
    case 'Traded':
      return trade(book, event);
    case 'QueueAdvanced':
      return book.advanceQueue(event.side, event.price, event.quantity);
    case 'OrderCancelled':
      return withdraw(book, lookup(event.order));
    case 'OrderReplaced':
      return replace(book, event, lookup(event.order));
    default:
  }
}

function trade(book: Book, event: Traded): void {
  const { aggressor, buy, sell, taken, tick, price } = event;
  if (buy !== undefined) fill(book, buy, 'B', event.quantity);
  if (sell !== undefined) fill(book, sell, 'S', event.quantity);
  if (taken !== undefined) {
    book.take(buy === undefined ? 'B' : 'S', taken.price, taken.generation, event.quantity);
  }
  if ((aggressor === 'B' ? buy : sell) !== undefined) book.lastTrade = { tick, price };
}

/** The side that came in is not in the book yet; the side that rested is. */
function fill(book: Book, { order }: TradeSide, side: Side, quantity: Quantity): void {
  if (!book.isResting(order)) return;
  book.reduce(order, side, (book.remainingOf(order) - quantity) as Quantity);
}

/** An order that never came to rest, such as an immediate-or-cancel one, is in no queue. */
function withdraw(book: Book, { number, side }: Order): void {
  if (book.isResting(number)) book.remove(number, side);
  else if (book.isArmed(number)) book.disarm(number);
}

function replace(book: Book, { terms, keepsPriority }: OrderReplaced, order: Order): void {
  if (!keepsPriority) withdraw(book, order);
  else if (book.isResting(order.number)) {
    book.reduce(order.number, order.side, (terms.quantity - order.filled) as Quantity);
  }
}
