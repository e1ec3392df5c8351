/**
 * Whether orders only close a position. Bans, square-offs and risk groups refuse orders that open, and let exits pass.
 * Resting orders of the same side count as filled.
 */

import type { InstrumentId } from '../../../base/ids.ts';
import { type Account, type Position, positionKey } from '../../account.ts';
import { type Product, remaining, type Side } from '../../order.ts';
import { netQuantity } from '../../position.ts';
import { type OrderWish, unitsOf } from './order-wish.ts';

/** The positions of both products of a contract count as one. Source: market-rules R4.28. */
export const CONTRACT_PRODUCTS: readonly Product[] = ['M', 'I'];

/** A position before an order and after it, with all resting orders of its side filled. Negative when short. */
export interface PositionSpan {
  readonly net: number;
  readonly after: number;
}

/**
 * The position of a contract over `products` before and after a wish. The resting orders of its side already count, so
 * that several exits together do not open a position.
 */
export function positionSpanOf(wish: OrderWish, products: readonly Product[]): PositionSpan {
  return positionSpan(wish.account, wish.instrument.id, products, wish.side, unitsMore(wish));
}

/**
 * Units that a wish adds to the open orders of its row. An order that waits at the broker for a session is not among
 * those.
 */
export function unitsMore(wish: OrderWish): number {
  const { current } = wish;
  const resting = current === undefined || current.afterMarket !== undefined ? 0 : remaining(current);
  return unitsOf(wish) - resting;
}

/**
 * The position over `products` before and after `units` more of a side, with the resting orders of that side filled.
 */
function positionSpan(
  account: Account,
  instrument: InstrumentId,
  products: readonly Product[],
  side: Side,
  units: number,
): PositionSpan {
  let net = 0;
  let open = units;
  for (const row of rowsOf(account, instrument, products)) {
    net += netQuantity(row);
    open += side === 'B' ? row.openBuyQuantity : row.openSellQuantity;
  }
  return { net, after: side === 'B' ? net + open : net - open };
}

/** True when an order that may take the position from `net` to `after` can only bring it nearer to flat. */
export function reduces({ net, after }: PositionSpan, side: Side): boolean {
  return side === 'B' ? net < 0 && after <= 0 : net > 0 && after >= 0;
}

/** `units` of one side of a row, beside the resting orders of the same side. */
export interface RowOrders {
  readonly instrument: InstrumentId;
  readonly product: Product;
  readonly side: Side;
  readonly units: number;
}

/**
 * True when orders only close what the account holds under their product. Shares for delivery are never sold short,
 * whatever was bought today, so every delivery sale closes and no delivery purchase does.
 */
export function onlyCloses(account: Account, { instrument, product, side, units }: RowOrders): boolean {
  if (product === 'C') return side === 'S';
  return reduces(positionSpan(account, instrument, [product], side, units), side);
}

function* rowsOf(account: Account, instrument: InstrumentId, products: readonly Product[]): Iterable<Position> {
  for (const product of products) {
    const row = account.positions.get(positionKey(instrument, product));
    if (row !== undefined) yield row;
  }
}
