/**
 * The positions by underlying, with the results that the service works out, and all that can be done with them: exit
 * one, the selected or all of them, reverse, add and convert.
 */
import './positions.css';
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { instrumentText } from '../../../../client/src/instrument.ts';
import type { PanelProps } from '../../app/panels.ts';
import { armed } from '../../orders/armed.ts';
import { askFor } from '../../orders/end-all.tsx';
import { openTicket } from '../../orders/ticket-request.ts';
import { PRODUCT_WORDS } from '../../orders/words.ts';
import { choose } from '../../store/chosen.ts';
import { useResults } from '../../store/results.ts';
import { instrumentWords } from '../../text/instrument-words.ts';
import { Figure, Price, Result } from '../../ui/figure.tsx';
import { resultSums, Sums } from '../../ui/sums.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toggle } from '../../ui/toggle.ts';
import { ConvertDialog } from './convert-dialog.tsx';
import { ExitDialog, exitNow } from './exit-dialog.tsx';
import { isFlat, keyOf, type PositionResult, type ShownRow, shownRows, sideOf } from './rows.ts';

/** The dialog that is open, with the positions that it is about. */
type Asked =
  | { readonly kind: 'exit' | 'reverse'; readonly rows: readonly PositionResult[] }
  | { readonly kind: 'convert'; readonly row: PositionResult };

/** The choices of a user in the panel. */
interface Choice {
  readonly chosen: Signal<string | undefined>;
  readonly selected: Signal<ReadonlySet<string>>;
  readonly closed: Signal<ReadonlySet<string>>;
  readonly asked: Signal<Asked | undefined>;
}

export default function Positions({ link }: PanelProps) {
  const results = useResults().value;
  const choice: Choice = {
    chosen: useSignal<string | undefined>(undefined),
    selected: useSignal<ReadonlySet<string>>(new Set()),
    closed: useSignal<ReadonlySet<string>>(new Set()),
    asked: useSignal<Asked | undefined>(undefined),
  };
  if (results === undefined) return <p class="empty">Loading positions</p>;
  const open = results.rows.filter((row) => !isFlat(row));
  const selected = open.filter((row) => choice.selected.value.has(keyOf(row)));
  const chosen = results.rows.find((row) => keyOf(row) === choice.chosen.value);
  const rows = shownRows(results, choice.closed.value);
  return (
    <div class="table-panel positions-panel">
      <Actions choice={choice} chosen={chosen} selected={selected} openCount={open.length} />
      <Sums label="Results of the day" of={resultSums(results)} />
      <Table
        label="Positions"
        columns={columnsOf(choice)}
        rows={rows}
        keyOf={({ key }) => key}
        empty="No positions today. Trade, and they stand here with their results."
        chosen={choice.chosen.value}
        onChoose={(shown) => {
          choice.chosen.value = shown.key;
          if (shown.kind === 'position') choose(link, shown.row);
        }}
        onOpen={(shown) => openRow(choice, shown)}
        onKey={(event, shown) => takeKey(choice, selected, event, shown)}
        rowClass={rowClass}
      />
      <Dialogs choice={choice} />
    </div>
  );
}

function rowClass(shown: ShownRow): string {
  if (shown.kind === 'underlying') return 'group';
  return isFlat(shown.row) ? 'flat' : '';
}

function columnsOf(choice: Choice): readonly Column<ShownRow>[] {
  const ofPosition = (of: (row: PositionResult) => ComponentChildren) => (shown: ShownRow) =>
    shown.kind === 'position' ? of(shown.row) : '';
  return [
    { id: 'select', title: '\u2713', width: '20px', cell: ofPosition((row) => <Select choice={choice} row={row} />) },
    {
      id: 'name',
      title: 'Instrument',
      width: 'minmax(20ch, 2fr)',
      cell: (shown) => <Name choice={choice} of={shown} />,
    },
    { id: 'quantity', title: 'Net', width: '7ch', isFigure: true, cell: ofPosition((row) => <Net row={row} />) },
    {
      id: 'average',
      title: 'Average',
      width: '9.5ch',
      isFigure: true,
      cell: ofPosition((row) => (isFlat(row) ? '\u2013' : <Figure value={row.averagePrice} />)),
    },
    {
      id: 'last',
      title: 'Last',
      width: '9.5ch',
      isFigure: true,
      cell: ofPosition((row) => <Price value={row.lastTradedPrice} />),
    },
    {
      id: 'realised',
      title: 'Realised',
      width: '10.5ch',
      isFigure: true,
      cell: ({ row }) => <Result value={row.realised} />,
    },
    { id: 'open', title: 'Open', width: '10.5ch', isFigure: true, cell: ({ row }) => <Result value={row.open} /> },
    { id: 'total', title: 'Total', width: '10.5ch', isFigure: true, cell: ({ row }) => <Result value={row.total} /> },
  ];
}

function Name({ choice, of }: { readonly choice: Choice; readonly of: ShownRow }) {
  if (of.kind === 'position') {
    const { name, expiry } = instrumentWords(of.row.tradingSymbol);
    return (
      <span title={instrumentText(of.row)}>
        {name} <small>{[expiry, placeOf(of.row)].filter(Boolean).join(', ')}</small>
      </span>
    );
  }
  return (
    <button
      type="button"
      class="plain"
      tabIndex={-1}
      aria-expanded={of.isOpen}
      onClick={() => toggle(choice.closed, of.row.underlying)}
    >
      {of.isOpen ? '\u25BE' : '\u25B8'} {of.row.underlying}
    </button>
  );
}

