/**
 * Which records change rows of a user: rows leave at once when the records that are not durable yet change none of
 * them. A record of a kind that is not named here concerns everybody.
 */

import type { AccountId, OrderNumber } from '../../base/ids.ts';
import type { Event, TradeSide } from '../../core/event.ts';
import type { DurableRecord } from '../../engine/feed/durable-record.ts';
import type { AccountEvent } from './account-change.ts';
import type { AccountOfOrder } from './record-changes.ts';

/** True for a record that may change a row. */
export type Concern = (record: DurableRecord) => boolean;

/** Rows of an account: of all its books, or of these orders and their trades alone. */
interface Rows {
  readonly account: AccountId;
  readonly orders: ReadonlySet<OrderNumber> | undefined;
}

/** The concern of the rows that show events of an account. */
export function concernOf(account: AccountId, events: Iterable<AccountEvent>, accountOf: AccountOfOrder): Concern {
  const rows: Rows = { account, orders: ordersOf(events) };
  return (record) => record.events.some((event) => mayChange(rows, event, accountOf));
}

/** The orders of events; `undefined` when one of the events is of another book than those of orders and trades. */
function ordersOf(events: Iterable<AccountEvent>): ReadonlySet<OrderNumber> | undefined {
  const orders = new Set<OrderNumber>();
  for (const event of events) {
    if (event.type !== 'order' && event.type !== 'trade') return undefined;
    orders.add(event.order);
  }
  return orders;
}

function mayChange(rows: Rows, event: Event, accountOf: AccountOfOrder): boolean {
  switch (event.type) {
    case 'OrderReceived':
      return has(rows, event.order, event.account);
    case 'OrderRejected':
    case 'OrderAcknowledged':
    case 'OrderRested':
    case 'StopArmed':
    case 'StopTriggered':
    case 'OrderCancelled':
    case 'OrderReplaced':
    case 'ReplaceRejected':
    case 'CancelRejected':
      return has(rows, event.order, accountOf(event.order));
    case 'Traded':
      return hasSide(rows, event.buy) || hasSide(rows, event.sell);
    // No row of an order shows a margin.
    case 'MarginBlocked':
      return rows.orders === undefined && event.account === rows.account;
    // The place of an order in its queue is in no row.
    case 'QueueAdvanced':
      return false;
    default:
      return true;
  }
}

function has({ account, orders }: Rows, order: OrderNumber, owner: AccountId | undefined): boolean {
  return orders === undefined ? owner === undefined || owner === account : orders.has(order);
}

function hasSide(rows: Rows, side: TradeSide | undefined): boolean {
  return side !== undefined && has(rows, side.order, side.account);
}
