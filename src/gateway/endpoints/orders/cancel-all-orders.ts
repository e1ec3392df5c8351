/**
 * The operation `/cancelAllOrders`: cancels the open orders of an account, all of them or those in an exchange or an
 * instrument. Each order is cancelled by itself; those that could not be are answered with the reason.
 */

import Type, { type Static } from 'typebox';
import type { Answer } from '../../answer.ts';
import type { GatewayParts } from '../../deps.ts';
import { integer, listOf, t1 } from '../../fields/answers.ts';
import { exchange, optional, SIGNED_IN, tradingSymbol } from '../../fields/fields.ts';
import type { Picked } from '../../fields/request.ts';
import { formatT1 } from '../../fields/times.ts';
import { type Caller, operation, success } from '../../operation.ts';
import { CANCELLED_ROW, cancelEach, cancellable, MOST_CANCELLATIONS, NOT_CANCELLED_ROW } from './cancellations.ts';
import { type MeantPlace, meantPlace } from './meant-place.ts';
import { OpenOrders, readOpenOrders } from './open-orders.ts';

const request = Type.Object({
  ...SIGNED_IN,
  exchange: optional(exchange()),
  tradingSymbol: optional(tradingSymbol({ description: 'of the exchange, which is needed then' })),
});
type Fields = Static<typeof request>;

const answer = success(
  'Orders cancelled',
  Type.Object({
    cancelled: listOf(CANCELLED_ROW),
    refused: listOf(NOT_CANCELLED_ROW),
    left: integer,
    requestTime: t1,
  }),
);

/** An operation of our own. Source: market-rules R3.20. */
export const cancelAllOrders = operation({
  path: '/cancelAllOrders',
  summary: 'Cancel all open orders, or those in an exchange or an instrument',
  request,
  needs: ({ tradingSymbol }: Picked) => (tradingSymbol === undefined ? [] : ['exchange']),
  rate: 'amend',
  answer,
  handle: (deps, fields, caller): Answer | Promise<Answer> => {
    const meant = meantPlace(deps, fields);
    return 'status' in meant ? meant : cancelAll(deps, fields, caller, meant);
  },
});

async function cancelAll(deps: GatewayParts, { userId }: Fields, caller: Caller, { has }: MeantPlace): Promise<Answer> {
  const open = new OpenOrders(caller.account);
  await readOpenOrders(deps, open);
  const orders = deps.engine.glance((state) => cancellable(state, open, has));
  const { cancelled, refused } = await cancelEach(deps, orders.slice(0, MOST_CANCELLATIONS), caller, userId);
  return deps.engine.read(() =>
    answer.write({
      cancelled: cancelled.map((order) => ({ orderNumber: String(order) })),
      refused: refused.map(({ order, reason }) => ({ orderNumber: String(order), reason })),
      left: String(Math.max(0, orders.length - MOST_CANCELLATIONS)),
      requestTime: formatT1(deps.engine.now()),
    }),
  );
}
