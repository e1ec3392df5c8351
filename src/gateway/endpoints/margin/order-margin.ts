import Type from 'typebox';
import { formatRupees } from '../../../base/decimal.ts';
import { orderMargin as measureOrder } from '../../../core/broker/trials/basket-margin.ts';
import { accountOf } from '../../../core/state.ts';
import type { Answer } from '../../answer.ts';
import { plain, rupees, t1 } from '../../fields/answers.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { formatT1 } from '../../fields/times.ts';
import { operation, success } from '../../operation.ts';
import { contradictionOf, notEnabledFor, QUESTION_FIELDS, questionOf } from './margin-question.ts';

const answer = success(
  'Fetched order margin successfully',
  Type.Object({
    availableMargin: rupees,
    cash: rupees,
    marginOnNewOrder: rupees,
    remarks: plain('^(Insufficient Balance)?$'),
    requestTime: t1,
  }),
);

/** In rupees. Source: contract section 4, market-rules R4.34. */
export const orderMargin = operation({
  path: '/orderMargin',
  summary: 'The margin of one order',
  request: Type.Object({ ...SIGNED_IN, ...QUESTION_FIELDS }),
  rate: 'other',
  answer,
  handle: (deps, fields, caller): Answer | Promise<Answer> => {
    const at = deps.engine.now();
    const question = contradictionOf(fields) ?? questionOf(deps, fields.userId, fields, at);
    if ('status' in question) return question;
    return deps.engine.read((state, _views, ports) => {
      const account = accountOf(state, caller.account);
      const failure = notEnabledFor(account, [question]);
      if (failure !== undefined) return failure;
      const margin = measureOrder(state, ports, account, question);
      return answer.write({
        availableMargin: formatRupees(margin.available),
        cash: formatRupees(margin.cash),
        marginOnNewOrder: formatRupees(margin.onNewOrder),
        remarks: margin.onNewOrder > margin.available ? 'Insufficient Balance' : '',
        requestTime: formatT1(at),
      });
    });
  },
});
