/**
 * The watchlists: lists that the service keeps, with live rows. A row chooses the instrument of the panel's colour.
 * Alt with an arrow moves a row, Delete takes it out, and it can be dragged by its grip.
 */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type InstrumentName, instrumentText } from '../../../../client/src/instrument.ts';
import { useActions } from '../../app/actions.ts';
import type { PanelProps } from '../../app/panels.ts';
import { openTicket } from '../../orders/ticket-request.ts';
import { choose, chosenOf, type Link } from '../../store/chosen.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { AddInstrument } from './add-instrument.tsx';
import {
  addList,
  deleteShown,
  editShown,
  lists,
  loadLists,
  read,
  readFailure,
  renameShown,
  showList,
  shownList,
  shownPlace,
} from './kept-lists.ts';
import { placeOf, withAdded, withMoved, withoutOne } from './list-edits.ts';
import { ChangeCell, LastCell, NameCell, PercentCell, QuoteCell } from './quote-cells.tsx';
import './watchlist.css';

const KEYED_LISTS = 5;

const COLUMNS: readonly Column<InstrumentName>[] = [
  { id: 'name', title: 'Instrument', width: 'var(--name)', cell: (row) => <NameCell instrument={row} /> },
  { id: 'last', title: 'Last', width: '9ch', isFigure: true, cell: (row) => <LastCell instrument={row} /> },
  { id: 'percent', title: '%', width: '6ch', isFigure: true, cell: (row) => <PercentCell instrument={row} /> },
  { id: 'change', title: 'Change', width: '8ch', isFigure: true, cell: (row) => <ChangeCell instrument={row} /> },
  figure('bid', 'Bid', '9ch', 'bestBuyPrice1'),
  figure('ask', 'Ask', '9ch', 'bestSellPrice1'),
  figure('volume', 'Volume', '11ch', 'volume'),
];

function figure(id: string, title: string, width: string, field: Parameters<typeof QuoteCell>[0]['field']) {
  return {
    id,
    title,
    width,
    isFigure: true,
    cell: (row: InstrumentName) => <QuoteCell instrument={row} field={field} />,
  };
}

export default function Watchlist({ link }: PanelProps) {
  useEffect(loadLists, []);
  useEffect(() => chooseFirst(link), [lists.value === undefined]);
  useActions(() =>
    Array.from({ length: KEYED_LISTS }, (_, place) => ({
      id: `watchlist.${place + 1}`,
      title: `Show watchlist ${place + 1}`,
      group: 'Watchlists',
      keys: String(place + 1),
      run: () => showList(place),
    })),
  );
  const list = shownList();
  if (readFailure.value !== '') {
    return (
      <p class="empty" role="alert">
        The watchlists could not be read: {readFailure.value}{' '}
        <button type="button" onClick={() => void read()}>
          Try again
        </button>
      </p>
    );
  }
  return (
    <>
      <ListTabs />
      <AddInstrument onAdd={(row) => editShown((instruments) => withAdded(instruments, row))} />
      <Rows link={link} instruments={list?.instruments ?? []} isKnown={list !== undefined} />
    </>
  );
}

/** The panels beside the list are not blank when the page opens. */
function chooseFirst(link: Link): void {
  const first = shownList()?.instruments.find(({ tradingSymbol }) => tradingSymbol.endsWith('-EQ'));
  if (first !== undefined && chosenOf(link).peek() === undefined) choose(link, first);
}

function ListTabs() {
  const isNaming = useSignal(false);
  const isDeleting = useSignal(false);
  const name = shownList()?.name;
  if (isNaming.value) return <NameField name={name} onClose={() => (isNaming.value = false)} />;
  return (
    <div class="lists">
      {(lists.value ?? []).map((list, place) => (
        <button
          type="button"
          key={list.name}
          class="tab"
          aria-pressed={place === shownPlace.value}
          onClick={() => showList(place)}
          onDblClick={() => (isNaming.value = true)}
        >
          {place < KEYED_LISTS && <kbd>{place + 1}</kbd>}
          {list.name}
        </button>
      ))}
      <button type="button" class="plain" aria-label="New list" title="New list" onClick={addList}>
        +
      </button>
      <span class="space" />
      <button
        type="button"
        class="plain"
        aria-label="Rename this list"
        title="Rename this list"
        onClick={() => (isNaming.value = true)}
      >
        ✎
      </button>
      <button
        type="button"
        class="plain"
        aria-label="Delete this list"
        title="Delete this list"
        onClick={() => (isDeleting.value = true)}
      >
        ×
      </button>
      {isDeleting.value && <DeleteDialog name={name} onClose={() => (isDeleting.value = false)} />}
    </div>
  );
}

