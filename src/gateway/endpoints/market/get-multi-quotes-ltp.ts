import Type from 'typebox';
import { formatRupees } from '../../../base/decimal.ts';
import { lastPrice } from '../../../views/quote.ts';
import type { Answer } from '../../answer.ts';
import { anyText, exchangeWord, listOf, rupees, t1 } from '../../fields/answers.ts';
import { formatT1 } from '../../fields/times.ts';
import { compileWriter } from '../../fields/writer.ts';
import { listAnswer } from '../../long-answer.ts';
import { operation, success } from '../../operation.ts';
import { findAll, QUOTE_LIST } from './quote-list.ts';

const ROW = Type.Object({
  companyName: anyText(),
  exchange: exchangeWord,
  identifier: anyText('exchange:symbol'),
  lastTradedPrice: rupees,
  requestTime: t1,
  token: Type.Integer(),
  tradingSymbol: anyText(),
});
const writeRow = compileWriter(ROW);
const answer = success('Multiple quotes LTP data retrieved successfully', listOf(ROW));

/** Source: interface §getMultiQuotes/ltp, contract 3.6: the token is a JSON number here. */
export const getMultiQuotesLtp = operation({
  path: '/getMultiQuotes/ltp',
  summary: 'The last traded prices of several instruments',
  request: QUOTE_LIST,
  rate: 'quote',
  answer,
  handle: (deps, fields, caller): Answer | Promise<Answer> => {
    const found = findAll(deps, fields.data);
    if ('status' in found) return found;
    const at = deps.engine.now();
    const tick = deps.market.tickAt(at);
    const requestTime = formatT1(at);
    return listAnswer(deps, caller, {
      answer,
      rowsAtATime: 10,
      rowBytes: 1_024,
      sources: () => found,
      row: ({ instrument, answeredSymbol }, _state, views) =>
        writeRow({
          companyName: instrument.companyName,
          exchange: instrument.exchange,
          identifier: `${instrument.exchange}:${answeredSymbol}`,
          lastTradedPrice: formatRupees(lastPrice(views, deps.market, instrument.id, tick)),
          requestTime,
          token: instrument.token,
          tradingSymbol: answeredSymbol,
        }),
    });
  },
});
