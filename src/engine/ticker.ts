import { SECOND_MS } from '../base/time.ts';
import type { MarketClock } from './market-clock.ts';

/** The clock is read at least this often, in milliseconds of the wall, because it can be set during a sleep. */
const LONGEST_SLEEP_MS = SECOND_MS;

/**
 * Calls `work` soon after every whole second of the market's clock, once for seconds that were missed, and never while
 * the market stands still. Returns a function that ends it.
 */
export function everySecond(clock: Pick<MarketClock, 'now' | 'untilNextSecond'>, work: () => void): () => void {
  let timer: NodeJS.Timeout;
  let met = secondOf(clock);
  const next = (): void => {
    timer = setTimeout(
      () => {
        next();
        const second = secondOf(clock);
        if (second === met) return;
        met = second;
        work();
      },
      Math.min(clock.untilNextSecond(), LONGEST_SLEEP_MS),
    );
  };
  next();
  return () => clearTimeout(timer);
}

function secondOf(clock: Pick<MarketClock, 'now'>): number {
  return Math.floor(clock.now() / SECOND_MS);
}
