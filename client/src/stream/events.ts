/** The channels of the stream, and the events that each of them brings. */

import type {
  AlertRow,
  CandleRow,
  GreeksRow,
  GttRow,
  LimitsRow,
  MarketStatus,
  OrderRow,
  PositionRow,
  QueueRow,
  QuoteRow,
  ResultsData,
  TickRow,
  TradeRow,
} from '../wire.ts';

/** A change of something that is the user's. None is lost and none comes twice. */
export interface UserEvent<Type extends string, Row> {
  readonly type: Type;
  /** Its place in the service's journal, such as `1843-2`. A later subscription can begin after it. */
  readonly seq: string;
  /** When it happened, as `2026-11-23T10:15:00.123+05:30`. */
  readonly at: string;
  /** The row that the book of the same name would answer now. */
  readonly data: Row;
}

/**
 * The whole book, read again: the first event of a subscription that asked for it, and the one after a gap, when events
 * were too long ago or came faster than the program took them. Later changes follow, and may repeat rows of it.
 */
export interface Resync<Row> {
  readonly type: 'resync';
  readonly seq: string;
  readonly data: readonly Row[];
}

/** The newest state of an instrument. A slow reader gets the newest one and never a queue of old ones. */
export interface MarketEvent<Type extends string, Row> {
  readonly type: Type;
  /** As the service names it: `NSE:NIFTY`, also for a subscription to `NSE:Nifty 50`. */
  readonly instrument: string;
  readonly at: string;
  readonly data: Row;
}

/** The change of the last price since the close of the day before. */
export interface PriceChange {
  /** Decimal text of rupees. */
  readonly change: string;
  /** Percent with two decimals; blank where there was no close. */
  readonly changePercent: string;
}

export type OrderEvent = UserEvent<'order', OrderRow> | Resync<OrderRow>;
export type TradeEvent = UserEvent<'trade', TradeRow> | Resync<TradeRow>;
export type PositionEvent = UserEvent<'position', PositionRow> | Resync<PositionRow>;
export type LimitsEvent = UserEvent<'limit', LimitsRow> | Resync<LimitsRow>;
export type AlertEvent = UserEvent<'alert', AlertRow> | Resync<AlertRow>;
export type GttEvent = UserEvent<'gtt', GttRow> | Resync<GttRow>;
export type TickEvent = MarketEvent<'tick', TickRow> & PriceChange;
export type DepthEvent = MarketEvent<'depth', QuoteRow> & PriceChange;
export type CandleEvent = MarketEvent<'candle', CandleRow> & { readonly interval: string };
export type GreeksEvent = MarketEvent<'greeks', GreeksRow>;
/** The results of the user now. A slow reader gets the newest ones. */
export type ResultsEvent = { readonly type: 'results'; readonly data: ResultsData };
/** The places of the user's resting orders in an instrument, all of them. */
export type QueueEvent = MarketEvent<'queue', readonly QueueRow[]>;
export type ClockEvent = { readonly type: 'clock'; readonly data: MarketStatus };
export type StatusEvent = { readonly type: 'status'; readonly data: { readonly state: 'open' | 'draining' } };

/** The events of each channel. */
export interface Channels {
  readonly orders: OrderEvent;
  readonly trades: TradeEvent;
  readonly positions: PositionEvent;
  readonly limits: LimitsEvent;
  readonly alerts: AlertEvent;
  readonly gtt: GttEvent;
  readonly results: ResultsEvent;
  readonly ticks: TickEvent;
  readonly depth: DepthEvent;
  readonly candles: CandleEvent;
  readonly greeks: GreeksEvent;
  readonly queue: QueueEvent;
  readonly clock: ClockEvent;
  readonly status: StatusEvent;
}

export type Channel = keyof Channels;
export type StreamEvent = Channels[Channel];

const USER_CHANNELS = ['orders', 'trades', 'positions', 'limits', 'alerts', 'gtt'] as const;
export type UserChannel = (typeof USER_CHANNELS)[number];

/** The channel of each type of event. */
export const CHANNEL_OF: Readonly<Record<string, Channel>> = {
  order: 'orders',
  trade: 'trades',
  position: 'positions',
  limit: 'limits',
  alert: 'alerts',
  gtt: 'gtt',
  results: 'results',
  tick: 'ticks',
  depth: 'depth',
  candle: 'candles',
  greeks: 'greeks',
  queue: 'queue',
  clock: 'clock',
  status: 'status',
};

export function isUserChannel(channel: string): channel is UserChannel {
  return USER_CHANNELS.some((known) => known === channel);
}

/** True when a place in the journal is after another one. `1843` is after every event of its record. */
export function isAfter(seq: string, other: string): boolean {
  const [record = '', index] = seq.split('-');
  const [otherRecord = '', otherIndex] = other.split('-');
  const records = BigInt(record) - BigInt(otherRecord);
  if (records !== 0n) return records > 0n;
  if (otherIndex === undefined) return false;
  return index === undefined || Number(index) > Number(otherIndex);
}
