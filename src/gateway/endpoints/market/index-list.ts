import Type from 'typebox';
import { anyText, exchangeWord, integer, listOf } from '../../fields/answers.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { operation, success } from '../../operation.ts';

const answer = success(
  'All indexes',
  listOf(
    Type.Object({
      exchange: exchangeWord,
      token: integer,
      tradingSymbol: anyText(),
      symbol: anyText(),
      idxname: anyText('descriptive name'),
    }),
  ),
);

/** Source: interface §indexList, contract 3.8. */
export const indexList = operation({
  path: '/indexList',
  summary: 'All indices',
  request: Type.Object(SIGNED_IN),
  rate: 'other',
  answer,
  handle: (deps) =>
    answer.write(
      deps.instruments.indices().map((index) => ({
        exchange: index.exchange,
        token: String(index.token),
        tradingSymbol: index.tradingSymbol,
        symbol: index.symbol,
        idxname: index.indexName,
      })),
    ),
});
