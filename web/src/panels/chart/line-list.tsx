/**
 * The working orders of the chart as buttons, so that a line can be moved without a pointer: Up and Down move it by a
 * tick, Enter modifies the order, Esc puts it back, Delete cancels it.
 */
import { useSignal } from '@preact/signals';
import { isRepeat } from '../../orders/press.ts';
import { cancel } from '../../orders/sender.ts';
import { openTicket } from '../../orders/ticket-request.ts';
import { grouped } from '../../text/figures.ts';
import { stepped } from '../ticket/draft.ts';
import type { ChartLine } from './chart-lines.ts';

export interface LineListProps {
  readonly lines: readonly ChartLine[];
  readonly tickSize: string;
  /** Draws a line at another price; at its own again without a line. */
  readonly onMove: (line: ChartLine | undefined, price?: string) => void;
  readonly onSend: (line: ChartLine, price: string) => void;
}

/** Orders that have a button; a day may have thousands, which the order list shows. */
const MOST_BUTTONS = 8;

export function LineList({ lines, tickSize, onMove, onSend }: LineListProps) {
  const working = lines.filter(({ order }) => order !== undefined);
  if (working.length === 0) return null;
  return (
    <ul class="chart-lines" aria-label="Orders on the chart">
      {working.slice(-MOST_BUTTONS).map((line) => (
        <li key={line.key}>
          <LineButton line={line} tickSize={tickSize} onMove={onMove} onSend={onSend} />
        </li>
      ))}
      {working.length > MOST_BUTTONS && <li>and more in the orders</li>}
    </ul>
  );
}

function LineButton(props: Omit<LineListProps, 'lines'> & { readonly line: ChartLine }) {
  const { line, tickSize, onMove, onSend } = props;
  const at = useSignal<string | undefined>(undefined);
  const leave = (): void => {
    at.value = undefined;
    onMove(undefined);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const ticks = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    const price = at.value;
    if (ticks !== 0) {
      at.value = stepped(price ?? line.price, tickSize, ticks);
      onMove(line, at.value);
    } else if (event.key === 'Enter' && price !== undefined && !isRepeat(event)) {
      leave();
      if (price !== line.price) onSend(line, price);
    } else if (event.key === 'Escape' && price !== undefined) leave();
    else if (event.key === 'Delete' && line.order !== undefined && !isRepeat(event))
      void cancel(line.order.orderNumber);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <button
      type="button"
      class={line.kind}
      title="Up and Down move the line, Enter modifies the order, Delete cancels it"
      onKeyDown={onKeyDown}
      onBlur={leave}
      onClick={() => {
        if (line.order !== undefined) openTicket({ kind: 'change', order: line.order });
      }}
    >
      {line.text} at {grouped(at.value ?? line.price)}
    </button>
  );
}
