/**
 * The operation `/optionChain`: the options of an underlying and an expiry around a central strike, each with its last
 * price. It gives no full quotes; `quote.ts` does.
 */

import Type, { type Static } from 'typebox';
import { formatRupees, parsePrice } from '../../../base/decimal.ts';
import { tokenOf } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import type { Option } from '../../../core/instrument.ts';
import { lastPrice } from '../../../views/quote.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayDeps } from '../../deps.ts';
import { anyText, exchangeWord, integer, listOf, plain, pricePrecision, rupees } from '../../fields/answers.ts';
import { badRequest, type Failure } from '../../fields/envelope.ts';
import { digits, exchange, price, SIGNED_IN, text } from '../../fields/fields.ts';
import { derivativesOf, PRICE_PRECISION } from '../../fields/names.ts';
import { decodeSymbol } from '../../fields/symbols.ts';
import { parseExpiry } from '../../fields/times.ts';
import { compileWriter } from '../../fields/writer.ts';
import { listAnswer } from '../../long-answer.ts';
import { operation, success } from '../../operation.ts';

/** Source: interface §Limits. */
const MAX_COUNT = 30;
const COUNT_INVALID = 'Count must be a valid positive number or ALL';
const EXPIRY_INVALID = 'Invalid expiry format';

const request = Type.Object({
  ...SIGNED_IN,
  exchange: exchange({ 'x-missing': 'Invalid exchange provided' }),
  symbol: text(96, { 'x-missing': 'Symbol is required' }),
  expiry: text(9, { 'x-missing': EXPIRY_INVALID, 'x-invalid': EXPIRY_INVALID, description: 'DDMONYY or DDMONYYYY' }),
  count: digits('^[1-9][0-9]{0,8}$', {
    'x-missing': COUNT_INVALID,
    'x-invalid': COUNT_INVALID,
    description: 'strikes above and below the central one, at most 30',
  }),
  strikePrice: price({
    'x-missing': 'Strike Price is required when count is not ALL',
    'x-invalid': 'Strike Price must be a valid positive number',
  }),
});
type Fields = Static<typeof request>;

const ROW = Type.Object({
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
});
const writeRow = compileWriter(ROW);
const answer = success('Option chain data retrieved successfully', listOf(ROW));

/** Source: interface §optionChain, contract 3.10, W18, W19. */
export const optionChain = operation({
  path: '/optionChain',
  summary: 'Calls and puts around a strike',
  request,
  rate: 'quote',
  answer,
  handle: (deps, fields, caller): Answer | Promise<Answer> => {
    const options = optionsAround(deps, fields);
    if ('status' in options) return options;
    const tick = deps.market.tickAt(deps.engine.now());
    return listAnswer(deps, caller, {
      answer,
      rowsAtATime: 42,
      rowBytes: 1_024,
      sources: () => options,
      row: (option, _state, views) => writeRow(rowOf(option, lastPrice(views, deps.market, option.id, tick))),
    });
  },
});

function rowOf(option: Option, last: Price): Static<typeof ROW> {
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

function optionsAround(deps: GatewayDeps, fields: Fields): readonly Option[] | Failure {
  const expiry = parseExpiry(fields.expiry);
  if (expiry === undefined) return badRequest('expiry', EXPIRY_INVALID);
  const count = Number(fields.count);
  if (count > MAX_COUNT) return badRequest('count', 'Count cannot exceed 30');
  const centre = parsePrice(fields.strikePrice);
  if (!centre) return badRequest('strikePrice', 'Strike Price must be a valid positive number');
  const at = deps.engine.now();
  const market = derivativesOf(fields.exchange);
  const underlying = deps.instruments.underlyingOf(market, decodeSymbol(fields.symbol), at);
  if (underlying === undefined) return badRequest('symbol', 'Invalid symbol provided');
  const chain = deps.instruments.chain(underlying, expiry, at);
  if (chain.length === 0) return badRequest('expiry', 'no options with this expiry');
  return around(chain, centre, count);
}

/** The options of the strike nearest to `centre` (the lower of two) and of `count` strikes on each side of it. */
function around(chain: readonly Option[], centre: Price, count: number): readonly Option[] {
  const strikes = [...new Set(chain.map((option) => option.strike))];
  let nearest = 0;
  strikes.forEach((strike, index) => {
    const best = strikes[nearest] ?? strike;
    if (Math.abs(strike - centre) < Math.abs(best - centre)) nearest = index;
  });
  const lowest = strikes[Math.max(0, nearest - count)] ?? 0;
  const highest = strikes[Math.min(strikes.length - 1, nearest + count)] ?? 0;
  return chain.filter((option) => option.strike >= lowest && option.strike <= highest);
}
