/** The shares of the user with their value, the change of the day and their collateral, from the service. */
import './holdings.css';
import { useSignal } from '@preact/signals';
import { instrumentText } from '../../../../client/src/instrument.ts';
import type { HoldingsData } from '../../../../client/src/wire.ts';
import type { PanelProps } from '../../app/panels.ts';
import { openTicket } from '../../orders/ticket-request.ts';
import { useAsked } from '../../store/asked.ts';
import { trades } from '../../store/books.ts';
import { choose } from '../../store/chosen.ts';
import { client } from '../../store/session.ts';
import { Failure } from '../../ui/failure.tsx';
import { Figure, Price, Result } from '../../ui/figure.tsx';
import { type Sum, Sums } from '../../ui/sums.tsx';
import { type Column, Table } from '../../ui/table.tsx';

type Holding = HoldingsData['rows'][number];

/** Prices move; the value of shares is looked at this often. */
const EVERY_MS = 3_000;

export default function Holdings({ link }: PanelProps) {
  const chosen = useSignal<string | undefined>(undefined);
  const { data, failure } = useAsked('holdings', () => client().portfolio.holdingsValue(), trades.list, EVERY_MS).value;
  if (data === undefined) return <Failure of={failure} before="Loading holdings" />;
  const row = data.rows.find((one) => instrumentText(one) === chosen.value);
  return (
    <div class="table-panel holdings-panel">
      <div class="bar" role="toolbar" aria-label="Holdings">
        <button
          type="button"
          class="sell"
          disabled={row === undefined || !canSell(row)}
          onClick={() => row !== undefined && sell(row)}
        >
          Sell
        </button>
        <Failure of={failure} />
      </div>
      <Sums label="Sums of holdings" of={sumsOf(data)} />
      <Table
        label="Holdings"
        columns={COLUMNS}
        rows={data.rows}
        keyOf={instrumentText}
        empty="No shares yet. Shares bought for delivery stand here from the next trading day on."
        chosen={chosen.value}
        onChoose={(one) => {
          chosen.value = instrumentText(one);
          choose(link, one);
        }}
        onOpen={(one) => {
          if (canSell(one)) sell(one);
        }}
      />
    </div>
  );
}

function canSell({ salable }: Holding): boolean {
  return salable !== '0';
}

function sell({ exchange, tradingSymbol, salable }: Holding): void {
  openTicket({ kind: 'new', instrument: { exchange, tradingSymbol }, side: 'S', quantity: salable, product: 'C' });
}

const COLUMNS: readonly Column<Holding>[] = [
  {
    id: 'name',
    title: 'Share',
    width: 'minmax(14ch, 2fr)',
    cell: ({ tradingSymbol, exchange }) => (
      <>
        {tradingSymbol} <small>{exchange}</small>
      </>
    ),
    order: (a, b) => a.tradingSymbol.localeCompare(b.tradingSymbol),
  },
  { id: 'quantity', title: 'Quantity', width: '7.5ch', isFigure: true, cell: (row) => <Figure value={row.quantity} /> },
  { id: 'salable', title: 'To sell', width: '7ch', isFigure: true, cell: (row) => <Figure value={row.salable} /> },
  { id: 'pledged', title: 'Pledged', width: '7ch', isFigure: true, cell: (row) => <Figure value={row.pledged} /> },
  {
    id: 'average',
    title: 'Average',
    width: '9ch',
    isFigure: true,
    cell: (row) => <Figure value={row.averagePrice} />,
  },
  { id: 'last', title: 'Last', width: '9ch', isFigure: true, cell: (row) => <Price value={row.lastTradedPrice} /> },
  { id: 'value', title: 'Value', width: '12ch', isFigure: true, cell: (row) => <Figure value={row.value} /> },
  { id: 'day', title: 'Day', width: '10ch', isFigure: true, cell: (row) => <Result value={row.dayChange} /> },
  { id: 'result', title: 'Result', width: '11ch', isFigure: true, cell: (row) => <Result value={row.result} /> },
  {
    id: 'collateral',
    title: 'Collateral',
    width: '11ch',
    isFigure: true,
    cell: (row) => <Figure value={row.collateral} />,
  },
];

function sumsOf({ invested, value, dayChange, result, collateral }: HoldingsData): readonly Sum[] {
  return [
    { name: 'Invested', value: invested },
    { name: 'Value', value },
    { name: 'Day', value: dayChange, isResult: true },
    { name: 'Result', value: result, isResult: true },
    { name: 'Collateral', value: collateral },
  ];
}
