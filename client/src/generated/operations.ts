/**
 * The requests and answers of the service. Generated from its schemas by `client/generate.ts`: do not edit.
 */

import type { Rupees } from '../money.ts';
import type { OrderNumber } from '../order-number.ts';

/** A request that has no fields of its own. */
export type NoFields = Readonly<Record<string, never>>;
export type Exchange = 'NSE' | 'BSE' | 'NFO' | 'BFO';
export type Side = 'B' | 'S';
export type Product = 'C' | 'M' | 'I';
export type PriceType = 'MKT' | 'LMT' | 'SL-LMT' | 'SL-MKT';
export type Retention = 'DAY' | 'IOC';
export type OrderStatus =
  | 'PENDING'
  | 'AMO OPEN'
  | 'AMO MODIFIED'
  | 'AMO CANCELED'
  | 'OPEN'
  | 'TRIGGER_PENDING'
  | 'COMPLETE'
  | 'CANCELED'
  | 'REJECTED';
export type Interval =
  | '1mi'
  | '2mi'
  | '3mi'
  | '5mi'
  | '10mi'
  | '15mi'
  | '20mi'
  | '30mi'
  | '60mi'
  | '120mi'
  | '240mi'
  | '1d';
/** Log in and receive a session token: the request. */
export interface LoginRequest {
  readonly userId: string;
  /** SHA-256 of the password in hex; the password itself is never sent */
  readonly password: string;
  /** one-time code; not for accounts without TOTP */
  readonly TOTP?: string | number;
  readonly vendorCode: string;
  readonly apiKey: string;
}
/** Log in and receive a session token: the answer. */
export interface LoginData {
  /** account id */
  readonly actid: string;
  readonly userName: string;
  /** the session token, sent back as jKey */
  readonly susertoken: string;
  readonly email: string;
}
/** Search instruments by text: the request. */
export interface SearchScripsRequest {
  readonly stext: string;
}
/** Search instruments by text: a row of the answer. */
export interface SearchScripsRow {
  readonly token: string;
  readonly exchange: Exchange;
  /** the issuer; Monthly or Weekly for contracts */
  readonly companyName: string;
  /** short display name */
  readonly representationName: string;
  readonly instrumentName: 'Equity' | 'Options' | 'Futures' | 'Index';
  /** the symbol for later calls */
  readonly tradingSymbol: string;
}
/** The last traded price of one instrument: the request. */
export interface GetQuoteLtpRequest {
  readonly exchange: Exchange;
  /** a special character may be URL-encoded */
  readonly tradingSymbol: string;
}
/** The last traded price of one instrument: a row of the answer. */
export interface GetQuoteLtpRow {
  readonly companyName: string;
  readonly exchange: Exchange;
  readonly lastTradedPrice: Rupees;
  /** T1, IST */
  readonly requestTime: string;
  readonly token: string;
}
/** Full quotes of several instruments: the request. */
export interface GetMultiQuotesRequest {
  readonly data: readonly {
    readonly exchange: Exchange;
    /** a special character may be URL-encoded */
    readonly tradingSymbol: string;
  }[];
}
/** Full quotes of several instruments: a row of the answer. */
export interface GetMultiQuotesRow {
  readonly VWAP: Rupees;
  readonly bestBuyOrder1: string;
  readonly bestBuyOrder2: string;
  readonly bestBuyOrder3: string;
  readonly bestBuyOrder4: string;
  readonly bestBuyOrder5: string;
  readonly bestBuyPrice1: Rupees;
  readonly bestBuyPrice2: Rupees;
  readonly bestBuyPrice3: Rupees;
  readonly bestBuyPrice4: Rupees;
  readonly bestBuyPrice5: Rupees;
  readonly bestBuyQuantity1: string;
  readonly bestBuyQuantity2: string;
  readonly bestBuyQuantity3: string;
  readonly bestBuyQuantity4: string;
  readonly bestBuyQuantity5: string;
  readonly bestSellOrder1: string;
  readonly bestSellOrder2: string;
  readonly bestSellOrder3: string;
  readonly bestSellOrder4: string;
  readonly bestSellOrder5: string;
  readonly bestSellPrice1: Rupees;
  readonly bestSellPrice2: Rupees;
  readonly bestSellPrice3: Rupees;
  readonly bestSellPrice4: Rupees;
  readonly bestSellPrice5: Rupees;
  readonly bestSellQuantity1: string;
  readonly bestSellQuantity2: string;
  readonly bestSellQuantity3: string;
  readonly bestSellQuantity4: string;
  readonly bestSellQuantity5: string;
  readonly companyName: string;
  readonly dayClosePrice: Rupees;
  readonly dayHighPrice?: Rupees;
  readonly dayLowPrice?: Rupees;
  readonly dayOpenPrice?: Rupees;
  readonly exchange: Exchange;
  /** exchange:symbol */
  readonly identifier: string;
  /** EQ, OPTIDX, FUTSTK ...; blank for an index */
  readonly instrumentName: string;
  readonly lastTradedPrice: Rupees;
  readonly lotSize: string;
  readonly multipler: string;
  readonly oi: string;
  readonly open?: Rupees;
  readonly openInterest: Rupees;
  readonly priceFactor: string;
  readonly pricePrecision: '2';
  /** T1, IST */
  readonly requestTime: string;
  readonly segment: 'Equity' | 'Options' | 'Futures' | 'Indices';
  readonly symbolName: string;
  readonly tickSize: Rupees;
  readonly token: string;
  readonly totalBuyQuantity: string;
  readonly totalSellQuantity: string;
  readonly tradingSymbol: string;
  readonly volume: string;
}
/** The last traded prices of several instruments: the request. */
export interface GetMultiQuotesLtpRequest {
  readonly data: readonly {
    readonly exchange: Exchange;
    /** a special character may be URL-encoded */
    readonly tradingSymbol: string;
  }[];
}
/** The last traded prices of several instruments: a row of the answer. */
export interface GetMultiQuotesLtpRow {
  readonly companyName: string;
  readonly exchange: Exchange;
  /** exchange:symbol */
  readonly identifier: string;
  readonly lastTradedPrice: Rupees;
  /** T1, IST */
  readonly requestTime: string;
  readonly token: number;
  readonly tradingSymbol: string;
}
/** The master data of one instrument: the request. */
export interface SecurityInfoRequest {
  readonly exchange: Exchange;
  /** a special character may be URL-encoded */
  readonly tradingSymbol: string;
}
/** The master data of one instrument: the answer. */
export interface SecurityInfoData {
  readonly companyName: string;
  readonly exchange: Exchange;
  readonly freezeQuantity: string;
  /** EQ, OPTIDX, FUTSTK ... */
  readonly instrumentName: string;
  readonly lotSize: string;
  readonly mult: string;
  readonly priceFactor: string;
  readonly pricePrecision: '2';
  readonly segment: 'EQT' | 'FNO';
  readonly symbolName: string;
  readonly tickSize: Rupees;
  readonly token: string;
  readonly tradingSymbol: string;
}
/** All indices: a row of the answer. */
export interface IndexListRow {
  readonly exchange: Exchange;
  readonly token: string;
  readonly tradingSymbol: string;
  readonly symbol: string;
  /** descriptive name */
  readonly idxname: string;
}
/** The live expiries of an underlying, ascending: the request. */
export interface GetExpiryRequest {
  readonly exchange: Exchange;
  /** a special character may be URL-encoded */
  readonly tradingSymbol: string;
}
/** The live expiries of an underlying, ascending: the answer. */
export interface GetExpiryData {
  readonly expiryDates: readonly string[];
}
/** Calls and puts around a strike: the request. */
export interface OptionChainRequest {
  readonly exchange: Exchange;
  readonly symbol: string;
  /** DDMONYY or DDMONYYYY */
  readonly expiry: string;
  /** strikes above and below the central one, at most 30 */
  readonly count: string | number;
  readonly strikePrice: Rupees;
}
/** Calls and puts around a strike: a row of the answer. */
export interface OptionChainRow {
  readonly exchange: Exchange;
  readonly lotSize: string;
  readonly optionType: 'CE' | 'PE';
  readonly parentToken: string;
  readonly pricePrecision: '2';
  readonly strikePrice: Rupees;
  readonly tickSize: Rupees;
  readonly token: string;
  readonly tradingSymbol: string;
  readonly lastTradedPrice: Rupees;
}
/** Candles, by minutes or by days: the request. */
export interface TimePriceSeriesRequest {
  readonly exchange: Exchange;
  /** a special character may be URL-encoded */
  readonly tradingSymbol: string;
  /** HH:MM:SS DD-MM-YYYY */
  readonly startTime: string;
  /** HH:MM:SS DD-MM-YYYY, after startTime */
  readonly endTime: string;
  readonly interval: Interval;
}
/** Candles, by minutes or by days: a row of the answer. */
export interface TimePriceSeriesRow {
  /** T4; T1 for daily candles */
  readonly time: string;
  readonly epochTime: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  readonly oi: number;
}
/** Place an order: the request. */
export interface PlaceOrderRequest {
  readonly exchange: Exchange;
  readonly retention: Retention;
  readonly product: Product;
  readonly priceType: PriceType;
  /** a special character may be URL-encoded */
  readonly tradingSymbol: string;
  readonly transactionType: Side;
  /** the limit; 0 for market orders */
  readonly price: Rupees;
  /** the trigger of a stop; 0 for others */
  readonly triggerPrice?: Rupees;
  readonly quantity: string | number;
  readonly remarks: string;
  readonly mkt_protection?: Rupees;
  /** the strategy that decided; kept with the order */
  readonly strategyId?: string;
  /** the device that it runs on; kept with the order */
  readonly deviceId?: string;
}
/** Place an order: the answer. */
export interface PlaceOrderData {
  /** `YYMMDD` and eight digits */
  readonly orderNumber: OrderNumber;
  /** T1, IST */
  readonly requestTime: string;
}
/** Place an order: a row of the answer. */
export interface PlaceOrderSliceRow {
  /** `YYMMDD` and eight digits */
  readonly orderNumber: OrderNumber;
  readonly quantity: string;
  /** T1, IST */
  readonly requestTime: string;
}
/** Modify an open order: the request. */
export interface ModifyOrderRequest {
  readonly orderNumber: OrderNumber;
  readonly exchange?: Exchange;
  readonly product: Product;
  readonly priceType: PriceType;
  /** a special character may be URL-encoded */
  readonly tradingSymbol: string;
  readonly mkt_protection?: Rupees;
  /** 0 for market orders */
  readonly price?: Rupees;
  readonly quantity?: string | number;
  /** needed for stops, 0 for others */
  readonly triggerPrice?: Rupees;
  readonly retention: Retention;
}
/** Modify an open order: the answer. */
export interface ModifyOrderData {
  /** `YYMMDD` and eight digits */
  readonly orderNumber: OrderNumber;
  /** why the order is as it was; absent when it was modified */
  readonly rejreason?: string;
  readonly remarks: string;
  /** T1, IST */
  readonly requestTime: string;
}
/** Cancel an open order: the request. */
export interface CancelOrderRequest {
  readonly orderNumber: OrderNumber;
}
/** Cancel an open order: the answer. */
export interface CancelOrderData {
  /** `YYMMDD` and eight digits */
  readonly orderNumber: OrderNumber;
  /** why the order is as it was; blank when it was cancelled */
  readonly rejreason: string;
  /** T1, IST */
  readonly requestTime: string;
}
/** The steps of one order, newest first: the request. */
export interface SingleOrderHistoryRequest {
  readonly orderNumber: OrderNumber;
}
/** The steps of one order, newest first: a row of the answer. */
export interface SingleOrderHistoryRow {
  readonly averagePrice: Rupees;
  readonly exchange: Exchange;
  /** blank until the exchange took the order */
  readonly exchangeOrderNum: string;
  /** T3, IST */
  readonly exchangeTime: string;
  readonly fillShares: string;
  /** `YYMMDD` and eight digits */
  readonly orderNumber: OrderNumber;
  /** T1, IST */
  readonly orderTime: string;
  readonly price: Rupees;
  readonly priceType: PriceType;
  readonly product: Product;
  readonly quantity: string;
  /** one blank when there is none */
  readonly rejectReason: string;
  readonly remarks: string;
  readonly reportType:
    | 'Pending New'
    | 'New Ack'
    | 'Triggered'
    | 'Fill'
    | 'Replaced'
    | 'Replace Rejected'
    | 'Cancelled'
    | 'Cancel Rejected'
    | 'Rejected';
  readonly retention: Retention;
  readonly status: OrderStatus;
  readonly tickSize: Rupees;
  readonly token: string;
  readonly tradingSymbol: string;
  readonly transactionType: Side;
  readonly userId: string;
}
/** Today's trades, oldest first: a row of the answer. */
export interface TradeBookRow {
  readonly exchange: Exchange;
  /** T2, IST */
  readonly exchangeUpdateTime: string;
  readonly exchordid: string;
  readonly fillId: string;
  /** rupees, with two decimals */
  readonly fillPrice: number;
  readonly fillQuantity: string;
  /** T2, IST */
  readonly fillTime: string;
  readonly fillshares: string;
  readonly lotSize: string;
  /** `YYMMDD` and eight digits */
  readonly orderNumber: OrderNumber;
  /** T1, IST */
  readonly orderTime: string;
  readonly priceFactor: string;
  readonly pricePrecision: '2';
  readonly priceType: PriceType;
  readonly product: Product;
  readonly quantity: string;
  readonly retention: Retention;
  readonly tickSize: Rupees;
  readonly token: string;
  readonly tradingSymbol: string;
  readonly transactionType: Side;
  readonly userId: string;
}
/** Positions of today and carried ones: a row of the answer. */
export interface PositionBookRow {
  readonly RealizedPNL: Rupees;
  readonly cfBuyAmt: Rupees;
  readonly cfBuyQty: string;
  readonly cfSellAmt: Rupees;
  readonly cfSellQty: string;
  readonly dayBuyAmount: Rupees;
  readonly dayBuyAveragePrice: Rupees;
  readonly dayBuyQuantity: string;
  readonly daySellAmount: Rupees;
  readonly daySellAveragePrice: Rupees;
  readonly daySellQuantity: string;
  readonly exchange: Exchange;
  readonly lastTradedPrice: Rupees;
  readonly lotSize: string;
  readonly netAveragePrice: Rupees;
  readonly netQuantity: string;
  readonly netUploadPrice: Rupees;
  readonly product: Product;
  readonly tickSize: Rupees;
  readonly token: string;
  readonly totalMTM: Rupees;
  readonly totalPNL: Rupees;
  readonly tradingSymbol: string;
  readonly unrealizedMTOM: Rupees;
  readonly uploadPrice: Rupees;
  readonly userId: string;
}
/** Shares held: a row of the answer. */
export interface HoldingsRow {
  readonly exchange: Exchange;
  readonly tradingSymbol: string;
}
/** Convert the product of a position: the request. */
export interface ProductConversionRequest {
  /** the product wished for */
  readonly product: Product;
  /** a special character may be URL-encoded */
  readonly tradingSymbol: string;
  readonly exchange: Exchange;
  readonly previousProduct?: Product;
  readonly quantity?: string | number;
  /** 1 Buy and Day (when absent), 2 Buy and CF, 3 Sell and Day, 4 Sell and CF */
  readonly msgFlag?: string | number;
}
/** Convert the product of a position: the answer. */
export interface ProductConversionData {
  /** ok, or why the position is as it was */
  readonly Status: string;
  /** T1, IST */
  readonly requestTime: string;
}
/** The margin of several orders together: the request. */
export interface BasketMarginRequest {
  readonly exchange: Exchange;
  readonly transactionType: Side;
  readonly product: Product;
  /** a special character may be URL-encoded */
  readonly tradingSymbol: string;
  readonly quantity: string | number;
  readonly priceType: PriceType;
  /** passed over for market types */
  readonly price: Rupees;
  readonly BasketList_Params: readonly {
    readonly exchange: Exchange;
    readonly transactionType: Side;
    readonly product: Product;
    /** a special character may be URL-encoded */
    readonly tradingSymbol: string;
    readonly quantity: string | number;
    readonly priceType: PriceType;
    /** passed over for market types */
    readonly price: Rupees;
  }[];
}
/** The margin of several orders together: the answer. */
export interface BasketMarginData {
  readonly BasketMargin: readonly number[];
  readonly MarginOnNewOrder: number;
  readonly PreviousMargin: number;
  readonly Remarks: '' | 'Insufficient Balance';
  readonly TradedMargin: number;
}
/** Account limits: the answer. */
export interface LimitData {
  readonly availableMargin: Rupees;
  readonly brkcollamt: Rupees;
  readonly cash: Rupees;
  readonly collateral: Rupees;
  readonly expo: Rupees;
  readonly marginused: Rupees;
  readonly totalMargin: Rupees;
  readonly payin: Rupees;
  readonly peak_mar: Rupees;
  readonly premium: Rupees;
  /** T1, IST */
  readonly requestTime: string;
  readonly span: Rupees;
}
/** Today's orders, oldest first: a row of the answer. */
export interface OrderBookRow {
  readonly averagePrice: Rupees;
  readonly exchange: Exchange;
  readonly fillShares: string;
  readonly lotSize: string;
  /** `YYMMDD` and eight digits */
  readonly orderNumber: OrderNumber;
  /** seconds since 1970 */
  readonly orderTime: string;
  readonly price: Rupees;
  readonly priceType: PriceType;
  readonly product: Product;
  readonly quantity: string;
  /** one blank when there is none */
  readonly rejectReason: string;
  readonly remarks: string;
  readonly retention: Retention;
  readonly status: OrderStatus;
  readonly tickSize: Rupees;
  readonly token: string;
  readonly tradingSymbol: string;
  readonly transactionType: Side;
  readonly triggerPrice: Rupees;
  readonly userId: string;
  /** as placeOrder had it */
  readonly strategyId?: string;
  /** as placeOrder had it */
  readonly deviceId?: string;
}
/** The full quote of one instrument: the request. */
export interface GetQuoteRequest {
  readonly exchange: Exchange;
  /** a special character may be URL-encoded */
  readonly tradingSymbol: string;
}
/** The full quote of one instrument: the answer. */
export interface GetQuoteData {
  readonly VWAP: Rupees;
  readonly bestBuyOrder1: string;
  readonly bestBuyOrder2: string;
  readonly bestBuyOrder3: string;
  readonly bestBuyOrder4: string;
  readonly bestBuyOrder5: string;
  readonly bestBuyPrice1: Rupees;
  readonly bestBuyPrice2: Rupees;
  readonly bestBuyPrice3: Rupees;
  readonly bestBuyPrice4: Rupees;
  readonly bestBuyPrice5: Rupees;
  readonly bestBuyQuantity1: string;
  readonly bestBuyQuantity2: string;
  readonly bestBuyQuantity3: string;
  readonly bestBuyQuantity4: string;
  readonly bestBuyQuantity5: string;
  readonly bestSellOrder1: string;
  readonly bestSellOrder2: string;
  readonly bestSellOrder3: string;
  readonly bestSellOrder4: string;
  readonly bestSellOrder5: string;
  readonly bestSellPrice1: Rupees;
  readonly bestSellPrice2: Rupees;
  readonly bestSellPrice3: Rupees;
  readonly bestSellPrice4: Rupees;
  readonly bestSellPrice5: Rupees;
  readonly bestSellQuantity1: string;
  readonly bestSellQuantity2: string;
  readonly bestSellQuantity3: string;
  readonly bestSellQuantity4: string;
  readonly bestSellQuantity5: string;
  readonly companyName: string;
  readonly dayClosePrice: Rupees;
  readonly dayHighPrice?: Rupees;
  readonly dayLowPrice?: Rupees;
  readonly dayOpenPrice?: Rupees;
  readonly exchange: Exchange;
  readonly isin?: string;
  readonly lastTradedPrice: Rupees;
  readonly lotSize: string;
  readonly multipler: string;
  readonly oi: string;
  readonly open?: Rupees;
  readonly openInterest: Rupees;
  readonly priceFactor: string;
  readonly pricePrecision: '2';
  /** T1, IST */
  readonly requestTime: string;
  readonly segment: 'Equity' | 'Options' | 'Futures' | 'Indices';
  readonly symbolName: string;
  readonly tickSize: Rupees;
  readonly token: string;
  readonly totalBuyQuantity: string;
  readonly totalSellQuantity: string;
  readonly tradingSymbol: string;
  readonly volume: string;
}
/** Who is logged in: the answer. */
export interface UserDetailsData {
  readonly actid: string;
  readonly email: string;
  readonly exchange: readonly Exchange[];
  readonly orarr: readonly PriceType[];
  /** T1, IST */
  readonly requestTime: string;
  readonly uprev: string;
  readonly userName: string;
}
/** The margin of one order: the request. */
export interface OrderMarginRequest {
  readonly exchange: Exchange;
  readonly transactionType: Side;
  readonly product: Product;
  /** a special character may be URL-encoded */
  readonly tradingSymbol: string;
  readonly quantity: string | number;
  readonly priceType: PriceType;
  /** passed over for market types */
  readonly price: Rupees;
}
/** The margin of one order: the answer. */
export interface OrderMarginData {
  readonly availableMargin: Rupees;
  readonly cash: Rupees;
  readonly marginOnNewOrder: Rupees;
  readonly remarks: '' | 'Insufficient Balance';
  /** T1, IST */
  readonly requestTime: string;
}
/** Shares held, with quantities and cost: a row of the answer. */
export interface HoldingsDetailsRow {
  readonly exchangeTradingSymbol: readonly {
    readonly exchange: Exchange;
    readonly token: string;
    readonly tradingSymbol: string;
    readonly pricePrecision: '2';
    readonly tickSize: Rupees;
    readonly lotSize: string;
  }[];
  readonly sellAmount: Rupees;
  readonly holdQuantity: string;
  /** the part of a pledge that does not count, 1.00 for all of it */
  readonly hairCut: Rupees;
  readonly dpQuantity: string;
  readonly unPledgeQuantity: string;
  readonly uploadPrice: Rupees;
  readonly BTSTQuantity: string;
  readonly usedQuantity: string;
  readonly tradeQuantity: string;
  readonly brokerCollateralQuantity: string;
  readonly beneficiaryQuantity: string;
  readonly collateralQuantity: string;
}
/** What one executed order is charged: the request. */
export interface BrokerageCalculatorRequest {
  readonly exchange: Exchange;
  /** a special character may be URL-encoded */
  readonly tradingSymbol: string;
  readonly transactionType: Side;
  readonly Product: Product;
  readonly quantity: string | number;
  readonly price: Rupees;
  readonly strike_price?: Rupees;
  /** may be sent; the master says it */
  readonly inst_name?: string;
  readonly lot_size?: Rupees;
}
/** What one executed order is charged: the answer. */
export interface BrokerageCalculatorData {
  /** rupees, four decimals */
  readonly brokerage: Rupees;
  /** rupees, four decimals */
  readonly exchange_charge: Rupees;
  /** rupees, four decimals */
  readonly gst: Rupees;
  /** rupees, four decimals */
  readonly sebi_charge: Rupees;
  /** rupees, four decimals */
  readonly stamp_duty: Rupees;
  readonly remarks: '';
}
/** Every operation by its path. */
export interface Operations {
  login: { readonly request: LoginRequest; readonly data: LoginData };
  logout: { readonly request: NoFields; readonly data: undefined };
  searchScrips: { readonly request: SearchScripsRequest; readonly data: readonly SearchScripsRow[] };
  'getQuote/ltp': { readonly request: GetQuoteLtpRequest; readonly data: readonly GetQuoteLtpRow[] };
  getMultiQuotes: { readonly request: GetMultiQuotesRequest; readonly data: readonly GetMultiQuotesRow[] };
  'getMultiQuotes/ltp': { readonly request: GetMultiQuotesLtpRequest; readonly data: readonly GetMultiQuotesLtpRow[] };
  securityInfo: { readonly request: SecurityInfoRequest; readonly data: SecurityInfoData };
  indexList: { readonly request: NoFields; readonly data: readonly IndexListRow[] };
  getExpiry: { readonly request: GetExpiryRequest; readonly data: GetExpiryData };
  optionChain: { readonly request: OptionChainRequest; readonly data: readonly OptionChainRow[] };
  timePriceSeries: { readonly request: TimePriceSeriesRequest; readonly data: readonly TimePriceSeriesRow[] };
  placeOrder: { readonly request: PlaceOrderRequest; readonly data: PlaceOrderData | readonly PlaceOrderSliceRow[] };
  modifyOrder: { readonly request: ModifyOrderRequest; readonly data: ModifyOrderData };
  cancelOrder: { readonly request: CancelOrderRequest; readonly data: CancelOrderData };
  singleOrderHistory: { readonly request: SingleOrderHistoryRequest; readonly data: readonly SingleOrderHistoryRow[] };
  tradeBook: { readonly request: NoFields; readonly data: readonly TradeBookRow[] };
  positionBook: { readonly request: NoFields; readonly data: readonly PositionBookRow[] };
  holdings: { readonly request: NoFields; readonly data: readonly HoldingsRow[] };
  productConversion: { readonly request: ProductConversionRequest; readonly data: ProductConversionData };
  basketMargin: { readonly request: BasketMarginRequest; readonly data: BasketMarginData };
  limit: { readonly request: NoFields; readonly data: LimitData };
  orderBook: { readonly request: NoFields; readonly data: readonly OrderBookRow[] };
  getQuote: { readonly request: GetQuoteRequest; readonly data: GetQuoteData };
  userDetails: { readonly request: NoFields; readonly data: UserDetailsData };
  orderMargin: { readonly request: OrderMarginRequest; readonly data: OrderMarginData };
  holdingsDetails: { readonly request: NoFields; readonly data: readonly HoldingsDetailsRow[] };
  brokerageCalculator: { readonly request: BrokerageCalculatorRequest; readonly data: BrokerageCalculatorData };
}
/** The operations whose requests are one when they carry the same Idempotency-Key. */
export const TAKES_KEY: ReadonlySet<string> = new Set(['placeOrder']);
