/**
 * The requests and answers of the service. Generated from its schemas by `client/generate.ts`: do not edit.
 */

import type { FineRupees, Rupees } from '../money.ts';
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
export const INTERVALS = [
  '1mi',
  '2mi',
  '3mi',
  '5mi',
  '10mi',
  '15mi',
  '20mi',
  '30mi',
  '60mi',
  '120mi',
  '240mi',
  '1d',
] as const;
export type Interval = (typeof INTERVALS)[number];
/** The request of login: log in and receive a session token. */
export interface LoginRequest {
  readonly userId: string;
  /** SHA-256 of the password in hex; the password itself is never sent */
  readonly password: string;
  /** one-time code; not for accounts without TOTP */
  readonly TOTP?: string | number;
  readonly vendorCode: string;
  readonly apiKey: string;
}
/** The answer of login: log in and receive a session token. */
export interface LoginData {
  /** account id */
  readonly actid: string;
  readonly userName: string;
  /** the session token, sent back as jKey */
  readonly susertoken: string;
  readonly email: string;
}
/** The request of searchScrips: search instruments by text. */
export interface SearchScripsRequest {
  readonly stext: string;
}
/** The rows of searchScrips: search instruments by text. */
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
  /** its recorded days, the only ones on which it trades; absent where it always does */
  readonly recordedDays?: string;
}
/** The request of getQuote/ltp: the last traded price of one instrument. */
export interface GetQuoteLtpRequest {
  readonly exchange: Exchange;
  /** a special character may be URL-encoded */
  readonly tradingSymbol: string;
}
/** The rows of getQuote/ltp: the last traded price of one instrument. */
export interface GetQuoteLtpRow {
  readonly companyName: string;
  readonly exchange: Exchange;
  readonly lastTradedPrice: Rupees;
  /** T1, IST */
  readonly requestTime: string;
  readonly token: string;
}
/** The request of getMultiQuotes: full quotes of several instruments. */
export interface GetMultiQuotesRequest {
  readonly data: readonly {
    readonly exchange: Exchange;
    /** a special character may be URL-encoded */
    readonly tradingSymbol: string;
  }[];
}
/** The rows of getMultiQuotes: full quotes of several instruments. */
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
/** The request of getMultiQuotes/ltp: the last traded prices of several instruments. */
export type GetMultiQuotesLtpRequest = GetMultiQuotesRequest;
/** The rows of getMultiQuotes/ltp: the last traded prices of several instruments. */
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
/** The request of securityInfo: the master data of one instrument. */
export interface SecurityInfoRequest {
  readonly exchange: Exchange;
  /** a special character may be URL-encoded */
  readonly tradingSymbol: string;
}
/** The answer of securityInfo: the master data of one instrument. */
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
  /** its recorded days, the only ones on which it trades; absent where it always does */
  readonly recordedDays?: string;
}
/** The rows of indexList: all indices. */
export interface IndexListRow {
  readonly exchange: Exchange;
  readonly token: string;
  readonly tradingSymbol: string;
  readonly symbol: string;
  /** descriptive name */
  readonly idxname: string;
}
/** The request of getExpiry: the live expiries of an underlying, ascending. */
export interface GetExpiryRequest {
  readonly exchange: Exchange;
  /** a special character may be URL-encoded */
  readonly tradingSymbol: string;
}
/** The answer of getExpiry: the live expiries of an underlying, ascending. */
export interface GetExpiryData {
  readonly expiryDates: readonly string[];
}
/** The request of optionChain: calls and puts around a strike. */
export interface OptionChainRequest {
  readonly exchange: Exchange;
  readonly symbol: string;
  /** DDMONYY or DDMONYYYY */
  readonly expiry: string;
  /** strikes above and below the central one, at most 30 */
  readonly count: string | number;
  readonly strikePrice: Rupees;
}
/** The rows of optionChain: calls and puts around a strike. */
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
/** The request of timePriceSeries: candles, by minutes or by days. */
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
/** The rows of timePriceSeries: candles, by minutes or by days. */
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
/** The request of placeOrder: place an order. */
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
  readonly mkt_protection?: string;
  /** the strategy that decided; kept with the order */
  readonly strategyId?: string;
  /** the device that it runs on; kept with the order */
  readonly deviceId?: string;
}
/** The answer of placeOrder: place an order. */
export interface PlaceOrderData {
  /** `YYMMDD`, two digits of the shard and eight that count; older ones lack the two of the shard */
  readonly orderNumber: OrderNumber;
  /** T1, IST */
  readonly requestTime: string;
}
/** The rows of placeOrder: place an order. */
export interface PlaceOrderSliceRow {
  /** `YYMMDD`, two digits of the shard and eight that count; older ones lack the two of the shard */
  readonly orderNumber: OrderNumber;
  readonly quantity: string;
  /** T1, IST */
  readonly requestTime: string;
}
/** The request of modifyOrder: modify an open order. */
export interface ModifyOrderRequest {
  readonly orderNumber: OrderNumber;
  readonly exchange?: Exchange;
  readonly product: Product;
  readonly priceType: PriceType;
  /** a special character may be URL-encoded */
  readonly tradingSymbol: string;
  readonly mkt_protection?: string;
  /** 0 for market orders */
  readonly price?: Rupees;
  readonly quantity?: string | number;
  /** needed for stops, 0 for others */
  readonly triggerPrice?: Rupees;
  readonly retention: Retention;
}
/** The answer of modifyOrder: modify an open order. */
export interface ModifyOrderData {
  /** `YYMMDD`, two digits of the shard and eight that count; older ones lack the two of the shard */
  readonly orderNumber: OrderNumber;
  /** why the order is as it was; absent when it was modified */
  readonly rejreason?: string;
  readonly remarks: string;
  /** T1, IST */
  readonly requestTime: string;
}
/** The request of cancelOrder: cancel an open order. */
export interface CancelOrderRequest {
  readonly orderNumber: OrderNumber;
}
/** The answer of cancelOrder: cancel an open order. */
export interface CancelOrderData {
  /** `YYMMDD`, two digits of the shard and eight that count; older ones lack the two of the shard */
  readonly orderNumber: OrderNumber;
  /** why the order is as it was; blank when it was cancelled */
  readonly rejreason: string;
  /** T1, IST */
  readonly requestTime: string;
}
/** The request of singleOrderHistory: the steps of one order, newest first. */
export interface SingleOrderHistoryRequest {
  readonly orderNumber: OrderNumber;
}
/** The rows of singleOrderHistory: the steps of one order, newest first. */
export interface SingleOrderHistoryRow {
  readonly averagePrice: Rupees;
  readonly exchange: Exchange;
  /** blank until the exchange took the order */
  readonly exchangeOrderNum: string;
  /** T3, IST */
  readonly exchangeTime: string;
  readonly fillShares: string;
  /** `YYMMDD`, two digits of the shard and eight that count; older ones lack the two of the shard */
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
/** The rows of tradeBook: today's trades, oldest first. */
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
  /** `YYMMDD`, two digits of the shard and eight that count; older ones lack the two of the shard */
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
/** The rows of positionBook: positions of today and carried ones. */
export interface PositionBookRow {
  readonly RealizedPNL: Rupees;
  readonly cfBuyAmt: Rupees | '';
  readonly cfBuyQty: string;
  readonly cfSellAmt: Rupees | '';
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
/** The rows of holdings: shares held. */
export interface HoldingsRow {
  readonly exchange: Exchange;
  readonly tradingSymbol: string;
}
/** The request of productConversion: convert the product of a position. */
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
/** The answer of productConversion: convert the product of a position. */
export interface ProductConversionData {
  /** ok, or why the position is as it was */
  readonly Status: string;
  /** T1, IST */
  readonly requestTime: string;
}
/** The request of basketMargin: the margin of several orders together. */
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
  /** of a stop, which is measured as a plain order without it */
  readonly triggerPrice?: Rupees;
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
    /** of a stop, which is measured as a plain order without it */
    readonly triggerPrice?: Rupees;
  }[];
}
/** The answer of basketMargin: the margin of several orders together. */
export interface BasketMarginData {
  readonly BasketMargin: readonly number[];
  readonly MarginOnNewOrder: number;
  readonly PreviousMargin: number;
  readonly Remarks: '' | 'Insufficient Balance';
  readonly TradedMargin: number;
}
/** The answer of limit: account limits. */
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
/** The rows of orderBook: today's orders, oldest first. */
export interface OrderBookRow {
  readonly averagePrice: Rupees;
  readonly exchange: Exchange;
  readonly fillShares: string;
  readonly lotSize: string;
  /** `YYMMDD`, two digits of the shard and eight that count; older ones lack the two of the shard */
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
/** The request of getQuote: the full quote of one instrument. */
export type GetQuoteRequest = GetQuoteLtpRequest;
/** The answer of getQuote: the full quote of one instrument. */
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
/** The answer of userDetails: the user who is logged in. */
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
/** The request of orderMargin: the margin of one order. */
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
  /** of a stop, which is measured as a plain order without it */
  readonly triggerPrice?: Rupees;
}
/** The answer of orderMargin: the margin of one order. */
export interface OrderMarginData {
  readonly availableMargin: Rupees;
  readonly cash: Rupees;
  readonly marginOnNewOrder: Rupees;
  readonly remarks: '' | 'Insufficient Balance';
  /** T1, IST */
  readonly requestTime: string;
}
/** The rows of holdingsDetails: shares held, with quantities and cost. */
export interface HoldingsDetailsRow {
  readonly exchangeTradingSymbol: readonly {
    readonly exchange: Exchange;
    readonly token: string;
    readonly tradingSymbol: string;
    readonly pricePrecision: '2';
    readonly tickSize: Rupees;
    readonly lotSize: string;
  }[];
  readonly sellAmount: FineRupees;
  readonly holdQuantity: string;
  /** the part of a pledge that does not count, 1.00 for all of it */
  readonly hairCut: string;
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
/** The request of brokerageCalculator: charges of one executed order. */
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
  readonly lot_size?: string;
}
/** The answer of brokerageCalculator: charges of one executed order. */
export interface BrokerageCalculatorData {
  /** rupees, four decimals */
  readonly brokerage: FineRupees;
  /** rupees, four decimals */
  readonly exchange_charge: FineRupees;
  /** rupees, four decimals */
  readonly gst: FineRupees;
  /** rupees, four decimals */
  readonly sebi_charge: FineRupees;
  /** rupees, four decimals */
  readonly stamp_duty: FineRupees;
  readonly remarks: '';
}
/** The request of optionChainGreeks: calls and puts around a strike, or all of them, with their greeks. */
export interface OptionChainGreeksRequest {
  readonly exchange: Exchange;
  readonly symbol: string;
  /** DDMONYY or DDMONYYYY */
  readonly expiry: string;
  /** strikes above and below the central one, at most 30, or ALL */
  readonly count: string | number;
  readonly strikePrice?: Rupees;
}
/** The rows of optionChainGreeks: calls and puts around a strike, or all of them, with their greeks. */
export interface OptionChainGreeksRow {
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
  /** per rupee of the forward */
  readonly delta: string;
  /** the change of delta per rupee of the forward */
  readonly gamma: string;
  /** rupees a calendar day */
  readonly theta: string;
  /** rupees a point of volatility */
  readonly vega: string;
  /** rupees a percent of rate, the forward fixed */
  readonly rho: string;
  /** annual volatility in percent */
  readonly iv: Rupees;
  readonly oi: string;
}
/** The request of placeGttOrder: place an order that waits for a price over days, or two of which one is placed. */
export interface PlaceGttOrderRequest {
  /** a special character may be URL-encoded */
  readonly tradingSymbol: string;
  readonly exchange: Exchange;
  readonly validity: 'GTT';
  readonly remarks?: string;
  readonly OrderParams: {
    readonly exchange?: Exchange;
    readonly retention: Retention;
    readonly product: Product;
    readonly priceType: PriceType;
    /** a special character may be URL-encoded */
    readonly tradingSymbol?: string;
    readonly transactionType: Side;
    /** the limit; 0 for market orders */
    readonly price: Rupees;
    /** the trigger of a stop; passed over for others */
    readonly triggerPrice?: Rupees;
    readonly quantity: string | number;
    readonly remarks?: string;
  };
  readonly OrderParams2?: {
    readonly exchange?: Exchange;
    readonly retention: Retention;
    readonly product: Product;
    readonly priceType: PriceType;
    /** a special character may be URL-encoded */
    readonly tradingSymbol?: string;
    readonly transactionType: Side;
    /** the limit; 0 for market orders */
    readonly price: Rupees;
    /** the trigger of a stop; passed over for others */
    readonly triggerPrice?: Rupees;
    readonly quantity: string | number;
    readonly remarks?: string;
  };
  /** the last traded price at which the order is placed */
  readonly value: Rupees;
  /** the same for the second leg, on the other side of the last price */
  readonly value2?: Rupees;
}
/** The answer of placeGttOrder: place an order that waits for a price over days, or two of which one is placed. */
export interface PlaceGttOrderData {
  /** `YYMMDD`, two digits of the shard and eight that count; older ones lack the two of the shard */
  readonly GTTid: string;
  /** T1, IST */
  readonly requestTime: string;
}
/** The request of modifyGttOrder: modify an active GTT. */
export interface ModifyGttOrderRequest {
  /** a special character may be URL-encoded */
  readonly tradingSymbol: string;
  readonly exchange: Exchange;
  readonly validity: 'GTT';
  readonly remarks?: string;
  readonly OrderParams: {
    readonly exchange?: Exchange;
    readonly retention: Retention;
    readonly product: Product;
    readonly priceType: PriceType;
    /** a special character may be URL-encoded */
    readonly tradingSymbol?: string;
    readonly transactionType: Side;
    /** the limit; 0 for market orders */
    readonly price: Rupees;
    /** the trigger of a stop; passed over for others */
    readonly triggerPrice?: Rupees;
    readonly quantity: string | number;
    readonly remarks?: string;
  };
  readonly OrderParams2?: {
    readonly exchange?: Exchange;
    readonly retention: Retention;
    readonly product: Product;
    readonly priceType: PriceType;
    /** a special character may be URL-encoded */
    readonly tradingSymbol?: string;
    readonly transactionType: Side;
    /** the limit; 0 for market orders */
    readonly price: Rupees;
    /** the trigger of a stop; passed over for others */
    readonly triggerPrice?: Rupees;
    readonly quantity: string | number;
    readonly remarks?: string;
  };
  readonly GTTid: string | number;
  /** the last traded price at which the order is placed; stays when it is left out */
  readonly value?: Rupees;
  /** the same for the second leg */
  readonly value2?: Rupees;
}
/** The answer of modifyGttOrder: modify an active GTT. */
export interface ModifyGttOrderData {
  /** `YYMMDD`, two digits of the shard and eight that count; older ones lack the two of the shard */
  readonly GTTid: string;
  /** T1, IST */
  readonly requestTime: string;
}
/** The request of cancelGttOrder: cancel an active GTT. */
export interface CancelGttOrderRequest {
  readonly GTTid: string | number;
}
/** The answer of cancelGttOrder: cancel an active GTT. */
export interface CancelGttOrderData {
  /** `YYMMDD`, two digits of the shard and eight that count; older ones lack the two of the shard */
  readonly GTTid: string;
  /** T1, IST */
  readonly requestTime: string;
}
/** The rows of GttOrderBook: the GTTs of the account, oldest first. */
export interface GttOrderBookRow {
  /** `YYMMDD`, two digits of the shard and eight that count; older ones lack the two of the shard */
  readonly GTTid: string;
  readonly status: 'ACTIVE' | 'TRIGGERED' | 'FIRED' | 'REJECTED' | 'CANCELLED' | 'EXPIRED';
  /** why its order was refused, or why it ended without one; else blank */
  readonly reason: string;
  readonly exchange: Exchange;
  readonly tradingSymbol: string;
  readonly token: string;
  readonly validity: 'GTT';
  readonly legs: string;
  readonly value: Rupees;
  /** whether the price must rise or fall to the trigger */
  readonly condition: 'ABOVE' | 'BELOW';
  readonly value2?: Rupees;
  /** whether the price must rise or fall to the trigger */
  readonly condition2?: 'ABOVE' | 'BELOW';
  readonly remarks: string;
  /** T1, IST */
  readonly createdAt: string;
  /** T1, IST */
  readonly updatedAt: string;
  /** T1, IST */
  readonly validTill: string;
  /** the leg that fired, or blank */
  readonly firedLeg: string;
  readonly firedPrice: Rupees | '';
  /** T1, IST; blank for none */
  readonly firedAt: string;
  readonly orderNumber: OrderNumber | '';
  readonly OrderParams: {
    readonly exchange: Exchange;
    readonly tradingSymbol: string;
    readonly transactionType: Side;
    readonly product: Product;
    readonly priceType: PriceType;
    readonly retention: Retention;
    readonly quantity: string;
    readonly price: Rupees;
    readonly triggerPrice: Rupees;
    readonly remarks: string;
  };
  readonly OrderParams2?: {
    readonly exchange: Exchange;
    readonly tradingSymbol: string;
    readonly transactionType: Side;
    readonly product: Product;
    readonly priceType: PriceType;
    readonly retention: Retention;
    readonly quantity: string;
    readonly price: Rupees;
    readonly triggerPrice: Rupees;
    readonly remarks: string;
  };
}
/** The request of basketOrder: place several orders. */
export interface BasketOrderRequest {
  readonly legs: readonly {
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
    readonly mkt_protection?: string;
    /** the strategy that decided; kept with the order */
    readonly strategyId?: string;
    /** the device that it runs on; kept with the order */
    readonly deviceId?: string;
  }[];
}
/** The rows of basketOrder: place several orders. */
export interface BasketOrderRow {
  /** blank for a leg that was not taken */
  readonly orderNumber: OrderNumber | '';
  /** why the leg was not taken; absent when it was */
  readonly rejreason?: string;
  /** T1, IST */
  readonly requestTime: string;
}
/** The request of placeAMO: place an order, for the next session of an instrument that is closed. */
export type PlaceAMORequest = PlaceOrderRequest;
/** The answer of placeAMO: place an order, for the next session of an instrument that is closed. */
export type PlaceAMOData = PlaceOrderData;
/** The rows of placeAMO: place an order, for the next session of an instrument that is closed. */
export type PlaceAMOSliceRow = PlaceOrderSliceRow;
/** The request of placeAfterMarketOrder: placeAMO by its other name. */
export type PlaceAfterMarketOrderRequest = PlaceOrderRequest;
/** The answer of placeAfterMarketOrder: placeAMO by its other name. */
export type PlaceAfterMarketOrderData = PlaceOrderData;
/** The rows of placeAfterMarketOrder: placeAMO by its other name. */
export type PlaceAfterMarketOrderSliceRow = PlaceOrderSliceRow;
/** The request of modifyAMO: modify an order that waits for its session, or an open one. */
export interface ModifyAMORequest {
  readonly orderNumber: OrderNumber;
  readonly quantity?: string | number;
  /** 0 for market orders */
  readonly price?: Rupees;
  readonly priceType: PriceType;
  readonly product: Product;
  /** needed for stops, 0 for others */
  readonly triggerPrice?: Rupees;
  readonly mkt_protection?: string;
  readonly exchange?: Exchange;
  /** a special character may be URL-encoded */
  readonly tradingSymbol?: string;
  readonly retention?: Retention;
}
/** The answer of modifyAMO: modify an order that waits for its session, or an open one. */
export interface ModifyAMOData {
  /** `YYMMDD`, two digits of the shard and eight that count; older ones lack the two of the shard */
  readonly orderNumber: OrderNumber;
  /** why the order is as it was; absent when it was modified */
  readonly rejreason?: string;
  /** T1, IST */
  readonly requestTime: string;
}
/** The request of modifyAfterMarketOrder: modifyAMO by its other name. */
export type ModifyAfterMarketOrderRequest = ModifyAMORequest;
/** The answer of modifyAfterMarketOrder: modifyAMO by its other name. */
export type ModifyAfterMarketOrderData = ModifyAMOData;
/** The answer of combinedHoldings: shares and funds held, with cost, value and sums. */
export interface CombinedHoldingsData {
  readonly mutualFunds: {
    readonly holdings: readonly {
      readonly exchange: Exchange;
      readonly tradingSymbol: string;
      readonly isin: string;
      /** settled and unsettled, pledged ones among them */
      readonly quantity: number;
      /** rupees */
      readonly averagePrice: number;
      /** rupees */
      readonly lastTradedPrice: number;
      /** rupees */
      readonly investedValue: number;
      /** rupees, at last prices */
      readonly currentValue: number;
      /** rupees */
      readonly pnl: number;
      /** of the invested value; 0 when nothing was invested */
      readonly pnlPercent: number;
    }[];
    /** rupees */
    readonly investedValue: number;
    /** rupees, at last prices */
    readonly currentValue: number;
    /** rupees */
    readonly pnl: number;
    /** of the invested value; 0 when nothing was invested */
    readonly pnlPercent: number;
  };
  readonly stocks: {
    readonly holdings: readonly {
      readonly exchange: Exchange;
      readonly tradingSymbol: string;
      readonly isin: string;
      /** settled and unsettled, pledged ones among them */
      readonly quantity: number;
      /** rupees */
      readonly averagePrice: number;
      /** rupees */
      readonly lastTradedPrice: number;
      /** rupees */
      readonly investedValue: number;
      /** rupees, at last prices */
      readonly currentValue: number;
      /** rupees */
      readonly pnl: number;
      /** of the invested value; 0 when nothing was invested */
      readonly pnlPercent: number;
    }[];
    /** rupees */
    readonly investedValue: number;
    /** rupees, at last prices */
    readonly currentValue: number;
    /** rupees */
    readonly pnl: number;
    /** of the invested value; 0 when nothing was invested */
    readonly pnlPercent: number;
  };
  readonly combinedHoldings: {
    /** rupees */
    readonly investedValue: number;
    /** rupees, at last prices */
    readonly currentValue: number;
    /** rupees */
    readonly pnl: number;
    /** of the invested value; 0 when nothing was invested */
    readonly pnlPercent: number;
  };
}
/** The answer of getMarketStatus: the phase of each exchange, and the next one. */
export interface GetMarketStatusData {
  /** T1, IST */
  readonly marketTime: string;
  /** seconds of the market in a second of the wall */
  readonly speed: string;
  readonly exchanges: readonly {
    readonly exchange: Exchange;
    /** of shares with contracts in cash, of options in derivatives */
    readonly phase:
      | 'Closed'
      | 'PreOpen'
      | 'PreOpenLimitOnly'
      | 'PreOpenMatching'
      | 'Buffer'
      | 'Continuous'
      | 'ClosingReference'
      | 'ClosingEntry'
      | 'ClosingLimitOnly'
      | 'ClosingMatching'
      | 'PostClose'
      | 'Halted';
    /** true in continuous trading */
    readonly isOpen: 'true' | 'false';
    /** blank where none is known */
    readonly nextPhase:
      | ''
      | 'Closed'
      | 'PreOpen'
      | 'PreOpenLimitOnly'
      | 'PreOpenMatching'
      | 'Buffer'
      | 'Continuous'
      | 'ClosingReference'
      | 'ClosingEntry'
      | 'ClosingLimitOnly'
      | 'ClosingMatching'
      | 'PostClose';
    /** T1, IST; blank for none */
    readonly nextAt: string;
  }[];
  /** T1, IST */
  readonly requestTime: string;
}
/** The request of getInstrument: an instrument, and how it may be traded now. */
export type GetInstrumentRequest = GetQuoteLtpRequest;
/** The answer of getInstrument: an instrument, and how it may be traded now. */
export interface GetInstrumentData {
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
  /** its recorded days, the only ones on which it trades; absent where it always does */
  readonly recordedDays?: string;
  readonly products: readonly Product[];
  readonly priceTypes: readonly PriceType[];
  readonly retentions: readonly Retention[];
  readonly upperCircuit: Rupees | '';
  readonly lowerCircuit: Rupees | '';
  /** where an order goes that comes now */
  readonly orders: 'EXCHANGE' | 'WAIT' | 'REFUSED';
  /** DD-MM-YYYY; blank unless an order waits */
  readonly waitsFor: string;
  /** why no order is taken; blank when one is */
  readonly reason: string;
  /** DDMONYYYY; blank for none */
  readonly expiry: string;
  readonly strikePrice: Rupees | '';
  readonly optionType: '' | 'CE' | 'PE';
  /** the `symbol` of optionChain; blank without contracts */
  readonly underlying: string;
  readonly underlyingExchange: '' | 'NSE' | 'BSE' | 'NFO' | 'BFO';
  readonly underlyingSymbol: string;
  readonly contractExchange: '' | 'NSE' | 'BSE' | 'NFO' | 'BFO';
}
/** The request of cancelAllOrders: cancel all open orders, or those in an exchange or an instrument. */
export interface CancelAllOrdersRequest {
  readonly exchange?: Exchange;
  /** of the exchange, which is needed then */
  readonly tradingSymbol?: string;
}
/** The answer of cancelAllOrders: cancel all open orders, or those in an exchange or an instrument. */
export interface CancelAllOrdersData {
  readonly cancelled: readonly {
    /** `YYMMDD`, two digits of the shard and eight that count; older ones lack the two of the shard */
    readonly orderNumber: OrderNumber;
  }[];
  readonly refused: readonly {
    /** `YYMMDD`, two digits of the shard and eight that count; older ones lack the two of the shard */
    readonly orderNumber: OrderNumber;
    /** why the order is as it was */
    readonly reason: string;
  }[];
  readonly left: string;
  /** T1, IST */
  readonly requestTime: string;
}
/** The request of exitAllPositions: close all positions at the market, or those of a product. */
export interface ExitAllPositionsRequest {
  /** all products when absent */
  readonly product?: Product;
}
/** The answer of exitAllPositions: close all positions at the market, or those of a product. */
export interface ExitAllPositionsData {
  readonly orders: readonly {
    readonly exchange: Exchange;
    readonly tradingSymbol: string;
    readonly product: Product;
    /** `YYMMDD`, two digits of the shard and eight that count; older ones lack the two of the shard */
    readonly orderNumber: OrderNumber;
  }[];
  readonly refused: readonly {
    readonly exchange: Exchange;
    readonly tradingSymbol: string;
    readonly product: Product;
    /** the order that was refused, or that could not be cancelled; else blank */
    readonly orderNumber: OrderNumber | '';
    readonly reason: string;
  }[];
  readonly cancelled: readonly {
    /** `YYMMDD`, two digits of the shard and eight that count; older ones lack the two of the shard */
    readonly orderNumber: OrderNumber;
  }[];
  readonly left: string;
  /** T1, IST */
  readonly requestTime: string;
}
/** The request of getOrderWhy: how an order and its modifications were judged, check by check. */
export interface GetOrderWhyRequest {
  readonly orderNumber: OrderNumber;
}
/** The answer of getOrderWhy: how an order and its modifications were judged, check by check. */
export interface GetOrderWhyData {
  /** `YYMMDD`, two digits of the shard and eight that count; older ones lack the two of the shard */
  readonly orderNumber: OrderNumber;
  readonly userId: string;
  readonly exchange: Exchange;
  readonly tradingSymbol: string;
  readonly transactionType: Side;
  readonly product: Product;
  readonly steps: readonly {
    readonly step: 'placement' | 'modification';
    /** IST */
    readonly at: string;
    readonly record: string;
    readonly priceType: PriceType;
    readonly retention: Retention;
    readonly quantity: string;
    readonly price: Rupees;
    readonly triggerPrice: Rupees | '';
    readonly outcome: 'admitted' | 'refused';
    /** the words that the client was given; blank when it was admitted */
    readonly reason: string;
    readonly checks: readonly {
      /** the condition that holds when the check passes */
      readonly check: string;
      readonly rule: string;
      readonly outcome: 'passed' | 'refused' | 'unasked';
      readonly figures: readonly {
        readonly name: string;
        readonly value: string;
      }[];
    }[];
  }[];
  readonly outcomes?: readonly {
    /** IST */
    readonly at: string;
    readonly record: string;
    /** the outcome that was asked for, or that happened on demand */
    readonly outcome: string;
  }[];
}
/** The answer of getResults: the result of the day by position, by underlying and together, with charges. */
export interface GetResultsData {
  readonly rows: readonly {
    readonly exchange: Exchange;
    readonly tradingSymbol: string;
    readonly token: string;
    readonly product: Product;
    readonly underlying: string;
    readonly netQuantity: string;
    readonly averagePrice: Rupees;
    readonly lastTradedPrice: Rupees;
    readonly realised: Rupees;
    readonly open: Rupees;
    readonly total: Rupees;
  }[];
  readonly underlyings: readonly {
    readonly underlying: string;
    readonly realised: Rupees;
    readonly open: Rupees;
    readonly total: Rupees;
  }[];
  readonly realised: Rupees;
  readonly open: Rupees;
  readonly total: Rupees;
  readonly charges: Rupees;
  readonly net: Rupees;
  /** T1, IST */
  readonly requestTime: string;
}
/** The answer of getFunds: every figure of limit with its entries, and margin by underlying. */
export interface GetFundsData {
  readonly underlyings: readonly {
    readonly exchange: Exchange;
    readonly underlying: string;
    readonly scan: Rupees;
    readonly spreadCharge: Rupees;
    readonly shortMinimum: Rupees;
    readonly netOptionValue: Rupees;
    readonly span: Rupees;
    readonly exposure: Rupees;
    readonly premium: Rupees;
    readonly cashSegment: Rupees;
    readonly total: Rupees;
  }[];
  readonly figures: readonly {
    readonly name: string;
    readonly amount: Rupees;
    readonly entries: readonly {
      /** T1, IST; blank for sums and balances */
      readonly time: string;
      readonly text: string;
      readonly amount: Rupees;
    }[];
  }[];
  /** T1, IST */
  readonly requestTime: string;
}
/** The answer of getHoldings: shares held, with value, change of the day, collateral and sums. */
export interface GetHoldingsData {
  readonly rows: readonly {
    readonly exchange: Exchange;
    readonly tradingSymbol: string;
    readonly token: string;
    readonly isin: string;
    readonly quantity: string;
    readonly unsettled: string;
    readonly pledged: string;
    readonly used: string;
    readonly salable: string;
    readonly averagePrice: Rupees;
    readonly lastTradedPrice: Rupees;
    readonly previousClose: Rupees;
    readonly invested: Rupees;
    readonly value: Rupees;
    readonly result: Rupees;
    readonly dayChange: Rupees;
    readonly collateral: Rupees;
  }[];
  readonly invested: Rupees;
  readonly value: Rupees;
  readonly result: Rupees;
  readonly dayChange: Rupees;
  readonly collateral: Rupees;
  /** T1, IST */
  readonly requestTime: string;
}
/** The request of getDayCurve: the result of the day as a curve, with drawdown, together and by underlying. */
export interface GetDayCurveRequest {
  /** at least; 1mi when absent */
  readonly interval?: '1mi' | '2mi' | '3mi' | '5mi' | '10mi' | '15mi' | '20mi' | '30mi' | '60mi' | '120mi' | '240mi';
}
/** The answer of getDayCurve: the result of the day as a curve, with drawdown, together and by underlying. */
export interface GetDayCurveData {
  readonly points: readonly {
    /** T1, IST */
    readonly time: string;
    readonly realised: Rupees;
    readonly open: Rupees;
    readonly total: Rupees;
    readonly drawdown: Rupees;
  }[];
  /** the time between two points */
  readonly interval: string;
  readonly underlyings: readonly {
    readonly underlying: string;
    readonly points: readonly {
      /** T1, IST */
      readonly time: string;
      readonly total: Rupees;
    }[];
  }[];
  readonly greatestDrawdown: Rupees;
  /** T1, IST */
  readonly requestTime: string;
}
/** The answer of getTradeCharges: the charges of today's trades, levy by levy, oldest first. */
export interface GetTradeChargesData {
  readonly rows: readonly {
    /** `YYMMDD`, two digits of the shard and eight that count; older ones lack the two of the shard */
    readonly orderNumber: OrderNumber;
    readonly fillId: string;
    readonly exchange: Exchange;
    readonly tradingSymbol: string;
    readonly transactionType: Side;
    readonly quantity: string;
    readonly price: Rupees;
    readonly value: Rupees;
    readonly brokerage: Rupees;
    readonly transaction: Rupees;
    readonly investorProtection: Rupees;
    readonly sebi: Rupees;
    readonly clearing: Rupees;
    readonly gst: Rupees;
    readonly stt: Rupees;
    readonly stamp: Rupees;
    readonly total: Rupees;
  }[];
  readonly totals: {
    readonly value: Rupees;
    readonly brokerage: Rupees;
    readonly transaction: Rupees;
    readonly investorProtection: Rupees;
    readonly sebi: Rupees;
    readonly clearing: Rupees;
    readonly gst: Rupees;
    readonly stt: Rupees;
    readonly stamp: Rupees;
    readonly total: Rupees;
  };
  readonly others: readonly {
    readonly text: string;
    readonly amount: Rupees;
  }[];
  readonly charges: Rupees;
  /** T1, IST */
  readonly requestTime: string;
}
/** The request of previewOrders: checks, margins, charges and funds of orders that are not placed. */
export interface PreviewOrdersRequest {
  readonly orders: readonly {
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
    readonly mkt_protection?: string;
  }[];
}
/** The answer of previewOrders: checks, margins, charges and funds of orders that are not placed. */
export interface PreviewOrdersData {
  readonly orders: readonly {
    readonly outcome: 'admitted' | 'refused';
    /** the check that refuses; blank when admitted */
    readonly check: string;
    /** the rule of that check */
    readonly rule: string;
    /** the words of the refusal; blank when admitted */
    readonly reason: string;
    /** the limit, or the protected price */
    readonly price: Rupees;
    /** units that trade at once */
    readonly filled: string;
    readonly marginAlone: Rupees;
    readonly charges: Rupees;
    readonly warnings: readonly string[];
    /** the number of orders that placeOrder makes of it */
    readonly slices: string;
  }[];
  readonly margin: Rupees;
  readonly sumAlone: Rupees;
  readonly peak: Rupees;
  readonly bestOrder: readonly string[];
  readonly bestPeak: Rupees;
  readonly charges: Rupees;
  readonly availableMargin: Rupees;
  readonly availableAfter: Rupees;
  readonly marginUsed: Rupees;
  readonly marginUsedAfter: Rupees;
  readonly blocked: Rupees;
  /** T1, IST */
  readonly requestTime: string;
}
/** The request of getStrategy: payoff, breakevens and greeks of legs on one underlying. */
export interface GetStrategyRequest {
  readonly legs: readonly {
    readonly exchange: Exchange;
    /** a special character may be URL-encoded */
    readonly tradingSymbol: string;
    readonly transactionType: Side;
    readonly quantity: string | number;
    /** at which it is entered; the last price when absent */
    readonly price?: Rupees;
  }[];
}
/** The answer of getStrategy: payoff, breakevens and greeks of legs on one underlying. */
export interface GetStrategyData {
  readonly underlying: string;
  readonly spot: Rupees;
  /** DDMONYYYY; blank when no leg expires */
  readonly nearestExpiry: string;
  readonly points: readonly {
    readonly price: Rupees;
    readonly atExpiry: Rupees;
    readonly today: Rupees;
  }[];
  readonly breakevens: readonly Rupees[];
  readonly greatestProfit: Rupees | '';
  readonly greatestLoss: Rupees | '';
  readonly netPremium: Rupees;
  /** per rupee of the forward */
  readonly delta: string;
  /** the change of delta per rupee of the forward */
  readonly gamma: string;
  /** rupees a calendar day */
  readonly theta: string;
  /** rupees a point of volatility */
  readonly vega: string;
  readonly legs: readonly {
    readonly exchange: Exchange;
    readonly tradingSymbol: string;
    readonly transactionType: Side;
    readonly quantity: string;
    readonly price: Rupees;
    /** percent; blank for a share and a future */
    readonly impliedVolatility: string;
    /** per rupee of the forward */
    readonly delta: string;
    /** the change of delta per rupee of the forward */
    readonly gamma: string;
    /** rupees a calendar day */
    readonly theta: string;
    /** rupees a point of volatility */
    readonly vega: string;
  }[];
  /** T1, IST */
  readonly requestTime: string;
}
/** The request of getQueuePlaces: the units in front of each resting order. */
export interface GetQueuePlacesRequest {
  readonly exchange?: Exchange;
  /** of the exchange, which is needed then */
  readonly tradingSymbol?: string;
}
/** The rows of getQueuePlaces: the units in front of each resting order. */
export interface GetQueuePlacesRow {
  /** `YYMMDD`, two digits of the shard and eight that count; older ones lack the two of the shard */
  readonly orderNumber: OrderNumber;
  readonly exchange: Exchange;
  readonly tradingSymbol: string;
  readonly transactionType: Side;
  readonly price: Rupees;
  readonly quantity: string;
  readonly ahead: string;
}
/** The request of getPlacement: the orders of one placement, by its Idempotency-Key. */
export interface GetPlacementRequest {
  /** the Idempotency-Key of placeOrder or basketOrder */
  readonly idempotencyKey: string;
}
/** The answer of getPlacement: the orders of one placement, by its Idempotency-Key. */
export interface GetPlacementData {
  readonly orders: readonly {
    /** `YYMMDD`, two digits of the shard and eight that count; older ones lack the two of the shard */
    readonly orderNumber: OrderNumber;
  }[];
  /** T1, IST */
  readonly requestTime: string;
}
/** The rows of getWatchlists: the watchlists of the user, in the order in which they were created. */
export interface GetWatchlistsRow {
  readonly name: string;
  readonly instruments: readonly {
    readonly exchange: Exchange;
    readonly tradingSymbol: string;
    readonly token: string;
  }[];
}
/** The request of saveWatchlist: create a watchlist, or replace the one of that name. */
export interface SaveWatchlistRequest {
  /** 1 to 64 visible characters */
  readonly name: string;
  readonly instruments: readonly {
    readonly exchange: Exchange;
    /** a special character may be URL-encoded */
    readonly tradingSymbol: string;
  }[];
}
/** The answer of saveWatchlist: create a watchlist, or replace the one of that name. */
export interface SaveWatchlistData {
  /** the name of the list */
  readonly name: string;
  /** T1, IST */
  readonly requestTime: string;
}
/** The request of deleteWatchlist: delete a watchlist. */
export interface DeleteWatchlistRequest {
  /** 1 to 64 visible characters */
  readonly name: string;
}
/** The answer of deleteWatchlist: delete a watchlist. */
export type DeleteWatchlistData = SaveWatchlistData;
/** The request of placeAlert: place a price alert. */
export interface PlaceAlertRequest {
  readonly exchange: Exchange;
  /** a special character may be URL-encoded */
  readonly tradingSymbol: string;
  /** the last traded price is at the price or above it, at the price or below it */
  readonly condition: 'ABOVE' | 'BELOW';
  readonly price: Rupees;
  readonly remarks?: string;
}
/** The answer of placeAlert: place a price alert. */
export interface PlaceAlertData {
  readonly alertId: string;
  /** T1, IST */
  readonly requestTime: string;
}
/** The rows of getAlerts: the active alerts of the user and the last ones that ended, oldest first. */
export interface GetAlertsRow {
  readonly alertId: string;
  readonly exchange: Exchange;
  readonly tradingSymbol: string;
  readonly token: string;
  /** at the price or above it, at the price or below it */
  readonly condition: 'ABOVE' | 'BELOW';
  readonly price: Rupees;
  readonly remarks: string;
  readonly status: 'ACTIVE' | 'FIRED' | 'CANCELLED' | 'EXPIRED';
  /** T1, IST */
  readonly createdAt: string;
  /** T1, IST; blank unless it fired */
  readonly firedAt: string;
  readonly firedPrice: Rupees | '';
}
/** The request of cancelAlert: cancel an active alert. */
export interface CancelAlertRequest {
  readonly alertId: string | number;
}
/** The answer of cancelAlert: cancel an active alert. */
export interface CancelAlertData {
  readonly alertId: string;
  /** T1, IST */
  readonly requestTime: string;
}
/** The rows of demoUsers: the demo users who log in without credentials. */
export interface DemoUsersRow {
  readonly userId: string;
  readonly name: string;
}
/** The request of demoLogin: log a demo user in without credentials. */
export interface DemoLoginRequest {
  readonly userId: string;
}
/** The answer of demoLogin: log a demo user in without credentials. */
export type DemoLoginData = LoginData;
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
  optionChainGreeks: { readonly request: OptionChainGreeksRequest; readonly data: readonly OptionChainGreeksRow[] };
  placeGttOrder: { readonly request: PlaceGttOrderRequest; readonly data: PlaceGttOrderData };
  modifyGttOrder: { readonly request: ModifyGttOrderRequest; readonly data: ModifyGttOrderData };
  cancelGttOrder: { readonly request: CancelGttOrderRequest; readonly data: CancelGttOrderData };
  GttOrderBook: { readonly request: NoFields; readonly data: readonly GttOrderBookRow[] };
  basketOrder: { readonly request: BasketOrderRequest; readonly data: readonly BasketOrderRow[] };
  placeAMO: { readonly request: PlaceAMORequest; readonly data: PlaceAMOData | readonly PlaceAMOSliceRow[] };
  placeAfterMarketOrder: {
    readonly request: PlaceAfterMarketOrderRequest;
    readonly data: PlaceAfterMarketOrderData | readonly PlaceAfterMarketOrderSliceRow[];
  };
  modifyAMO: { readonly request: ModifyAMORequest; readonly data: ModifyAMOData };
  modifyAfterMarketOrder: {
    readonly request: ModifyAfterMarketOrderRequest;
    readonly data: ModifyAfterMarketOrderData;
  };
  combinedHoldings: { readonly request: NoFields; readonly data: CombinedHoldingsData };
  getMarketStatus: { readonly request: NoFields; readonly data: GetMarketStatusData };
  getInstrument: { readonly request: GetInstrumentRequest; readonly data: GetInstrumentData };
  cancelAllOrders: { readonly request: CancelAllOrdersRequest; readonly data: CancelAllOrdersData };
  exitAllPositions: { readonly request: ExitAllPositionsRequest; readonly data: ExitAllPositionsData };
  getOrderWhy: { readonly request: GetOrderWhyRequest; readonly data: GetOrderWhyData };
  getResults: { readonly request: NoFields; readonly data: GetResultsData };
  getFunds: { readonly request: NoFields; readonly data: GetFundsData };
  getHoldings: { readonly request: NoFields; readonly data: GetHoldingsData };
  getDayCurve: { readonly request: GetDayCurveRequest; readonly data: GetDayCurveData };
  getTradeCharges: { readonly request: NoFields; readonly data: GetTradeChargesData };
  previewOrders: { readonly request: PreviewOrdersRequest; readonly data: PreviewOrdersData };
  getStrategy: { readonly request: GetStrategyRequest; readonly data: GetStrategyData };
  getQueuePlaces: { readonly request: GetQueuePlacesRequest; readonly data: readonly GetQueuePlacesRow[] };
  getPlacement: { readonly request: GetPlacementRequest; readonly data: GetPlacementData };
  getWatchlists: { readonly request: NoFields; readonly data: readonly GetWatchlistsRow[] };
  saveWatchlist: { readonly request: SaveWatchlistRequest; readonly data: SaveWatchlistData };
  deleteWatchlist: { readonly request: DeleteWatchlistRequest; readonly data: DeleteWatchlistData };
  placeAlert: { readonly request: PlaceAlertRequest; readonly data: PlaceAlertData };
  getAlerts: { readonly request: NoFields; readonly data: readonly GetAlertsRow[] };
  cancelAlert: { readonly request: CancelAlertRequest; readonly data: CancelAlertData };
  demoUsers: { readonly request: NoFields; readonly data: readonly DemoUsersRow[] };
  demoLogin: { readonly request: DemoLoginRequest; readonly data: DemoLoginData };
}
/** The operations whose requests are one when they carry the same Idempotency-Key. */
export type TakesKey = 'placeOrder' | 'placeGttOrder' | 'basketOrder' | 'placeAMO' | 'placeAfterMarketOrder';
