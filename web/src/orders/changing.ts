/**
 * The way of a modification or a cancellation: sent once. When no answer comes, the order book of the service says
 * whether it was carried out; it is not sent again.
 */
import { SaudaError } from '../../../client/src/errors.ts';
import type { OrderChange } from '../../../client/src/orders.ts';
import type { OrderRefused, OrderTaken } from '../../../client/src/results.ts';
import type { OrderRow } from '../../../client/src/wire.ts';
import { LOOKING, type Note, onceReached, type PlacingPorts } from './placing.ts';
import { failureWords, stateWords } from './words.ts';

export interface ChangingPorts extends Pick<PlacingPorts, 'now' | 'pause' | 'isOpen'> {
  /** The order as the service has it now. Throws while the service is not reached. */
  look(): Promise<OrderRow>;
}

/** A change that is on its way is looked for after these times. */
const LOOKS_MS = [500, 1_000, 2_000];
const UNKNOWN = 'Sent, but no answer came. The order book shows the order as it is.';

export type Changed = OrderTaken | OrderRefused | undefined;

/** Sends a change of an order once. `isDone` says by the order's row whether it was carried out. */
export async function changeOnce(
  ports: ChangingPorts,
  ask: () => Promise<OrderTaken | OrderRefused>,
  isDone: (row: OrderRow) => boolean,
  note: Note,
): Promise<Changed> {
  const from = ports.now();
  try {
    const answer = await ask();
    const reason = answer.outcome === 'refused' ? answer.reason : '';
    note({ state: answer.outcome, reason, took: ports.now() - from, orders: [answer.orderNumber] });
    return answer;
  } catch (error) {
    if (error instanceof SaudaError && error.ambiguous) return lookAtOrder(ports, isDone, note, from);
    note({ state: 'failed', reason: failureWords(error), took: ports.now() - from });
    return undefined;
  }
}

async function lookAtOrder(
  ports: ChangingPorts,
  isDone: (row: OrderRow) => boolean,
  note: Note,
  from: number,
): Promise<Changed> {
  note({ state: 'looking', reason: LOOKING });
  let row: OrderRow | undefined;
  for (const wait of LOOKS_MS) {
    await ports.pause(wait);
    row = await onceReached(ports, () => rowNow(ports));
    if (row === undefined || isDone(row)) break;
  }
  const took = ports.now() - from;
  if (row === undefined) {
    note({ state: 'in doubt', reason: UNKNOWN, took });
    return undefined;
  }
  const { orderNumber } = row;
  if (!isDone(row)) {
    note({ state: 'failed', reason: `It did not reach the service. The order is: ${stateWords(row)}.`, took });
    return undefined;
  }
  note({ state: 'taken', reason: stateWords(row), took, orders: [orderNumber] });
  return { outcome: 'taken', orderNumber, requestTime: '', slices: [{ orderNumber }] };
}

/** Undefined when the book of the day no longer has the order. */
async function rowNow(ports: ChangingPorts): Promise<OrderRow | undefined> {
  try {
    return await ports.look();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** True for an order on which nothing can happen any more. */
export function isOver(row: Pick<OrderRow, 'status'>): boolean {
  return row.status === 'COMPLETE' || row.status === 'REJECTED' || isCancelled(row);
}

export function isCancelled({ status }: Pick<OrderRow, 'status'>): boolean {
  return status === 'CANCELED' || status === 'AMO CANCELED';
}

/** True when an order has the terms that a modification asked for. A market type has become a limit. */
export function hasTerms(change: OrderChange): (row: OrderRow) => boolean {
  const { quantity, price, triggerPrice, priceType } = change;
  const isMarket = priceType?.endsWith('MKT') === true;
  return (row) =>
    (quantity === undefined || String(quantity) === row.quantity) &&
    (price === undefined || isMarket || samePrice(price, row.price)) &&
    (triggerPrice === undefined || samePrice(triggerPrice, row.triggerPrice)) &&
    (priceType === undefined || priceType === row.priceType || (isMarket && row.priceType.endsWith('LMT')));
}

/** Compares decimal texts of rupees as texts: `405` is `405.00`. */
function samePrice(one: string, other: string): boolean {
  return withPaise(one) === withPaise(other);
}

function withPaise(price: string): string {
  const [whole = '', decimals = ''] = price.split('.');
  return `${whole}.${decimals.padEnd(2, '0').slice(0, 2)}`;
}
