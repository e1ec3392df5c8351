import { ZERO_PRICE } from '../../../base/money.ts';
import type { RepriceOrder } from '../../command.ts';
import type { Event } from '../../event.ts';
import { reaches } from '../../exchange/matching/market-side.ts';
import { decideReplace } from '../../exchange/matching/replace.ts';
import { isGathering } from '../../exchange/phase.ts';
import { bestOpposite, lastTradedPrice } from '../../exchange/reference.ts';
import type { Venue } from '../../exchange/venue.ts';
import type { Order } from '../../order.ts';
import type { DecisionPorts } from '../../ports.ts';
import type { State } from '../../state.ts';
import { admit } from './admission.ts';
import type { OrderWish } from './order-wish.ts';
import { modificationWish } from './orders.ts';

/**
 * Brings a resting order of the risk desk to the market again, as a modification to a market order would. It stays the
 * same order, with its fills. Nothing happens while the market has not gone past its limit (a lower limit would only
 * sell for less), where the limit may go no further, where no modification is taken, and for any other order. Source:
 * market-rules R2.24, R3.7, R3.18.
 */
export function decideReprice(state: State, ports: DecisionPorts, { order: number }: RepriceOrder): Event[] {
  const order = state.orders.get(number);
  if (order === undefined || !order.squareOff || order.status !== 'Open') return [];
  const wish = repriceWish(state, ports, order);
  if (!isLeftBehind(wish.venue, order) || reaches(order.side, order.terms.price, wish.terms.price)) return [];
  const admission = admit(wish, number);
  return admission.refusal === undefined ? decideReplace(wish.venue, admission.admitted, order.terms) : [];
}

/**
 * True when an order trades neither with the orders against it nor at the last price. In an auction all trade at one
 * price, whatever their limits.
 */
function isLeftBehind(venue: Venue, { side, terms }: Order): boolean {
  if (isGathering(venue.phase)) return true;
  return !reaches(side, terms.price, bestOpposite(venue, side) ?? lastTradedPrice(venue));
}

/** The order of the risk desk with the protected price that the market gives it now. */
export function repriceWish(state: State, ports: DecisionPorts, order: Order): OrderWish {
  const terms = { ...order.terms, priceType: 'MKT', price: ZERO_PRICE } as const;
  return { ...modificationWish(state, ports, order, { terms }), squareOff: true };
}
