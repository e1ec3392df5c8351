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
  levels.count(level, -1, -remaining);
  ladder.orders -= 1;
  ladder.quantity -= remaining;
  if (levels.orders(level) === 0) {
    orders.dropOnly(handle);
    ladder.close(level);
  } else if (handle === levels.first(level)) {
    levels.setFirst(level, orders.dropFirst(handle));
  } else if (handle === levels.last(level)) {
    const last = orders.dropLast(handle);
    levels.setLast(level, last, levels.lastMark(level) === 0 ? 0 : orders.mark(last));
  } else {
    orders.dropBetween(handle);
  }
}

/** The orders of a ladder, best price first, at one price in the order of their coming. */
export function* queued({ orders, levels }: BookStore, ladder: Ladder): Generator<Handle> {
  for (let level = ladder.best; level !== NO_LEVEL; level = levels.worse(level)) {
    for (let handle = levels.first(level); handle !== NO_ORDER; handle = orders.next(handle)) yield handle;
  }
}
