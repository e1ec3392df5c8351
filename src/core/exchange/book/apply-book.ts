/**
 * The one place where events change a book. It decides nothing: matching gives rows, and events that come as objects,
 * from the journal or from an auction, become rows first.
 */

import { assert, unreachable } from '../../../base/assert.ts';
import type { CancelReason, Event } from '../../event.ts';
import { opposite } from '../../order.ts';
import { addRowOf, type OrderRegistry } from '../rows/event-row.ts';
import { type EventRow, type EventRows, NO_PRICE, NOBODY } from '../rows/event-rows.ts';
import type { Book } from './book.ts';
import { NO_ORDER } from './handles.ts';

/** Applies one event to a book. An event that does not concern a book changes nothing. */
export function applyToBook(book: Book, event: Event, orders: OrderRegistry): void {
  const { rows } = book.store;
  rows.clear();
  addRowOf(rows, event, book, orders);
  if (rows.count > 0) applyRow(book, rows, rows.at(0));
}

/** Applies one row to a book. The rows of a decision are applied in their order. */
export function applyRow(book: Book, rows: EventRows, row: EventRow): void {
  switch (row.kind) {
    case 'OrderAcknowledged':
      return;
    case 'OrderRested':
      return rest(book, row);
    case 'OrderCancelled':
      return cancel(book, row);
    case 'Traded':
      return trade(book, rows, row);
    default:
      return applySeldomRow(book, rows, row);
  }
}

/** The other kinds have a function of their own, so that a compiler can take in the frequent ones at their call. */
function applySeldomRow(book: Book, rows: EventRows, row: EventRow): void {
  switch (row.kind) {
    case 'OrderAcknowledged':
    case 'OrderRested':
    case 'OrderCancelled':
    case 'Traded':
      return applyRow(book, rows, row);
    case 'QueueAdvanced':
      return book.advanceQueue(row.side, row.price, row.quantity);
    case 'OrderReplaced':
      return replace(book, row);
    case 'StopArmed':
      return book.arm({ number: row.order, account: row.account, side: row.side, trigger: row.price });
    case 'StopTriggered':
      return book.disarm(row.order);
    case 'OrderSetAside':
      return book.setAside(row.order, row.quantity);
    case 'AuctionMatched':
      return endAuction(book, rows, row);
    case 'PhaseMet':
      return book.meet(row.phase);
    default:
      return unreachable(row.kind);
  }
}

function rest(book: Book, { order, account, side, price, quantity, ahead, atMarket }: EventRow): void {
  book.rest({ number: order, account, side, price, remaining: quantity }, ahead, atMarket);
}

/** The aggressor stands in no queue. The other side rests, if it is a user's. Source: reliability I10. */
function trade(book: Book, rows: EventRows, row: EventRow): void {
  if (row.inAuction) return tradeInAuction(book, row);
  const { side, handle, price, quantity, takenPrice } = row;
  const comes = row.order !== NOBODY;
  if (handle !== NO_ORDER) book.fillAt(handle, price, quantity);
  else if (row.resting !== NOBODY) book.fill(row.resting, price, quantity);
  if (comes) {
    book.trade(rows.tick, price);
    if (rows.isContract) book.count(rows.tick, price, quantity);
  }
  if (takenPrice !== NO_PRICE) book.take(comes ? opposite(side) : side, takenPrice, row.takenGeneration, quantity);
}

function endAuction(book: Book, { tick }: EventRows, { price }: EventRow): void {
  assert(book.auction !== undefined, 'orders have gathered for the auction that is matched');
  book.auction.matched = true;
  if (price !== NO_PRICE) book.trade(tick, price);
}

function tradeInAuction({ auction }: Book, { order, resting, quantity }: EventRow): void {
  assert(auction !== undefined, 'orders have gathered for the auction that is matched');
  if (order !== NOBODY) auction.fill(order, quantity);
  if (resting !== NOBODY) auction.fill(resting, quantity);
}

/**
 * True for a reason for which an order ends as it comes in, before it stands in a queue. Source: market-rules R3.17,
 * R3.24, R1.46, R1.47.
 */
function endsOnEntry(reason: CancelReason): boolean {
  switch (reason) {
    case 'ImmediateOrCancel':
    case 'OutsideProtection':
    case 'BeyondExecutionRange':
    case 'SelfTradeWithDesk':
      return true;
    default:
      return false;
  }
}

function cancel(book: Book, { order, handle, reason }: EventRow): void {
  const ends = endsOnEntry(reason);
  if (handle !== NO_ORDER && !ends) return book.withdrawAt(handle);
  if (!ends || book.isAside(order)) return book.withdraw(order);
  assert(!book.has(order), 'an order that ends as it comes in is in no queue');
}

function replace(book: Book, { order, price, quantity, keepsPriority, becomesLimit }: EventRow): void {
  if (!keepsPriority) book.withdraw(order);
  else if (book.auction?.has(order) && becomesLimit) book.auction.limit(order, price);
  else if (book.isResting(order)) book.reduce(order, quantity);
}
