import type { Price } from '../../../base/money.ts';
import type { Depth, DepthLevel } from '../../market.ts';
import type { Side } from '../../order.ts';
import type { Book } from '../book/book.ts';
import type { Venue } from '../venue.ts';

/** Units of a displayed level that no user has taken since its last renewal. */
export function freeUnits(book: Book, side: Side, level: DepthLevel): number {
  return Math.max(0, level.quantity - book.takenAt(side, level.price, level.generation));
}

/** The levels of the market's own depth on a side, the best first. */
export function marketLevels(depth: Depth, side: Side): readonly DepthLevel[] {
  return side === 'B' ? depth.bids : depth.asks;
}

/**
 * The market's units at a price, in front of an order that comes to rest there now. `depth` is the depth of the venue
 * at its tick.
 */
export function unitsAt(venue: Venue, depth: Depth, side: Side, price: Price): number {
  const levels = marketLevels(depth, side);
  for (let place = 0; place < levels.length; place += 1) {
    const level = levels[place] as DepthLevel;
    if (level.price === price) return freeUnits(venue.book, side, level);
  }
  return venue.market.quantityAt(venue.instrument, venue.tick, side, price);
}

/** True when an order of `side` with the limit `price` can trade at `other`. */
export function reaches(side: Side, price: Price, other: Price): boolean {
  return side === 'B' ? price >= other : price <= other;
}
