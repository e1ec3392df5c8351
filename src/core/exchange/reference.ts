import type { Price } from '../../base/money.ts';
import { opposite, type Side } from '../order.ts';
import { freeUnits, marketLevels } from './matching/market-side.ts';
import type { Venue } from './venue.ts';

/**
 * The last traded price: the users' own last trade when it is not older than the market's last print, else that print.
 * Before the first trade of a day it is the previous close.
 */
export function lastTradedPrice({ book, market, instrument, tick }: Venue): Price {
  const print = market.lastPrint(instrument, tick);
  const own = book.lastTrade;
  return own !== undefined && own.tick >= print.tick ? own.price : print.price;
}

/**
 * The best price at which an order of `side` could trade now, with users or with the market; `undefined` when there is
 * none.
 */
export function bestOpposite(venue: Venue, side: Side): Price | undefined {
  const users = venue.book.bestPrice(opposite(side));
  const market = bestOfMarket(venue, opposite(side));
  if (users === undefined || market === undefined) return users ?? market;
  return (side === 'B' ? Math.min(users, market) : Math.max(users, market)) as Price;
}

function bestOfMarket(venue: Venue, side: Side): Price | undefined {
  const depth = venue.market.depth(venue.instrument, venue.tick);
  for (const level of marketLevels(depth, side)) {
    if (freeUnits(venue.book, side, level) > 0) return level.price;
  }
  return undefined;
}
