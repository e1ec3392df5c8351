/** The row of an order that was just placed, for its judgement. */
import { effect, untracked } from '@preact/signals';
import type { OrderNumber } from '../../../client/src/order-number.ts';
import type { OrderRow } from '../../../client/src/wire.ts';
import { orders } from '../store/books.ts';
import { link } from '../store/link.ts';
import { desk } from '../store/session.ts';

/** The row of a placed order comes by the stream within this time, or is not waited for. */
const ROW_MS = 2_000;

/**
 * The row of an order once the book has it with a judgement. While the stream is cut, and on a hidden page, which draws
 * no frame, the service is asked instead. Undefined when neither has it, and when the session ends before.
 */
export function rowSoon(number: OrderNumber): Promise<OrderRow | undefined> {
  const { promise, resolve } = Promise.withResolvers<OrderRow | undefined>();
  const open = desk.peek();
  let isAsked = false;
  const ask = (): void => {
    if (isAsked || open === undefined) return;
    isAsked = true;
    // Not resolved with the question itself: the session may end before its answer.
    void open.sauda.orders
      .get(number)
      .catch(() => orders.get(number))
      .then(resolve);
  };
  const stop = effect(() => {
    void orders.list.value;
    const row = orders.get(number);
    if (desk.value !== open || open === undefined) resolve(undefined);
    else if (row !== undefined && row.status !== 'PENDING') resolve(row);
    // The request is noted in signals, which must not be followed here.
    else if (link.value === 'cut') untracked(ask);
  });
  const timer = setTimeout(ask, ROW_MS);
  return promise.finally(() => {
    stop();
    clearTimeout(timer);
  });
}
