import Type from 'typebox';
import type { Answer } from '../../answer.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { objectAnswer } from '../../long-answer.ts';
import { operation, success } from '../../operation.ts';
import { RESULTS, Results, ROW_BYTES } from './results.ts';

const answer = success('Results', RESULTS);
/** The sums of a short answer, in bytes. */
const REST_BYTES = 1_024;

/** Source: docs/rules/wire-own.md, market-rules R5.2 to R5.9, 6.1. */
export const getResults = operation({
  path: '/getResults',
  summary: 'The result of the day by position, by underlying and together, with charges',
  request: Type.Object(SIGNED_IN),
  rate: 'other',
  answer,
  handle: async (deps, _fields, caller): Promise<Answer> => {
    const results = new Results(deps, caller.account);
    const positions = await results.positions();
    return objectAnswer(deps, caller, {
      answer,
      list: 'rows',
      mostBytes: REST_BYTES + positions.length * ROW_BYTES,
      pieces: results.pieces(positions),
      rest: () => results.rest(),
    });
  },
});
