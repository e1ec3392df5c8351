/**
 * The operation `/basketMargin`: the margin of several orders together, as if they were placed. It places none of them.
 * `margin-question.ts` reads the orders; `order-margin.ts` asks about one order.
 */

import Type from 'typebox';
import { basketMargin as measureBasket, type OrderQuestion } from '../../../core/broker/trials/basket-margin.ts';
import { accountOf } from '../../../core/state.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayDeps } from '../../deps.ts';
import { listOf, plain } from '../../fields/answers.ts';
import type { Failure } from '../../fields/envelope.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { rupeesNumber } from '../../fields/numbers.ts';
import { firstLooks } from '../../instrument-lists/first-looks.ts';
import { operation, success } from '../../operation.ts';
import { contradictionOf, notEnabledFor, QUESTION_FIELDS, type QuestionFields, questionOf } from './margin-question.ts';

/** Source: contract W14: the first order is not in the list. */
const MAX_FURTHER_ORDERS = 49;

const answer = success(
  'Fetched basket margin successfully',
  Type.Object({
    BasketMargin: listOf(Type.Number()),
    MarginOnNewOrder: Type.Number(),
    PreviousMargin: Type.Number(),
    Remarks: plain('^(Insufficient Balance)?$'),
    TradedMargin: Type.Number(),
  }),
);

/** Source: interface §basketMargin, contract 3.20, W20. */
export const basketMargin = operation({
  path: '/basketMargin',
  summary: 'The margin of several orders together',
  request: Type.Object({
    ...SIGNED_IN,
    ...QUESTION_FIELDS,
    BasketList_Params: Type.Array(Type.Object(QUESTION_FIELDS), {
      maxItems: MAX_FURTHER_ORDERS,
      'x-blank': true,
      'x-alias': 'basketlistparams',
      'x-invalid': 'BasketList_Params must be an array of at most 49 orders',
    }),
  }),
  rate: 'other',
  answer,
  handle: async (deps, fields, caller): Promise<Answer> => {
    const orders = questionsOf(deps, fields.userId, [fields, ...fields.BasketList_Params]);
    if ('status' in orders) return orders;
    await deps.turns.runPieces(caller.account, looksOf(deps, orders), caller.from);
    return deps.engine.read((state, _views, ports) => {
      const account = accountOf(state, caller.account);
      const failure = notEnabledFor(account, orders);
      if (failure !== undefined) return failure;
      const margin = measureBasket(state, ports, account, orders);
      return answer.write({
        BasketMargin: [...margin.afterEach.map(rupeesNumber), orders.length],
        MarginOnNewOrder: rupeesNumber(margin.onNewOrder),
        PreviousMargin: rupeesNumber(margin.previous),
        Remarks: margin.onNewOrder > margin.available ? 'Insufficient Balance' : '',
        TradedMargin: rupeesNumber(margin.traded),
      });
    });
  },
});

/** The looks at depth and risk that measuring the orders takes. */
function looksOf({ engine, market }: GatewayDeps, orders: readonly OrderQuestion[]): Generator<undefined, void> {
  const tick = market.tickAt(engine.now());
  const ids = orders.map(({ instrument }) => instrument);
  return firstLooks(ids, (id) => {
    market.depth(id, tick);
    market.risk(id, tick);
  });
}

/** Every order's own contradictions come before any unknown instrument. Source: contract W3. */
function questionsOf(
  deps: GatewayDeps,
  userId: string,
  list: readonly QuestionFields[],
): readonly OrderQuestion[] | Failure {
  for (const fields of list) {
    const failure = contradictionOf(fields);
    if (failure) return failure;
  }
  const at = deps.engine.now();
  const questions: OrderQuestion[] = [];
  for (const fields of list) {
    const question = questionOf(deps, userId, fields, at);
    if ('status' in question) return question;
    questions.push(question);
  }
  return questions;
}
