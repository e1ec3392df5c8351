import { fullQuote } from '../../views/quote.ts';
import { listOf } from '../answers.ts';
import { type Answer, operation, success } from '../operation.ts';
import { MULTI_QUOTE, quoteOf } from '../quote.ts';
import { formatT1 } from '../times.ts';
import { findAll, QUOTE_LIST } from './quote-list.ts';

const answer = success('Multiple quotes data retrieved successfully', listOf(MULTI_QUOTE));

/** Source: interface §getMultiQuotes, contract 3.5, W13. */
export const getMultiQuotes = operation({
  path: '/getMultiQuotes',
  summary: 'Full quotes of several instruments',
  request: QUOTE_LIST,
  rate: 'quote',
  answer,
  handle: (deps, fields): Answer | Promise<Answer> => {
    const found = findAll(deps, fields.data);
    if ('status' in found) return found;
    const at = deps.clock();
    const tick = deps.market.tickAt(at);
    const requestTime = formatT1(at);
    return deps.engine.read((state, views) =>
      answer.write(
        found.map((named) =>
          quoteOf(named, fullQuote(state, views, deps.market, named.instrument.id, tick), requestTime),
        ),
      ),
    );
  },
});
