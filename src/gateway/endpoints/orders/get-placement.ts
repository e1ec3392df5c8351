/**
 * The operation `/getPlacement`: the orders that a placement made, by its Idempotency-Key. A client whose answer was
 * lost learns the outcome without placing anything.
 */

import Type from 'typebox';
import type { OrderNumber } from '../../../base/ids.ts';
import { replyKey } from '../../../core/state.ts';
import type { Answer } from '../../answer.ts';
import { listOf, orderNumberText, t1 } from '../../fields/answers.ts';
import { IDEMPOTENCY_KEY, SIGNED_IN } from '../../fields/fields.ts';
import { formatT1 } from '../../fields/times.ts';
import { operation, success } from '../../operation.ts';
import { MOST_LEGS } from './basket-order.ts';
import { placedUnder } from './placement-keys.ts';

const answer = success(
  'Placement retrieved successfully',
  Type.Object({ orders: listOf(Type.Object({ orderNumber: orderNumberText })), requestTime: t1 }),
);

/** An operation of our own. Source: contract W25. */
export const getPlacement = operation({
  path: '/getPlacement',
  summary: 'The orders of one placement, by its Idempotency-Key',
  request: Type.Object({
    ...SIGNED_IN,
    idempotencyKey: Type.String({
      pattern: IDEMPOTENCY_KEY,
      'x-invalid': 'idempotencyKey must be 1 to 128 visible ASCII characters',
      description: 'the Idempotency-Key of placeOrder or basketOrder',
    }),
  }),
  rate: 'other',
  answer,
  handle: (deps, { idempotencyKey }, { account }): Answer | Promise<Answer> =>
    deps.engine.read((state) => {
      const orderOf = (key: string): OrderNumber | undefined => {
        const number = state.replies.get(replyKey(account, key))?.order;
        // A GTT answers a key too, with a number of its own.
        return number !== undefined && state.orders.get(number)?.account === account ? number : undefined;
      };
      const orders = placedUnder(idempotencyKey, MOST_LEGS, orderOf);
      const rows = orders.map((number) => ({ orderNumber: String(number) }));
      return answer.write({ orders: rows, requestTime: formatT1(deps.engine.now()) });
    }),
});
