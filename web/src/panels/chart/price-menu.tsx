/** The menu of a right click on the chart: an order at that price, by the ticket. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { InstrumentName } from '../../../../client/src/instrument.ts';
import { cancel } from '../../orders/sender.ts';
import { openTicket } from '../../orders/ticket-request.ts';
import { SIDE_WORDS } from '../../orders/words.ts';
import { grouped } from '../../text/figures.ts';
import type { ChartLine } from './chart-lines.ts';

export interface MenuPlace {
  /** From the corner of the chart, in pixels. */
  readonly x: number;
  readonly y: number;
  /** Decimal text of rupees. */
  readonly price: string;
  /** The order whose line was under the pointer. */
  readonly line: ChartLine | undefined;
}

export interface PriceMenuProps {
  readonly instrument: InstrumentName;
  readonly place: MenuPlace;
  readonly onClose: () => void;
}

export function PriceMenu({ instrument, place, onClose }: PriceMenuProps) {
  const element = useRef<HTMLDivElement>(null);
  const { price, line } = place;
  // Before the next event: a key that follows the one that opened the menu belongs to it.
  useLayoutEffect(() => {
    element.current?.querySelector('button')?.focus();
    const leave = (event: Event): void => {
      if (!element.current?.contains(event.target as Node)) onClose();
    };
    window.addEventListener('pointerdown', leave);
    return () => window.removeEventListener('pointerdown', leave);
  }, []);
  const pick = (act: () => void) => (): void => {
    onClose();
    act();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const buttons = [...(element.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Escape') onClose();
    else if (step !== 0) buttons[(at + step + buttons.length) % buttons.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class="price-menu"
      role="menu"
      aria-label={`Order at ${price}`}
      tabIndex={-1}
      ref={element}
      style={{ left: `min(${place.x}px, 100% - 190px)`, top: `min(${place.y}px, 100% - 120px)` }}
      onKeyDown={onKeyDown}
    >
      {(['B', 'S'] as const).map((side) => (
        <button
          type="button"
          role="menuitem"
          key={side}
          onClick={pick(() => openTicket({ kind: 'new', instrument, side, price }))}
        >
          {SIDE_WORDS[side]} at {grouped(price)}
        </button>
      ))}
      {line?.order !== undefined && <OrderItems line={line} pick={pick} />}
    </div>
  );
}

function OrderItems({ line, pick }: { readonly line: ChartLine; readonly pick: (act: () => void) => () => void }) {
  const { order, text } = line;
  if (order === undefined) return null;
  return (
    <>
      <button type="button" role="menuitem" onClick={pick(() => openTicket({ kind: 'change', order }))}>
        Modify {text}
      </button>
      <button type="button" role="menuitem" onClick={pick(() => void cancel(order.orderNumber))}>
        Cancel {text}
      </button>
    </>
  );
}
