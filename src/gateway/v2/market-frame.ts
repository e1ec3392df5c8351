/**
 * The frames of an instrument's price on the V2 socket: integers in paise, units and seconds, always whole. A value
 * that is not known is left out. Source: docs/stream.md.
 */

import { instantOf } from '../../base/tick.ts';
import type { BookLevel } from '../../core/exchange/book/book.ts';
import type { MarketData, Print } from '../../core/market.ts';
import { epochSeconds, formatT3, nanosecondsOf } from '../fields/times.ts';
import type { Sight } from '../sockets/market-watch.ts';
import { type TextFrame, textFrame } from '../sockets/text-frame.ts';

/** Levels a side. */
const LEVELS = [0, 1, 2, 3, 4];
const NO_LEVELS = '[{},{},{},{},{}]';
/** The ASCII codes of a plus and a minus. */
const UP = '43';
const DOWN = '45';
/** Behind the digits of milliseconds they make those of nanoseconds. */
const NANOSECONDS = '000000';

/** Makes the frame of a look: the object of the instrument under its token, or flat, as the old socket has it. */
export type FrameMaker = (sight: Sight) => TextFrame;

/** `isFlat`: as on the old socket. The same function has to be used for all sockets of a kind. */
export function marketFrames(market: MarketData, isFlat: boolean): FrameMaker {
  return (sight) => {
    const { exchange, token } = sight.instrument;
    const object = sight.instrument.kind === 'index' ? indexObject(sight) : tradedObject(sight, market);
    return textFrame(isFlat ? object : `{"${exchange}:${token}":${object}}`);
  };
}

/** An index has no orders and no volume; its bands and its last trade are 0. */
function indexObject(sight: Sight): string {
  return (
    `{"best_buy":${NO_LEVELS},"best_sell":${NO_LEVELS},${head(sight)},"i_average_trade_price":0,` +
    `${prices(sight)},"i_buy_depth_size":5,"i_last_trade_quantity":0,"i_last_trade_time":0,` +
    `"i_lower_circuit_limit":0,"i_sell_depth_size":5,${openInterest(sight)},"i_upper_circuit_limit":0,${time(sight)}}`
  );
}

function tradedObject(sight: Sight, market: MarketData): string {
  const { instrument, quote, tick } = sight;
  const { lower, upper } = market.band(instrument.id, tick);
  return (
    `{"best_buy":${levels(quote.bids)},"best_sell":${levels(quote.asks)},${head(sight)},` +
    `"i_average_trade_price":${quote.vwap},${prices(sight)},"i_buy_depth_size":5` +
    `${lastTrade(quote.last, market.lastPrint(instrument.id, tick))},"i_lower_circuit_limit":${lower},` +
    `"i_sell_depth_size":5,"i_total_buy_quantity":${quote.totalBuyQuantity},${openInterest(sight)},` +
    `"i_total_sell_quantity":${quote.totalSellQuantity},"i_total_tradevalue":${quote.turnover},` +
    `"i_upper_circuit_limit":${upper},${time(sight)},"i_volume_traded_today":${quote.volume}}`
  );
}

function head({ instrument, quote, at }: Sight): string {
  const indicator = quote.last < quote.previousClose ? DOWN : UP;
  return (
    `"c_exch_feed_time":"${formatT3(at)}","c_exch_seg":"${instrument.exchange}",` +
    `"c_net_change_indicator":"${indicator}","c_symbol":"${instrument.token}"`
  );
}

/** Both closes are those of the day before. */
function prices({ quote }: Sight): string {
  const { last, previousClose, open, high, low } = quote;
  const day = open === undefined ? '' : `"i_high_price":${high},"i_low_price":${low},"i_open_price":${open},`;
  return (
    `${day}"i_closing_price":${previousClose},"close_price":${previousClose},"i_last_traded_price":${last},` +
    `"i_net_price_change_from_closing_price":${last - previousClose}`
  );
}

function openInterest({ quote: { openInterest: units } }: Sight): string {
  return `"i_total_open_interest":${units},"i_open_interest":${units}`;
}

/** Nothing before the day's first trade, nor where a user's own trade was the last: its quantity is not kept. */
function lastTrade(last: number, { tick, price, quantity }: Print): string {
  if (quantity === 0 || price !== last) return '';
  return `,"i_last_trade_quantity":${quantity},"i_last_trade_time":${epochSeconds(instantOf(tick))}`;
}

/** Nanoseconds are written as digits: a double would round them. */
function time({ at, seq }: Sight): string {
  return (
    `"i_feed_time":${epochSeconds(at)},"i_seconds_since_boe":${at}${NANOSECONDS},` +
    `"i_usecs":${nanosecondsOf(at)},"seq":${seq}`
  );
}

function levels(side: readonly BookLevel[]): string {
  return `[${LEVELS.map((level) => levelText(side[level])).join(',')}]`;
}

function levelText(level: BookLevel | undefined): string {
  if (level === undefined) return '{}';
  return `{"price":${level.price},"quantity":${level.quantity},"orders":${level.orders}}`;
}
