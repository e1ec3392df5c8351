import { fullQuote } from '../../../views/quote.ts';
import type { Answer } from '../../answer.ts';
import { findInstrument } from '../../fields/symbols.ts';
import { formatT1 } from '../../fields/times.ts';
import { operation, success } from '../../operation.ts';
import { quoteOf, SINGLE_QUOTE } from './quote.ts';
import { QUOTE_REQUEST } from './quote-request.ts';

const answer = success('Quote data retrieved successfully', SINGLE_QUOTE);

/** Source: contract section 4: an object, not an array. */
export const getQuote = operation({
  path: '/getQuote',
  summary: 'The full quote of one instrument',
  request: QUOTE_REQUEST,
  rate: 'quote',
  answer,
  handle: (deps, fields): Answer | Promise<Answer> => {
    const at = deps.engine.now();
    const tick = deps.market.tickAt(at);
    const named = findInstrument(deps.instruments, fields.exchange, fields.tradingSymbol, at);
    if ('status' in named) return named;
    return deps.engine.read((state, views) =>
      answer.write(quoteOf(named, fullQuote(state, views, deps.market, named.instrument.id, tick), formatT1(at))),
    );
  },
});
