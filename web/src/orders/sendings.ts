/**
 * The changes that the page sent last, each with its state and its time to the answer. A change is shown as sent until
 * the service said what became of it; the status bar and the list of sendings read this log.
 */
import { signal } from '@preact/signals';
import type { OrderNumber } from '../../../client/src/order-number.ts';

/**
 * `sending` until an answer comes; `looking` when none came and the books are asked; `taken`, `refused` and `failed` as
 * the service said; `in doubt` when nothing can be learnt any more.
 */
export type SendingState = 'sending' | 'looking' | 'taken' | 'refused' | 'failed' | 'in doubt';

export interface Sending {
  readonly number: number;
  /** As people read it: `Buy 5 ITC-EQ at 405.00`. */
  readonly text: string;
  readonly state: SendingState;
  /** The reason of a refusal, a failure or a doubt, or the state of a taken order; blank before. */
  readonly reason: string;
  /** Milliseconds from the press to the answer. */
  readonly took: number | undefined;
  /** The orders that it made or changed, as far as they are known. */
  readonly orders: readonly OrderNumber[];
}

export type SendingChange = Partial<Omit<Sending, 'number' | 'text'>>;

const MOST_KEPT = 50;

/** Newest last. */
export const sendings = signal<readonly Sending[]>([]);
let sent = 0;

/** Notes that something is on its way. Returns its number in the log. */
export function noteSending(text: string): number {
  sent += 1;
  const entry: Sending = { number: sent, text, state: 'sending', reason: '', took: undefined, orders: [] };
  sendings.value = [...sendings.value.slice(1 - MOST_KEPT), entry];
  return sent;
}

/** Notes the state of a change. Returns it as it is now; undefined when the log has let it go. */
export function settleSending(number: number, change: SendingChange): Sending | undefined {
  sendings.value = sendings.value.map((one) => (one.number === number ? { ...one, ...change } : one));
  return sendings.peek().find((one) => one.number === number);
}
