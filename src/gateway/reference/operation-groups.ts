/**
 * The groups in which operations are shown: in the reference, in the collections and in `/llms.txt`. An operation that
 * stands in no group is a fault that a test finds.
 */

import type { Operation } from '../operation.ts';

/** The groups in the order of a trader's day. */
export const GROUPS = [
  ['Session', ['/login', '/logout', '/userDetails', '/demoUsers', '/demoLogin']],
  [
    'Market',
    [
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
    ],
  ],
  [
    'Orders',
    [
      '/placeOrder',
      '/modifyOrder',
      '/cancelOrder',
      '/cancelAllOrders',
      '/placeAMO',
      '/placeAfterMarketOrder',
      '/modifyAMO',
      '/modifyAfterMarketOrder',
      '/basketOrder',
      '/orderBook',
      '/singleOrderHistory',
      '/getOrderWhy',
      '/getQueuePlaces',
      '/getPlacement',
      '/tradeBook',
    ],
  ],
  ['GTT orders', ['/placeGttOrder', '/modifyGttOrder', '/cancelGttOrder', '/GttOrderBook']],
  [
    'Portfolio',
    [
      '/positionBook',
      '/exitAllPositions',
      '/productConversion',
      '/holdings',
      '/holdingsDetails',
      '/combinedHoldings',
      '/getHoldings',
      '/getResults',
      '/getDayCurve',
      '/limit',
      '/getFunds',
    ],
  ],
  [
    'Margin and charges',
    ['/previewOrders', '/orderMargin', '/basketMargin', '/brokerageCalculator', '/getTradeCharges'],
  ],
  [
    'Watchlists and alerts',
    ['/getWatchlists', '/saveWatchlist', '/deleteWatchlist', '/placeAlert', '/getAlerts', '/cancelAlert'],
  ],
] as const satisfies readonly (readonly [string, readonly string[]])[];

/** The group of operations that nobody has put into one. */
export const UNGROUPED = 'Other';
const GROUP_OF: ReadonlyMap<string, string> = new Map(
  GROUPS.flatMap(([group, paths]) => paths.map((path) => [path, group] as const)),
);

/** The group of the operation at a path. */
export function groupOf(path: string): string {
  return GROUP_OF.get(path) ?? UNGROUPED;
}

/** Operations by group, in the order of the groups and inside each in its own; no group is empty. */
export function grouped(operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  const places = new Map(GROUPS.flatMap(([, paths]) => [...paths]).map((path, index) => [path as string, index]));
  const placeOf = ({ path }: Operation): number => places.get(path) ?? places.size;
  const sorted = operations.toSorted((a, b) => placeOf(a) - placeOf(b));
  return Map.groupBy(sorted, ({ path }) => groupOf(path));
}
