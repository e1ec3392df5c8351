import Type from 'typebox';
import { formatRupees } from '../../base/decimal.ts';
import { lastPrice } from '../../views/quote.ts';
import { anyText, exchangeWord, listOf, rupees, t1 } from '../answers.ts';
import { type Answer, operation, success } from '../operation.ts';
import { formatT1 } from '../times.ts';
import { findAll, QUOTE_LIST } from './quote-list.ts';

const answer = success(
  'Multiple quotes LTP data retrieved successfully',
  listOf(
    Type.Object({
      companyName: anyText(),
      exchange: exchangeWord,
      identifier: anyText('exchange:symbol'),
      lastTradedPrice: rupees,
      requestTime: t1,
      token: Type.Integer(),
      tradingSymbol: anyText(),
    }),
  ),
);

/** Source: interface §getMultiQuotes/ltp, contract 3.6: the token is a JSON number here. */
export const getMultiQuotesLtp = operation({
  path: '/getMultiQuotes/ltp',
  summary: 'The last traded prices of several instruments',
  request: QUOTE_LIST,
  rate: 'quote',
  answer,
  handle: (deps, fields): Answer | Promise<Answer> => {
    const found = findAll(deps, fields.data);
    if ('status' in found) return found;
    const at = deps.clock();
    const tick = deps.market.tickAt(at);
    const requestTime = formatT1(at);
    return deps.engine.read((_state, views) =>
      answer.write(
        found.map(({ instrument, answeredSymbol }) => ({
          companyName: instrument.companyName,
          exchange: instrument.exchange,
          identifier: `${instrument.exchange}:${answeredSymbol}`,
          lastTradedPrice: formatRupees(lastPrice(views, deps.market, instrument.id, tick)),
          requestTime,
          token: instrument.token,
          tradingSymbol: answeredSymbol,
        })),
      ),
    );
  },
});
