/**
 * The things that happened to one order on demand, in words, for `sauda why` and `getOrderWhy`: what its client asked
 * for, and what the exchange did for it. It reads records of the journal and decides nothing.
 */

import { formatRupees } from '../../base/decimal.ts';
import type { OrderNumber } from '../../base/ids.ts';
import { type EpochMs, formatIstMoment, SECOND_MS } from '../../base/time.ts';
import type { Event } from '../event.ts';
import type { State } from '../state.ts';
import type { AwaitedOutcome } from './outcome-events.ts';

/** One thing that happened on demand. */
export interface OutcomeNote {
  readonly at: EpochMs;
  /** The record that holds it. */
  readonly seq: number;
  readonly words: string;
}

const AWAITED: Readonly<Record<AwaitedOutcome, string>> = {
  Acknowledge: 'pending until',
  Cancel: 'to be cancelled by the exchange at',
  LateFill: 'cancellation asked for; to fill instead at',
};

/** The notes on an order in a record; none for an order without a scenario. `state`: before the record. */
export function outcomeNotes(
  state: State,
  record: { readonly at: EpochMs; readonly seq: number; readonly events: readonly Event[] },
  order: OrderNumber,
): readonly OutcomeNote[] {
  const received = record.events.find((event) => event.type === 'OrderReceived' && event.order === order);
  const asked = received?.type === 'OrderReceived' ? received : state.orders.get(order);
  if (asked?.scenario === undefined) return [];
  const { at, seq } = record;
  const run = { order, isAside: state.books.get(asked.instrument)?.isAside(order) === true };
  const words = received === undefined ? [] : [`asked for by remarks: ${asked.remarks}`];
  for (const event of record.events) words.push(...wordsOf(event, run));
  return words.map((one) => ({ at, seq, words: one }));
}

/** Where an order stands among the events of a record. */
interface Run {
  readonly order: OrderNumber;
  isAside: boolean;
}

/** An instant with its milliseconds, IST. */
function exactly(at: EpochMs): string {
  return `${formatIstMoment(at)}.${String(at % SECOND_MS).padStart(3, '0')}`;
}

function wordsOf(event: Event, run: Run): string[] {
  if (event.type === 'Traded') {
    const isOwn = event.buy?.order === run.order || event.sell?.order === run.order;
    return isOwn && run.isAside ? [`filled ${event.quantity} at ${formatRupees(event.price)} on demand`] : [];
  }
  if (!('order' in event) || event.order !== run.order) return [];
  switch (event.type) {
    case 'OutcomeAwaited':
      return [`${AWAITED[event.outcome]} ${exactly(event.due)}`];
    case 'OrderSetAside':
      run.isAside = true;
      return ['set aside: it stands in no queue'];
    case 'OrderRejected':
      return event.refusal.rule === 'RejectedOnDemand' ? ['rejected on demand'] : [];
    case 'OrderCancelled':
      return event.reason === 'OnDemand' ? ['cancelled by the exchange on demand'] : [];
    default:
      return [];
  }
}
