/** The questions before positions are closed: of some of them, with the orders that will be sent, and of all. */
import './asking.css';
import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import type { Product } from '../../../../client/src/generated/operations.ts';
import { cancel, exitAll, place } from '../../orders/sender.ts';
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
    void sendAll(ordered, isReverse ? 2 : 1);
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
        <footer>
          <button type="button" onClick={onClose}>
            Keep
          </button>
          <button type="submit" class="sell" autoFocus>
            {isReverse ? 'Reverse' : 'Exit'}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** One order after the other. A position whose own orders cannot be cancelled is left, or it might close twice. */
async function sendAll(rows: readonly PositionResult[], times: 1 | 2): Promise<void> {
  for (const row of rows) {
    const resting = closingOrdersOf(row, orders.list.peek());
    const ended = await Promise.all(resting.map(({ orderNumber }) => cancel(orderNumber)));
    if (ended.every((one) => one?.outcome === 'taken')) await place(closingOrder(row, times));
    else toast('bad', `${row.tradingSymbol} was not closed: one of its open orders could not be cancelled.`);
  }
}

const PRODUCTS = ['', 'C', 'M', 'I'] as const;

export function ExitAllDialog({ onClose }: { readonly onClose: () => void }) {
  const product = useSignal<Product | ''>('');
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onClose();
    void exit(product.peek() === '' ? undefined : (product.peek() as Product));
  };
  return (
    <Dialog title="Exit all positions" onClose={onClose}>
      <form class="asking" onSubmit={onSubmit}>
        <p>Their open orders are cancelled, and market orders are sent for what is left.</p>
        <label>
          Positions
          <select
            value={product.value}
            onChange={(event) => {
              product.value = event.currentTarget.value as Product | '';
            }}
          >
            {PRODUCTS.map((one) => (
              <option key={one} value={one}>
                {one === '' ? 'All, deliveries of today too' : PRODUCT_WORDS[one]}
              </option>
            ))}
          </select>
        </label>
        <footer>
          <button type="button" onClick={onClose}>
            Keep
          </button>
          <button type="submit" class="sell" autoFocus>
            Exit all
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** Says which positions are left, with the reasons of the service. */
async function exit(product: Product | undefined): Promise<void> {
  const done = await exitAll(product);
  for (const { tradingSymbol, reason } of done?.refused ?? [])
    toast('bad', `${tradingSymbol} was not closed: ${reason}`);
  if (done !== undefined && done.left !== '0') toast('bad', `${done.left} positions are left. Exit once more.`);
}
