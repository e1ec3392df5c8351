/** The placing of the whole basket, once, and the state of each of its orders as the service has it. */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { BasketRow, OrderRow, OrdersPreview } from '../../../../client/src/wire.ts';
import { isRepeat } from '../../orders/press.ts';
import { placeBasket } from '../../orders/sender.ts';
import { reasonOf, stateWords } from '../../orders/words.ts';
import { orders } from '../../store/books.ts';
import type { Previewed } from '../ticket/preview-feed.ts';
import { clearLegs, isComplete, type Leg, legs, orderOf } from './basket.ts';

/** A basket that was sent, with its answer once it is there. */
interface Sent {
  readonly legs: readonly Leg[];
  /** The key that it went under. */
  readonly key: string;
  readonly rows: readonly BasketRow[] | undefined;
  readonly isSending: boolean;
}

export function Placing({ preview }: { readonly preview: ReadonlySignal<Previewed<OrdersPreview>> }) {
  const sent = useSignal<Sent | undefined>(undefined);
  const basket = legs.value;
  const refused = preview.value.answer?.orders.filter(({ outcome }) => outcome === 'refused').length ?? 0;
  const isSending = sent.value?.isSending === true;
  const wasSent = sent.value?.legs === basket;
  // Without an answer nobody knows whether it was placed, so the next press asks under the same key.
  const isOpen = wasSent && sent.value?.rows === undefined;
  const press = async (event: MouseEvent): Promise<void> => {
    if (isRepeat(event) || isSending) return;
    const key = isOpen ? (sent.value?.key ?? '') : crypto.randomUUID();
    sent.value = { legs: basket, key, rows: undefined, isSending: true };
    const rows = await placeBasket(basket.map(orderOf), key);
    sent.value = { legs: basket, key, rows, isSending: false };
  };
  return (
    <section class="placing" aria-label="Placing">
      {sent.value !== undefined && (wasSent || isSending) && <SentList {...sent.value} />}
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
          {isSending ? 'Sending' : isOpen ? 'Ask again' : wasSent ? 'Place again' : firstWords(basket.length)}
        </button>
      </div>
    </section>
  );
}

function firstWords(count: number): string {
  return count === 1 ? 'Place 1 order' : `Place all ${count}`;
}

function SentList({ legs: placed, rows, isSending }: Sent) {
  const book = new Map(orders.list.value.map((order) => [order.orderNumber, order]));
  return (
    <ol class="sent-list" aria-label="Orders placed" aria-live="polite">
      {placed.map((leg, place) => {
        const row = rows?.[place];
        const { words, tone } = resultOf(row, row && book.get(row.orderNumber as OrderRow['orderNumber']), isSending);
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

function resultOf(
  row: BasketRow | undefined,
  order: OrderRow | undefined,
  isSending: boolean,
): { readonly words: string; readonly tone: string } {
  if (row === undefined) return { words: isSending ? 'sending' : 'no answer yet: ask again', tone: 'quiet' };
  if (row.orderNumber === '') return { words: row.rejreason ?? 'not taken', tone: 'loss' };
  if (order === undefined) return { words: `${row.orderNumber} taken`, tone: 'quiet' };
  if (order.status === 'REJECTED') return { words: reasonOf(order), tone: 'loss' };
  return { words: stateWords(order), tone: order.status === 'COMPLETE' ? 'gain' : '' };
}
