import { type Account, type Position, positionKey } from '../../account.ts';
import type { PlaceOrder } from '../../command.ts';
import type { Event } from '../../event.ts';
import { decideCancel } from '../../exchange/matching/cancel.ts';
import type { Venue } from '../../exchange/venue.ts';
import { type Order, remaining, type Side } from '../../order.ts';
import { liveOrdersOf, type State } from '../../state.ts';
import { isLive } from '../orders/life-cycle.ts';

/** The risk desk's own open orders of a side of a row, oldest first. */
export function* deskOrdersOf(state: State, account: Account, row: Position, side: Side): Iterable<Order> {
  for (const order of openOrdersOf(state, account, row, side)) if (order.squareOff) yield order;
}

/**
 * Units of a row that the risk desk's own open orders of a side still close. Only these are certain to trade as soon as
 * there is another side.
 */
export function unitsOnTheWay(state: State, account: Account, row: Position, side: Side): number {
  let units = 0;
  for (const order of deskOrdersOf(state, account, row, side)) units += remaining(order);
  return units;
}

/**
 * Cancels the client's own exits of the row that an order of the risk desk closes, so that the two together never close
 * more than there is.
 * Source: market-rules R2.24.
 */
export function cancelExits(state: State, venue: Venue, account: Account, closing: PlaceOrder): Event[] {
  const row = account.positions.get(positionKey(closing.instrument, closing.product));
  if (row === undefined) return [];
  const events: Event[] = [];
  for (const { number, squareOff } of openOrdersOf(state, account, row, closing.side)) {
    if (!squareOff) events.push(...decideCancel(venue, number, 'SquareOff'));
  }
  return events;
}

/** The orders of one side of a row that can still trade. Most rows have none, and cost nothing here. */
function* openOrdersOf(state: State, account: Account, row: Position, side: Side): Iterable<Order> {
  if ((side === 'B' ? row.openBuyQuantity : row.openSellQuantity) === 0) return;
  for (const order of liveOrdersOf(state, account)) {
    if (order.side !== side || order.instrument !== row.instrument || order.product !== row.product) continue;
    if (isLive(order.status)) yield order;
  }
}
