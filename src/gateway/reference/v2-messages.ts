/**
 * The messages of the V2 socket as schemas, for the document of the sockets. Their fields are those of the clients that
 * use it; values of the market are whole numbers, values of orders and positions are texts.
 */

import type { JsonObject } from '../openapi.ts';

const TEXT = { type: 'string' };
const WHOLE = { type: 'integer' };
const TOKENS = {
  type: 'string',
  pattern: '^[A-Z]+:[0-9]+(\\|[A-Z]+:[0-9]+)*$',
  description: 'exchange and token of each instrument, with | between them',
  examples: ['NSE:26000|NFO:44297'],
};
const LEVELS = {
  type: 'array',
  items: { type: 'object', properties: { price: WHOLE, quantity: WHOLE, orders: WHOLE } },
  description: 'five levels, in paise; an empty level is an empty object',
};

function allOf(type: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, type]));
}

const MARKET_NUMBERS = [
  'i_average_trade_price',
  'i_buy_depth_size',
  'i_closing_price',
  'close_price',
  'i_feed_time',
  'i_high_price',
  'i_last_trade_quantity',
  'i_last_trade_time',
  'i_last_traded_price',
  'i_low_price',
  'i_lower_circuit_limit',
  'i_net_price_change_from_closing_price',
  'i_open_price',
  'i_seconds_since_boe',
  'i_sell_depth_size',
  'i_total_buy_quantity',
  'i_total_open_interest',
  'i_open_interest',
  'i_total_sell_quantity',
  'i_total_tradevalue',
  'i_upper_circuit_limit',
  'i_usecs',
  'i_volume_traded_today',
  'i_yearly_high_price',
  'i_yearly_low_price',
];

const MARKET_TEXTS = ['c_exch_feed_time', 'c_exch_seg', 'c_net_change_indicator', 'c_symbol'];

/** An instrument as both sockets have it. */
const INSTRUMENT: JsonObject = {
  type: 'object',
  properties: {
    best_buy: LEVELS,
    best_sell: LEVELS,
    ...allOf(TEXT, MARKET_TEXTS),
    ...allOf(WHOLE, MARKET_NUMBERS),
    seq: { type: 'integer', description: 'grows with each frame' },
  },
};

/** Messages from a client, by name. */
export const V2_SENT: Readonly<Record<string, JsonObject>> = {
  v2Subscription: {
    type: 'object',
    required: ['action', 'tokens'],
    properties: {
      action: {
        enum: ['subscribe', 'unsubscribe', 'subscribe-option-greeks', 'unsubscribe-option-greeks'],
      },
      tokens: TOKENS,
    },
  },
};

/** Messages to a client, by name. */
export const V2_RECEIVED: Readonly<Record<string, JsonObject>> = {
  v2Login: {
    type: 'object',
    description: 'the first frame, some 100 ms after the upgrade; the socket is closed after a failure',
    required: ['status', 'message'],
    properties: { status: { enum: ['success', 'failed'] }, message: TEXT },
  },
  v2Market: {
    type: 'object',
    description: 'one instrument, always whole, under its exchange and token; prices in paise',
    additionalProperties: INSTRUMENT,
  },
  v2Greeks: {
    type: 'object',
    description: 'one option under its exchange and token; ten-thousandths',
    additionalProperties: {
      type: 'object',
      properties: {
        ...allOf(TEXT, ['c_exch_seg', 'c_symbol']),
        ...allOf(WHOLE, ['gamma', 'theta', 'delta', 'vega', 'rho']),
      },
    },
  },
  v2Order: {
    type: 'object',
    description: 'a step of an order; every value is text, prices in rupees',
    required: ['norenordno'],
    properties: allOf(TEXT, [
      'norenordno',
      'uid',
      'actid',
      'exch',
      'tsym',
      'token',
      'trantype',
      'qty',
      'prc',
      'prctyp',
      'pcode',
      'ret',
      'status',
      'reporttype',
      'rejreason',
      'remarks',
      'fillshares',
      'avgprc',
      'flid',
      'flqty',
      'flprc',
      'fltm',
      'exchordid',
      'tm',
    ]),
    additionalProperties: TEXT,
  },
  v2Position: {
    type: 'object',
    description: 'a position over its exchanges, one row an exchange in child_orders; every value is text',
    required: ['brkname', 'child_orders'],
    properties: {
      child_orders: { type: 'array', items: { type: 'object', additionalProperties: TEXT } },
      ...allOf(TEXT, ['brkname', 'tsym', 'exch', 'token', 'pcode', 'netqty', 'buyavgprc', 'sellavgprc', 'rpnl', 'uid']),
    },
    additionalProperties: TEXT,
  },
};

const { v2Market: _keyed, ...ALIKE } = V2_RECEIVED;
/** Messages of the older address: the instrument stands without a key. */
export const OLD_RECEIVED: Readonly<Record<string, JsonObject>> = {
  ...ALIKE,
  wsMarket: { ...INSTRUMENT, description: 'one instrument, whole; prices in paise' },
};
