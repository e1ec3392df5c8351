/** The question before positions are closed or turned round, with the orders that will be sent, and the sending. */
import './asking.css';
import type { TargetedSubmitEvent } from 'preact';
import { cancel, place } from '../../orders/sender.ts';
import { orderWords, PRODUCT_WORDS } from '../../orders/words.ts';
import { orders } from '../../store/books.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { closingOrder, closingOrdersOf, inClosingOrder, type PositionResult } from './rows.ts';

export function ExitDialog(props: {
  readonly rows: readonly PositionResult[];
  readonly isReverse: boolean;
  readonly onClose: () => void;
}) {
  const { rows, isReverse, onClose } = props;
  const ordered = inClosingOrder(rows);
  const open = ordered.flatMap((row) => closingOrdersOf(row, orders.list.value));
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onClose();
    void exitNow(rows, isReverse);
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
            <li key={`${row.exchange} ${row.tradingSymbol} ${row.product}`}>
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

/**
 * Closes positions one after the other, or turns them round. A position whose own orders cannot be cancelled is left, or
 * it might close twice.
 */
export async function exitNow(rows: readonly PositionResult[], isReverse: boolean): Promise<void> {
  for (const row of inClosingOrder(rows)) {
    const resting = closingOrdersOf(row, orders.list.peek());
    const ended = await Promise.all(resting.map(({ orderNumber }) => cancel(orderNumber)));
    if (ended.every((one) => one?.outcome === 'taken')) await place(closingOrder(row, isReverse ? 2 : 1));
    else toast('bad', `${row.tradingSymbol} was not closed: one of its open orders could not be cancelled.`);
  }
}
