/**
 * The orders of the day: open and done, changed and cancelled in their rows, and the life of each. Enter shows the
 * life, M modifies, Delete cancels, Space selects.
 */
import { type Signal, useComputed, useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { OrderNumber } from '../../../../client/src/order-number.ts';
import type { OrderRow } from '../../../../client/src/wire.ts';
import type { PanelProps } from '../../app/panels.ts';
import { isOver } from '../../orders/changing.ts';
import { askFor } from '../../orders/end-all.tsx';
import { cancel, cancelEach } from '../../orders/sender.ts';
import { orders } from '../../store/books.ts';
import { choose } from '../../store/chosen.ts';
import { Choice } from '../../ui/choice.tsx';
import { Table } from '../../ui/table.tsx';
import { toggle } from '../../ui/toggle.ts';
import { useWidth } from '../../ui/width.ts';
import { GttList } from './gtt-list.tsx';
import { orderColumns, roomOf } from './order-columns.tsx';
import { OrderLife } from './order-life.tsx';
import { countsOf, FILTER_WORDS, FILTERS, openAmong, shownRows } from './order-rows.ts';
import { beginEdit } from './row-edit.tsx';
import './orders.css';

const VIEWS = [...FILTERS, 'gtt'] as const;
type View = (typeof VIEWS)[number];
const NOTHING: ReadonlySet<OrderNumber> = new Set();

export default function Orders({ link }: PanelProps) {
  const view = useSignal<View>('all');
  const text = useSignal('');
  const selected = useSignal<ReadonlySet<OrderNumber>>(NOTHING);
  const counts = useComputed(() => countsOf(orders.list.value));
  return (
    <div class="orders">
      <div class="bar">
        <Choice
          label="Orders shown"
          words={VIEWS}
          chosen={view.value}
          textOf={(word) => (word === 'gtt' ? 'GTT' : `${FILTER_WORDS[word]} ${counts.value[word]}`)}
          onChoose={(next) => {
            view.value = next;
          }}
        />
        <input
          type="search"
          aria-label="Find orders"
          placeholder="Find"
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
        <span class="space" />
        <CancelSelected selected={selected} />
        <button type="button" disabled={counts.value.open === 0} onClick={() => askFor('cancel')}>
          Cancel all <kbd>F7</kbd>
        </button>
      </div>
      {view.value === 'gtt' ? (
        <GttList />
      ) : (
        <OrderList view={view as Signal<Exclude<View, 'gtt'>>} text={text} selected={selected} link={link} />
      )}
    </div>
  );
}

function CancelSelected({ selected }: { readonly selected: Signal<ReadonlySet<OrderNumber>> }) {
  const open = openAmong(orders.list.value, selected.value);
  if (open.length === 0) return null;
  const onClick = (): void => {
    selected.value = NOTHING;
    void cancelEach(open);
  };
  return (
    <button type="button" onClick={onClick}>
      Cancel {open.length} selected
    </button>
  );
}

interface OrderListProps extends PanelProps {
  readonly view: Signal<Exclude<View, 'gtt'>>;
  readonly text: Signal<string>;
  readonly selected: Signal<ReadonlySet<OrderNumber>>;
}

function OrderList({ view, text, selected, link }: OrderListProps) {
  const chosen = useSignal<OrderNumber | undefined>(undefined);
  const lived = useSignal<OrderNumber | undefined>(undefined);
  const rows = useComputed(() => shownRows(orders.list.value, view.value, text.value));
  const open = (row: OrderRow): void => {
    lived.value = row.orderNumber;
  };
  const life = lived.value === undefined ? undefined : orders.get(lived.value);
  const frame = useRef<HTMLDivElement>(null);
  const room = roomOf(useWidth(frame), life !== undefined);
  const columns = useMemo(() => orderColumns(selected, open, room), [room]);
  const onKey = (event: KeyboardEvent, row: OrderRow | undefined): void => {
    if (row === undefined || event.repeat) return;
    const act = keyActOf(event.key, row, selected);
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <div ref={frame} class={`order-list ${life === undefined ? '' : 'with-life'}`}>
      <Table
        label="Orders"
        columns={columns}
        rows={rows.value}
        keyOf={({ orderNumber }) => orderNumber}
        empty={orders.isKnown.value ? emptyWords(view.value, text.value) : 'The orders have not come yet.'}
        chosen={chosen.value}
        onChoose={(row) => {
          chosen.value = row.orderNumber;
          choose(link, row);
        }}
        onOpen={open}
        onKey={onKey}
        rowClass={(row) => (isOver(row) ? 'over' : '')}
        hold={{
          name: `${view.value} ${text.value}`,
          rowOf: (row) => orders.get(row.orderNumber) ?? row,
          buttons: '.row-acts',
        }}
      />
      {life !== undefined && (
        <OrderLife
          key={life.orderNumber}
          row={life}
          onClose={() => {
            lived.value = undefined;
          }}
        />
      )}
    </div>
  );
}

/** The act of a key on the row; undefined for a key that is not of the list. */
function keyActOf(key: string, row: OrderRow, selected: Signal<ReadonlySet<OrderNumber>>): (() => void) | undefined {
  if (isOver(row)) return undefined;
  if (key === 'm' || key === 'M' || key === 'F2') return () => beginEdit(row);
  if (key === 'Delete') return () => void cancel(row.orderNumber);
  return key === ' ' ? () => toggle(selected, row.orderNumber) : undefined;
}

function emptyWords(view: Exclude<View, 'gtt'>, text: string): string {
  if (text.trim() !== '') return 'No order has these words.';
  return view === 'all' ? 'No orders today. B buys and S sells the chosen instrument.' : 'No such orders today.';
}