/** The product, with the exchange where it is not the usual one of shares and contracts. */
function placeOf({ exchange, product }: PositionResult): string {
  const isUsual = exchange === 'NSE' || exchange === 'NFO';
  return isUsual ? PRODUCT_WORDS[product] : `${exchange} ${PRODUCT_WORDS[product]}`;
}

function Net({ row }: { readonly row: PositionResult }) {
  const side = sideOf(row);
  return (
    <span class={side === 'B' ? 'side-buy' : side === 'S' ? 'side-sell' : ''}>
      <Figure value={row.netQuantity} />
    </span>
  );
}

function Select({ choice, row }: { readonly choice: Choice; readonly row: PositionResult }) {
  if (isFlat(row)) return null;
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      aria-label={`Select ${row.tradingSymbol} ${PRODUCT_WORDS[row.product]}`}
      checked={choice.selected.value.has(keyOf(row))}
      onClick={(event) => event.stopPropagation()}
      onChange={() => toggle(choice.selected, keyOf(row))}
    />
  );
}

function Actions(props: {
  readonly choice: Choice;
  readonly chosen: PositionResult | undefined;
  readonly selected: readonly PositionResult[];
  readonly openCount: number;
}) {
  const { choice, chosen, selected, openCount } = props;
  const row = chosen !== undefined && !isFlat(chosen) ? chosen : undefined;
  const rows = rowsToExit(selected, chosen);
  return (
    <div class="bar" role="toolbar" aria-label="Positions">
      <button type="button" disabled={rows.length === 0} onClick={() => exit(choice, rows)}>
        {selected.length > 0 ? `Exit ${selected.length} selected` : 'Exit'} <kbd>X</kbd>
      </button>
      <button type="button" disabled={!canReverse(row)} onClick={() => reverse(choice, row)}>
        Reverse <kbd>R</kbd>
      </button>
      <button type="button" disabled={row === undefined} onClick={() => row !== undefined && addTo(row)}>
        Add <kbd>A</kbd>
      </button>
      <button
        type="button"
        disabled={row === undefined}
        onClick={() => row !== undefined && ask(choice, { kind: 'convert', row })}
      >
        Convert <kbd>V</kbd>
      </button>
      <span class="space" />
      <button type="button" disabled={openCount === 0} onClick={() => askFor('exit')}>
        Exit all <kbd>F6</kbd>
      </button>
    </div>
  );
}

/** The open positions that an exit is about, by its button and by its key: the selected ones, else the chosen one. */
function rowsToExit(
  selected: readonly PositionResult[],
  chosen: PositionResult | undefined,
): readonly PositionResult[] {
  if (selected.length > 0) return selected;
  return chosen === undefined || isFlat(chosen) ? [] : [chosen];
}

function exit(choice: Choice, rows: readonly PositionResult[]): void {
  if (rows.length > 0) ask(choice, { kind: 'exit', rows });
}

/** Shares of today's deliveries cannot be sold short. */
function canReverse(row: PositionResult | undefined): row is PositionResult {
  return row !== undefined && !isFlat(row) && row.product !== 'C';
}

function reverse(choice: Choice, row: PositionResult | undefined): void {
  if (canReverse(row)) ask(choice, { kind: 'reverse', rows: [row] });
}

/** An armed page asks nothing before it sends. */
function ask(choice: Choice, asked: Asked): void {
  if (asked.kind === 'convert' || !armed.peek()) choice.asked.value = asked;
  else send(choice, asked.rows, asked.kind === 'reverse');
}

/** Sends an exit or a reversal. A selection is over then: its positions may be opened again later. */
function send(choice: Choice, rows: readonly PositionResult[], isReverse: boolean): void {
  if (!isReverse) choice.selected.value = new Set();
  void exitNow(rows, isReverse);
}

function Dialogs({ choice }: { readonly choice: Choice }) {
  const { asked } = choice;
  const open = asked.value;
  const close = (): void => {
    asked.value = undefined;
  };
  if (open === undefined) return null;
  if (open.kind === 'convert') return <ConvertDialog row={open.row} onClose={close} />;
  const { rows } = open;
  const isReverse = open.kind === 'reverse';
  return <ExitDialog rows={rows} isReverse={isReverse} onSend={() => send(choice, rows, isReverse)} onClose={close} />;
}

/** Enter or a double click: an underlying opens and closes, a position is added to. */
function openRow(choice: Choice, shown: ShownRow): void {
  if (shown.kind === 'underlying') toggle(choice.closed, shown.row.underlying);
  else if (!isFlat(shown.row)) addTo(shown.row);
}

/** The keys of the chosen row, and X of the selected ones. They do nothing else on the page. */
function takeKey(
  choice: Choice,
  selected: readonly PositionResult[],
  event: KeyboardEvent,
  shown: ShownRow | undefined,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const act = keyActOf(choice, selected, event.key.toLowerCase(), shown?.kind === 'position' ? shown.row : undefined);
  if (act === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

/** Undefined for a key that is not of the list. */
function keyActOf(
  choice: Choice,
  selected: readonly PositionResult[],
  key: string,
  row: PositionResult | undefined,
): (() => void) | undefined {
  const leaving = rowsToExit(selected, row);
  if (key === 'x' && leaving.length > 0) return () => exit(choice, leaving);
  if (row === undefined || isFlat(row)) return undefined;
  if (key === ' ') return () => toggle(choice.selected, keyOf(row));
  if (key === 'a') return () => addTo(row);
  if (key === 'v') return () => ask(choice, { kind: 'convert', row });
  return key === 'r' ? () => reverse(choice, row) : undefined;
}

function addTo(row: PositionResult): void {
  const { exchange, tradingSymbol, product } = row;
  openTicket({ kind: 'new', instrument: { exchange, tradingSymbol }, side: sideOf(row) ?? 'B', product });
}
