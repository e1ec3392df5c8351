import { SECOND_MS } from '../../base/time.ts';
import { type MarketClock, secondOf } from './market-clock.ts';

/** The clock is read at least this often, in milliseconds of the wall, because it can be set during a sleep. */
const LONGEST_SLEEP_MS = SECOND_MS;

/** The part of the market's clock that makes its seconds. */
type TickedClock = Pick<MarketClock, 'now' | 'untilLook' | 'isHeld'>;

/**
 * Calls `work` soon after every whole second of the market's clock, once for seconds that were missed, and never while
 * the market stands still. While the clock waits for work that was broken off, it is called again. Returns a function
 * that ends it.
 */
export function everySecond(clock: TickedClock, work: () => void): () => void {
  let timer: NodeJS.Timeout;
  let met = secondOf(clock.now());
  const next = (): void => {
    timer = setTimeout(
      () => {
        next();
        const second = secondOf(clock.now());
        if (second === met && !clock.isHeld()) return;
        met = second;
        work();
      },
      Math.min(clock.untilLook(), LONGEST_SLEEP_MS),
    );
  };
  next();
  return () => clearTimeout(timer);
}
