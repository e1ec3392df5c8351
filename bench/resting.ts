import { assert } from '../src/base/assert.ts';
import type { Order } from '../src/core/order.ts';
import type { State } from '../src/core/state.ts';

/**
 * The orders of a state's day behind the first `before`. Throws unless each of them rests: one that was refused costs
 * less, and a benchmark would measure it in the place of an order.
 */
export function restingSince(state: State, before: number): Order[] {
  const later: Order[] = [];
  let place = 0;
  for (const order of state.orders.values()) {
    place += 1;
    if (place > before) later.push(order);
  }
  for (const { number, status } of later) assert(status === 'Open', `order ${number} is ${status} and does not rest`);
  return later;
}
