import Type from 'typebox';
import { listOf } from '../../fields/answers.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { listAnswer } from '../../long-answer.ts';
import { operation, success } from '../../operation.ts';
import { GTT_ROW, gttText } from './gtt-row.ts';

const answer = success('GTT order book', listOf(GTT_ROW));

/** The GTTs of the account that are active, and those that ended last. Source: docs/rules/wire-gtt.md. */
export const gttOrderBook = operation({
  path: '/GttOrderBook',
  summary: 'The GTTs of the account, oldest first',
  request: Type.Object(SIGNED_IN),
  rate: 'other',
  answer,
  handle: (deps, { userId }, caller) =>
    listAnswer(deps, caller, {
      answer,
      rowsAtATime: 250,
      rowBytes: 2_048,
      sources: (state) => state.gtts.of(caller.account),
      frozen: (gtt) => ({ ...gtt }),
      row: (gtt) => gttText(deps.instruments, gtt, userId),
    }),
});
