/** The columns of the order list. */
import type { Signal } from '@preact/signals';
import { instrumentText } from '../../../../client/src/instrument.ts';
import type { OrderNumber } from '../../../../client/src/order-number.ts';
import type { OrderRow } from '../../../../client/src/wire.ts';
import { isOver } from '../../orders/changing.ts';
import { isRepeat } from '../../orders/press.ts';
import { cancel } from '../../orders/sender.ts';
import { PRODUCT_WORDS, reasonOf, SIDE_WORDS, statusWord, TYPE_WORDS } from '../../orders/words.ts';
import { instrumentWords } from '../../text/instrument-words.ts';
import { Figure } from '../../ui/figure.tsx';
import type { Column } from '../../ui/table.tsx';
import { toggle } from '../../ui/toggle.ts';
import type { EditField } from './order-edit.ts';
import { filledText, timeText } from './order-rows.ts';
import { beginEdit, EditCell, edited, endEdit, sendEdit } from './row-edit.tsx';

/** The room of the list: all columns, those without which an order is still known, or those of a phone. */
export type Room = 'wide' | 'narrow' | 'phone';

/** In pixels. */
const WIDE = 720;
const NARROW = 440;

/** `width` in pixels, 0 while it is not known. Beside the life of an order there is less of it. */
export function roomOf(width: number, hasLife: boolean): Room {
  if (width > 0 && width < NARROW) return 'phone';
  return hasLife || (width > 0 && width < WIDE) ? 'narrow' : 'wide';
}

/** The columns of the list that have room. */
export function orderColumns(
  selected: Signal<ReadonlySet<OrderNumber>>,
  onOpen: (row: OrderRow) => void,
  room: Room,
): readonly Column<OrderRow>[] {
  const columns: readonly Column<OrderRow>[] = [
    { id: 'select', title: '\u2713', width: '16px', cell: (row) => <Select row={row} selected={selected} /> },
    { id: 'time', title: 'Time', width: '8ch', cell: timeText, order: (a, b) => compare(a.orderNumber, b.orderNumber) },
    { id: 'side', title: 'Side', width: '4ch', cell: sideCell },
    {
      id: 'symbol',
      title: 'Instrument',
      width: room === 'phone' ? 'minmax(14ch, 1fr)' : 'minmax(20ch, 1.2fr)',
      cell: symbolCell,
      order: (a, b) => compare(a.tradingSymbol, b.tradingSymbol),
    },
    { id: 'type', title: 'Type', width: 'minmax(13ch, 0.8fr)', cell: typeCell },
    figure('quantity', 'Filled', '9ch', (row) => <Editable row={row} field="quantity" text={filledText(row)} />),
    figure('price', 'Price', '10ch', (row) => <Editable row={row} field="price" text={row.price} />),
    figure('trigger', 'Trigger', '8ch', triggerCell),
    figure('average', 'Average', '9ch', (row) => (row.fillShares === '' ? '' : <Figure value={row.averagePrice} />)),
    {
      id: 'status',
      title: 'State',
      width: 'minmax(10ch, 1.6fr)',
      cell: (row) => (
        <>
          <Status row={row} />
          <Acts row={row} onOpen={onOpen} />
        </>
      ),
      order: (a, b) => compare(a.status, b.status),
    },
  ];
  return columns.filter(({ id }) => !GIVE_WAY[room].has(id));
}

/** The columns that give way; the life of an order shows what they show. */
const GIVE_WAY: Readonly<Record<Room, ReadonlySet<string>>> = {
  wide: new Set(),
  narrow: new Set(['type', 'trigger', 'average']),
  phone: new Set(['select', 'time', 'type', 'trigger', 'average']),
};

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function figure(id: string, title: string, width: string, cell: Column<OrderRow>['cell']): Column<OrderRow> {
  return { id, title, width, isFigure: true, cell };
}

function symbolCell(row: OrderRow) {
  const { name, expiry } = instrumentWords(row.tradingSymbol);
  return (
    <span title={instrumentText(row)}>
      {name} <small>{expiry === '' ? row.exchange : expiry}</small>
    </span>
  );
}

function typeCell({ product, priceType, retention }: OrderRow) {
  return (
    <>
      {TYPE_WORDS[priceType]}
      {retention === 'IOC' ? ' IOC' : ''} <small>{PRODUCT_WORDS[product]}</small>
    </>
  );
}

function triggerCell(row: OrderRow) {
  return row.priceType.startsWith('SL') ? <Editable row={row} field="triggerPrice" text={row.triggerPrice} /> : '';
}

function sideCell({ transactionType }: OrderRow) {
  return <span class={transactionType === 'B' ? 'side-buy' : 'side-sell'}>{SIDE_WORDS[transactionType]}</span>;
}

function Status({ row }: { readonly row: OrderRow }) {
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
  if (edited.value?.from.orderNumber === row.orderNumber && !isOver(row)) return <EditCell row={row} field={field} />;
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

function Acts({ row, onOpen }: { readonly row: OrderRow; readonly onOpen: (row: OrderRow) => void }) {
  const once =
    (act: () => void) =>
    (event: MouseEvent): void => {
      event.stopPropagation();
      if (!isRepeat(event)) act();
    };
  const life = <Act label="Life" sign="…" onClick={once(() => onOpen(row))} />;
  if (isOver(row)) return <span class="row-acts">{life}</span>;
  if (edited.value?.from.orderNumber === row.orderNumber) {
    return (
      <span class="row-acts shown">
        <Act label="Send the change" sign="✓" onClick={once(() => sendEdit(row))} />
        <Act label="Leave it as it was" sign="×" onClick={once(endEdit)} />
      </span>
    );
  }
  return (
    <span class="row-acts">
      <Act label="Modify" sign="✎" onClick={once(() => beginEdit(row))} />
      <Act label="Cancel" sign="×" onClick={once(() => void cancel(row.orderNumber))} />
      {life}
    </span>
  );
}

interface ActProps {
  readonly label: string;
  readonly sign: string;
  readonly onClick: (event: MouseEvent) => void;
}

function Act({ label, sign, onClick }: ActProps) {
  return (
    <button type="button" class="plain" tabIndex={-1} title={label} aria-label={label} onClick={onClick}>
      {sign}
    </button>
  );
}
