/**
 * The state of one ticket: its draft, the preview that follows it, and what came of the last press. The form shows it;
 * this file has no markup.
 */
import { type ReadonlySignal, type Signal, signal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { InstrumentRow, OrderRow, OrdersPreview } from '../../../../client/src/wire.ts';
import { change, place, placeGtt } from '../../orders/sender.ts';
import { sendings } from '../../orders/sendings.ts';
import { handedPrice, type TicketRequest, takeHandedPrice } from '../../orders/ticket-request.ts';
import { failureWords } from '../../orders/words.ts';
import { limits, orders } from '../../store/books.ts';
import { client } from '../../store/session.ts';
import {
  atPrice,
  changeOf,
  type Draft,
  draftOfOrder,
  fitted,
  gttOf,
  lotsOf,
  NO_GTT,
  orderOf,
  type Problem,
  problemOf,
} from './draft.ts';
import { habitsFor, keepHabits } from './habits.ts';
import { type Previewed, PreviewFeed } from './preview-feed.ts';

/** The way of the last press: nothing, on its way, or the words with which it came back. */
export interface Outcome {
  readonly isSending: boolean;
  /** Blank unless it was refused or failed. */
  readonly failure: string;
}

export interface Ticket {
  readonly draft: ReadonlySignal<Draft>;
  readonly outcome: ReadonlySignal<Outcome>;
  readonly problem: ReadonlySignal<Problem | undefined>;
  readonly preview: ReadonlySignal<Previewed<OrdersPreview>>;
  /** The open order that is changed, as it is now; undefined for a new one. */
  readonly order: OrderRow | undefined;
  edit(change: Partial<Draft>): void;
  /** Sends once. Resolves to true when the service took it. */
  send(): Promise<boolean>;
}

/** A shown preview is asked for again after this time, since prices move. */
const AGAIN_MS = 4_000;
const IDLE: Outcome = { isSending: false, failure: '' };
const NOT_KNOWN = 'The outcome of this order is not known yet, or it was pressed twice. Look at the orders.';

/** The parts of a ticket that are kept while another panel covers it. */
interface Written {
  readonly draft: Signal<Draft>;
  readonly outcome: Signal<Outcome>;
  readonly problem: Signal<Problem | undefined>;
}

const written = new WeakMap<TicketRequest, Written>();

function writtenFor(request: TicketRequest, info: InstrumentRow): Written {
  const known = written.get(request);
  if (known !== undefined) return known;
  const begun: Written = {
    draft: signal(draftFor(request, info)),
    outcome: signal(IDLE),
    problem: signal<Problem | undefined>(undefined),
  };
  written.set(request, begun);
  return begun;
}

export function useTicket(request: TicketRequest, info: InstrumentRow): Ticket {
  const { draft, outcome, problem } = useMemo(() => writtenFor(request, info), [request]);
  const feed = usePreview(request, info, draft);
  const order = request.kind === 'change' ? (orders.get(request.order.orderNumber) ?? request.order) : undefined;
  // The row of the changed order is read again whenever the book changes.
  void (request.kind === 'change' && orders.list.value);
  const edit = (next: Partial<Draft>): void => {
    draft.value = fitted({ ...draft.peek(), ...next }, info);
    problem.value = undefined;
    if (outcome.peek().failure !== '') outcome.value = IDLE;
  };
  useSignalEffect(() => {
    const handed = handedPrice.value;
    if (handed === undefined) return;
    edit(atPrice(draft.peek(), handed.price));
    takeHandedPrice();
  });
  const send = async (): Promise<boolean> => {
    if (outcome.peek().isSending) return false;
    problem.value = problemOf(draft.peek(), order !== undefined);
    if (problem.peek() !== undefined) return false;
    outcome.value = { isSending: true, failure: '' };
    const failure = await sent(draft.peek(), info, order);
    outcome.value = { isSending: false, failure };
    return failure === '';
  };
  return { draft, outcome, problem, preview: feed.state, order, edit, send };
}

/** Sends the draft. Returns why it was not taken; blank when it was. */
async function sent(draft: Draft, info: InstrumentRow, order: OrderRow | undefined): Promise<string> {
  const before = sendings.peek().at(-1)?.number ?? 0;
  const failure = (): string => sendings.peek().find(({ number }) => number > before)?.reason || NOT_KNOWN;
  if (draft.when !== 'now') return (await placeGtt(gttOf(draft, info))) === undefined ? failure() : '';
  const answer = await (order === undefined ? place(orderOf(draft, info)) : change(order, changeOf(draft, info)));
  if (answer?.outcome === 'taken') {
    if (order === undefined) keepHabits(info, draft);
    return '';
  }
  if (answer?.outcome === 'refused') return answer.reason;
  return failure();
}

function draftFor(request: TicketRequest, info: InstrumentRow): Draft {
  if (request.kind === 'change') return draftOfOrder(request.order);
  const { side, price = '', quantity, product } = request;
  const habits = habitsFor(info);
  const lots = quantity === undefined ? '1' : lotsOf(quantity, info);
  const terms = price === '' ? { price, priceType: habits.priceType } : atPrice(habits, price);
  const first = { ...NO_GTT, ...habits, ...terms, side, lots, trigger: '', protection: '1', remarks: '' };
  return fitted(product === undefined ? first : { ...first, product }, info);
}

/** Follows the draft with the preview of the service. A change of an open order has none. */
function usePreview(request: TicketRequest, info: InstrumentRow, draft: Signal<Draft>) {
  const feed = useMemo(
    () => new PreviewFeed((order: PreviewQuestion) => client().margin.preview([order]), failureWords),
    [],
  );
  useEffect(() => {
    if (request.kind === 'change') return undefined;
    const ask = (isAgain: boolean): void => {
      const now = draft.peek();
      if (now.when === 'now' && problemOf(now, false) === undefined) feed.ask(questionOf(now, info), isAgain);
      else feed.clear();
    };
    const stops = [draft, limits.list].map((source) => source.subscribe(() => ask(false)));
    const timer = setInterval(() => {
      if (!document.hidden) ask(true);
    }, AGAIN_MS);
    return () => {
      for (const stop of stops) stop();
      clearInterval(timer);
      feed.clear();
    };
  }, [request, info]);
  return feed;
}

type PreviewQuestion = Parameters<ReturnType<typeof client>['margin']['preview']>[0][number];

function questionOf(draft: Draft, info: InstrumentRow): PreviewQuestion {
  const { remarks: _remarks, price = '0', retention = 'DAY', ...order } = orderOf(draft, info);
  return { ...order, price, retention };
}
