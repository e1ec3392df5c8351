/**
 * The list of all operations of the wire, in the order of the interface. Each is a file of
 * `endpoints/`.
 */

import { combinedHoldings } from './endpoints/account/combined-holdings.ts';
import { demoLogin } from './endpoints/account/demo-login.ts';
import { demoUsers } from './endpoints/account/demo-users.ts';
import { exitAllPositions } from './endpoints/account/exit-all-positions.ts';
import { holdings } from './endpoints/account/holdings.ts';
import { holdingsDetails } from './endpoints/account/holdings-details.ts';
import { limit } from './endpoints/account/limit.ts';
import { login } from './endpoints/account/login.ts';
import { logout } from './endpoints/account/logout.ts';
import { positionBook } from './endpoints/account/position-book.ts';
import { userDetails } from './endpoints/account/user-details.ts';
import { cancelGttOrder } from './endpoints/gtt/cancel-gtt-order.ts';
import { gttOrderBook } from './endpoints/gtt/gtt-order-book.ts';
import { modifyGttOrder } from './endpoints/gtt/modify-gtt-order.ts';
import { placeGttOrder } from './endpoints/gtt/place-gtt-order.ts';
import { cancelAlert } from './endpoints/lists/cancel-alert.ts';
import { deleteWatchlist } from './endpoints/lists/delete-watchlist.ts';
import { getAlerts } from './endpoints/lists/get-alerts.ts';
import { getWatchlists } from './endpoints/lists/get-watchlists.ts';
import { placeAlert } from './endpoints/lists/place-alert.ts';
import { saveWatchlist } from './endpoints/lists/save-watchlist.ts';
import { basketMargin } from './endpoints/margin/basket-margin.ts';
import { brokerageCalculator } from './endpoints/margin/brokerage-calculator.ts';
import { orderMargin } from './endpoints/margin/order-margin.ts';
import { previewOrders } from './endpoints/margin/preview-orders.ts';
import { getExpiry } from './endpoints/market/get-expiry.ts';
import { getInstrument } from './endpoints/market/get-instrument.ts';
import { getMarketStatus } from './endpoints/market/get-market-status.ts';
import { getMultiQuotes } from './endpoints/market/get-multi-quotes.ts';
import { getMultiQuotesLtp } from './endpoints/market/get-multi-quotes-ltp.ts';
import { getQuote } from './endpoints/market/get-quote.ts';
import { getQuoteLtp } from './endpoints/market/get-quote-ltp.ts';
import { getStrategy } from './endpoints/market/get-strategy.ts';
import { indexList } from './endpoints/market/index-list.ts';
import { optionChain } from './endpoints/market/option-chain.ts';
import { optionChainGreeks } from './endpoints/market/option-chain-greeks.ts';
import { searchScrips } from './endpoints/market/search-scrips.ts';
import { securityInfo } from './endpoints/market/security-info.ts';
import { timePriceSeries } from './endpoints/market/time-price-series.ts';
import { getDayCurve } from './endpoints/money/get-day-curve.ts';
import { getFunds } from './endpoints/money/get-funds.ts';
import { getHoldings } from './endpoints/money/get-holdings.ts';
import { getResults } from './endpoints/money/get-results.ts';
import { getTradeCharges } from './endpoints/money/get-trade-charges.ts';
import { basketOrder } from './endpoints/orders/basket-order.ts';
import { cancelAllOrders } from './endpoints/orders/cancel-all-orders.ts';
import { cancelOrder } from './endpoints/orders/cancel-order.ts';
import { getOrderWhy } from './endpoints/orders/get-order-why.ts';
import { getPlacement } from './endpoints/orders/get-placement.ts';
import { getQueuePlaces } from './endpoints/orders/get-queue-places.ts';
import { modifyAfterMarketOrder, modifyAMO } from './endpoints/orders/modify-after-market-order.ts';
import { modifyOrder } from './endpoints/orders/modify-order.ts';
import { orderBook } from './endpoints/orders/order-book.ts';
import { placeAfterMarketOrder, placeAMO, placeOrder } from './endpoints/orders/place-order.ts';
import { productConversion } from './endpoints/orders/product-conversion.ts';
import { singleOrderHistory } from './endpoints/orders/single-order-history.ts';
import { tradeBook } from './endpoints/orders/trade-book.ts';
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

/** The operations that real clients call beside them. Source: contract section 4. */
const ADDED_OPERATIONS: readonly Operation[] = [
  orderBook,
  getQuote,
  userDetails,
  orderMargin,
  holdingsDetails,
  brokerageCalculator,
  optionChainGreeks,
  placeGttOrder,
  modifyGttOrder,
  cancelGttOrder,
  gttOrderBook,
  basketOrder,
  placeAMO,
  placeAfterMarketOrder,
  modifyAMO,
  modifyAfterMarketOrder,
  combinedHoldings,
];

/** The operations of our own. */
const OWN_OPERATIONS: readonly Operation[] = [
  getMarketStatus,
  getInstrument,
  cancelAllOrders,
  exitAllPositions,
  getOrderWhy,
  getResults,
  getFunds,
  getHoldings,
  getDayCurve,
  getTradeCharges,
  previewOrders,
  getStrategy,
  getQueuePlaces,
  getPlacement,
  getWatchlists,
  saveWatchlist,
  deleteWatchlist,
  placeAlert,
  getAlerts,
  cancelAlert,
  demoUsers,
  demoLogin,
];

export const OPERATIONS: readonly Operation[] = [...INTERFACE_OPERATIONS, ...ADDED_OPERATIONS, ...OWN_OPERATIONS];
