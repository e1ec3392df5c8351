/**
 * The events of `/stream` and the operations whose rows they carry. The document of the sockets is made from this table
 * and from the schemas of those operations.
 */

import Type, { IsArray, IsObject, type TSchema } from 'typebox';
import { must } from '../../base/assert.ts';
import { OPERATIONS } from '../operations.ts';
import type { Channel } from '../stream/channels.ts';

export interface StreamEvent {
  readonly type: string;
  readonly channel: Channel;
  /** The operation of which the event's data is a row, or the whole data where that is not a list. */
  readonly operation: string;
  /**
   * `user`: lossless and numbered; `state`: of the user too, the latest wins; `market`: the latest wins; `all`: for
   * every socket.
   */
  readonly scope: 'user' | 'state' | 'market' | 'all';
  readonly summary: string;
  /** Fields of the row that the event leaves out. */
  readonly without?: RegExp;
  /** True for an event that has all rows of the operation. */
  readonly isList?: true;
}

const DEPTH_FIELD = /^best(Buy|Sell)(Order|Price|Quantity)[1-5]$/;

export const STREAM_EVENTS: readonly StreamEvent[] = [
  { type: 'order', channel: 'orders', operation: '/orderBook', scope: 'user', summary: 'An order changed' },
  { type: 'trade', channel: 'trades', operation: '/tradeBook', scope: 'user', summary: 'An order filled' },
  { type: 'position', channel: 'positions', operation: '/positionBook', scope: 'user', summary: 'A position changed' },
  { type: 'limit', channel: 'limits', operation: '/limit', scope: 'user', summary: 'Cash or margin changed' },
  { type: 'alert', channel: 'alerts', operation: '/getAlerts', scope: 'user', summary: 'A price alert changed' },
  { type: 'gtt', channel: 'gtt', operation: '/GttOrderBook', scope: 'user', summary: 'A GTT order changed' },
  {
    type: 'results',
    channel: 'results',
    operation: '/getResults',
    scope: 'state',
    summary: 'The results of the day changed; at most 2,000 rows, the sums of all',
  },
  {
    type: 'tick',
    channel: 'ticks',
    operation: '/getMultiQuotes',
    scope: 'market',
    summary: 'The quote of an instrument without its depth',
    without: DEPTH_FIELD,
  },
  {
    type: 'depth',
    channel: 'depth',
    operation: '/getMultiQuotes',
    scope: 'market',
    summary: 'The quote of an instrument with its depth',
  },
  {
    type: 'candle',
    channel: 'candles',
    operation: '/timePriceSeries',
    scope: 'market',
    summary: 'The candle that is being made',
  },
  {
    type: 'greeks',
    channel: 'greeks',
    operation: '/optionChainGreeks',
    scope: 'market',
    summary: 'The greeks of an option',
  },
  {
    type: 'queue',
    channel: 'queue',
    operation: '/getQueuePlaces',
    scope: 'market',
    summary: "The places of the user's resting orders in an instrument",
    isList: true,
  },
  {
    type: 'clock',
    channel: 'clock',
    operation: '/getMarketStatus',
    scope: 'all',
    summary: 'Market time and the phase of each exchange',
  },
];

/** The schema of the data of an event. */
export function rowSchema({ operation: path, without, isList }: StreamEvent): TSchema {
  const data = must(OPERATIONS.find((operation) => operation.path === path)?.answer.data, `${path} answers data`);
  if (isList === true) return data;
  const row = IsArray(data) ? (data.items as TSchema) : data;
  if (without === undefined || !IsObject(row)) return row;
  const kept = Object.entries(row.properties).filter(([name]) => !without.test(name));
  return Type.Object(Object.fromEntries(kept));
}
