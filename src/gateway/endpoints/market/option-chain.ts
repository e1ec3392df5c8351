/**
 * The operation `/optionChain`: the options of an underlying and an expiry around a central strike, each with its last
 * price. It gives no full quotes; `quote.ts` does.
 */

import Type, { type Static } from 'typebox';
import { formatRupees } from '../../../base/decimal.ts';
import { tokenOf } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import type { Option } from '../../../core/instrument.ts';
import { lastPrice } from '../../../views/quote.ts';
import type { Answer } from '../../answer.ts';
import { anyText, exchangeWord, integer, listOf, plain, pricePrecision, rupees } from '../../fields/answers.ts';
import { PRICE_PRECISION } from '../../fields/names.ts';
import { compileWriter } from '../../fields/writer.ts';
import { firstLooks } from '../../instrument-lists/first-looks.ts';
import { listAnswer } from '../../long-answer.ts';
import { operation, success } from '../../operation.ts';
import { CHAIN_FIELDS, centralStrike, count, optionsOf } from './chain-request.ts';

const request = Type.Object({
  ...CHAIN_FIELDS,
  count: count('^[1-9][0-9]{0,8}$', 'strikes above and below the central one, at most 30'),
  strikePrice: centralStrike(),
});

/** The fields of an option in a chain. */
export const CHAIN_ROW = {
  exchange: exchangeWord,
  lotSize: integer,
  optionType: plain('^(CE|PE)$'),
  parentToken: integer,
  pricePrecision,
  strikePrice: rupees,
  tickSize: rupees,
  token: integer,
  tradingSymbol: anyText(),
  lastTradedPrice: rupees,
};
const ROW = Type.Object(CHAIN_ROW);
const writeRow = compileWriter(ROW);
const answer = success('Option chain data retrieved successfully', listOf(ROW));

/** Source: interface §optionChain, contract 3.10, W18, W19. */
export const optionChain = operation({
  path: '/optionChain',
  summary: 'Calls and puts around a strike',
  request,
  rate: 'quote',
  answer,
  handle: async (deps, fields, caller): Promise<Answer> => {
    const options = optionsOf(deps, fields);
    if ('status' in options) return options;
    const tick = deps.market.tickAt(deps.engine.now());
    const ids = options.map(({ id }) => id);
    await deps.turns.runPieces(
      caller.account,
      firstLooks(ids, (id) => deps.market.lastPrint(id, tick)),
      caller.from,
    );
    return listAnswer(deps, caller, {
      answer,
      rowsAtATime: 42,
      rowBytes: 1_024,
      sources: () => options,
      row: (option, _state, views) => writeRow(chainRow(option, lastPrice(views, deps.market, option.id, tick))),
    });
  },
});

/** The fields of an option in a chain, with its last price. */
export function chainRow(option: Option, last: Price): Static<typeof ROW> {
  return {
    exchange: option.exchange,
    lotSize: String(option.lot),
    optionType: option.optionType,
    parentToken: String(tokenOf(option.underlying)),
    pricePrecision: PRICE_PRECISION,
    strikePrice: formatRupees(option.strike),
    tickSize: formatRupees(option.tick),
    token: String(option.token),
    tradingSymbol: option.tradingSymbol,
    lastTradedPrice: formatRupees(last),
  };
}
