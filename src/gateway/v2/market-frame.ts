/**
 * The frames of an instrument's price on the V2 socket: integers in paise, units and seconds, always whole. A value
 * that is not known is left out. Source: docs/stream.md.
 */

import { instantOf } from '../../base/tick.ts';
import type { BookLevel } from '../../core/exchange/book/book.ts';
import type { MarketData, Print } from '../../core/market.ts';
import { bandWith } from '../../core/switches/price-band.ts';
import { epochSeconds, formatT3, nanosecondsOf } from '../fields/times.ts';
import { partOf, type TextPart, WrittenText } from '../fields/written-text.ts';
import type { Sight } from '../sockets/market-watch.ts';
import { type TextFrame, writtenFrame } from '../sockets/text-frame.ts';

/** Levels a side. */
const LEVELS = 5;
const NO_LEVELS = '[{},{},{},{},{}]';
/** The ASCII codes of a plus and a minus. */
const UP = 43;
const DOWN = 45;

/** The fixed parts of a frame, each with the name of the field that follows it. */
const TOKEN = partOf('{"');
const OBJECT = partOf('":');
const INDEX = partOf(`{"best_buy":${NO_LEVELS},"best_sell":${NO_LEVELS},"c_exch_feed_time":"`);
const BUYS = partOf('{"best_buy":[');
const SELLS = partOf('],"best_sell":[');
const FEED_TIME_OF_DAY = partOf('],"c_exch_feed_time":"');
const FIRST_PRICE = partOf('{"price":');
const NEXT_PRICE = partOf('},{"price":');
const QUANTITY = partOf(',"quantity":');
const ORDERS = partOf(',"orders":');
const EXCHANGE = partOf('","c_exch_seg":"');
const INDICATOR = partOf('","c_net_change_indicator":"');
const SYMBOL = partOf('","c_symbol":"');
const AVERAGE = partOf('","i_average_trade_price":');
const HIGH = partOf(',"i_high_price":');
const LOW = partOf(',"i_low_price":');
const OPEN = partOf(',"i_open_price":');
const CLOSE = partOf(',"i_closing_price":');
const SAME_CLOSE = partOf(',"close_price":');
const LAST = partOf(',"i_last_traded_price":');
const CHANGE = partOf(',"i_net_price_change_from_closing_price":');
const SIZE = partOf(',"i_buy_depth_size":');
const LAST_QUANTITY = partOf(',"i_last_trade_quantity":');
const LAST_TIME = partOf(',"i_last_trade_time":');
const LOWER = partOf(',"i_lower_circuit_limit":');
const SELL_SIZE = partOf(',"i_sell_depth_size":');
const BUY_UNITS = partOf(',"i_total_buy_quantity":');
const TOTAL_INTEREST = partOf(',"i_total_open_interest":');
const INTEREST = partOf(',"i_open_interest":');
const SELL_UNITS = partOf(',"i_total_sell_quantity":');
const TURNOVER = partOf(',"i_total_tradevalue":');
const UPPER = partOf(',"i_upper_circuit_limit":');
const FEED_TIME = partOf(',"i_feed_time":');
const SINCE_1970 = partOf(',"i_seconds_since_boe":');
/** After the digits of milliseconds the zeros make those of nanoseconds: a double would round them. */
const REST_OF_SECOND = partOf('000000,"i_usecs":');
const SEQ = partOf(',"seq":');
const VOLUME = partOf(',"i_volume_traded_today":');

/** The rest of a side after that number of levels. */
const BEHIND_LEVELS = Array.from({ length: LEVELS + 1 }, (_, count) => partOf(restOfSide(count)));

const TEXT = new WrittenText();

/** Makes the frame of a look: the object of the instrument under its token, or flat, as the old socket has it. */
export type FrameMaker = (sight: Sight) => TextFrame;

/** `isFlat`: as on the old socket. The same function has to be used for all sockets of a kind. */
export function marketFrames(market: MarketData, isFlat: boolean): FrameMaker {
  return (sight) => {
    TEXT.clear();
    if (!isFlat) writeToken(sight);
    if (sight.instrument.kind === 'index') writeIndex(sight);
    else writeTraded(sight, market);
    TEXT.text(isFlat ? '}' : '}}');
    return writtenFrame(TEXT);
  };
}

