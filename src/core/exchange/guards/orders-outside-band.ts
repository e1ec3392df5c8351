import type { Event } from '../../event.ts';
import type { PriceBand } from '../../market.ts';
import type { Side } from '../../order.ts';
import type { Book } from '../book/book.ts';
import type { Venue } from '../venue.ts';

/**
 * Cancels the resting orders that lie outside the band after it slid. Orders inside it stay, and stops too. Empty when
 * there are none. Source: market-rules R1.42.
 */
export function decideOrdersOutsideBand(venue: Venue): Event[] {
  const band = venue.band();
  const { book } = venue;
  const sides = (['B', 'S'] as const).filter((side) => reachesOutside(book, side, band));
  return sides.flatMap((side) =>
    Array.from(book.ordersOf(side))
      .filter((handle) => isOutside(book.priceOf(handle), band))
      .map((handle) => ({ type: 'OrderCancelled', order: book.store.orders.number(handle), reason: 'OutsideBand' })),
  );
}

/** True when a resting order lies outside a band. */
export function hasOrdersOutside(book: Book, band: PriceBand): boolean {
  return reachesOutside(book, 'B', band) || reachesOutside(book, 'S', band);
}

/** Looks only at the two ends of a side. When both are inside the band, so is everything between them. */
function reachesOutside(book: Book, side: Side, band: PriceBand): boolean {
  const best = book.bestPrice(side);
  const worst = book.worstPrice(side);
  return best !== undefined && worst !== undefined && (isOutside(best, band) || isOutside(worst, band));
}

function isOutside(price: number, { lower, upper }: PriceBand): boolean {
  return price < lower || price > upper;
}
