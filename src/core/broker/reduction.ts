import { type Product, remaining, type Side } from '../order.ts';
import { netQuantity, type PositionFacts } from '../position.ts';
import { type Account, type Position, positionKey } from '../state.ts';
import { type OrderWish, unitsOf } from './order-wish.ts';

/** A contract's positions of both products are one. Source: market-rules R4.28. */
export const CONTRACT_PRODUCTS: readonly Product[] = ['M', 'I'];

/** A position before an order and after it, with all resting orders of its side filled. Negative when short. */
export interface Reach {
  readonly net: number;
  readonly after: number;
}

/**
 * How far a wish may take the position of its contract over `products`: the orders of its side that rest already count, so that
 * several exits together are no opening.
 */
export function reachOf(wish: OrderWish, facts: PositionFacts, products: readonly Product[]): Reach {
  const { account, side, current } = wish;
  let net = 0;
  let open = 0;
  for (const row of rowsOf(account, facts, products)) {
    net += netQuantity(row);
    open += side === 'B' ? row.openBuyQuantity : row.openSellQuantity;
  }
  if (current !== undefined) open -= remaining(current);
  const units = open + unitsOf(wish);
  return { net, after: side === 'B' ? net + units : net - units };
}

/** True when an order that may take the position from `net` to `after` can only bring it nearer to flat. */
export function reduces({ net, after }: Reach, side: Side): boolean {
  return side === 'B' ? net < 0 && after <= 0 : net > 0 && after >= 0;
}

function* rowsOf(account: Account, facts: PositionFacts, products: readonly Product[]): Iterable<Position> {
  for (const product of products) {
    const row = account.positions.get(positionKey(facts.instrument, product));
    if (row !== undefined) yield row;
  }
}
