import type { Answer } from '../../answer.ts';
import { listOf } from '../../fields/answers.ts';
import { listAnswer } from '../../long-answer.ts';
import { operation, success } from '../../operation.ts';
import { MULTI_QUOTE } from './quote.ts';
import { findAll, QUOTE_LIST } from './quote-list.ts';

const answer = success('Multiple quotes data retrieved successfully', listOf(MULTI_QUOTE));

/** Source: interface §getMultiQuotes, contract 3.5, W13. */
export const getMultiQuotes = operation({
  path: '/getMultiQuotes',
  summary: 'Full quotes of several instruments',
  request: QUOTE_LIST,
  rate: 'quote',
  answer,
  handle: (deps, fields, caller): Answer | Promise<Answer> => {
    const found = findAll(deps, fields.data);
    if ('status' in found) return found;
    const at = deps.engine.now();
    return listAnswer(deps, caller, {
      answer,
      rowsAtATime: 10,
      rowBytes: 4_096,
      sources: () => found,
      row: (named, state, views) => deps.quoteTexts.textOf(state, views, named, at),
    });
  },
});
