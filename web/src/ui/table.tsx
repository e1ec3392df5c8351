/**
 * A table of figures: rows of one height, of which only the visible ones exist. Up, Down, Page, Home and End move the
 * chosen row, Enter opens it. Columns are laid out by CSS grid, so no figure moves another one.
 */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { type Hold, useHeldRows } from './held-rows.ts';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** A track of CSS grid, as `8ch` or `minmax(12ch, 1fr)`. */
  readonly width: string;
  /** True for figures: they stand to the right. */
  readonly isFigure?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
  /** Sorts rows ascending; a click on the title turns the order. Without it the column is not sortable. */
  readonly order?: (a: Row, b: Row) => number;
}

export interface TableProps<Row> {
  /** The table's name for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Shown in place of rows. */
  readonly empty: string;
  readonly chosen?: string | undefined;
  readonly onChoose?: (row: Row) => void;
  /** Enter, or a double click. */
  readonly onOpen?: (row: Row) => void;
  /** A key that the table itself does not take. */
  readonly onKey?: (event: KeyboardEvent, row: Row | undefined) => void;
  readonly rowClass?: (row: Row) => string;
  /** Given for rows that keep their places while the pointer is among them. */
  readonly hold?: Hold<Row>;
}

const ROW_PX = 26;
/** The titles stay at the top of what is seen. */
const HEAD_PX = 24;
/** Rows beyond each edge that exist already, so that scrolling shows no gap. */
const SPARE = 6;

export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, keyOf, empty, chosen, onChoose, onOpen, onKey } = props;
  const id = useId();
  const body = useRef<HTMLDivElement>(null);
  const view = useSignal({ top: 0, height: 400 });
  const sorting = useSignal<Sorting>(undefined);
  const order = `${sorting.value?.column} ${sorting.value?.turn}`;
  const inOrder = useSorted(rows, columns, sorting.value);
  const sorted = useHeldRows(body, inOrder, keyOf, { hold: props.hold, order, rowPx: ROW_PX });
  const at = sorted.findIndex((row) => keyOf(row) === chosen);
  const tracks = columns.map(({ width }) => width).join(' ');
  useViewport(body, (top, height) => {
    view.value = { top, height };
  });
  // Rows that come and go scroll nothing: another choice does, and another order.
  useLayoutEffect(() => keepInView(body.current, at), [chosen, at < 0, order]);
  const from = Math.max(0, Math.floor(view.value.top / ROW_PX) - SPARE);
  const to = Math.min(sorted.length, Math.ceil((view.value.top + view.value.height) / ROW_PX) + SPARE);

  const sort = (next: Sorting): void => {
    sorting.value = next;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isPressOfTitle(event)) return;
    const row = sorted[at];
    const next = nextRow(event.key, at, sorted.length, Math.floor((view.value.height - HEAD_PX) / ROW_PX));
    const target = next === undefined ? undefined : sorted[next];
    if (target !== undefined && onChoose !== undefined) {
      event.preventDefault();
      onChoose(target);
    } else if (event.key === 'Enter' && row !== undefined && onOpen !== undefined) {
      event.preventDefault();
      onOpen(row);
    } else onKey?.(event, row);
  };

  return (
    <div
      class="table"
      role="grid"
      aria-label={label}
      aria-rowcount={sorted.length + 1}
      aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
      ref={body}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div class="table-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: tracks }}>
        {columns.map((column) => (
          <Title key={column.id} column={column} sorting={sorting.value} onSort={sort} />
        ))}
      </div>
      <div class="table-body" role="rowgroup">
        {sorted.length === 0 && (
          <div role="row">
            <div role="gridcell" class="empty">
              {empty}
            </div>
          </div>
        )}
        <div class="table-space" role="presentation" style={{ height: `${sorted.length * ROW_PX}px` }}>
          <VisibleRows {...props} id={id} rows={sorted.slice(from, to)} from={from} at={at} tracks={tracks} />
        </div>
      </div>
    </div>
  );
}

