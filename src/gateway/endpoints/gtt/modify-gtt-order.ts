/**
 * The operation `/modifyGttOrder`: gives an active GTT other orders and triggers. The vendor's clients send neither a
 * trigger nor a second leg; those that are left out stay as they are.
 */

import Type from 'typebox';
import type { GttNumber } from '../../../base/ids.ts';
import type { Answer } from '../../answer.ts';
import { gttIdText, t1 } from '../../fields/answers.ts';
import { optional } from '../../fields/fields.ts';
import { formatT1 } from '../../fields/times.ts';
import { operation, originOf, success } from '../../operation.ts';
import { GTT_FIELDS, gttAsked, gttId, gttRefused, triggerValue } from './gtt-fields.ts';

const answer = success('GTT order modified successfully', Type.Object({ GTTid: gttIdText, requestTime: t1 }));

/** Source: docs/rules/wire-gtt.md, contract W22. */
export const modifyGttOrder = operation({
  path: '/modifyGttOrder',
  summary: 'Modify an active GTT',
  request: Type.Object({
    ...GTT_FIELDS,
    GTTid: gttId(),
    value: optional(triggerValue('the last traded price at which the order is placed; stays when it is left out')),
    value2: optional(triggerValue('the same for the second leg')),
  }),
  rate: 'amend',
  answer,
  handle: (deps, fields, caller): Answer | Promise<Answer> => {
    const asked = gttAsked(deps, fields);
    if ('status' in asked) return asked;
    const gtt = Number(fields.GTTid) as GttNumber;
    const { remarks = '' } = fields;
    const command = { type: 'ModifyGtt', account: caller.account, gtt, ...asked, remarks } as const;
    return deps.engine.submit({ command, origin: originOf(caller) }).then((reply) => {
      if (reply.type !== 'GttModified') return gttRefused(reply, fields.userId);
      return answer.write({ GTTid: String(reply.gtt), requestTime: formatT1(reply.at) });
    });
  },
});
