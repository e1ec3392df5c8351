/** The channels of the stream. */

import type { AccountEvent } from './account-change.ts';

/** Channels of the user who is logged in: nothing of them is ever left out. */
const USER_CHANNELS = ['orders', 'trades', 'positions', 'limits', 'alerts', 'gtt'] as const;
export type UserChannel = (typeof USER_CHANNELS)[number];

/** Channels of instruments: the newest state wins. `queue` is of the user's own orders in them. */
const MARKET_CHANNELS = ['ticks', 'depth', 'candles', 'greeks', 'queue'] as const;
export type MarketChannel = (typeof MARKET_CHANNELS)[number];

/** Channels of the user who is logged in of which the newest state wins. */
const STATE_CHANNELS = ['results'] as const;

/** Channels that are the same for everybody. */
const COMMON_CHANNELS = ['clock', 'status'] as const;

export const CHANNELS = [...USER_CHANNELS, ...STATE_CHANNELS, ...MARKET_CHANNELS, ...COMMON_CHANNELS] as const;
export type Channel = (typeof CHANNELS)[number];

/** The channel of an event that has a row. */
export const CHANNEL_OF: Readonly<Record<Exclude<AccountEvent['type'], 'day'>, UserChannel>> = {
  order: 'orders',
  trade: 'trades',
  position: 'positions',
  limit: 'limits',
  alert: 'alerts',
  gtt: 'gtt',
};

export function isUserChannel(channel: Channel): channel is UserChannel {
  return USER_CHANNELS.some((known) => known === channel);
}

export function isMarketChannel(channel: Channel): channel is MarketChannel {
  return MARKET_CHANNELS.some((known) => known === channel);
}
