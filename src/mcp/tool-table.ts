/**
 * The operations that agents are given as tools, by toolset, and those that are kept from them with the reason. A test
 * holds the table to the list of operations, so a new one is put into a set by somebody who has thought about it.
 */

/** Operations that change nothing. */
export const READ_OPERATIONS: readonly string[] = [
  '/userDetails',
  '/getMarketStatus',
  '/searchScrips',
  '/securityInfo',
  '/getInstrument',
  '/indexList',
  '/getExpiry',
  '/optionChain',
  '/optionChainGreeks',
  '/getStrategy',
  '/getQuote',
  '/getQuote/ltp',
  '/getMultiQuotes',
  '/getMultiQuotes/ltp',
  '/timePriceSeries',
  '/orderBook',
  '/singleOrderHistory',
  '/getOrderWhy',
  '/getQueuePlaces',
  '/getPlacement',
  '/tradeBook',
  '/GttOrderBook',
  '/positionBook',
  '/holdings',
  '/holdingsDetails',
  '/combinedHoldings',
  '/limit',
  '/getHoldings',
  '/getResults',
  '/getFunds',
  '/getDayCurve',
  '/getTradeCharges',
  '/previewOrders',
  '/orderMargin',
  '/basketMargin',
  '/brokerageCalculator',
  '/getWatchlists',
  '/getAlerts',
];

/**
 * Operations that change something and are tools when trading is allowed, with the effect of a second call of the same
 * arguments: none beyond the first, or another row. An order is placed by a tool of its own.
 */
export const TRADE_OPERATIONS: Readonly<Record<string, 'Repeatable' | 'Creates'>> = {
  '/cancelOrder': 'Repeatable',
  '/cancelAllOrders': 'Repeatable',
  '/cancelGttOrder': 'Repeatable',
  '/placeAlert': 'Creates',
  '/cancelAlert': 'Repeatable',
  '/saveWatchlist': 'Repeatable',
  '/deleteWatchlist': 'Repeatable',
};

/** Operations that agents do not get as they are, with the reason. */
export const WITHHELD_OPERATIONS: Readonly<Record<string, string>> = {
  '/login': 'credentials come from the environment alone',
  '/demoUsers': 'credentials come from the environment alone',
  '/demoLogin': 'credentials come from the environment alone',
  '/logout': 'the session is of the server and not of the agent',
  '/placeOrder': 'place_order takes the token of a preview',
  '/modifyOrder': 'a change would pass by the preview and the caps; cancel the order and place another one',
  '/basketOrder': 'it would pass by the preview and the caps',
  '/placeAMO': 'it would pass by the preview and the caps',
  '/placeAfterMarketOrder': 'it would pass by the preview and the caps',
  '/modifyAMO': 'it would pass by the preview and the caps',
  '/modifyAfterMarketOrder': 'it would pass by the preview and the caps',
  '/placeGttOrder': 'it would pass by the preview and the caps',
  '/modifyGttOrder': 'it would pass by the preview and the caps',
  '/exitAllPositions': 'its orders would pass by the preview and the caps',
  '/productConversion': 'it changes margins without a preview',
};

/** The name of the tool of an operation: `/getQuote/ltp` is `get_quote_ltp`. */
export function toolName(path: string): string {
  return path
    .slice(1)
    .replaceAll('/', '_')
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase();
}
