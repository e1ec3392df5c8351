/**
 * The payoff as a picture: the result at the nearest expiry as a filled line, that of today dashed, by the price of the
 * underlying. The figures at one price stand above it; the pointer and the arrow keys move that price.
 */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Strategy } from '../../../../client/src/wire.ts';
import { grouped, signed } from '../../text/figures.ts';
import { Result } from '../../ui/figure.tsx';
import { useWidth } from '../../ui/width.ts';
import type { Previewed } from '../ticket/preview-feed.ts';
import { boundsOf, gridOf, nearestTo, type Scale, scaleOf, shortFigure } from './scale.ts';

const HEIGHT = 168;
const LEFT = 44;
const BOTTOM = 18;
const MARGIN = 0.08;

export function PayoffPicture({ payoff }: { readonly payoff: ReadonlySignal<Previewed<Strategy>> }) {
  const { answer, failure, isOld } = payoff.value;
  if (answer === undefined) return <p class="empty">{failure === '' ? 'Payoff: complete the legs.' : failure}</p>;
  return <Payoff answer={answer} isOld={isOld} />;
}

function Payoff({ answer, isOld }: { readonly answer: Strategy; readonly isOld: boolean }) {
  const looked = useSignal<number | undefined>(undefined);
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const { points, spot } = answer;
  const prices = points.map(({ price }) => Number(price));
  const place = Math.min(looked.value ?? nearestTo(prices, Number(spot)), points.length - 1);
  const point = points[place];
  const look = (next: number): void => {
    looked.value = Math.min(points.length - 1, Math.max(0, next));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: 10, PageDown: -10 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    look(place + step);
  };
  const lookAt = ({ offsetX }: PointerEvent): void => {
    look(nearestTo(prices, scaleOf(LEFT, width, prices[0] ?? 0, prices.at(-1) ?? 0)(offsetX)));
  };
  return (
    <section class={`payoff ${isOld ? 'old' : ''}`} aria-label="Payoff">
      <p class="payoff-at" aria-hidden="true">
        <span>
          {answer.underlying} {grouped(point?.price ?? '')}
        </span>
        <span>
          at expiry <Result value={point?.atExpiry} />
        </span>
        <span>
          today <Result value={point?.today} />
        </span>
      </p>
      <div
        ref={frame}
        class="payoff-frame"
        role="slider"
        tabIndex={0}
        aria-label={`Price of ${answer.underlying}`}
        aria-valuemin={prices[0]}
        aria-valuemax={prices.at(-1)}
        aria-valuenow={prices[place]}
        aria-valuetext={`${point?.price}: at expiry ${signed(point?.atExpiry ?? '')}, today ${signed(point?.today ?? '')}`}
        onKeyDown={onKeyDown}
        onPointerMove={lookAt}
        onPointerLeave={() => (looked.value = undefined)}
      >
        {width > 0 && <Picture answer={answer} width={width} at={prices[place]} />}
      </div>
    </section>
  );
}

interface PictureProps {
  readonly answer: Strategy;
  readonly width: number;
  /** The price that is looked at. */
  readonly at: number | undefined;
}

function Picture({ answer: { points, spot, breakevens }, width, at }: PictureProps) {
  const prices = points.map(({ price }) => Number(price));
  const atExpiry = points.map((point) => Number(point.atExpiry));
  const today = points.map((point) => Number(point.today));
  const [low, high] = boundsOf([...atExpiry, ...today], MARGIN);
  const x = scaleOf(prices[0] ?? 0, prices.at(-1) ?? 0, LEFT, width - 4);
  const y = scaleOf(low, high, HEIGHT - BOTTOM, 4);
  const line = lineOf(prices, atExpiry, x, y);
  const area = `${line} L${x(prices.at(-1) ?? 0)},${y(0)} L${x(prices[0] ?? 0)},${y(0)} Z`;
  const zero = y(0);
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true">
      <defs>
        <clipPath id="payoff-gain">
          <rect x={LEFT} y={0} width={Math.max(0, width - LEFT)} height={Math.max(0, zero)} />
        </clipPath>
        <clipPath id="payoff-loss">
          <rect x={LEFT} y={zero} width={Math.max(0, width - LEFT)} height={Math.max(0, HEIGHT - BOTTOM - zero)} />
        </clipPath>
      </defs>
      {gridOf(low, high, 4).map((result) => (
        <g key={result} class="grid">
          <line x1={LEFT} x2={width} y1={y(result)} y2={y(result)} />
          <text x={LEFT - 4} y={y(result) + 3.5} class="end">
            {shortFigure(result)}
          </text>
        </g>
      ))}
      {gridOf(prices[0] ?? 0, prices.at(-1) ?? 0, Math.max(2, Math.floor(width / 90))).map((price) => (
        <text key={price} x={x(price)} y={HEIGHT - 5} class="middle">
          {grouped(String(price))}
        </text>
      ))}
      <path class="gain-area" d={area} clip-path="url(#payoff-gain)" />
      <path class="loss-area" d={area} clip-path="url(#payoff-loss)" />
      <line class="zero" x1={LEFT} x2={width} y1={zero} y2={zero} />
      <line class="spot" x1={x(Number(spot))} x2={x(Number(spot))} y1={4} y2={HEIGHT - BOTTOM} />
      <path class="today" d={lineOf(prices, today, x, y)} />
      <path class="expiry gain-line" d={line} clip-path="url(#payoff-gain)" />
      <path class="expiry loss-line" d={line} clip-path="url(#payoff-loss)" />
      {breakevens.map((price) => (
        <circle key={price} class="breakeven" cx={x(Number(price))} cy={zero} r={3} />
      ))}
      {at !== undefined && <line class="looked" x1={x(at)} x2={x(at)} y1={4} y2={HEIGHT - BOTTOM} />}
    </svg>
  );
}

function lineOf(prices: readonly number[], results: readonly number[], x: Scale, y: Scale): string {
  return prices.map((price, place) => `${place === 0 ? 'M' : 'L'}${x(price)},${y(results[place] ?? 0)}`).join(' ');
}
