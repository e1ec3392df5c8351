/**
 * The funds: every figure of the limits with the entries that sum to it, and the margin of each underlying by its
 * parts. All figures and entries come from the service.
 */
import './funds.css';
import type { FundsData } from '../../../../client/src/wire.ts';
import { useAsked } from '../../store/asked.ts';
import { limits } from '../../store/books.ts';
import { client } from '../../store/session.ts';
import { grouped } from '../../text/figures.ts';
import { Failure } from '../../ui/failure.tsx';

type Figure = FundsData['figures'][number];
type Underlying = FundsData['underlyings'][number];

/** Margins are measured again through the day, also while the user does nothing. */
const EVERY_MS = 15_000;

interface Group {
  readonly title: string;
  readonly names: readonly string[];
  readonly sum: string;
}

/** The figures in the order in which one follows from another; the last of a group is its sum. */
const GROUPS: readonly Group[] = [
  { title: 'Funds', names: ['cash', 'payin', 'collateral', 'brkcollamt'], sum: 'totalMargin' },
  {
    title: 'In use',
    names: ['span', 'expo', 'premium', 'cash segment', 'realised loss', 'charges and settlement'],
    sum: 'marginused',
  },
  { title: 'Left', names: [], sum: 'availableMargin' },
];

/** The names of the figures as people read them. */
const WORDS: Readonly<Record<string, string>> = {
  cash: 'Cash',
  payin: 'Paid in today',
  collateral: 'Pledged shares, after haircut',
  brkcollamt: "Broker's collateral",
  totalMargin: 'Total funds',
  span: 'SPAN margin',
  expo: 'Exposure margin',
  premium: 'Option premium',
  'cash segment': 'Shares: margin and purchases',
  'realised loss': 'Realised loss',
  'charges and settlement': 'Charges and settlement',
  marginused: 'Margin in use',
  availableMargin: 'Available margin',
  peak_mar: 'Peak of the day',
};

export default function Funds() {
  const { data, failure } = useAsked('funds', () => client().portfolio.funds(), limits.list, EVERY_MS).value;
  if (data === undefined) return <Failure of={failure} before="Loading funds" />;
  const figures = new Map(data.figures.map((figure) => [figure.name, figure]));
  return (
    <div class="funds-panel">
      <Failure of={failure} />
      <section aria-label="Figures">
        {GROUPS.map((group) => (
          <FigureGroup key={group.title} group={group} figures={figures} />
        ))}
        <FigureLine figure={figures.get('peak_mar')} />
      </section>
      <section aria-label="Margin by underlying">
        <h2>Margin by underlying</h2>
        {data.underlyings.length === 0 && <p class="empty">No margin is blocked.</p>}
        {data.underlyings.map((row) => (
          <UnderlyingLine key={`${row.exchange}:${row.underlying}`} row={row} />
        ))}
      </section>
    </div>
  );
}

function FigureGroup({ group, figures }: { readonly group: Group; readonly figures: ReadonlyMap<string, Figure> }) {
  return (
    <>
      <h2>{group.title}</h2>
      {group.names.map((name) => (
        <FigureLine key={name} figure={figures.get(name)} />
      ))}
      <FigureLine figure={figures.get(group.sum)} isSum />
    </>
  );
}

function FigureLine({ figure, isSum = false }: { readonly figure: Figure | undefined; readonly isSum?: boolean }) {
  if (figure === undefined) return null;
  const { name, amount, entries } = figure;
  const line = (
    <>
      <span class="text">{WORDS[name] ?? name}</span>
      <span class="figure">{grouped(amount)}</span>
    </>
  );
  if (entries.length === 0) return <div class={`line bare ${isSum ? 'sum' : ''}`}>{line}</div>;
  return (
    <details>
      <summary class={`line ${isSum ? 'sum' : ''}`}>{line}</summary>
      {entries.map((entry, index) => (
        <div class="line entry" key={`${index} ${entry.text}`}>
          <span class="text" title={entry.text}>
            {entry.time !== '' && <time>{entry.time.slice(0, 8)}</time>}
            {WORDS[entry.text] ?? entry.text}
          </span>
          <span class="figure">{grouped(entry.amount)}</span>
        </div>
      ))}
    </details>
  );
}

function UnderlyingLine({ row }: { readonly row: Underlying }) {
  const { exchange, underlying, total } = row;
  return (
    <details>
      <summary class="line">
        <span class="text">
          {underlying} <small>{exchange}</small>
        </span>
        <span class="figure">{grouped(total)}</span>
      </summary>
      <PartLine name="Scan: the largest loss of 16 scenarios" amount={row.scan} />
      <PartLine name="Spread charge" amount={row.spreadCharge} />
      <PartLine name="Short option minimum" amount={row.shortMinimum} />
      <PartLine name="Net option value" amount={row.netOptionValue} />
      <PartLine name="SPAN margin" amount={row.span} isSum />
      <PartLine name="Exposure margin" amount={row.exposure} isSum />
      <PartLine name="Premium of resting buys" amount={row.premium} isSum />
      <PartLine name="Shares: margin and purchases" amount={row.cashSegment} isSum />
    </details>
  );
}

function PartLine(props: { readonly name: string; readonly amount: string; readonly isSum?: boolean }) {
  const { name, amount, isSum = false } = props;
  return (
    <div class={`line entry ${isSum ? 'part' : ''}`}>
      <span class="text">{name}</span>
      <span class="figure">{grouped(amount)}</span>
    </div>
  );
}
