/** Rows about one order: one that a decision is for, or one that an event names. */

import type { OrderNumber } from '../../../base/ids.ts';
import type { Quantity } from '../../../base/money.ts';
import type { Order, OrderTerms } from '../../order.ts';
import type { EventRows } from './event-rows.ts';

/** The fields that an order has before and after its admission. */
type RowOrder = Pick<Order, 'account' | 'side' | 'terms'>;

/** The units that are left of an order come to rest, behind `ahead` units of the market. */
export function addRested(rows: EventRows, order: OrderNumber, facts: RowOrder, left: number, ahead: number): void {
  const { account, side, terms } = facts;
  const row = rows.add('OrderRested');
  row.order = order;
  row.account = account;
  row.side = side;
  row.price = terms.price;
  row.quantity = left as Quantity;
  row.ahead = ahead as Quantity;
  row.atMarket = terms.priceType === 'MKT';
}

/** A stop waits for its trigger. */
export function addArmed(rows: EventRows, order: OrderNumber, { account, side, terms }: RowOrder): void {
  const row = rows.add('StopArmed');
  row.order = order;
  row.account = account;
  row.side = side;
  row.price = terms.trigger;
}

/** An order gets new terms, of which `left` units are still to be filled. */
export function addReplaced(
  rows: EventRows,
  order: OrderNumber,
  { price, priceType }: OrderTerms,
  previous: OrderTerms,
  left: number,
  keepsPriority: boolean,
): void {
  const row = rows.add('OrderReplaced');
  row.order = order;
  row.keepsPriority = keepsPriority;
  row.price = price;
  row.quantity = left as Quantity;
  row.becomesLimit = priceType !== previous.priceType;
}
