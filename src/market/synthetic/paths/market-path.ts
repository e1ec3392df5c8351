import type { IstDay } from '../../../base/time.ts';
import type { DayClock } from './day-clock.ts';
import { type DaySpan, Path, SpanPath } from './path.ts';
import { FREE } from './texture.ts';

/**
 * The path that moves everything: drawn day after day by the clock, because what it did makes the days after it wild or
 * calm.
 */
export class MarketPath extends Path {
  readonly kind = 'market';

  fill(day: IstDay, values: Float64Array, variances: Float64Array): void {
    this.clock.fillMarket(day, values, variances);
  }
}

/** The walk of the news of each day, from 0: besides the market, it moves implied volatility. */
export class NewsPath extends SpanPath {
  constructor(seed: number, number: number, clock: DayClock) {
    super(seed, number, clock, FREE);
  }

  span(day: IstDay): DaySpan {
    const { sum, variance } = this.clock.news(day);
    return { start: 0, end: sum, variance };
  }
}
