import Type from 'typebox';
import type { OrderNumber } from '../../../base/ids.ts';
import { refusalText } from '../../../core/refusals/refusal-text.ts';
import type { Answer } from '../../answer.ts';
import { anyText, orderNumberText, t1 } from '../../fields/answers.ts';
import { decided } from '../../fields/envelope.ts';
import { orderNumber, SIGNED_IN } from '../../fields/fields.ts';
import { formatT1 } from '../../fields/times.ts';
import { operation, originOf, success } from '../../operation.ts';
import { refusalOfChange, UNKNOWN_ORDER } from './earlier-orders.ts';

const answer = success(
  'Order cancellation details',
  Type.Object({
    orderNumber: orderNumberText,
    rejreason: anyText('why the order is as it was; blank when it was cancelled'),
    requestTime: t1,
  }),
);

/** Source: interface §cancelOrder, contract 3.14, W22, W23, R13. */
export const cancelOrder = operation({
  path: '/cancelOrder',
  summary: 'Cancel an open order',
  request: Type.Object({ ...SIGNED_IN, orderNumber: orderNumber() }),
  rate: 'amend',
  answer,
  handle: async (deps, fields, caller): Promise<Answer> => {
    const order = Number(fields.orderNumber) as OrderNumber;
    const command = { type: 'CancelOrder', account: caller.account, order } as const;
    const reply = await deps.engine.submit({ command, origin: originOf(caller) });
    const requestTime = 'at' in reply ? formatT1(reply.at) : '';
    if (reply.type === 'OrderCancelled' || reply.type === 'CancelTaken') {
      return answer.write({ orderNumber: String(order), rejreason: '', requestTime });
    }
    if (reply.type !== 'Refused') throw new Error(`cancelOrder was answered ${reply.type}`);
    const refusal = await refusalOfChange(deps, command, reply.refusal, { rule: 'NotOpenToCancel' });
    if (refusal === undefined) return decided(UNKNOWN_ORDER);
    const rejreason = refusalText(refusal, { userId: fields.userId });
    return answer.write({ orderNumber: String(order), rejreason, requestTime });
  },
});
