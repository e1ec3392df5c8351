/**
 * The one place where events change a book. It decides nothing: matching and auctions give the events, and a replay
 * applies the same events again.
 */

import { assert, InvariantError } from '../../../base/assert.ts';
import type { OrderNumber } from '../../../base/ids.ts';
import type { Quantity } from '../../../base/money.ts';
import type { AuctionMatched, CancelReason, Event, OrderCancelled, OrderReplaced, Traded } from '../../event.ts';
import { type Order, opposite, remaining } from '../../order.ts';
import type { Book } from './book.ts';

/** The orders of today as they were before the event. */
export interface OrderRegistry {
  get(number: OrderNumber): Order | undefined;
}

/** Applies one event to a book. An event that does not concern a book changes nothing. */
export function applyToBook(book: Book, event: Event, orders: OrderRegistry): void {
  switch (event.type) {
    case 'OrderRested':
      return rest(book, orderOf(orders, event.order), event.ahead);
    case 'OrderSetAside': {
      const order = orderOf(orders, event.order);
      return book.setAside(event.order, remaining(order));
    }
    case 'OrderCancelled':
      return cancel(book, event);
    case 'Traded':
      return trade(book, event);
    case 'QueueAdvanced':
      return book.advanceQueue(event.side, event.price, event.quantity);
    case 'AuctionMatched':
      return endAuction(book, event);
    case 'PhaseMet':
      return book.meet(event.phase);
    case 'StopArmed': {
      const { number, account, side, terms } = orderOf(orders, event.order);
      return book.arm({ number, account, side, trigger: terms.trigger });
    }
    case 'StopTriggered':
      return book.disarm(event.order);
    case 'OrderReplaced':
      return replace(book, event, orderOf(orders, event.order));
    default:
  }
}

function rest(book: Book, order: Order, ahead: Quantity): void {
  const { number, account, side, terms } = order;
  assert(terms.retention === 'DAY', 'an immediate-or-cancel order does not rest');
  const atMarket = terms.priceType === 'MKT';
  book.rest({ number, account, side, price: terms.price, remaining: remaining(order) }, ahead, atMarket);
}

function orderOf(orders: OrderRegistry, number: OrderNumber): Order {
  const order = orders.get(number);
  if (order === undefined) throw new InvariantError(`there is no order ${number}`);
  return order;
}

/** The aggressor stands in no queue. The other side rests, if it is a user's. Source: reliability I10. */
function trade(book: Book, event: Traded): void {
  const { kind, aggressor, buy, sell, taken, tick, price, quantity } = event;
  if (event.auction === true) return tradeInAuction(book, event);
  const resting = aggressor === 'B' ? sell : buy;
  const incoming = aggressor === 'B' ? buy : sell;
  if (resting !== undefined) book.fill(resting.order, price, quantity);
  if (incoming !== undefined) {
    book.trade(tick, price);
    if (kind === 'future' || kind === 'option') book.count(tick, price, quantity);
  }
  if (taken === undefined) return;
  const market = incoming === undefined ? aggressor : opposite(aggressor);
  book.take(market, taken.price, taken.generation, quantity);
}

function endAuction(book: Book, { tick, result }: AuctionMatched): void {
  assert(book.auction !== undefined, 'orders have gathered for the auction that is matched');
  book.auction.matched = true;
  if (result !== undefined) book.trade(tick, result.price);
}

function tradeInAuction({ auction }: Book, { buy, sell, quantity }: Traded): void {
  assert(auction !== undefined, 'orders have gathered for the auction that is matched');
  if (buy !== undefined) auction.fill(buy.order, quantity);
  if (sell !== undefined) auction.fill(sell.order, quantity);
}

/**
 * The reasons for which an order ends as it comes in, before it stands in a queue. Source: market-rules R3.17, R3.24,
 * R1.46, R1.47.
 */
const ENDED_ON_ENTRY: readonly CancelReason[] = [
  'ImmediateOrCancel',
  'OutsideProtection',
  'BeyondExecutionRange',
  'SelfTradeWithDesk',
];

function cancel(book: Book, { order, reason }: OrderCancelled): void {
  if (ENDED_ON_ENTRY.includes(reason) && !book.isAside(order)) {
    assert(!book.has(order), 'an order that ends as it comes in is in no queue');
  } else {
    book.withdraw(order);
  }
}

function replace(book: Book, { order, terms, keepsPriority }: OrderReplaced, before: Order): void {
  if (!keepsPriority) book.withdraw(order);
  else if (book.auction?.has(order) && terms.priceType !== before.terms.priceType)
    book.auction.limit(order, terms.price);
  else if (book.isResting(order)) book.reduce(order, (terms.quantity - before.filled) as Quantity);
}
