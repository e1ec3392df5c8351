/**
 * One curve over the day, with its drawdown below it. The pointer, and the left and right keys, show the figures of a
 * point; they are the service's texts.
 */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { grouped } from '../../text/figures.ts';
import { Result } from '../../ui/figure.tsx';
import { useWidth } from '../../ui/width.ts';
import { areaOf, type Box, heightOf, nearest, pathOf, scaleOf, spotsOf } from './shape.ts';

export interface CurvePoint {
  readonly time: string;
  readonly total: string;
  /** Absent for the curve of an underlying. */
  readonly realised?: string;
  readonly open?: string;
  readonly drawdown?: string;
}

const HEIGHT = 160;
const DRAWDOWN_HEIGHT = 44;
/** Marks of the time below the curve. */
const MARKS = 4;

export function Curve(props: {
  readonly points: readonly CurvePoint[];
  readonly name: string;
  readonly greatestDrawdown: string | undefined;
}) {
  const { points, name, greatestDrawdown } = props;
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const pointed = useSignal<number | undefined>(undefined);
  const box = { width, height: HEIGHT };
  const at = Math.min(pointed.value ?? points.length - 1, points.length - 1);
  const move = (event: PointerEvent): void => {
    pointed.value = nearest(event.offsetX, points.length, box);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (step === 0) return;
    event.preventDefault();
    pointed.value = Math.min(points.length - 1, Math.max(0, at + step));
  };
  return (
    <>
      <Readout point={points[at]} name={name} greatestDrawdown={greatestDrawdown} />
      <div
        class="curve"
        ref={frame}
        tabIndex={0}
        role="slider"
        aria-label={`Point of the curve of ${name}`}
        aria-valuemin={0}
        aria-valuemax={points.length - 1}
        aria-valuenow={at}
        aria-valuetext={`${points[at]?.time ?? ''}: ${points[at]?.total ?? ''}`}
        onPointerMove={move}
        onPointerLeave={() => {
          pointed.value = undefined;
        }}
        onKeyDown={onKeyDown}
      >
        <Drawing points={points} box={box} at={pointed.value === undefined ? undefined : at} />
        {points[0]?.drawdown !== undefined && <Drawdown points={points} width={box.width} />}
      </div>
      <Times points={points} />
    </>
  );
}

function Drawing(props: {
  readonly points: readonly CurvePoint[];
  readonly box: Box;
  readonly at: number | undefined;
}) {
  const { points, box, at } = props;
  const amounts = points.map(({ total }) => total);
  const scale = scaleOf(amounts);
  const spots = spotsOf(amounts, scale, box);
  const zero = heightOf(0, scale, box);
  const spot = at === undefined ? spots.at(-1) : spots[at];
  const [line, area] = [pathOf(spots), areaOf(spots, zero)];
  return (
    <svg width={box.width} height={box.height} aria-hidden="true">
      <clipPath id="above-zero">
        <rect x="0" y="0" width={box.width} height={zero} />
      </clipPath>
      <clipPath id="below-zero">
        <rect x="0" y={zero} width={box.width} height={Math.max(0, box.height - zero)} />
      </clipPath>
      <path class="area gain" d={area} clip-path="url(#above-zero)" />
      <path class="area loss" d={area} clip-path="url(#below-zero)" />
      <line class="zero" x1="0" x2={box.width} y1={zero} y2={zero} />
      <path class="line gain" d={line} clip-path="url(#above-zero)" />
      <path class="line loss" d={line} clip-path="url(#below-zero)" />
      {at !== undefined && spot !== undefined && <line class="cross" x1={spot.x} x2={spot.x} y1="0" y2={box.height} />}
      {spot !== undefined && (
        <circle class="spot" cx={Math.min(box.width - 4, Math.max(4, spot.x))} cy={spot.y} r="3" />
      )}
    </svg>
  );
}

/** How far below its highest point the day stood: the deeper, the further down. */
function Drawdown({ points, width }: { readonly points: readonly CurvePoint[]; readonly width: number }) {
  const box = { width, height: DRAWDOWN_HEIGHT };
  const amounts = points.map(({ drawdown }) => `-${drawdown ?? '0'}`);
  const spots = spotsOf(amounts, { ...scaleOf(amounts), high: 0 }, box);
  return (
    <svg class="drawdown" width={width} height={DRAWDOWN_HEIGHT} aria-hidden="true">
      <path class="area loss" d={areaOf(spots, 0)} />
      <path class="line loss" d={pathOf(spots)} />
    </svg>
  );
}

function Readout(props: {
  readonly point: CurvePoint | undefined;
  readonly name: string;
  readonly greatestDrawdown: string | undefined;
}) {
  const { point, name, greatestDrawdown } = props;
  if (point === undefined) return null;
  return (
    <p class="readout">
      <strong>{name}</strong> <time>{point.time.slice(0, 8)}</time>
      <span class="figure">
        <Result value={point.total} />
      </span>
      {point.realised !== undefined && (
        <span>
          realised <Result value={point.realised} />
        </span>
      )}
      {point.drawdown !== undefined && <span>drawdown {grouped(point.drawdown)}</span>}
      {greatestDrawdown !== undefined && <span>greatest {grouped(greatestDrawdown)}</span>}
    </p>
  );
}

function Times({ points }: { readonly points: readonly CurvePoint[] }) {
  const last = points.length - 1;
  const places =
    last < MARKS ? [0, last] : Array.from({ length: MARKS }, (_, mark) => Math.round((mark * last) / (MARKS - 1)));
  return (
    <p class="times" aria-hidden="true">
      {[...new Set(places)].map((place) => (
        <time key={place}>{points[place]?.time.slice(0, 5)}</time>
      ))}
    </p>
  );
}
