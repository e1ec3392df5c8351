import type { OrderNumber } from '../../../base/ids.ts';
import { opposite } from '../../order.ts';
import { isGathering } from '../phase.ts';
import { freshRows } from '../rows/fresh-rows.ts';
import type { Venue } from '../venue.ts';
import type { AdmittedOrder } from './admitted-order.ts';
import { reaches } from './market-side.ts';
import { match } from './match.ts';

/** An order before its admission. */
export type TriedAtExchange = Pick<AdmittedOrder, 'order' | 'account' | 'side' | 'product' | 'terms' | 'remaining'>;

/**
 * True when an order would meet users' orders at once, also those of its own account. False while orders gather, since
 * nothing trades then.
 */
export function meetsUsers({ book }: Venue, { side, terms }: Pick<TriedAtExchange, 'side' | 'terms'>): boolean {
  if (isGathering(book.phase)) return false;
  const best = book.bestPrice(opposite(side));
  return best !== undefined && reaches(side, terms.price, best);
}

/** A resting order that another order of its account would cancel. */
export interface MetOrder {
  readonly number: OrderNumber;
  /** The units of the incoming order that trade before. */
  readonly before: number;
}

/**
 * The resting orders of the same account that an order would cancel if it traded now, in the order in which it meets
 * them. A smaller order with a tighter limit would meet the first of them. It takes numbers from the venue as a trade
 * would, so nothing else may be decided with that venue. Source: market-rules R3.24.
 */
export function ownOrdersMet(venue: Venue, tried: TriedAtExchange): MetOrder[] {
  const rows = freshRows(venue);
  match(venue, venue.market.depth(venue.instrument, venue.tick), tried as AdmittedOrder, rows);
  const met: MetOrder[] = [];
  let before = 0;
  for (let index = 0; index < rows.count; index += 1) {
    const { kind, order, quantity } = rows.at(index);
    if (kind === 'Traded') before += quantity;
    else if (kind === 'OrderCancelled' && order !== tried.order) met.push({ number: order, before });
  }
  return met;
}
