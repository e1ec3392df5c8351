import Type from 'typebox';
import { formatRupees } from '../../../base/decimal.ts';
import { lastPrice } from '../../../views/quote.ts';
import type { Answer } from '../../answer.ts';
import { anyText, exchangeWord, integer, listOf, rupees, t1 } from '../../fields/answers.ts';
import { findInstrument } from '../../fields/symbols.ts';
import { formatT1 } from '../../fields/times.ts';
import { operation, success } from '../../operation.ts';
import { QUOTE_REQUEST } from './quote-request.ts';

const answer = success(
  'Quote LTP data retrieved successfully',
  listOf(
    Type.Object({
      companyName: anyText(),
      exchange: exchangeWord,
      lastTradedPrice: rupees,
      requestTime: t1,
      token: integer,
    }),
  ),
);

/** Source: interface §getQuote/ltp, contract 3.4. */
export const getQuoteLtp = operation({
  path: '/getQuote/ltp',
  summary: 'The last traded price of one instrument',
  request: QUOTE_REQUEST,
  rate: 'quote',
  answer,
  handle: (deps, fields): Answer | Promise<Answer> => {
    const at = deps.engine.now();
    const named = findInstrument(deps.instruments, fields.exchange, fields.tradingSymbol, at);
    if ('status' in named) return named;
    const { instrument } = named;
    const tick = deps.market.tickAt(at);
    return deps.engine.read((_state, views) =>
      answer.write([
        {
          companyName: instrument.companyName,
          exchange: instrument.exchange,
          lastTradedPrice: formatRupees(lastPrice(views, deps.market, instrument.id, tick)),
          requestTime: formatT1(at),
          token: String(instrument.token),
        },
      ]),
    );
  },
});
