/**
 * The operation `/securityInfo`: the master data of one instrument, with the largest order that the caller may place in
 * it. It gives no prices.
 */

import Type, { type Static } from 'typebox';
import { formatRupees } from '../../../base/decimal.ts';
import { isDerivative } from '../../../core/instrument.ts';
import { accountOf } from '../../../core/state.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayDeps } from '../../deps.ts';
import { anyText, exchangeWord, integer, plain, pricePrecision, rupees } from '../../fields/answers.ts';
import { exchange, SIGNED_IN, tradingSymbol } from '../../fields/fields.ts';
import { instrumentName, PRICE_FACTOR, PRICE_PRECISION } from '../../fields/names.ts';
import { RECORDED_DAYS, recordedDaysOf } from '../../fields/recorded-days.ts';
import { findInstrument, type NamedInstrument } from '../../fields/symbols.ts';
import { operation, success } from '../../operation.ts';
import { largestOrder } from './largest-order.ts';

/** The master data of an instrument. */
export const INFO = {
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
  recordedDays: RECORDED_DAYS,
};
const ANSWER = Type.Object(INFO);
const answer = success('Fetched security info successfully', ANSWER);

/** Source: interface §securityInfo, contract 3.7, W27. */
export const securityInfo = operation({
  path: '/securityInfo',
  summary: 'The master data of one instrument',
  request: Type.Object({ ...SIGNED_IN, exchange: exchange(), tradingSymbol: tradingSymbol() }),
  rate: 'other',
  answer,
  handle: (deps, fields, caller): Answer | Promise<Answer> => {
    const at = deps.engine.now();
    const named = findInstrument(deps.instruments, fields.exchange, fields.tradingSymbol, at);
    if ('status' in named) return named;
    return deps.engine.read((state, _views, ports) => {
      const account = accountOf(state, caller.account);
      return answer.write(infoOf(deps, named, largestOrder(deps, state, ports, account, named.instrument, at)));
    });
  },
});

/** The fields of `INFO`. `largest`: the largest order that the caller may place, in units. */
export function infoOf(
  { market }: Pick<GatewayDeps, 'market'>,
  { instrument, answeredSymbol }: NamedInstrument,
  largest: number,
): Static<typeof ANSWER> {
  return {
    companyName: instrument.companyName,
    exchange: instrument.exchange,
    freezeQuantity: String(largest),
    instrumentName: instrumentName(instrument),
    lotSize: String(instrument.lot),
    mult: '1',
    priceFactor: PRICE_FACTOR,
    pricePrecision: PRICE_PRECISION,
    segment: isDerivative(instrument) ? 'FNO' : 'EQT',
    symbolName: instrument.symbol,
    tickSize: formatRupees(instrument.tick),
    token: String(instrument.token),
    tradingSymbol: answeredSymbol,
    ...recordedDaysOf(market, instrument.id),
  };
}