/** The rows of a table that exist. */
interface VisibleRowsProps<Row> extends TableProps<Row> {
  /** The id of the table, with which those of its rows begin. */
  readonly id: string;
  /** The place of the first of these rows among all of them. */
  readonly from: number;
  /** The place of the chosen row among all of them, or -1. */
  readonly at: number;
  /** The tracks of all columns. */
  readonly tracks: string;
}

function VisibleRows<Row>(props: VisibleRowsProps<Row>) {
  const { id, columns, rows, from, at, tracks, keyOf, rowClass, onChoose, onOpen } = props;
  return (
    <>
      {rows.map((row, index) => {
        const place = from + index;
        return (
          <div
            key={keyOf(row)}
            id={`${id}-${place}`}
            role="row"
            class={`table-row ${rowClass?.(row) ?? ''}`}
            aria-rowindex={place + 2}
            aria-selected={place === at}
            style={{ gridTemplateColumns: tracks, transform: `translateY(${place * ROW_PX}px)` }}
            onClick={() => onChoose?.(row)}
            onDblClick={() => onOpen?.(row)}
          >
            {columns.map(({ id: column, isFigure, cell }) => (
              <div key={column} role="gridcell" class={isFigure ? 'figure' : 'text'}>
                {cell(row)}
              </div>
            ))}
          </div>
        );
      })}
    </>
  );
}

/**
 * True for a key that presses a title, which sorts. The buttons of a row are for the pointer: the keys are those of the
 * chosen row, which may be another one than that of the button that was clicked last.
 */
function isPressOfTitle({ key, target }: KeyboardEvent): boolean {
  return (key === 'Enter' || key === ' ') && (target as Element).closest('[role="columnheader"]') !== null;
}

type Sorting = { readonly column: string; readonly turn: 1 | -1 } | undefined;

function Title<Row>(props: {
  readonly column: Column<Row>;
  readonly sorting: Sorting;
  readonly onSort: (next: Sorting) => void;
}) {
  const { column, sorting, onSort } = props;
  const isSorted = sorting?.column === column.id;
  const turn = isSorted ? sorting.turn : undefined;
  const next = (): void => onSort(turn === -1 ? undefined : { column: column.id, turn: turn === 1 ? -1 : 1 });
  return (
    <div
      role="columnheader"
      class={column.isFigure ? 'figure' : 'text'}
      aria-sort={turn === undefined ? 'none' : turn === 1 ? 'ascending' : 'descending'}
    >
      {column.order === undefined ? (
        column.title || <span class="unseen">{column.id}</span>
      ) : (
        <button type="button" class="plain" onClick={next}>
          {column.title}
          {turn === undefined ? '' : turn === 1 ? ' \u25B4' : ' \u25BE'}
        </button>
      )}
    </div>
  );
}

function useSorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sorting: Sorting): readonly Row[] {
  return useMemo(() => {
    const order = columns.find(({ id }) => id === sorting?.column)?.order;
    if (order === undefined || sorting === undefined) return rows;
    return [...rows].sort((a, b) => order(a, b) * sorting.turn);
  }, [rows, columns, sorting]);
}

function useViewport(body: { readonly current: HTMLDivElement | null }, seen: (top: number, height: number) => void) {
  useEffect(() => {
    const element = body.current;
    if (element === null) return undefined;
    const look = (): void => seen(element.scrollTop, element.clientHeight);
    const watcher = new ResizeObserver(look);
    watcher.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      watcher.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
}

function keepInView(body: HTMLDivElement | null, at: number): void {
  if (body === null || at < 0) return;
  const [top, room] = [at * ROW_PX, body.clientHeight - HEAD_PX];
  if (top < body.scrollTop) body.scrollTop = top;
  else if (top + ROW_PX > body.scrollTop + room) body.scrollTop = top + ROW_PX - room;
}

function nextRow(key: string, at: number, count: number, page: number): number | undefined {
  const last = count - 1;
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, at + 1);
    case 'ArrowUp':
      return Math.max(0, at - 1);
    case 'PageDown':
      return Math.min(last, at + page);
    case 'PageUp':
      return Math.max(0, at - page);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}
