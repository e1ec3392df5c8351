import Type from 'typebox';
import type { GttNumber } from '../../../base/ids.ts';
import type { Answer } from '../../answer.ts';
import { gttIdText, t1 } from '../../fields/answers.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { formatT1 } from '../../fields/times.ts';
import { operation, originOf, success } from '../../operation.ts';
import { gttId, gttRefused } from './gtt-fields.ts';

const answer = success('GTT order cancelled successfully', Type.Object({ GTTid: gttIdText, requestTime: t1 }));

/** Source: docs/rules/wire-gtt.md, contract W22. */
export const cancelGttOrder = operation({
  path: '/cancelGttOrder',
  summary: 'Cancel an active GTT',
  request: Type.Object({ ...SIGNED_IN, GTTid: gttId() }),
  rate: 'amend',
  answer,
  handle: async (deps, fields, caller): Promise<Answer> => {
    const gtt = Number(fields.GTTid) as GttNumber;
    const command = { type: 'CancelGtt', account: caller.account, gtt } as const;
    const reply = await deps.engine.submit({ command, origin: originOf(caller) });
    if (reply.type !== 'GttCancelled') return gttRefused(reply, fields.userId);
    return answer.write({ GTTid: String(reply.gtt), requestTime: formatT1(reply.at) });
  },
});
