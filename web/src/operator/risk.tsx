/** The risk of all accounts in an order, with all of them added up, and the chosen account beside. */
import { useSignal } from '@preact/signals';
import type { RiskReport } from '../../../src/operator/operations/risk/risk-operations.ts';
import type { RiskRow } from '../../../src/operator/operations/risk/risk-rows.ts';
import { Figure, Result } from '../ui/figure.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { type Pair, Pairs } from './pairs.tsx';
import { usePolled } from './poll.ts';
import { UserPane } from './user/user-pane.tsx';
import { chosenUser } from './view.ts';

const SORTS = [
  ['marginUsed', 'Margin used'],
  ['result', 'Largest loss'],
  ['available', 'Least funds'],
  ['concentration', 'Concentration'],
] as const;

const COLUMNS: readonly Column<RiskRow>[] = [
  {
    id: 'user',
    title: 'User',
    width: 'minmax(10ch, 1fr)',
    cell: ({ userId, killed }) => (
      <>
        {userId}
        {killed && <span class="bad"> ■ killed</span>}
      </>
    ),
  },
  {
    id: 'used',
    title: 'Margin used',
    width: '12ch',
    isFigure: true,
    cell: ({ marginUsed }) => <Figure value={marginUsed} />,
  },
  { id: 'percent', title: '% used', width: '7ch', isFigure: true, cell: ({ usedPercent }) => usedPercent },
  {
    id: 'available',
    title: 'Available',
    width: '13ch',
    isFigure: true,
    cell: ({ available }) => <Figure value={available} />,
  },
  { id: 'result', title: 'Result', width: '12ch', isFigure: true, cell: ({ result }) => <Result value={result} /> },
  { id: 'largest', title: 'Largest stake', width: 'minmax(11ch, 1fr)', cell: ({ largest }) => largest },
  { id: 'share', title: 'Share %', width: '7ch', isFigure: true, cell: ({ concentration }) => concentration },
  { id: 'positions', title: 'Pos.', width: '5ch', isFigure: true, cell: ({ positions }) => positions },
  { id: 'orders', title: 'Orders', width: '6ch', isFigure: true, cell: ({ orders }) => orders },
];

export function Risk() {
  const sort = useSignal<string>('marginUsed');
  const { answer, failure } = usePolled<RiskReport>(`/risk?sort=${sort.value}&limit=200`);
  return (
    <>
      <section class="part" aria-label="Risk of all accounts">
        <div class="tools" role="group" aria-label="Order of accounts">
          {SORTS.map(([name, title]) => (
            <button
              type="button"
              key={name}
              class="tab"
              aria-pressed={sort.value === name}
              onClick={() => (sort.value = name)}
            >
              {title}
            </button>
          ))}
          <span class="space" />
          <time class="quiet">{answer?.time ?? ''}</time>
        </div>
        <Totals report={answer} />
        <Table
          label="Accounts by risk"
          columns={COLUMNS}
          rows={answer?.rows ?? []}
          keyOf={({ userId }) => userId}
          empty={failure === '' ? 'There are no users yet' : failure}
          chosen={chosenUser.value}
          onChoose={({ userId }) => (chosenUser.value = userId)}
        />
      </section>
      <UserPane />
    </>
  );
}

function Totals({ report }: { readonly report: RiskReport | undefined }) {
  const totals = report?.totals;
  const isShort = totals !== undefined && totals.short > 0;
  const cells: readonly Pair[] = [
    ['Accounts', totals?.accounts],
    ['With positions', totals?.withPositions],
    ['Losing', totals?.losing],
    ['Short of margin', <span class={isShort ? 'bad' : ''}>{totals?.short}</span>],
    ['Margin used', <Figure value={totals?.marginUsed} />],
    ['Available', <Figure value={totals?.available} />],
    ['Realised', <Result value={totals?.realised} />],
    ['Open', <Result value={totals?.open} />],
    ['Result', <Result value={totals?.result} />],
  ];
  return <Pairs of={cells} class="totals" />;
}
