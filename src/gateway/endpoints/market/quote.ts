/**
 * The full quote of an instrument, in the shape of a single quote and in that of one of many. The operations that send
 * it are `get-quote.ts` and `get-multi-quotes.ts`.
 */

import Type, { type Static } from 'typebox';
import { formatRupees } from '../../../base/decimal.ts';
import type { FullQuote } from '../../../views/quote.ts';
import { anyText, exchangeWord, integer, plain, pricePrecision, rupees, t1 } from '../../fields/answers.ts';
import { instrumentName, PRICE_FACTOR, PRICE_PRECISION, quoteSegment, quoteSymbolName } from '../../fields/names.ts';
import type { NamedInstrument } from '../../fields/symbols.ts';
import { DEPTH_FIELDS, depthFields } from './depth-fields.ts';

const FIELDS = {
  VWAP: rupees,
  ...DEPTH_FIELDS,
  companyName: anyText(),
  dayClosePrice: rupees,
  dayHighPrice: Type.Optional(rupees),
  dayLowPrice: Type.Optional(rupees),
  dayOpenPrice: Type.Optional(rupees),
  exchange: exchangeWord,
  identifier: anyText('exchange:symbol'),
  instrumentName: plain(undefined, 'EQ, OPTIDX, FUTSTK ...; blank for an index'),
  isin: Type.Optional(plain('^[A-Z0-9]*$')),
  lastTradedPrice: rupees,
  lotSize: integer,
  multipler: integer,
  oi: integer,
  open: Type.Optional(rupees),
  openInterest: rupees,
  priceFactor: plain(),
  pricePrecision,
  requestTime: t1,
  segment: plain('^(Equity|Options|Futures|Indices)$'),
  symbolName: anyText(),
  tickSize: rupees,
  token: integer,
  totalBuyQuantity: integer,
  totalSellQuantity: integer,
  tradingSymbol: anyText(),
  volume: integer,
};

const { isin: _isin, ...MULTI_FIELDS } = FIELDS;
const { identifier: _identifier, instrumentName: _instrumentName, ...SINGLE_FIELDS } = FIELDS;

/**
 * One of many full quotes, with `oi`, `open` and `volume` as adapters call them. Source: interface §Full quote,
 * contract 3.5.
 */
export const MULTI_QUOTE = Type.Object(MULTI_FIELDS);
/**
 * The full quote of one instrument: with its ISIN, without identifier and instrumentName. Source: contract section 4.
 */
export const SINGLE_QUOTE = Type.Object(SINGLE_FIELDS);
const ALL_FIELDS = Type.Object(FIELDS);

/** One of many full quotes without its depth: a tick of the stream. */
export const TICK_QUOTE = Type.Omit(MULTI_QUOTE, Object.keys(DEPTH_FIELDS) as (keyof typeof DEPTH_FIELDS)[]);

/** The figures in the words of both full quotes; their writers take the fields that are theirs. */
export function quoteOf(named: NamedInstrument, figures: FullQuote, requestTime: string): Static<typeof ALL_FIELDS> {
  const { instrument, answeredSymbol } = named;
  return {
    VWAP: formatRupees(figures.vwap),
    ...depthFields(figures.bids, figures.asks),
    companyName: instrument.companyName,
    dayClosePrice: formatRupees(figures.previousClose),
    ...dayPrices(figures),
    exchange: instrument.exchange,
    identifier: `${instrument.exchange}:${answeredSymbol}`,
    instrumentName: instrument.kind === 'index' ? '' : instrumentName(instrument),
    ...isinOf(instrument),
    lastTradedPrice: formatRupees(figures.last),
    lotSize: String(instrument.lot),
    multipler: '1',
    oi: String(figures.openInterest),
    openInterest: `${figures.openInterest}.00`,
    priceFactor: PRICE_FACTOR,
    pricePrecision: PRICE_PRECISION,
    requestTime,
    segment: quoteSegment(instrument),
    symbolName: quoteSymbolName(instrument),
    tickSize: formatRupees(instrument.tick),
    token: String(instrument.token),
    totalBuyQuantity: String(figures.totalBuyQuantity),
    totalSellQuantity: String(figures.totalSellQuantity),
    tradingSymbol: answeredSymbol,
    volume: String(figures.volume),
  };
}

/** Absent before the day's first trade. */
function dayPrices({ open, high, low }: FullQuote) {
  if (open === undefined || high === undefined || low === undefined) return {};
  const dayOpenPrice = formatRupees(open);
  return { dayHighPrice: formatRupees(high), dayLowPrice: formatRupees(low), dayOpenPrice, open: dayOpenPrice };
}

/** For everything but an index; a contract has a blank one. */
function isinOf(instrument: NamedInstrument['instrument']) {
  if (instrument.kind === 'index') return {};
  return { isin: instrument.kind === 'equity' ? instrument.isin : '' };
}
