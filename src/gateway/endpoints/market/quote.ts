/**
 * The full quote of an instrument, in the shape of a single quote and in that of one of many. The operations that send
 * it are `get-quote.ts` and `get-multi-quotes.ts`.
 */

import Type, { type Static } from 'typebox';
import type { FullQuote } from '../../../views/quote.ts';
import {
  anyText,
  exchangeWord,
  integer,
  integerFigure,
  plain,
  pricePrecision,
  rupeesFigure,
  t1,
} from '../../fields/answers.ts';
import { instrumentName, PRICE_FACTOR, PRICE_PRECISION, quoteSegment, quoteSymbolName } from '../../fields/names.ts';
import type { NamedInstrument } from '../../fields/symbols.ts';
import { DEPTH_FIELDS, ordersAt, priceAt, quantityAt } from './depth-fields.ts';

const FIELDS = {
  VWAP: rupeesFigure,
  ...DEPTH_FIELDS,
  companyName: anyText(),
  dayClosePrice: rupeesFigure,
  dayHighPrice: Type.Optional(rupeesFigure),
  dayLowPrice: Type.Optional(rupeesFigure),
  dayOpenPrice: Type.Optional(rupeesFigure),
  exchange: exchangeWord,
  identifier: anyText('exchange:symbol'),
  instrumentName: plain(undefined, 'EQ, OPTIDX, FUTSTK ...; blank for an index'),
  isin: Type.Optional(plain('^[A-Z0-9]*$')),
  lastTradedPrice: rupeesFigure,
  lotSize: integerFigure,
  multipler: integer,
  oi: integerFigure,
  open: Type.Optional(rupeesFigure),
  openInterest: rupeesFigure,
  priceFactor: plain(),
  pricePrecision,
  requestTime: t1,
  segment: plain('^(Equity|Options|Futures|Indices)$'),
  symbolName: anyText(),
  tickSize: rupeesFigure,
  token: integerFigure,
  totalBuyQuantity: integerFigure,
  totalSellQuantity: integerFigure,
  tradingSymbol: anyText(),
  volume: integerFigure,
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
type Row = Static<typeof ALL_FIELDS>;

/** One of many full quotes without its depth: a tick of the stream. */
export const TICK_QUOTE = Type.Omit(MULTI_QUOTE, Object.keys(DEPTH_FIELDS) as (keyof typeof DEPTH_FIELDS)[]);

/** The figures in the words of both full quotes; their writers take the fields that are theirs. */
export function quoteOf(named: NamedInstrument, figures: FullQuote, requestTime: string): Row {
  const { instrument, answeredSymbol } = named;
  const { bids, asks } = figures;
  // One literal: to copy parts into a row costs more than all else of it. Writers pass over what is `undefined`.
  return {
    VWAP: figures.vwap,
    bestBuyOrder1: ordersAt(bids, 0),
    bestBuyOrder2: ordersAt(bids, 1),
    bestBuyOrder3: ordersAt(bids, 2),
    bestBuyOrder4: ordersAt(bids, 3),
    bestBuyOrder5: ordersAt(bids, 4),
    bestBuyPrice1: priceAt(bids, 0),
    bestBuyPrice2: priceAt(bids, 1),
    bestBuyPrice3: priceAt(bids, 2),
    bestBuyPrice4: priceAt(bids, 3),
    bestBuyPrice5: priceAt(bids, 4),
    bestBuyQuantity1: quantityAt(bids, 0),
    bestBuyQuantity2: quantityAt(bids, 1),
    bestBuyQuantity3: quantityAt(bids, 2),
    bestBuyQuantity4: quantityAt(bids, 3),
    bestBuyQuantity5: quantityAt(bids, 4),
    bestSellOrder1: ordersAt(asks, 0),
    bestSellOrder2: ordersAt(asks, 1),
    bestSellOrder3: ordersAt(asks, 2),
    bestSellOrder4: ordersAt(asks, 3),
    bestSellOrder5: ordersAt(asks, 4),
    bestSellPrice1: priceAt(asks, 0),
    bestSellPrice2: priceAt(asks, 1),
    bestSellPrice3: priceAt(asks, 2),
    bestSellPrice4: priceAt(asks, 3),
    bestSellPrice5: priceAt(asks, 4),
    bestSellQuantity1: quantityAt(asks, 0),
    bestSellQuantity2: quantityAt(asks, 1),
    bestSellQuantity3: quantityAt(asks, 2),
    bestSellQuantity4: quantityAt(asks, 3),
    bestSellQuantity5: quantityAt(asks, 4),
    companyName: instrument.companyName,
    dayClosePrice: figures.previousClose,
    dayHighPrice: figures.high,
    dayLowPrice: figures.low,
    dayOpenPrice: figures.open,
    exchange: instrument.exchange,
    identifier: `${instrument.exchange}:${answeredSymbol}`,
    instrumentName: instrument.kind === 'index' ? '' : instrumentName(instrument),
    isin: isinOf(instrument),
    lastTradedPrice: figures.last,
    lotSize: instrument.lot,
    multipler: '1',
    oi: figures.openInterest,
    open: figures.open,
    // Units, written as rupees are.
    openInterest: figures.openInterest * 100,
    priceFactor: PRICE_FACTOR,
    pricePrecision: PRICE_PRECISION,
    requestTime,
    segment: quoteSegment(instrument),
    symbolName: quoteSymbolName(instrument),
    tickSize: instrument.tick,
    token: instrument.token,
    totalBuyQuantity: figures.totalBuyQuantity,
    totalSellQuantity: figures.totalSellQuantity,
    tradingSymbol: answeredSymbol,
    volume: figures.volume,
  } as Row;
}

/** For everything but an index; a contract has a blank one. */
function isinOf(instrument: NamedInstrument['instrument']): string | undefined {
  if (instrument.kind === 'index') return undefined;
  return instrument.kind === 'equity' ? instrument.isin : '';
}
