/**
 * Cancels many orders of one account, each by a command of its own, in turns of the account. `cancel-all-orders.ts` and
 * `exit-all-positions.ts` choose the orders.
 */

import Type from 'typebox';
import { must } from '../../../base/assert.ts';
import type { OrderNumber } from '../../../base/ids.ts';
import { mayClientChange } from '../../../core/broker/orders/life-cycle.ts';
import type { Order } from '../../../core/order.ts';
import { refusalText } from '../../../core/refusals/refusal-text.ts';
import type { State } from '../../../core/state.ts';
import { Unavailable } from '../../../engine/port.ts';
import type { GatewayParts } from '../../deps.ts';
import { anyText, orderNumberText } from '../../fields/answers.ts';
import { UNAVAILABLE } from '../../fields/envelope.ts';
import type { Caller } from '../../operation.ts';
import { type Outcome, submitEach } from './many-commands.ts';
import type { OpenOrders } from './open-orders.ts';

/** The most orders that one request cancels; the answer says how many are left. */
export const MOST_CANCELLATIONS = 1_000;

export const CANCELLED_ROW = Type.Object({ orderNumber: orderNumberText });
export const NOT_CANCELLED_ROW = Type.Object({
  orderNumber: orderNumberText,
  reason: anyText('why the order is as it was'),
});

/** The orders of a request to cancel many, by what became of them. */
export interface Cancellations {
  readonly cancelled: readonly OrderNumber[];
  readonly refused: readonly { readonly order: OrderNumber; readonly reason: string }[];
}

/** The open orders that their client may cancel now and that are meant, oldest first. */
export function cancellable(
  state: State,
  open: OpenOrders,
  isMeant: (order: Readonly<Order>) => boolean,
): OrderNumber[] {
  return open
    .all(state)
    .filter((order) => mayClientChange(order) && isMeant(order))
    .map(({ number }) => number);
}

/** Cancels orders, oldest first. Resolves when all of it is durable. */
export async function cancelEach(
  parts: GatewayParts,
  orders: readonly OrderNumber[],
  caller: Caller,
  userId: string,
): Promise<Cancellations> {
  const { account } = caller;
  const commands = orders.map((order) => ({ type: 'CancelOrder', account, order }) as const);
  const outcomes = await submitEach(parts, caller, commands);
  const cancelled: OrderNumber[] = [];
  const refused: { order: OrderNumber; reason: string }[] = [];
  for (const [place, order] of orders.entries()) {
    const reason = reasonOf(must(outcomes[place], 'every command has an outcome'), userId);
    if (reason === undefined) cancelled.push(order);
    else refused.push({ order, reason });
  }
  return { cancelled, refused };
}

/** Why an order was not cancelled; `undefined` when it was. */
function reasonOf(outcome: Outcome, userId: string): string | undefined {
  if (outcome instanceof Unavailable) return UNAVAILABLE.message;
  if (outcome.type === 'OrderCancelled' || outcome.type === 'CancelTaken') return undefined;
  if (outcome.type !== 'Refused') throw new Error(`a cancellation was answered ${outcome.type}`);
  return refusalText(outcome.refusal, { userId });
}
