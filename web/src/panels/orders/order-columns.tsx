/** The columns of the order list. */
import type { Signal } from '@preact/signals';
import type { OrderNumber } from '../../../../client/src/order-number.ts';
import type { OrderRow } from '../../../../client/src/wire.ts';
import { isOver } from '../../orders/changing.ts';
import { isRepeat } from '../../orders/press.ts';
import { cancel } from '../../orders/sender.ts';
import { PRODUCT_WORDS, reasonOf, SIDE_WORDS, statusWord, TYPE_WORDS } from '../../orders/words.ts';
import { Figure } from '../../ui/figure.tsx';
import type { Column } from '../../ui/table.tsx';
import { filledText, timeText } from './order-rows.ts';
import { beginEdit, EditCell, type EditField, edited } from './row-edit.tsx';

export function orderColumns(
  selected: Signal<ReadonlySet<OrderNumber>>,
  onOpen: (row: OrderRow) => void,
): readonly Column<OrderRow>[] {
  return [
    { id: 'select', title: '\u2713', width: '18px', cell: (row) => <Select row={row} selected={selected} /> },
    {
      id: 'time',
      title: 'Time',
      width: '8ch',
      cell: timeText,
      order: (a, b) => a.orderNumber.localeCompare(b.orderNumber),
    },
    { id: 'side', title: 'Side', width: '5ch', cell: sideCell },
    {
      id: 'symbol',
      title: 'Instrument',
      width: 'minmax(15ch, 1.3fr)',
      cell: (row) => (
        <span title={`${row.exchange}:${row.tradingSymbol}`}>
          {row.tradingSymbol} <small>{row.exchange}</small>
        </span>
      ),
      order: (a, b) => a.tradingSymbol.localeCompare(b.tradingSymbol),
    },
    { id: 'product', title: 'Product', width: '8ch', cell: ({ product }) => PRODUCT_WORDS[product] },
    { id: 'type', title: 'Type', width: '11ch', cell: typeText },
    figure('quantity', 'Filled', '13ch', (row) => <Editable row={row} field="quantity" text={filledText(row)} />),
    figure('price', 'Price', '11ch', (row) => <Editable row={row} field="price" text={row.price} />),
    figure('trigger', 'Trigger', '11ch', (row) =>
      row.priceType.startsWith('SL') ? <Editable row={row} field="triggerPrice" text={row.triggerPrice} /> : '',
    ),
    figure('average', 'Average', '11ch', (row) => (row.fillShares === '' ? '' : <Figure value={row.averagePrice} />)),
    {
      id: 'status',
      title: 'State',
      width: 'minmax(14ch, 2fr)',
      cell: statusCell,
      order: (a, b) => a.status.localeCompare(b.status),
    },
    { id: 'acts', title: 'Actions', width: '132px', isFigure: true, cell: (row) => <Acts row={row} onOpen={onOpen} /> },
  ];
}

function figure(id: string, title: string, width: string, cell: Column<OrderRow>['cell']): Column<OrderRow> {
  return { id, title, width, isFigure: true, cell };
}

function sideCell({ transactionType }: OrderRow) {
  return <span class={transactionType === 'B' ? 'side-buy' : 'side-sell'}>{SIDE_WORDS[transactionType]}</span>;
}

function typeText({ priceType, retention }: OrderRow): string {
  return retention === 'IOC' ? `${TYPE_WORDS[priceType]} IOC` : TYPE_WORDS[priceType];
}

function statusCell(row: OrderRow) {
  const reason = reasonOf(row);
  const tone = row.status === 'REJECTED' ? 'loss' : isOver(row) ? 'quiet' : '';
  return (
    <span class={tone} title={reason}>
      {statusWord(row.status)}
      {reason !== '' && <small> {reason}</small>}
    </span>
  );
}

function Editable({ row, field, text }: { readonly row: OrderRow; readonly field: EditField; readonly text: string }) {
  if (edited.value?.order === row.orderNumber && !isOver(row)) return <EditCell row={row} field={field} />;
  return <Figure value={text} />;
}

function Select({ row, selected }: { readonly row: OrderRow; readonly selected: Signal<ReadonlySet<OrderNumber>> }) {
  if (isOver(row)) return null;
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      aria-label={`Select order ${row.orderNumber}`}
      checked={selected.value.has(row.orderNumber)}
      onClick={(event) => event.stopPropagation()}
      onChange={() => toggle(selected, row.orderNumber)}
    />
  );
}

/** Selects an order, or takes it out of the selection. */
export function toggle(selected: Signal<ReadonlySet<OrderNumber>>, order: OrderNumber): void {
  const next = new Set(selected.peek());
  if (!next.delete(order)) next.add(order);
  selected.value = next;
}

function Acts({ row, onOpen }: { readonly row: OrderRow; readonly onOpen: (row: OrderRow) => void }) {
  const once =
    (act: () => void) =>
    (event: MouseEvent): void => {
      event.stopPropagation();
      if (!isRepeat(event)) act();
    };
  return (
    <span class="row-acts">
      {!isOver(row) && (
        <>
          <button type="button" class="plain" tabIndex={-1} onClick={once(() => beginEdit(row))}>
            Modify
          </button>
          <button type="button" class="plain" tabIndex={-1} onClick={once(() => void cancel(row.orderNumber))}>
            Cancel
          </button>
        </>
      )}
      <button type="button" class="plain" tabIndex={-1} onClick={once(() => onOpen(row))}>
        Life
      </button>
    </span>
  );
}
