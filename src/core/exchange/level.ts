import type { AccountId, OrderNumber } from '../../base/ids.ts';
import type { Price, Quantity } from '../../base/money.ts';

/** A user's order in the queue of its price. Neighbours are linked, so that leaving costs the same anywhere in the queue. */
export interface RestingOrder {
  readonly number: OrderNumber;
  readonly account: AccountId;
  readonly level: Level;
  remaining: number;
  /** `ahead` at entry plus what had advanced at the level then: what stands in front now is this less `level.advanced`. */
  readonly aheadMark: number;
  previous: RestingOrder | undefined;
  next: RestingOrder | undefined;
}

/** All users' orders at one price of one side, oldest first. */
export interface Level {
  readonly price: Price;
  quantity: number;
  orders: number;
  /** Units of the market that have gone from in front of this level's queue since it came to be. */
  advanced: number;
  first: RestingOrder | undefined;
  last: RestingOrder | undefined;
}

/** Units of the market's own that stand in front of the order. */
export function aheadOf(order: RestingOrder): Quantity {
  return Math.max(0, order.aheadMark - order.level.advanced) as Quantity;
}

export function emptyLevel(price: Price): Level {
  return { price, quantity: 0, orders: 0, advanced: 0, first: undefined, last: undefined };
}

/** Puts an order at the end of the queue. */
export function enqueue(
  level: Level,
  number: OrderNumber,
  account: AccountId,
  remaining: number,
  ahead: number,
): RestingOrder {
  const previous = level.last;
  const order = { number, account, level, remaining, aheadMark: ahead + level.advanced, previous, next: undefined };
  if (previous === undefined) level.first = order;
  else previous.next = order;
  level.last = order;
  level.quantity += remaining;
  level.orders += 1;
  return order;
}

/** Takes an order out of the queue. */
export function unlink(order: RestingOrder): void {
  const { level, previous, next } = order;
  if (previous === undefined) level.first = next;
  else previous.next = next;
  if (next === undefined) level.last = previous;
  else next.previous = previous;
  level.quantity -= order.remaining;
  level.orders -= 1;
}
