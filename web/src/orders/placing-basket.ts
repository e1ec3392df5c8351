/** The way of one basket: sent under a key, which stays with the tab until the outcome is known. */
import { SaudaError } from '../../../client/src/errors.ts';
import type { NewOrder } from '../../../client/src/orders.ts';
import type { BasketRow } from '../../../client/src/wire.ts';
import type { Pending, PendingPlacements } from './pending.ts';
import type { Note, PlacingPorts } from './placing.ts';
import { failureWords } from './words.ts';

/** The answer; a failure after which nothing was placed; or a doubt, which the same key clears up. */
export type BasketPlaced =
  | { readonly state: 'answered'; readonly rows: readonly BasketRow[] }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'in doubt' };

export interface BasketPorts extends Pick<PlacingPorts, 'now'> {
  placeBasket(orders: readonly NewOrder[], options: { readonly idempotencyKey: string }): Promise<readonly BasketRow[]>;
}

export function basketWords(orders: readonly NewOrder[]): string {
  return `Place a basket of ${orders.length} orders`;
}

/** Places a basket once, or asks for what became of one that was sent under the same key. */
export async function placeBasketOnce(
  ports: BasketPorts,
  pending: PendingPlacements,
  sent: Pick<Pending, 'userId' | 'idempotencyKey' | 'day'> & { readonly orders: readonly NewOrder[] },
  note: Note,
): Promise<BasketPlaced> {
  const { userId, orders, idempotencyKey, day } = sent;
  const from = ports.now();
  pending.add({ userId, idempotencyKey, text: basketWords(orders), day, count: orders.length });
  try {
    const rows = await ports.placeBasket(orders, { idempotencyKey });
    pending.remove(idempotencyKey);
    note({ state: 'taken', took: ports.now() - from });
    return { state: 'answered', rows };
  } catch (error) {
    const took = ports.now() - from;
    if (error instanceof SaudaError && error.ambiguous) {
      note({ state: 'in doubt', reason: 'Sent, but no answer came. The books show the outcome.', took });
      return { state: 'in doubt' };
    }
    pending.remove(idempotencyKey);
    const reason = failureWords(error);
    note({ state: 'failed', reason, took });
    return { state: 'failed', reason };
  }
}
