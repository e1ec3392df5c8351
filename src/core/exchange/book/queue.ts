import type { AccountId, OrderNumber } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import { type Handle, NO_ORDER } from '../matching/handle.ts';
import type { BookStore } from './book-store.ts';
import type { Ladder } from './ladder.ts';
import { type Level, NO_LEVEL } from './level-table.ts';

/*
 * The queue of a level. Most orders are cancelled before anybody comes to them, and in a large book the records of
 * their neighbours are in no cache. So an order that comes names the one before it and touches none; one that ends is
 * passed over later; and who is behind whom is only found out once the front of the queue is asked for, for all that
 * came since: asking links orders, and changes nothing that anybody is told. The last of a queue always stands.
 */

/**
 * Files an order behind all others at its price. `ahead`: what stands in front of a resting order when it comes; a
 * stop's running number.
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
  const last = levels.last(level);
  orders.put(handle, account, remaining, mark, level, last);
  if (last === NO_ORDER) levels.setFirst(level, handle);
  levels.setLast(level, handle, mark);
  levels.count(level, 1, remaining);
  ladder.orders += 1;
  ladder.quantity += remaining;
}

/** Takes an order of a ladder out of its queue, with what it still had to fill. */
export function dequeue({ orders, levels }: BookStore, ladder: Ladder, handle: Handle): void {
  const level = orders.level(handle);
  const remaining = orders.remaining(handle);
  levels.count(level, -1, -remaining);
  ladder.orders -= 1;
  ladder.quantity -= remaining;
  if (levels.last(level) !== handle) return orders.end(handle);
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

/** The order behind one that stands, or `NO_ORDER`. */
export function nextOf(store: BookStore, handle: Handle): Handle {
  const { orders, levels } = store;
  const level = orders.level(handle);
  if (levels.last(level) === handle) return NO_ORDER;
  let next = handle;
  do next = behind(store, level, next);
  while (orders.isEnded(next));
  return next;
}

/** The order in front of one that stands, or `NO_ORDER`. */
export function previousOf({ orders }: BookStore, handle: Handle): Handle {
  let previous = orders.previous(handle);
  while (previous !== NO_ORDER && orders.isEnded(previous)) previous = orders.previous(previous);
  return previous;
}

/** The orders of a ladder, best price first, at one price in the order of their coming. */
export function* queued(store: BookStore, ladder: Ladder): Generator<Handle> {
  for (let level = ladder.best; level !== NO_LEVEL; level = store.levels.worse(level)) {
    for (let handle = firstOf(store, level); handle !== NO_ORDER; handle = nextOf(store, handle)) yield handle;
  }
}

/** The order behind one of a level that is not the last, ended or not. */
function behind(store: BookStore, level: Level, handle: Handle): Handle {
  const { orders } = store;
  if (orders.next(handle) === NO_ORDER) linkAll(store, level);
  return orders.next(handle);
}

/** Lets each order of a level name the one behind it. Those that do already stand in front of all others. */
function linkAll({ orders, levels }: BookStore, level: Level): void {
  let handle = levels.last(level);
  for (;;) {
    const previous = orders.previous(handle);
    if (previous === NO_ORDER || orders.next(previous) !== NO_ORDER) return;
    orders.setNext(previous, handle);
    handle = previous;
  }
}

/** Lets go of an order that ended and is still linked: it comes back, maybe elsewhere. */
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
