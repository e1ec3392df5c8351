/** The placing of the whole basket, once, and the state of each of its orders as the service has it. */
import type { ReadonlySignal } from '@preact/signals';
import type { BasketRow, OrderRow, OrdersPreview } from '../../../../client/src/wire.ts';
import { isRepeat } from '../../orders/press.ts';
import { placeBasket } from '../../orders/sender.ts';
import { reasonOf, stateWords } from '../../orders/words.ts';
import { orders } from '../../store/books.ts';
import { marketDay } from '../../store/market-time.ts';
import type { Previewed } from '../ticket/preview-feed.ts';
import { clearLegs, isComplete, legs } from './basket.ts';
import { onTheWay, placeLegs, type SentBasket, sentOf } from './sent-basket.ts';

export function Placing({ preview }: { readonly preview: ReadonlySignal<Previewed<OrdersPreview>> }) {
  const basket = legs.value;
  const day = marketDay.value;
  const sent = sentOf(basket, day);
  const sending = onTheWay.value;
  const shown = sent ?? sending;
  const isSending = sending !== undefined;
  const wasSent = sent !== undefined && sent.state !== 'failed';
  const refused = preview.value.answer?.orders.filter(({ outcome }) => outcome === 'refused').length ?? 0;
  const press = (event: MouseEvent): void => {
    if (!isRepeat(event) && !isSending) void placeLegs(basket, day, placeBasket);
  };
  return (
    <section class="placing" aria-label="Placing">
      {shown !== undefined && <SentList {...shown} />}
      <div class="placing-bar">
        {refused > 0 && !wasSent && (
          <span class="loss">{refused === 1 ? '1 leg' : `${refused} legs`} would be refused</span>
        )}
        <span class="space" />
        {wasSent && !isSending && (
          <button type="button" onClick={clearLegs}>
            New basket
          </button>
        )}
        <button
          type="button"
          class={wasSent ? '' : 'main'}
          disabled={isSending || !basket.every(isComplete)}
          onClick={press}
        >
          {isSending ? 'Sending' : pressWords(sent, basket.length)}
        </button>
      </div>
    </section>
  );
}

function pressWords(sent: SentBasket | undefined, count: number): string {
  // Without an answer nobody knows whether it was placed, so the next press asks under the same key.
  if (sent?.state === 'in doubt') return 'Ask again';
  return sent === undefined || sent.state === 'failed' ? firstWords(count) : 'Place again';
}

function firstWords(count: number): string {
  return count === 1 ? 'Place 1 order' : `Place all ${count}`;
}

function SentList({ legs: placed, rows, state, reason }: SentBasket) {
  const book = new Map(orders.list.value.map((order) => [order.orderNumber, order]));
  return (
    <ol class="sent-list" aria-label="Orders placed" aria-live="polite">
      {placed.map((leg, place) => {
        const row = rows[place];
        const order = row && book.get(row.orderNumber as OrderRow['orderNumber']);
        const { words, tone } = row === undefined ? withoutRow(state, reason) : resultOf(row, order);
        return (
          <li key={leg.number}>
            <span>
              {leg.side} {leg.title}
            </span>
            <span class={tone}>{words}</span>
          </li>
        );
      })}
    </ol>
  );
}

interface Result {
  readonly words: string;
  readonly tone: string;
}

/** The words for a leg without a row. */
const STATE_WORDS: Readonly<Record<SentBasket['state'], (reason: string) => string>> = {
  sending: () => 'sending',
  'in doubt': () => 'no answer yet: ask again',
  'not known': () => 'not known: the day has turned, look at history and positions',
  failed: (reason) => `not placed: ${reason}`,
  answered: () => 'not known: look at the orders',
};

function withoutRow(state: SentBasket['state'], reason: string): Result {
  return { words: STATE_WORDS[state](reason), tone: state === 'failed' ? 'loss' : 'quiet' };
}

function resultOf(row: BasketRow, order: OrderRow | undefined): Result {
  if (row.orderNumber === '') return { words: row.rejreason ?? 'not taken', tone: 'loss' };
  if (order === undefined) return { words: `${row.orderNumber} taken`, tone: 'quiet' };
  if (order.status === 'REJECTED') return { words: reasonOf(order), tone: 'loss' };
  return { words: stateWords(order), tone: order.status === 'COMPLETE' ? 'gain' : '' };
}
