/**
 * The one way in which the page changes anything at the service: each change is sent once, is shown as sent until the
 * service answers, and its time to the answer is kept. Nothing is shown as done before the service said so.
 */
import { signal } from '@preact/signals';
import { SaudaError } from '../../../client/src/errors.ts';
import type { Product } from '../../../client/src/generated/operations.ts';
import type { InstrumentName } from '../../../client/src/instrument.ts';
import type { OrderNumber } from '../../../client/src/order-number.ts';
import type { NewOrder, OrderChange } from '../../../client/src/orders.ts';
import type { OrderRefused, OrderTaken } from '../../../client/src/results.ts';
import type { DataOf } from '../../../client/src/wire.ts';
import { client } from '../store/session.ts';
import { toast } from '../ui/toasts.tsx';

export type SendingState = 'sending' | 'taken' | 'refused' | 'failed' | 'in doubt';

export interface Sending {
  readonly number: number;
  /** As people read it: `Buy 5 ITC-EQ at 405.00`. */
  readonly text: string;
  readonly state: SendingState;
  /** The reason of a refusal or a failure; blank otherwise. */
  readonly reason: string;
  /** Milliseconds from the press to the answer. */
  readonly took: number | undefined;
}

const MOST_KEPT = 50;

/** The changes that were sent last, newest last. */
export const sendings = signal<readonly Sending[]>([]);
let sent = 0;

/** Places an order under a key of its own, so that a lost answer is asked for again without a second order. */
export function place(order: NewOrder): Promise<OrderTaken | undefined> {
  const side = order.transactionType === 'B' ? 'Buy' : 'Sell';
  const price = order.priceType.endsWith('MKT') ? 'at the market' : `at ${order.price}`;
  return send(`${side} ${order.quantity} ${order.tradingSymbol} ${price}`, () => client().orders.place(order));
}

export function change(order: OrderNumber, to: OrderChange): Promise<OrderTaken | OrderRefused | undefined> {
  return send(`Modify order ${order}`, () => client().orders.modify(order, to));
}

export function cancel(order: OrderNumber): Promise<OrderTaken | OrderRefused | undefined> {
  return send(`Cancel order ${order}`, () => client().orders.cancel(order));
}

export function cancelAll(of: Partial<InstrumentName> = {}): Promise<DataOf<'cancelAllOrders'> | undefined> {
  return send('Cancel all orders', () => client().orders.cancelAll(of));
}

export function exitAll(product?: Product): Promise<DataOf<'exitAllPositions'> | undefined> {
  return send('Exit all positions', () => client().portfolio.exitAll(product === undefined ? {} : { product }));
}

/** Sends any other change of the user, as a conversion; `text` names it. Undefined when it failed. */
export async function send<T>(text: string, ask: () => Promise<T>): Promise<T | undefined> {
  sent += 1;
  const number = sent;
  const from = performance.now();
  const entry = { number, text, reason: '', took: undefined };
  sendings.value = [...sendings.value.slice(1 - MOST_KEPT), { ...entry, state: 'sending' }];
  try {
    const answer = await ask();
    const reason = refusalOf(answer);
    settle(number, reason === '' ? 'taken' : 'refused', reason, performance.now() - from);
    return answer;
  } catch (error) {
    const isInDoubt = error instanceof SaudaError && error.ambiguous;
    settle(number, isInDoubt ? 'in doubt' : 'failed', wordsOf(error), performance.now() - from);
    return undefined;
  }
}

function settle(number: number, state: SendingState, reason: string, took: number): void {
  sendings.value = sendings.value.map((one) => (one.number === number ? { ...one, state, reason, took } : one));
  const settled = sendings.peek().find((one) => one.number === number);
  if (settled === undefined) return;
  if (state === 'taken') toast('good', `${settled.text}: taken in ${Math.round(took)} ms`);
  else if (state === 'in doubt')
    toast('bad', `${settled.text}: sent, but no answer came. Look at the orders. ${reason}`);
  else toast('bad', `${settled.text}: ${reason}`);
}

function refusalOf(answer: unknown): string {
  const refused = answer as Partial<OrderRefused> | undefined;
  return refused?.outcome === 'refused' ? (refused.reason ?? '') : '';
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
