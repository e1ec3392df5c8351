import Type from 'typebox';
import type { AlertNumber } from '../../../base/ids.ts';
import { refusalText } from '../../../core/refusals/refusal-text.ts';
import type { Answer } from '../../answer.ts';
import { integer, t1 } from '../../fields/answers.ts';
import { badRequest, decided } from '../../fields/envelope.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { formatT1 } from '../../fields/times.ts';
import { operation, originOf, success } from '../../operation.ts';
import { alertId } from './alert-fields.ts';

const answer = success('Alert cancellation details', Type.Object({ alertId: integer, requestTime: t1 }));

/** Ends an alert that is active. Source: docs/rules/wire-lists.md. */
export const cancelAlert = operation({
  path: '/cancelAlert',
  summary: 'Cancel an active alert',
  request: Type.Object({ ...SIGNED_IN, alertId: alertId() }),
  rate: 'other',
  answer,
  handle: async (deps, fields, caller): Promise<Answer> => {
    const alert = Number(fields.alertId) as AlertNumber;
    const command = { type: 'CancelAlert', account: caller.account, alert } as const;
    const reply = await deps.engine.submit({ command, origin: originOf(caller) });
    if (reply.type === 'Done') return answer.write({ alertId: String(alert), requestTime: formatT1(reply.at) });
    if (reply.type !== 'Refused') throw new Error(`cancelAlert was answered ${reply.type}`);
    return decided(badRequest('alertId', refusalText(reply.refusal, { userId: fields.userId })));
  },
});
