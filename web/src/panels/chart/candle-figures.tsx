/** The figures of the candle under the pointer, or of the newest one. */
import { grouped } from '../../text/figures.ts';
import type { Candle } from './candles.ts';

export function CandleFigures({ candle }: { readonly candle: Candle | undefined }) {
  const price = (value: number | undefined): string => (value === undefined ? '–' : grouped(value.toFixed(2)));
  const way = candle === undefined ? '' : candle.close >= candle.open ? 'gain' : 'loss';
  return (
    <p class="candle-figures">
      <span>
        O <b class={way}>{price(candle?.open)}</b>
      </span>
      <span>
        H <b class={way}>{price(candle?.high)}</b>
      </span>
      <span>
        L <b class={way}>{price(candle?.low)}</b>
      </span>
      <span>
        C <b class={way}>{price(candle?.close)}</b>
      </span>
      <span>
        Vol <b>{candle === undefined ? '–' : grouped(String(candle.volume))}</b>
      </span>
    </p>
  );
}
