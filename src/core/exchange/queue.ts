import type { AccountId, OrderNumber } from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';
import type { BookStore } from './book-store.ts';
import { type Handle, NO_ORDER } from './handle.ts';
import type { Ladder } from './ladder.ts';
import { NO_LEVEL } from './level-table.ts';

/**
 * Files an order behind all others at its price. `ahead`: what stands in front of a resting order when it comes; a stop's running
 * number.
 */
export function enqueue(
  { orders, levels }: BookStore,
  ladder: Ladder,
  price: Price,
  number: OrderNumber,
  account: AccountId,
  remaining: number,
  ahead: number,
): void {
  const level = ladder.open(price);
  const mark = ahead + levels.advanced(level);
  const last = levels.last(level);
  const handle = orders.add(number, account, remaining, mark, level, last);
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
  const previous = orders.previous(handle);
  const next = orders.next(handle);
  orders.delete(handle, previous, next);
  levels.count(level, -1, -remaining);
  ladder.orders -= 1;
  ladder.quantity -= remaining;
  if (previous === NO_ORDER && next === NO_ORDER) {
    ladder.close(level);
  } else if (previous === NO_ORDER) {
    levels.setFirst(level, next);
  } else if (next === NO_ORDER) {
    levels.setLast(level, previous, levels.lastMark(level) === 0 ? 0 : orders.mark(previous));
  }
}

/** The orders of a ladder, best price first, at one price in the order of their coming. */
export function* queued({ orders, levels }: BookStore, ladder: Ladder): Generator<Handle> {
  for (let level = ladder.best; level !== NO_LEVEL; level = levels.worse(level)) {
    for (let handle = levels.first(level); handle !== NO_ORDER; handle = orders.next(handle)) yield handle;
  }
}
