import Type from 'typebox';
import { formatRupees } from '../../base/decimal.ts';
import { anyText, exchangeWord, integer, plain, pricePrecision, rupees } from '../answers.ts';
import { exchange, SIGNED_IN, tradingSymbol } from '../fields.ts';
import { instrumentName, PRICE_FACTOR, PRICE_PRECISION } from '../names.ts';
import { operation, success } from '../operation.ts';
import { findInstrument } from '../symbols.ts';

const answer = success(
  'Fetched security info successfully',
  Type.Object({
    companyName: anyText(),
    exchange: exchangeWord,
    freezeQuantity: integer,
    instrumentName: plain(undefined, 'EQ, OPTIDX, FUTSTK ...'),
    lotSize: integer,
    mult: integer,
    priceFactor: plain(),
    pricePrecision,
    segment: plain('^(EQT|FNO)$'),
    symbolName: anyText(),
    tickSize: rupees,
    token: integer,
    tradingSymbol: anyText(),
  }),
);

/** Source: interface §securityInfo, contract 3.7, W27. */
export const securityInfo = operation({
  path: '/securityInfo',
  summary: 'The master data of one instrument',
  request: Type.Object({ ...SIGNED_IN, exchange: exchange(), tradingSymbol: tradingSymbol() }),
  rate: 'other',
  answer,
  handle: (deps, fields) => {
    const named = findInstrument(deps.instruments, fields.exchange, fields.tradingSymbol, deps.clock());
    if ('status' in named) return named;
    const { instrument, answeredSymbol } = named;
    return answer.write({
      companyName: instrument.companyName,
      exchange: instrument.exchange,
      freezeQuantity: String(instrument.freeze),
      instrumentName: instrumentName(instrument),
      lotSize: String(instrument.lot),
      mult: '1',
      priceFactor: PRICE_FACTOR,
      pricePrecision: PRICE_PRECISION,
      segment: instrument.kind === 'future' || instrument.kind === 'option' ? 'FNO' : 'EQT',
      symbolName: instrument.symbol,
      tickSize: formatRupees(instrument.tick),
      token: String(instrument.token),
      tradingSymbol: answeredSymbol,
    });
  },
});
