/** The tables of one account: underlyings, positions and open orders. */

import type { UserRisk } from '../../../../src/operator/operations/risk/risk-of-user.ts';
import type { OpenOrderRow, PositionRow, UnderlyingRow } from '../../../../src/operator/operations/risk/risk-rows.ts';
import { Figure, Result } from '../../ui/figure.tsx';
import { type Column, Table } from '../../ui/table.tsx';

/** The three tables above each other, with the number of all rows: the tables themselves are cut at 200. */
export function UserTables({ risk }: { readonly risk: UserRisk | undefined }) {
  return (
    <div class="stack">
      <h3>Underlyings {risk?.underlyingCount}</h3>
      <Underlyings rows={risk?.underlyings ?? []} />
      <h3>Positions {risk?.positionRowCount}</h3>
      <Positions rows={risk?.positionRows ?? []} />
      <h3>Open orders {risk?.openOrderCount}</h3>
      <OpenOrders rows={risk?.openOrders ?? []} />
    </div>
  );
}

const UNDERLYINGS: readonly Column<UnderlyingRow>[] = [
  { id: 'name', title: 'Underlying', width: 'minmax(10ch, 1fr)', cell: ({ underlying }) => underlying },
  { id: 'span', title: 'Span', width: '11ch', isFigure: true, cell: ({ span }) => <Figure value={span} /> },
  {
    id: 'exposure',
    title: 'Exposure',
    width: '10ch',
    isFigure: true,
    cell: ({ exposure }) => <Figure value={exposure} />,
  },
  { id: 'cash', title: 'Cash', width: '10ch', isFigure: true, cell: ({ cash }) => <Figure value={cash} /> },
  { id: 'stake', title: 'Stake', width: '11ch', isFigure: true, cell: ({ stake }) => <Figure value={stake} /> },
  { id: 'share', title: 'Share %', width: '7ch', isFigure: true, cell: ({ share }) => share },
  { id: 'result', title: 'Result', width: '10ch', isFigure: true, cell: ({ result }) => <Result value={result} /> },
];

function Underlyings({ rows }: { readonly rows: readonly UnderlyingRow[] }) {
  const key = ({ underlying }: UnderlyingRow): string => underlying;
  return <Table label="Risk by underlying" columns={UNDERLYINGS} rows={rows} keyOf={key} empty="Nothing is at stake" />;
}

const POSITIONS: readonly Column<PositionRow>[] = [
  {
    id: 'symbol',
    title: 'Instrument',
    width: 'minmax(14ch, 1fr)',
    cell: ({ exchange, symbol }) => `${symbol} ${exchange}`,
  },
  { id: 'product', title: 'Prod.', width: '4ch', cell: ({ product }) => product },
  {
    id: 'net',
    title: 'Net',
    width: '7ch',
    isFigure: true,
    cell: ({ netQuantity }) => <Figure value={String(netQuantity)} />,
  },
  {
    id: 'average',
    title: 'Average',
    width: '10ch',
    isFigure: true,
    cell: ({ averagePrice }) => <Figure value={averagePrice} />,
  },
  { id: 'last', title: 'Last', width: '10ch', isFigure: true, cell: ({ lastPrice }) => <Figure value={lastPrice} /> },
  {
    id: 'realised',
    title: 'Realised',
    width: '11ch',
    isFigure: true,
    cell: ({ realised }) => <Result value={realised} />,
  },
  { id: 'open', title: 'Open', width: '11ch', isFigure: true, cell: ({ open }) => <Result value={open} /> },
];

function Positions({ rows }: { readonly rows: readonly PositionRow[] }) {
  const key = ({ exchange, symbol, product }: PositionRow): string => `${exchange} ${symbol} ${product}`;
  return (
    <Table
      label="Positions"
      columns={POSITIONS}
      rows={rows}
      keyOf={key}
      empty="No position was traded or carried today"
    />
  );
}

const ORDERS: readonly Column<OpenOrderRow>[] = [
  { id: 'time', title: 'Received', width: '8ch', cell: ({ receivedAt }) => receivedAt.slice(-8) },
  { id: 'order', title: 'Order', width: '17ch', cell: ({ order }) => order },
  {
    id: 'symbol',
    title: 'Instrument',
    width: 'minmax(14ch, 1fr)',
    cell: ({ symbol, exchange }) => `${symbol} ${exchange}`,
  },
  { id: 'side', title: 'Side', width: '4ch', cell: ({ side }) => (side === 'B' ? 'Buy' : 'Sell') },
  { id: 'open', title: 'Open', width: '8ch', isFigure: true, cell: ({ open }) => <Figure value={String(open)} /> },
  { id: 'price', title: 'Price', width: '9ch', isFigure: true, cell: ({ price }) => <Figure value={price} /> },
  { id: 'type', title: 'Type', width: '7ch', cell: ({ priceType }) => priceType },
  { id: 'status', title: 'Status', width: '12ch', cell: ({ status }) => status },
];

function OpenOrders({ rows }: { readonly rows: readonly OpenOrderRow[] }) {
  const key = ({ order }: OpenOrderRow): string => String(order);
  return <Table label="Open orders" columns={ORDERS} rows={rows} keyOf={key} empty="No order is open" />;
}
