/**
 * Answers of a market about one day of an instrument that need no more than its tape: the depth after the close, the
 * trade of the closing auction, a print, the figures of the day in the terms of a later date.
 */
import type { Price, Quantity } from '../../base/money.ts';
import { tickOf } from '../../base/tick.ts';
import type { IstDay } from '../../base/time.ts';
import type { DayFigures, Depth, LaterTerms, Print } from '../../core/market.ts';
import type { TradedDay } from '../listing.ts';
import { lotsOf } from './auction-shape.ts';
import type { Listed } from './listed.ts';
import type { ClosingTrade } from './official-close.ts';

export const NO_DEPTH: Depth = { bids: [], asks: [] };
/** After the close, one lot in this many of the day's volume can be traded with the market. */
const AFTER_CLOSE_PART = 500;

/** The figures of a day in the terms of a later date; turnover is money. */
export function inLaterTerms(figures: DayFigures, terms: LaterTerms | undefined, previousClose: Price): DayFigures {
  if (terms === undefined) return figures;
  const { open, high, low, last, volume } = figures;
  return {
    ...figures,
    open: terms.price(open),
    high: terms.price(high),
    low: terms.price(low),
    last: terms.price(last),
    previousClose,
    volume: terms.units(volume) as Quantity,
  };
}

/**
 * After the close the market buys and sells at the closing price, a small part of the day's volume. Source:
 * market-rules 2.1.
 */
export function atTheClose(listed: Listed, traded: TradedDay | undefined): Depth {
  if (traded === undefined) return NO_DEPTH;
  const { price } = listed.closeBefore((traded.tape.day + 1) as IstDay, traded.tape.day);
  const lots = Math.ceil(lotsOf(traded.tape, listed.instrument) / AFTER_CLOSE_PART);
  const level = { price, quantity: (lots * listed.instrument.lot) as Quantity, orders: 1, generation: 0 };
  return { bids: [level], asks: [level] };
}

/** The print of a second that has one. */
export function printOf({ tape }: TradedDay, second: number): Print {
  const { price, aggressor } = tape.printPrice(second);
  return { tick: tickOf(tape.day, second), price, quantity: tape.printQuantity(second), aggressor };
}

/** The trade of a listing in the closing auction of a day; `undefined` when it had none. */
export function closingTrade(listed: Listed, day: IstDay): ClosingTrade | undefined {
  const traded = listed.traded(day);
  const closing = traded?.tape.closing;
  return closing && { price: closing.price, quantity: closing.lots * (traded?.tape.lot ?? 0) };
}
