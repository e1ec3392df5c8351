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
        onKey={(event, shown) => takeKey(choice, event, shown)}
        rowClass={rowClass}
      />
      <Dialogs asked={choice.asked} />
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
  const rows = selected.length > 0 ? selected : row === undefined ? [] : [row];
  return (
    <div class="bar" role="toolbar" aria-label="Positions">
      <button type="button" disabled={rows.length === 0} onClick={() => ask(choice, { kind: 'exit', rows })}>
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
  else void exitNow(asked.rows, asked.kind === 'reverse');
}

function Dialogs({ asked }: { readonly asked: Signal<Asked | undefined> }) {
  const open = asked.value;
  const close = (): void => {
    asked.value = undefined;
  };
  if (open === undefined) return null;
  if (open.kind === 'convert') return <ConvertDialog row={open.row} onClose={close} />;
  return <ExitDialog rows={open.rows} isReverse={open.kind === 'reverse'} onClose={close} />;
}

/** Enter or a double click: an underlying opens and closes, a position is added to. */
function openRow(choice: Choice, shown: ShownRow): void {
  if (shown.kind === 'underlying') toggle(choice.closed, shown.row.underlying);
  else if (!isFlat(shown.row)) addTo(shown.row);
}

/** The keys of the chosen row. They do nothing else on the page. */
function takeKey(choice: Choice, event: KeyboardEvent, shown: ShownRow | undefined): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || shown?.kind !== 'position') return;
  const { row } = shown;
  const key = event.key.toLowerCase();
  if (isFlat(row) || ![' ', 'x', 'r', 'a', 'v'].includes(key)) return;
  event.preventDefault();
  event.stopPropagation();
  if (key === ' ') toggle(choice.selected, keyOf(row));
  else if (key === 'a') addTo(row);
  else if (key === 'v') ask(choice, { kind: 'convert', row });
  else if (key === 'x') ask(choice, { kind: 'exit', rows: [row] });
  else reverse(choice, row);
}

function addTo(row: PositionResult): void {
  const { exchange, tradingSymbol, product } = row;
  openTicket({ kind: 'new', instrument: { exchange, tradingSymbol }, side: sideOf(row) ?? 'B', product });
}
