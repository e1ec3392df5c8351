/**
 * The two keys that end everything: F6 exits all positions, F7 cancels all orders. They work while the user types, and
 * ask first unless the page is armed. Each is one request, so the service does it even when the page is closed.
 */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Action } from '../app/actions.ts';
import { orders, positions } from '../store/books.ts';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toasts.tsx';
import { armed } from './armed.ts';
import { isOver } from './changing.ts';
import { cancelAll, exitAll } from './sender.ts';

type Ending = 'exit' | 'cancel';

/** The question that is shown; undefined when none is. */
const asked = signal<Ending | undefined>(undefined);

const WORDS = {
  exit: { title: 'Exit all positions', key: 'F6' },
  cancel: { title: 'Cancel all orders', key: 'F7' },
} as const;

export function endAllActions(): readonly Action[] {
  return (['exit', 'cancel'] as const).map((ending) => ({
    id: `order.${ending}-all`,
    title: WORDS[ending].title,
    group: 'Orders',
    keys: WORDS[ending].key,
    alsoTyping: true,
    run: () => askFor(ending),
  }));
}

/** Ends all orders or all positions, after a question unless the page is armed. */
export function askFor(ending: Ending): void {
  if (armed.peek()) void carryOut(ending);
  else asked.value = ending;
}

export function EndAll() {
  const ending = asked.value;
  return ending === undefined ? null : <Question key={ending} ending={ending} />;
}

function Question({ ending }: { readonly ending: Ending }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  const close = (): void => {
    asked.value = undefined;
  };
  const confirm = (): void => {
    close();
    void carryOut(ending);
  };
  return (
    <Dialog title={`${WORDS[ending].title}?`} onClose={close}>
      <div class="question">
        <p>{ending === 'exit' ? positionsWords() : ordersWords()}</p>
        <div class="question-buttons">
          <button type="button" onClick={close}>
            Keep them
          </button>
          <button type="button" class="sell" ref={button} onClick={confirm}>
            {WORDS[ending].title}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function positionsWords(): string {
  const open = positions.list.value.filter(({ netQuantity }) => netQuantity !== '0').length;
  return `Open positions: ${open}. Their orders are cancelled, and market orders close them.`;
}

function ordersWords(): string {
  return `Open orders: ${orders.list.value.filter((row) => !isOver(row)).length}.`;
}

/** The service says which of them it could not end, and why. */
async function carryOut(ending: Ending): Promise<void> {
  if (ending === 'cancel') {
    const done = await cancelAll();
    for (const { orderNumber, reason } of done?.refused ?? []) toast('bad', `Order ${orderNumber} is left: ${reason}`);
    return;
  }
  const done = await exitAll();
  for (const { tradingSymbol, reason } of done?.refused ?? []) toast('bad', `${tradingSymbol} is left: ${reason}`);
  if (done !== undefined && done.left !== '0') toast('bad', `Positions that are left: ${done.left}. Exit once more.`);
}
