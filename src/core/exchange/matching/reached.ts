import type { Reach } from '../../market.ts';
import type { Book } from '../book/book.ts';

/**
 * False when a move of the market within the reach cannot change a book: it comes to no price of an order and to no
 * trigger. A book that has not yet met continuous trading, or the close, always counts as reached. Orders that a
 * band has left outside are not looked at here.
 */
export function isReached(book: Book, reach: Reach): boolean {
  if (reach.isClosed) return book.phase !== 'Closed';
  return book.phase !== 'Continuous' || reachesOrders(book, reach) || (book.hasStops() && reachesStops(book, reach));
}

function reachesOrders(book: Book, { lowest, highest }: Reach): boolean {
  const buy = book.bestPrice('B');
  if (buy !== undefined && buy >= lowest) return true;
  const sell = book.bestPrice('S');
  return sell !== undefined && sell <= highest;
}

/** The last traded price may also come from the users' own last trade. */
function reachesStops(book: Book, { lowest, highest }: Reach): boolean {
  const own = book.lastTrade?.price;
  const buy = book.firstTrigger('B');
  if (buy !== undefined && buy <= Math.max(highest, own ?? highest)) return true;
  const sell = book.firstTrigger('S');
  return sell !== undefined && sell >= Math.min(lowest, own ?? lowest);
}
