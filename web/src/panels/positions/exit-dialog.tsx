/** The question before positions are closed or turned round, with the orders that will be sent, and the sending. */
import './asking.css';
import type { TargetedSubmitEvent } from 'preact';
import { cancel, place } from '../../orders/sender.ts';
import { orderWords, PRODUCT_WORDS } from '../../orders/words.ts';
import { orders, positions } from '../../store/books.ts';
import { client } from '../../store/session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { closingOrder, closingOrdersOf, type Held, inClosingOrder, isFlat, keyOf } from './rows.ts';

export function ExitDialog(props: {
  readonly rows: readonly Held[];
  readonly isReverse: boolean;
  readonly onSend: () => void;
  readonly onClose: () => void;
}) {
  const { rows, isReverse, onSend, onClose } = props;
  void positions.list.value;
  const ordered = inClosingOrder(rows.map(bookedOf));
  const open = ordered.flatMap((row) => closingOrdersOf(row, orders.list.value));
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onClose();
    onSend();
  };
  const title = isReverse
    ? 'Reverse the position'
    : rows.length === 1
      ? 'Exit the position'
      : `Exit ${rows.length} positions`;
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="asking" onSubmit={onSubmit}>
        <ul>
          {ordered.map((row) => (
            <li key={keyOf(row)}>
              {orderWords(closingOrder(row, isReverse ? 2 : 1))}, {PRODUCT_WORDS[row.product]}
            </li>
          ))}
        </ul>
        {open.length > 0 && <p>Open orders that would close the same units are cancelled first: {open.length}.</p>}
        <div class="question-buttons">
          <button type="button" onClick={onClose}>
            Keep
          </button>
          <button type="submit" class="sell" autoFocus>
            {isReverse ? 'Reverse' : 'Exit'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** The position as the book has it now: it may have changed since it was chosen. */
function bookedOf(row: Held): Held {
  return positions.get(keyOf(row)) ?? row;
}

/**
 * Closes positions one after the other, or turns them round, by the units that they have then. A position whose own
 * orders cannot be cancelled is left, or it might close twice.
 */
export async function exitNow(rows: readonly Held[], isReverse: boolean): Promise<void> {
  for (const row of inClosingOrder(rows.map(bookedOf))) {
    const held = await freed(row);
    if (held === undefined) {
      toast('bad', `${row.tradingSymbol} was not closed: one of its open orders could not be cancelled.`);
    } else if (!isFlat(held)) await place(closingOrder(held, isReverse ? 2 : 1));
  }
}

/**
 * The position once its closing orders are cancelled, as the service has it then: one may have traded on the way.
 * Undefined when one of them is left.
 */
async function freed(row: Held): Promise<Held | undefined> {
  const resting = closingOrdersOf(row, orders.list.peek());
  if (resting.length === 0) return bookedOf(row);
  const ended = await Promise.all(resting.map(({ orderNumber }) => cancel(orderNumber)));
  if (ended.some((one) => one?.outcome !== 'taken')) return undefined;
  try {
    return (await client().portfolio.positions()).find((one) => keyOf(one) === keyOf(row));
  } catch {
    return undefined;
  }
}
