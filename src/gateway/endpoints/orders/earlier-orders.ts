/**
 * Orders of earlier days, which requests to modify and to cancel can name for as long as their history is kept. The
 * core knows today's orders and those that wait for a session; any other has ended.
 */

import type { AccountId, OrderNumber } from '../../../base/ids.ts';
import type { Refusal } from '../../../core/refusals/refusal.ts';
import type { GatewayDeps } from '../../deps.ts';
import { badRequest } from '../../fields/envelope.ts';
import { ORDER_NOT_FOUND } from '../../fields/fields.ts';

/** The answer to the number of an order that is not one of the caller's. */
export const UNKNOWN_ORDER = badRequest('orderNumber', ORDER_NOT_FOUND);

/**
 * The refusal of a change as the client gets it: that of the core, or that an order of an earlier day is not open.
 * `undefined` for an order that is not the account's, or that no history has. Source: interface §cancelOrder,
 * §modifyOrder, market-rules R3.20, contract W22, W23.
 */
export async function refusalOfChange(
  { engine }: GatewayDeps,
  { account, order }: { readonly account: AccountId; readonly order: OrderNumber },
  refusal: Refusal,
  notOpen: Refusal,
): Promise<Refusal | undefined> {
  if (refusal.rule !== 'OrderNotFound') return refusal;
  const isEarlier = await engine.read(
    ({ orders }, { history }) => orders.get(order) === undefined && history.accountOf(order) === account,
  );
  return isEarlier ? notOpen : undefined;
}
