import Type, { type Static } from 'typebox';
import { formatRupees } from '../base/decimal.ts';
import type { Price, Quantity } from '../base/money.ts';
import { anyText, exchangeWord, integer, plain, pricePrecision, rupees, t1 } from './answers.ts';
import { DEPTH_FIELDS, depthFields, type ShownLevel } from './depth-fields.ts';
import { instrumentName, PRICE_FACTOR, PRICE_PRECISION, quoteSegment, quoteSymbolName } from './names.ts';
import type { NamedInstrument } from './symbols.ts';

/** The figures of a full quote, users' orders and trades counted with the market's. */
export interface QuoteFigures {
  readonly bids: readonly ShownLevel[];
  readonly asks: readonly ShownLevel[];
  readonly last: Price;
  readonly previousClose: Price;
  readonly open?: Price | undefined;
  readonly high?: Price | undefined;
  readonly low?: Price | undefined;
  readonly vwap: Price;
  readonly totalBuyQuantity: Quantity;
  readonly totalSellQuantity: Quantity;
  readonly openInterest: Quantity;
}

/** A full quote's fields, in their order. Source: interface §Full quote, contract 3.5. */
export const QUOTE = Type.Object({
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
});
export type Quote = Static<typeof QUOTE>;
