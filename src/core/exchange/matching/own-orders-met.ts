import type { OrderNumber } from '../../../base/ids.ts';
import type { Event } from '../../event.ts';
import { opposite } from '../../order.ts';
import { isGathering } from '../phase.ts';
import type { Venue } from '../venue.ts';
import type { AdmittedOrder } from './admitted-order.ts';
import { reaches } from './market-side.ts';
import { match } from './match.ts';

/** An order that is not admitted yet. */
export type TriedAtExchange = Pick<AdmittedOrder, 'order' | 'account' | 'side' | 'product' | 'terms' | 'remaining'>;

/**
 * True when an order would trade at once with users' orders, if they are not its own; nothing trades while orders
 * gather.
 */
export function meetsUsers({ book }: Venue, { side, terms }: Pick<TriedAtExchange, 'side' | 'terms'>): boolean {
  if (isGathering(book.phase)) return false;
  const best = book.bestPrice(opposite(side));
  return best !== undefined && reaches(side, terms.price, best);
}

/**
 * The resting orders of its own account that an order which trades at once would end on its way. Numbers are drawn from
 * the venue as if it traded, so nothing else may be decided with it. Source: market-rules R3.24.
 */
export function ownOrdersMet(venue: Venue, tried: TriedAtExchange): OrderNumber[] {
  const events: Event[] = [];
  match(venue, venue.market.depth(venue.instrument, venue.tick), tried as AdmittedOrder, events);
  const met: OrderNumber[] = [];
  for (const event of events) if (event.type === 'OrderCancelled' && event.order !== tried.order) met.push(event.order);
  return met;
}