interface ShownListProps {
  /** The name of the shown list. */
  readonly name: string | undefined;
  readonly onClose: () => void;
}

/** The field that renames the shown list: Enter and a press elsewhere keep the name, Escape does not. */
function NameField({ name, onClose }: ShownListProps) {
  const rename = (text: string): void => {
    onClose();
    renameShown(text.trim());
  };
  return (
    <div class="lists">
      <input
        aria-label="Name of the list"
        maxLength={64}
        defaultValue={name}
        autoFocus
        onBlur={(event) => rename(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
          if (event.key === 'Escape') onClose();
        }}
      />
    </div>
  );
}

function DeleteDialog({ name, onClose }: ShownListProps) {
  const remove = (): void => {
    onClose();
    deleteShown();
  };
  return (
    <Dialog title="Delete the list" onClose={onClose}>
      <p>The list {name} and its order are forgotten. Instruments and orders stay as they are.</p>
      <p class="choices">
        <button type="button" onClick={onClose}>
          Keep it
        </button>
        <button type="button" autoFocus onClick={remove}>
          Delete {name}
        </button>
      </p>
    </Dialog>
  );
}

interface RowsProps {
  readonly link: Link;
  readonly instruments: readonly InstrumentName[];
  readonly isKnown: boolean;
}

function Rows({ link, instruments, isKnown }: RowsProps) {
  const dragged = useSignal<InstrumentName | undefined>(undefined);
  const chosen = chosenOf(link).value;
  const onKey = (event: KeyboardEvent, row: InstrumentName | undefined): void => {
    if (row === undefined || event.key !== 'Delete') return;
    event.preventDefault();
    remove(link, row);
  };
  const onMove = (event: KeyboardEvent): void => {
    const step = !event.altKey ? 0 : event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const row = chosen && instruments[placeOf(instruments, chosen)];
    if (step === 0 || row === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    editShown((list) => withMoved(list, row, placeOf(list, row) + step));
  };
  return (
    <div
      class="rows"
      role="presentation"
      data-drop={dragged.value !== undefined}
      onKeyDownCapture={onMove}
      onDragStart={(event) => (dragged.value = instruments[rowPlace(event)])}
      onDragOver={(event) => event.preventDefault()}
      onDragEnd={() => (dragged.value = undefined)}
      onDrop={(event) => {
        const [moved, to] = [dragged.value, rowPlace(event)];
        event.preventDefault();
        dragged.value = undefined;
        if (moved !== undefined && to >= 0) editShown((list) => withMoved(list, moved, to));
      }}
    >
      <Table
        label="Watchlist"
        columns={COLUMNS}
        rows={instruments}
        keyOf={instrumentText}
        empty={isKnown ? 'This list is empty. Add an instrument above.' : 'Loading'}
        chosen={chosen && instrumentText(chosen)}
        onChoose={(row) => choose(link, row)}
        onOpen={(row) => openTicket({ kind: 'new', instrument: row, side: 'B' })}
        onKey={onKey}
      />
    </div>
  );
}

/** Takes a row out and chooses the one that comes to its place. */
function remove(link: Link, row: InstrumentName): void {
  const place = placeOf(shownList()?.instruments ?? [], row);
  editShown((list) => withoutOne(list, row));
  const left = shownList()?.instruments ?? [];
  const next = left[Math.min(place, left.length - 1)];
  if (next !== undefined) choose(link, next);
}

/** The place of the row under the pointer, from 0; -1 beside all rows. */
function rowPlace({ target }: DragEvent): number {
  const row = target instanceof Element ? target.closest('[aria-rowindex]') : null;
  return Number(row?.getAttribute('aria-rowindex') ?? 1) - 2;
}
