/** Orders that wait for a price over days (GTT): their triggers, their orders, and their ends. */
import { useComputed, useSignal } from '@preact/signals';
import type { GttRow } from '../../../../client/src/wire.ts';
import { isRepeat } from '../../orders/press.ts';
import { send } from '../../orders/sender.ts';
import { SIDE_WORDS, TYPE_WORDS } from '../../orders/words.ts';
import { gtts } from '../../store/books.ts';
import { client } from '../../store/session.ts';
import { type Column, Table } from '../../ui/table.tsx';

const STATUS_WORDS: Readonly<Record<GttRow['status'], string>> = {
  ACTIVE: 'Waits',
  TRIGGERED: 'Triggered',
  FIRED: 'Order placed',
  REJECTED: 'Order refused',
  CANCELLED: 'Cancelled',
  EXPIRED: 'Expired',
};

const COLUMNS: readonly Column<GttRow>[] = [
  { id: 'created', title: 'Since', width: '10ch', cell: ({ createdAt }) => createdAt.slice(9) },
  { id: 'symbol', title: 'Instrument', width: 'minmax(15ch, 1fr)', cell: ({ tradingSymbol }) => tradingSymbol },
  { id: 'legs', title: 'Legs', width: '7ch', cell: ({ legs }) => (legs === '2' ? 'OCO' : 'Single') },
  { id: 'trigger', title: 'Trigger', width: 'minmax(18ch, 1fr)', cell: triggerText },
  { id: 'order', title: 'Order', width: 'minmax(26ch, 2fr)', cell: orderText },
  { id: 'status', title: 'State', width: 'minmax(12ch, 1fr)', cell: statusText },
  { id: 'till', title: 'Until', width: '10ch', cell: ({ validTill }) => validTill.slice(9) },
  { id: 'acts', title: 'Actions', width: '70px', cell: (row) => <Acts row={row} /> },
];

function triggerText(row: GttRow): string {
  const way = (condition: string | undefined): string => (condition === 'ABOVE' ? 'from' : 'down to');
  const first = `${way(row.condition)} ${row.value}`;
  return row.value2 === undefined ? first : `${first}, or ${way(row.condition2)} ${row.value2}`;
}

function orderText({ OrderParams: order, OrderParams2: other }: GttRow): string {
  const words = ({ transactionType, quantity, priceType, price }: GttRow['OrderParams']): string =>
    `${SIDE_WORDS[transactionType]} ${quantity} ${TYPE_WORDS[priceType]}${priceType.endsWith('MKT') ? '' : ` ${price}`}`;
  return other === undefined ? words(order) : `${words(order)}; ${words(other)}`;
}

function statusText({ status, reason }: GttRow): string {
  return reason.trim() === '' ? STATUS_WORDS[status] : `${STATUS_WORDS[status]}: ${reason}`;
}

function Acts({ row }: { readonly row: GttRow }) {
  if (row.status !== 'ACTIVE') return null;
  return (
    <button
      type="button"
      class="plain"
      tabIndex={-1}
      onClick={(event) => {
        if (!isRepeat(event)) cancelGtt(row);
      }}
    >
      Cancel
    </button>
  );
}

function cancelGtt({ GTTid, tradingSymbol }: GttRow): void {
  void send(`Cancel GTT ${GTTid} in ${tradingSymbol}`, () => client().gtt.cancel(GTTid));
}

export function GttList() {
  const chosen = useSignal<string | undefined>(undefined);
  const rows = useComputed(() => [...gtts.list.value].reverse());
  return (
    <Table
      label="GTT orders"
      columns={COLUMNS}
      rows={rows.value}
      keyOf={({ GTTid }) => GTTid}
      empty={gtts.isKnown.value ? 'No order waits for a price.' : 'The GTT orders have not come yet.'}
      chosen={chosen.value}
      onChoose={({ GTTid }) => {
        chosen.value = GTTid;
      }}
      onKey={(event, row) => {
        if (event.key === 'Delete' && !event.repeat && row?.status === 'ACTIVE') cancelGtt(row);
      }}
    />
  );
}
