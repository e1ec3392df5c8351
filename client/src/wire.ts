/** The operations of the wire by path, and the rows of answers and streams by the names that programs use. */

import type { Operations } from './generated/operations.ts';

export type OperationName = keyof Operations & string;
/** The fields of an operation's request, without user and token. */
export type RequestOf<O extends OperationName> = Operations[O]['request'];
/** The `data` of an operation's success. */
export type DataOf<O extends OperationName> = Operations[O]['data'];

type RowOf<O extends OperationName> = DataOf<O> extends readonly (infer Row)[] ? Row : never;

export type OrderRow = RowOf<'orderBook'>;
export type OrderStep = RowOf<'singleOrderHistory'>;
export type TradeRow = RowOf<'tradeBook'>;
export type PositionRow = RowOf<'positionBook'>;
export type HoldingRow = RowOf<'holdingsDetails'>;
export type LimitsRow = DataOf<'limit'>;
export type ResultsData = DataOf<'getResults'>;
export type HoldingsData = DataOf<'getHoldings'>;
export type FundsData = DataOf<'getFunds'>;
export type DayCurveData = DataOf<'getDayCurve'>;
export type TradeChargesData = DataOf<'getTradeCharges'>;
export type QuoteRow = RowOf<'getMultiQuotes'>;
export type LtpRow = RowOf<'getMultiQuotes/ltp'>;
export type CandleRow = RowOf<'timePriceSeries'>;
export type ChainRow = RowOf<'optionChain'>;
export type GreeksRow = RowOf<'optionChainGreeks'>;
export type ScripRow = RowOf<'searchScrips'>;
export type IndexRow = RowOf<'indexList'>;
export type SecurityInfo = DataOf<'securityInfo'>;
export type InstrumentRow = DataOf<'getInstrument'>;
export type OrderMargin = DataOf<'orderMargin'>;
export type BasketMargin = DataOf<'basketMargin'>;
export type OrderCharges = DataOf<'brokerageCalculator'>;
export type MarketStatus = DataOf<'getMarketStatus'>;
export type QueueRow = RowOf<'getQueuePlaces'>;
export type Placement = DataOf<'getPlacement'>;
export type OrderWhy = DataOf<'getOrderWhy'>;
export type OrdersPreview = DataOf<'previewOrders'>;
export type BasketRow = RowOf<'basketOrder'>;
export type Strategy = DataOf<'getStrategy'>;
export type GttRow = RowOf<'GttOrderBook'>;
export type WatchlistRow = RowOf<'getWatchlists'>;
export type AlertRow = RowOf<'getAlerts'>;
export type DemoUserRow = RowOf<'demoUsers'>;
export type UserDetails = DataOf<'userDetails'>;
/** A tick of the stream: a quote without its depth. */
export type TickRow = Omit<QuoteRow, `best${string}`>;
