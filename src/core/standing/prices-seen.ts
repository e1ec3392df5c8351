import type { Price } from '../../base/money.ts';
import type { Event } from '../event.ts';
import { lastTradedPrice } from '../exchange/reference.ts';
import type { Venue } from '../exchange/venue.ts';

/**
 * The last traded prices of an instrument during one record, in their order, the present one last. `printed` are
 * the prices of the market's trades that the record met, where a second has several. Each trade of a user
 * who came to the book was the last traded price once. Nothing counts outside of continuous trading and while trading
 * is stopped. An index is never traded: its level counts at any time.
 */
export function pricesSeen(venue: Venue, events: readonly Event[], printed: readonly Price[] = []): Price[] {
  if (venue.kind === 'index') return [...printed, lastTradedPrice(venue)];
  if (venue.stopped || venue.phase !== 'Continuous') return [];
  const prices: Price[] = [...printed];
  for (const event of events) {
    if (event.type !== 'Traded' || event.auction === true) continue;
    const incoming = event.aggressor === 'B' ? event.buy : event.sell;
    if (incoming !== undefined) prices.push(event.price);
  }
  prices.push(lastTradedPrice(venue));
  return prices;
}
