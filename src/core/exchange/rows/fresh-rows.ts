import type { Venue } from '../venue.ts';
import type { EventRows } from './event-rows.ts';

/** The rows of the books of a venue, without those of the decision before. */
export function freshRows({ book, tick, kind }: Venue): EventRows {
  const { rows } = book.store;
  rows.clear();
  rows.setMarket(tick, kind);
  return rows;
}
