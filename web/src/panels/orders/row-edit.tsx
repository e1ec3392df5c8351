/**
 * An open order that is changed in its row: price, trigger and quantity. Enter sends once, Esc leaves it as it was; the
 * row goes on to show the terms that the service has.
 */
import { type Signal, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { OrderRow } from '../../../../client/src/wire.ts';
import { change } from '../../orders/sender.ts';
import { stepsOf } from '../../ui/steps.ts';
import { stepped } from '../ticket/draft.ts';
import { changeOf, type Edit, type EditField, editOf } from './order-edit.ts';

/** The row that is changed; one at a time. */
export const edited: Signal<Edit | undefined> = signal(undefined);

export function beginEdit(row: OrderRow, first?: EditField): void {
  edited.value = editOf(row, first);
}

export function endEdit(): void {
  edited.value = undefined;
}

/** Sends the terms that were changed, once; nothing when none was. */
export function sendEdit(row: OrderRow): void {
  const edit = edited.peek();
  const to = edit === undefined ? undefined : changeOf(row, edit);
  endEdit();
  if (to !== undefined) void change(row, to);
}

export function EditCell({ row, field }: { readonly row: OrderRow; readonly field: EditField }) {
  const input = useRef<HTMLInputElement>(null);
  const edit = edited.value;
  const isFirst = edit?.first === field;
  useEffect(() => {
    if (isFirst) input.current?.select();
  }, [isFirst]);
  if (edit === undefined) return null;
  const set = (value: string): void => {
    edited.value = { ...edit, [field]: value };
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // The keys of the table are not for a field.
    event.stopPropagation();
    const steps = stepsOf(event);
    if (steps !== 0) {
      event.preventDefault();
      set(field === 'quantity' ? moreUnits(edit.quantity, row, steps) : stepped(edit[field], row.tickSize, steps));
    } else if (event.key === 'Escape' || (event.key === 'Enter' && !event.repeat)) {
      // The field goes, and the keys are those of the list again.
      input.current?.closest<HTMLElement>('[role="grid"]')?.focus();
      if (event.key === 'Enter') sendEdit(row);
      else endEdit();
    }
  };
  return (
    <input
      class="figure row-edit"
      ref={input}
      aria-label={`New ${field === 'triggerPrice' ? 'trigger' : field} of order ${row.orderNumber}`}
      inputMode={field === 'quantity' ? 'numeric' : 'decimal'}
      value={edit[field]}
      onInput={({ currentTarget }) => set(currentTarget.value.trim())}
      onKeyDown={onKeyDown}
      onClick={(event) => event.stopPropagation()}
      onDblClick={(event) => event.stopPropagation()}
    />
  );
}

function moreUnits(quantity: string, { lotSize }: OrderRow, lots: number): string {
  const lot = Number(lotSize);
  const units = /^\d{1,9}$/.test(quantity) ? Number(quantity) : 0;
  return String(Math.max(lot, units + lots * lot));
}
