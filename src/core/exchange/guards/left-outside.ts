import type { Event } from '../../event.ts';
import type { PriceBand } from '../../market.ts';
import type { Side } from '../../order.ts';
import type { Venue } from '../venue.ts';

/**
 * The resting orders that a band has slid past are cancelled; those inside it, and stops, stay. Empty when there are
 * none.
 * Source: market-rules R1.42.
 */
export function decideLeftOutside(venue: Venue): Event[] {
  const band = venue.band();
  const sides = (['B', 'S'] as const).filter((side) => reachesOutside(venue, side, band));
  const { book } = venue;
  return sides.flatMap((side) =>
    Array.from(book.ordersOf(side))
      .filter((handle) => isOutside(book.priceOf(handle), band))
      .map((handle) => ({ type: 'OrderCancelled', order: book.store.orders.number(handle), reason: 'OutsideBand' })),
  );
}

/** Looks at the two ends of a side alone: what lies between them is inside when they are. */
function reachesOutside({ book }: Venue, side: Side, band: PriceBand): boolean {
  const best = book.bestPrice(side);
  const worst = book.worstPrice(side);
  return best !== undefined && worst !== undefined && (isOutside(best, band) || isOutside(worst, band));
}

function isOutside(price: number, { lower, upper }: PriceBand): boolean {
  return price < lower || price > upper;
}
