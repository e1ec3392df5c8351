import { basketMargin } from './endpoints/basket-margin.ts';
import { brokerageCalculator } from './endpoints/brokerage-calculator.ts';
import { cancelOrder } from './endpoints/cancel-order.ts';
import { getExpiry } from './endpoints/get-expiry.ts';
import { getMultiQuotes } from './endpoints/get-multi-quotes.ts';
import { getMultiQuotesLtp } from './endpoints/get-multi-quotes-ltp.ts';
import { getQuote } from './endpoints/get-quote.ts';
import { getQuoteLtp } from './endpoints/get-quote-ltp.ts';
import { holdings } from './endpoints/holdings.ts';
import { holdingsDetails } from './endpoints/holdings-details.ts';
import { indexList } from './endpoints/index-list.ts';
import { limit } from './endpoints/limit.ts';
import { login } from './endpoints/login.ts';
import { logout } from './endpoints/logout.ts';
import { modifyOrder } from './endpoints/modify-order.ts';
import { optionChain } from './endpoints/option-chain.ts';
import { orderBook } from './endpoints/order-book.ts';
import { orderMargin } from './endpoints/order-margin.ts';
import { placeOrder } from './endpoints/place-order.ts';
import { positionBook } from './endpoints/position-book.ts';
import { productConversion } from './endpoints/product-conversion.ts';
import { searchScrips } from './endpoints/search-scrips.ts';
import { securityInfo } from './endpoints/security-info.ts';
import { singleOrderHistory } from './endpoints/single-order-history.ts';
import { timePriceSeries } from './endpoints/time-price-series.ts';
import { tradeBook } from './endpoints/trade-book.ts';
import { userDetails } from './endpoints/user-details.ts';
import type { Operation } from './operation.ts';

/** The version segment of every path. Source: interface §Versioning. */
export const BASE = '/V1';

/** The operations of the interface, in its order. */
export const INTERFACE_OPERATIONS: readonly Operation[] = [
  login,
  logout,
  searchScrips,
  getQuoteLtp,
  getMultiQuotes,
  getMultiQuotesLtp,
  securityInfo,
  indexList,
  getExpiry,
  optionChain,
  timePriceSeries,
  placeOrder,
  modifyOrder,
  cancelOrder,
  singleOrderHistory,
  tradeBook,
  positionBook,
  holdings,
  productConversion,
  basketMargin,
  limit,
];

/** What real clients call beside them. Source: contract section 4. */
export const ADDED_OPERATIONS: readonly Operation[] = [
  orderBook,
  getQuote,
  userDetails,
  orderMargin,
  holdingsDetails,
  brokerageCalculator,
];

export const OPERATIONS: readonly Operation[] = [...INTERFACE_OPERATIONS, ...ADDED_OPERATIONS];
