/**
 * Matches an incoming order with the users' resting orders and the market's depth. It reads the book as it stands
 * before the first event and gives rows; `applyRow` changes the book. The market's own moves are in `move.ts`.
 */

import { assert } from '../../../base/assert.ts';
import type { Price } from '../../../base/money.ts';
import type { Depth, DepthLevel } from '../../market.ts';
import { opposite, type Side } from '../../order.ts';
import { type Handle, type Level, NO_LEVEL, NO_ORDER } from '../book/handles.ts';
import { firstOf, nextOf } from '../book/queue.ts';
import { executionAt } from '../guards/guarded-prices.ts';
import { type EventRows, NOBODY } from '../rows/event-rows.ts';
import type { Venue } from '../venue.ts';
import type { AdmittedOrder } from './admitted-order.ts';
import { freeUnits, marketLevels, reaches } from './market-side.ts';

/**
 * Matches an incoming order, best price first, as far as its limit allows. At one price it takes the market's units in
 * front of the first user order, then that order, then the units up to the next order, and at last the units behind all
 * orders. Resting orders of the same account are cancelled and passed over; if such an order is the risk desk's, the
 * client's incoming order ends. When the next price lies outside the execution range of a contract, the rest of the
 * order is cancelled. Adds to `rows`; returns the units that are left to rest. Source: market-rules R1.47, R3.17,
 * R3.24, architecture "The exchange part".
 */
export function match(venue: Venue, depth: Depth, order: AdmittedOrder, rows: EventRows): number {
  const { side, terms } = order;
  const { book } = venue;
  const { levels } = book.store;
  const against = opposite(side);
  const displayed = marketLevels(depth, against);
  let left: number = order.remaining;
  let users = book.best(against);
  let shown = 0;
  const range = executionAt(venue);
  while (left > 0) {
    const market = displayed[shown];
    const ofUsers = users === NO_LEVEL ? undefined : levels.price(users);
    const price = better(side, ofUsers, market?.price);
    if (price === undefined || !reaches(side, terms.price, price)) break;
    if (range !== undefined && (price < range.lower || price > range.upper)) {
      rows.addCancelled(order.order, NO_ORDER, 'BeyondExecutionRange');
      return 0;
    }
    const atPrice = market?.price === price ? market : undefined;
    const free = atPrice === undefined ? 0 : freeUnits(book, against, atPrice);
    if (ofUsers === price) {
      left = meetQueue(venue, order, left, users, atPrice, free, rows);
      users = levels.worse(users);
    } else if (free > 0 && atPrice !== undefined) {
      left = takeFromMarket(venue, order, left, atPrice, free, rows);
    }
    if (atPrice !== undefined) shown += 1;
  }
  assert(left >= 0 && left <= order.remaining, 'an order trades at most its remaining quantity');
  return left;
}

/** True when the order reaches a price of users or of the market. Otherwise it cannot trade. */
export function canTrade({ book }: Venue, depth: Depth, { side, terms }: AdmittedOrder): boolean {
  const against = opposite(side);
  const users = book.bestPrice(against);
  if (users !== undefined && reaches(side, terms.price, users)) return true;
  const market = marketLevels(depth, against)[0];
  return market !== undefined && reaches(side, terms.price, market.price);
}

/** The better of two prices for an incoming order of `side`. */
function better(side: Side, a: Price | undefined, b: Price | undefined): Price | undefined {
  if (a === undefined) return b;
  if (b === undefined) return a;
  return reaches(side, a, b) ? b : a;
}

/** Trades through the queue of one price; returns the units left of the order. */
function meetQueue(
  venue: Venue,
  order: AdmittedOrder,
  units: number,
  level: Level,
  market: DepthLevel | undefined,
  displayed: number,
  rows: EventRows,
): number {
  const { book } = venue;
  const { store } = book;
  const price = store.levels.price(level);
  let left = units;
  let free = displayed;
  let passed = 0;
  // Once nothing is left, the next order is not asked for: that would link the whole queue.
  for (let handle = firstOf(store, level); handle !== NO_ORDER; handle = left > 0 ? nextOf(store, handle) : NO_ORDER) {
    const inFront = free === 0 ? 0 : Math.min(free, book.aheadAt(handle) - passed, left);
    if (inFront > 0 && market !== undefined) {
      left = takeFromMarket(venue, order, left, market, inFront, rows);
      rows.addAdvanced(opposite(order.side), price, inFront);
      passed += inFront;
      free -= inFront;
    }
    if (left > 0) left = meetUser(venue, order, left, price, handle, rows);
  }
  if (free > 0 && left > 0 && market !== undefined) return takeFromMarket(venue, order, left, market, free, rows);
  return left;
}

function meetUser(
  venue: Venue,
  order: AdmittedOrder,
  left: number,
  price: Price,
  handle: Handle,
  rows: EventRows,
): number {
  const { orders } = venue.book.store;
  if (orders.account(handle) === order.account) return meetOwn(venue, order, left, handle, rows);
  const units = Math.min(orders.remaining(handle), left);
  rows.addTraded(venue.nextTrade(), order.side, order.order, orders.number(handle), handle, price, units);
  return left - units;
}

/**
 * Meets a resting order of the same account, which is cancelled. But a client's order does not cancel an order with
 * which the risk desk squares off the client: then the incoming order ends. Returns the units left of the incoming
 * order. Source: market-rules R3.24, R2.24.
 */
function meetOwn(venue: Venue, order: AdmittedOrder, left: number, handle: Handle, rows: EventRows): number {
  const resting = venue.book.store.orders.number(handle);
  if (venue.order(resting).squareOff && !order.squareOff) {
    rows.addCancelled(order.order, NO_ORDER, 'SelfTradeWithDesk');
    return 0;
  }
  rows.addCancelled(resting, handle, 'SelfTrade');
  return left;
}

/** Takes up to `most` units of a displayed level; returns the units left of the order. */
function takeFromMarket(
  venue: Venue,
  order: AdmittedOrder,
  left: number,
  level: DepthLevel,
  most: number,
  rows: EventRows,
): number {
  const units = Math.min(most, left);
  const row = rows.addTraded(venue.nextTrade(), order.side, order.order, NOBODY, NO_ORDER, level.price, units);
  row.takes(level);
  return left - units;
}
