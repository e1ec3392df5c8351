/** The day: its sums, the result as a curve with its drawdown, and the same by underlying. */
import './results.css';
import { useSignal } from '@preact/signals';
import type { ResultsData } from '../../../../client/src/wire.ts';
import { useAsked } from '../../store/asked.ts';
import { trades } from '../../store/books.ts';
import { useResults } from '../../store/results.ts';
import { client } from '../../store/session.ts';
import { Failure } from '../../ui/failure.tsx';
import { Result } from '../../ui/figure.tsx';
import { resultSums, Sums } from '../../ui/sums.tsx';
import { Curve, type CurvePoint } from './curve.tsx';
import { pathOf, scaleOf, spotsOf } from './shape.ts';

const EVERY_MS = 30_000;
const SPARK = { width: 90, height: 18 };

export default function Results() {
  const results = useResults().value;
  const curve = useAsked('curve', () => client().portfolio.dayCurve(), trades.list, EVERY_MS).value;
  const underlying = useSignal<string | undefined>(undefined);
  const { data, failure } = curve;
  if (data === undefined) return <Failure of={failure} before="Loading the day" />;
  const shown = data.underlyings.find((one) => one.underlying === underlying.value);
  const points: readonly CurvePoint[] = shown?.points ?? data.points;
  // The service says it of the whole day alone.
  const greatest = shown === undefined ? data.greatestDrawdown : undefined;
  return (
    <div class="results-panel">
      {results !== undefined && <Sums label="Results of the day" of={resultSums(results)} />}
      <Failure of={failure} />
      <figure aria-label={`Result of ${shown?.underlying ?? 'the day'} over time`}>
        <Curve points={points} name={shown?.underlying ?? 'All'} greatestDrawdown={greatest} />
      </figure>
      <ul class="underlyings" aria-label="Curves">
        <Line
          name="All"
          total={results?.total ?? data.points.at(-1)?.total}
          points={data.points}
          isShown={shown === undefined}
          onShow={() => {
            underlying.value = undefined;
          }}
        />
        {data.underlyings.map(({ underlying: name, points: own }) => (
          <Line
            key={name}
            name={name}
            total={liveTotal(results, name) ?? own.at(-1)?.total}
            points={own}
            isShown={shown?.underlying === name}
            onShow={() => {
              underlying.value = name;
            }}
          />
        ))}
      </ul>
    </div>
  );
}

function liveTotal(results: ResultsData | undefined, underlying: string): string | undefined {
  return results?.underlyings.find((one) => one.underlying === underlying)?.total;
}

function Line(props: {
  readonly name: string;
  readonly total: string | undefined;
  readonly points: readonly CurvePoint[];
  readonly isShown: boolean;
  readonly onShow: () => void;
}) {
  const { name, total, points, isShown, onShow } = props;
  const amounts = points.map((point) => point.total);
  const path = pathOf(spotsOf(amounts, scaleOf(amounts), SPARK));
  return (
    <li>
      <button type="button" class="plain" aria-pressed={isShown} onClick={onShow}>
        <span class="text">{name}</span>
        <svg
          width={SPARK.width}
          height={SPARK.height}
          viewBox={`0 0 ${SPARK.width} ${SPARK.height}`}
          aria-hidden="true"
        >
          <path d={path} />
        </svg>
        <span class="figure">
          <Result value={total} />
        </span>
      </button>
    </li>
  );
}
