/** The figures of the candle under the pointer, or of the newest one. */
import type { ReadonlySignal } from '@preact/signals';
import { Figure } from '../../ui/figure.tsx';
import type { Candle } from './candles.ts';

const PRICES = [
  ['O', 'open'],
  ['H', 'high'],
  ['L', 'low'],
  ['C', 'close'],
] as const;

/** It reads the candle itself, so that a tick and a move of the pointer draw these figures again and nothing else. */
export function CandleFigures({ shown }: { readonly shown: ReadonlySignal<Candle | undefined> }) {
  const candle = shown.value;
  const way = candle === undefined ? '' : candle.close >= candle.open ? 'gain' : 'loss';
  return (
    <p class="candle-figures">
      {PRICES.map(([name, price]) => (
        <span key={name}>
          {name}{' '}
          <b class={way}>
            <Figure value={candle?.[price].toFixed(2)} />
          </b>
        </span>
      ))}
      <span>
        Vol{' '}
        <b>
          <Figure value={candle?.volume.toString()} />
        </b>
      </span>
    </p>
  );
}
