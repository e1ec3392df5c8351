/**
 * The queue of orders at one price. Most orders are cancelled before they trade, and in a large book their neighbours
 * are not in the processor's cache. So a new order names only the one before it, and an ended order is passed over
 * later. The links to the orders behind are made when somebody asks for the front; they change no answer. The last of
 * a queue has not ended.
 */

import type { AccountId, OrderNumber } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import type { BookStore } from './book-store.ts';
import { type Handle, type Level, NO_LEVEL, NO_ORDER } from './handles.ts';
import type { Ladder } from './ladder.ts';

/**
 * Files an order behind all others at its price. `ahead`: for a resting order the market's units in front of it, for a
 * stop its running number.
 */
export function enqueue(
  store: BookStore,
  ladder: Ladder,
  price: Price,
  number: OrderNumber,
  account: AccountId,
  remaining: number,
  ahead: number,
): void {
  const { orders, levels } = store;
  const handle = orders.placeOf(number);
  if (orders.isEnded(handle)) unlink(store, handle);
  const level = ladder.open(price);
  const mark = ahead + levels.advanced(level);
  orders.put(handle, account, remaining, mark, level, levels.last(level));
  levels.join(level, handle, remaining, mark);
  ladder.orders += 1;
  ladder.quantity += remaining;
}

/** Takes an order of a ladder out of its queue, with its remaining quantity. */
export function dequeue(store: BookStore, ladder: Ladder, handle: Handle): void {
  const { orders, levels } = store;
  const level = orders.level(handle);
  const remaining = orders.remaining(handle);
  const isLast = levels.leave(level, handle, remaining);
  ladder.orders -= 1;
  ladder.quantity -= remaining;
  if (isLast) shorten(store, ladder, level, handle);
  else orders.end(handle, level);
}

/** Makes the order in front of the last one the last of its level, or closes the level. */
function shorten({ orders, levels }: BookStore, ladder: Ladder, level: Level, handle: Handle): void {
  let last = handle;
  do {
    orders.release(last);
    last = orders.previous(last);
  } while (last !== NO_ORDER && orders.isEnded(last));
  if (last === NO_ORDER) return ladder.close(level);
  orders.setNext(last, NO_ORDER);
  levels.setLast(level, last, levels.lastMark(level) === 0 ? 0 : orders.mark(last));
}

/** The first order of a level. */
export function firstOf(store: BookStore, level: Level): Handle {
  const { orders, levels } = store;
  const first = levels.first(level);
  if (orders.level(first) === level) return first;
  let standing = first;
  do {
    orders.release(standing);
    standing = behind(store, level, standing);
  } while (orders.isEnded(standing));
  orders.setPrevious(standing, NO_ORDER);
  levels.setFirst(level, standing);
  return standing;
}

/** The order behind a standing one, or `NO_ORDER`. */
export function nextOf(store: BookStore, handle: Handle): Handle {
  const { orders, levels } = store;
  const level = orders.level(handle);
  if (levels.last(level) === handle) return NO_ORDER;
  let next = handle;
  do next = behind(store, level, next);
  while (orders.isEnded(next));
  return next;
}

/** The order in front of a standing one, or `NO_ORDER`. */
export function previousOf({ orders }: BookStore, handle: Handle): Handle {
  let previous = orders.previous(handle);
  while (previous !== NO_ORDER && orders.isEnded(previous)) previous = orders.previous(previous);
  return previous;
}

/** The orders of a ladder, best price first, and the oldest first at one price. */
export function* queued(store: BookStore, ladder: Ladder): Generator<Handle> {
  for (let level = ladder.best; level !== NO_LEVEL; level = store.levels.worse(level)) {
    for (let handle = firstOf(store, level); handle !== NO_ORDER; handle = nextOf(store, handle)) yield handle;
  }
}

/** The order behind another one of its level, ended or not. `handle` is not the last of the level. */
function behind(store: BookStore, level: Level, handle: Handle): Handle {
  const { orders } = store;
  if (orders.next(handle) === NO_ORDER) linkAll(store, level);
  return orders.next(handle);
}

/**
 * Links each order of a level to the one behind it. The orders that have this link already stand in front of all
 * others.
 */
function linkAll({ orders, levels }: BookStore, level: Level): void {
  let handle = levels.last(level);
  for (;;) {
    const previous = orders.previous(handle);
    if (previous === NO_ORDER || orders.next(previous) !== NO_ORDER) return;
    orders.setNext(previous, handle);
    handle = previous;
  }
}

/** Removes an ended order that is still linked, because it comes back, maybe at another level. */
function unlink(store: BookStore, handle: Handle): void {
  const { orders, levels } = store;
  const level = -orders.level(handle) as Level;
  const previous = orders.previous(handle);
  const next = behind(store, level, handle);
  if (previous === NO_ORDER) levels.setFirst(level, next);
  else orders.setNext(previous, next);
  orders.setPrevious(next, previous);
  orders.release(handle);
}