function writeToken({ instrument }: Sight): void {
  TEXT.part(TOKEN);
  TEXT.text(instrument.exchange);
  TEXT.text(':');
  TEXT.integer(instrument.token);
  TEXT.part(OBJECT);
}

/** An index has no orders and no volume; its bands and its last trade are 0. */
function writeIndex(sight: Sight): void {
  TEXT.part(INDEX);
  writeHead(sight);
  TEXT.field(AVERAGE, 0);
  writePrices(sight);
  TEXT.field(SIZE, LEVELS);
  TEXT.field(LAST_QUANTITY, 0);
  TEXT.field(LAST_TIME, 0);
  TEXT.field(LOWER, 0);
  TEXT.field(SELL_SIZE, LEVELS);
  writeOpenInterest(sight);
  TEXT.field(UPPER, 0);
  writeTime(sight);
}

function writeTraded(sight: Sight, market: MarketData): void {
  const { instrument, quote, tick, widened } = sight;
  const { lower, upper } = bandWith({ market, tick }, instrument.id, widened);
  TEXT.part(BUYS);
  writeLevels(quote.bids);
  TEXT.part(SELLS);
  writeLevels(quote.asks);
  TEXT.part(FEED_TIME_OF_DAY);
  writeHead(sight);
  TEXT.field(AVERAGE, quote.vwap);
  writePrices(sight);
  TEXT.field(SIZE, LEVELS);
  writeLastTrade(quote.last, market.lastPrint(instrument.id, tick));
  TEXT.field(LOWER, lower);
  TEXT.field(SELL_SIZE, LEVELS);
  TEXT.field(BUY_UNITS, quote.totalBuyQuantity);
  writeOpenInterest(sight);
  TEXT.field(SELL_UNITS, quote.totalSellQuantity);
  TEXT.field(TURNOVER, quote.turnover);
  TEXT.field(UPPER, upper);
  writeTime(sight);
  TEXT.field(VOLUME, quote.volume);
}

function writeHead({ instrument, quote, at }: Sight): void {
  TEXT.text(formatT3(at));
  TEXT.part(EXCHANGE);
  TEXT.text(instrument.exchange);
  TEXT.field(INDICATOR, quote.last < quote.previousClose ? DOWN : UP);
  TEXT.part(SYMBOL);
  TEXT.integer(instrument.token);
}

/** Both closes are those of the day before. */
function writePrices({ quote }: Sight): void {
  const { last, previousClose, open, high, low } = quote;
  if (open !== undefined && high !== undefined && low !== undefined) {
    TEXT.field(HIGH, high);
    TEXT.field(LOW, low);
    TEXT.field(OPEN, open);
  }
  TEXT.field(CLOSE, previousClose);
  TEXT.field(SAME_CLOSE, previousClose);
  TEXT.field(LAST, last);
  TEXT.field(CHANGE, last - previousClose);
}

function writeOpenInterest({ quote: { openInterest: units } }: Sight): void {
  TEXT.field(TOTAL_INTEREST, units);
  TEXT.field(INTEREST, units);
}

/** Nothing before the day's first trade, nor where a user's own trade was the last: its quantity is not kept. */
function writeLastTrade(last: number, { tick, price, quantity }: Print): void {
  if (quantity === 0 || price !== last) return;
  TEXT.field(LAST_QUANTITY, quantity);
  TEXT.field(LAST_TIME, epochSeconds(instantOf(tick)));
}

function writeTime({ at, seq }: Sight): void {
  TEXT.field(FEED_TIME, epochSeconds(at));
  TEXT.field(SINCE_1970, at);
  TEXT.field(REST_OF_SECOND, nanosecondsOf(at));
  TEXT.field(SEQ, seq);
}

function writeLevels(side: readonly BookLevel[]): void {
  const count = Math.min(side.length, LEVELS);
  for (let place = 0; place < count; place += 1) {
    const { price, quantity, orders } = side[place] as BookLevel;
    TEXT.field(place === 0 ? FIRST_PRICE : NEXT_PRICE, price);
    TEXT.field(QUANTITY, quantity);
    TEXT.field(ORDERS, orders);
  }
  TEXT.part(BEHIND_LEVELS[count] as TextPart);
}

function restOfSide(count: number): string {
  const missing = Array.from({ length: LEVELS - count }, () => '{}').join(',');
  if (count === 0) return missing;
  return missing === '' ? '}' : `},${missing}`;
}
