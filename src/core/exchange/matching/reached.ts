import type { Reach } from '../../market.ts';
import type { Book } from '../book/book.ts';

/**
 * False when a move of the market within the reach brings nothing to a book: no order of it is at a price that the
 * market comes to, and no trigger is. A book that has still to meet continuous trading is always reached. It says
 * nothing of orders that a band slides past.
 */
export function isReached(book: Book, reach: Reach): boolean {
  return book.phase !== 'Continuous' || reachesOrders(book, reach) || (book.hasStops() && reachesStops(book, reach));
}

function reachesOrders(book: Book, { lowest, highest }: Reach): boolean {
  const buy = book.bestPrice('B');
  if (buy !== undefined && buy >= lowest) return true;
  const sell = book.bestPrice('S');
  return sell !== undefined && sell <= highest;
}

/** The last traded price may also be the users' own. */
function reachesStops(book: Book, { lowest, highest }: Reach): boolean {
  const own = book.lastTrade?.price;
  const buy = book.firstTrigger('B');
  if (buy !== undefined && buy <= Math.max(highest, own ?? highest)) return true;
  const sell = book.firstTrigger('S');
  return sell !== undefined && sell >= Math.min(lowest, own ?? lowest);
}
