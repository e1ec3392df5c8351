import type { Price } from '../../base/money.ts';
import { opposite, type Side } from '../order.ts';
import { freeUnits, marketLevels } from './matching/market-side.ts';
import type { Venue } from './venue.ts';

/**
 * The last traded price: the users' own last trade when it is not older than the market's last print, else that print;
 * the previous close before the first trade of a day.
 */
export function lastTradedPrice({ book, market, instrument, tick }: Venue): Price {
  const print = market.lastPrint(instrument, tick);
  const own = book.lastTrade;
  return own !== undefined && own.tick >= print.tick ? own.price : print.price;
}

/**
 * The best price that an order of `side` could trade at now, of users or of the market; nothing when nobody is there.
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
