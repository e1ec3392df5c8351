/**
 * The cancellations of a kill switch: which open orders it stops, and their cancellation in records of some hundred.
 */

import type { OrderNumber } from '../../base/ids.ts';
import { isChangeable } from '../broker/orders/life-cycle.ts';
import type { CancelKilled } from '../command.ts';
import type { Event } from '../event.ts';
import { decideCancel } from '../exchange/matching/cancel.ts';
import type { Order } from '../order.ts';
import { type DecisionPorts, instrumentOf } from '../ports.ts';
import { orderOf, type State } from '../state.ts';
import { venueOf } from '../venue-of.ts';
import { type Switches, type SwitchTarget, switchKey } from './switch.ts';
import { killOf } from './switches-that-stop.ts';

/** How many orders one record cancels: some ten kilobytes of journal. */
const ORDERS_IN_RECORD = 250;
/** How many orders are looked at before there is a pause: a tenth of a millisecond. */
const LOOKED_AT_ONCE = 1_000;

/**
 * The commands that cancel every open order that a kill switch stops, and every one that waits for a session, oldest
 * first. `undefined` is a pause without a command. Each command is to be recorded before the next is asked for, and no
 * order may come in between.
 */
export function* killedOrders({ switches, orders }: State): Iterable<CancelKilled | undefined> {
  if (![...switches.values()].some(({ target }) => target.kind.endsWith('Kill'))) return;
  let killed: OrderNumber[] = [];
  let looked = 0;
  for (const order of orders.live()) {
    if (isKilled(switches, order)) killed.push(order.number);
    looked += 1;
    if (killed.length === ORDERS_IN_RECORD) {
      yield { type: 'CancelKilled', orders: killed };
      killed = [];
    } else if (looked % LOOKED_AT_ONCE === 0) {
      yield;
    }
  }
  if (killed.length > 0) yield { type: 'CancelKilled', orders: killed };
}

/** How many orders are counted before there is a pause: a millisecond. */
const COUNTED_AT_ONCE = 10_000;

/** Counts the open orders that a kill switch would cancel if it were the only one, with pauses. */
export function* countKilledBy(target: SwitchTarget, { orders }: State): Generator<void, number, void> {
  const alone: Switches = new Set([switchKey(target)]);
  let count = 0;
  let looked = 0;
  for (const order of orders.live()) {
    if (isKilled(alone, order)) count += 1;
    looked += 1;
    if (looked % COUNTED_AT_ONCE === 0) yield;
  }
  return count;
}

/** Cancels those of the orders that are still open and still stopped. */
export function decideCancelKilled(state: State, ports: DecisionPorts, { orders }: CancelKilled): Event[] {
  return orders.flatMap((number) => {
    const order = orderOf(state, number);
    if (!isKilled(state.switches, order)) return [];
    if (order.status === 'AfterMarket') return [{ type: 'OrderCancelled', order: number, reason: 'KillSwitch' }];
    return decideCancel(venueOf(state, ports, instrumentOf(ports, order.instrument)), number, 'KillSwitch');
  });
}

/** True when a kill switch stops the order. The risk desk's own exits go on: only clients are stopped. */
function isKilled(switches: Switches, order: Order): boolean {
  return isChangeable(order.status) && !order.squareOff && killOf(switches, order.account, order) !== undefined;
}
