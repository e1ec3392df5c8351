import { hashText } from '../../base/random.ts';
import type { IstDay } from '../../base/time.ts';
import type { DayClock } from './day-clock.ts';
import { hashAt } from './draws.ts';
import type { DaySpan, Path } from './path.ts';
import { MINUTES_IN_DAY } from './profile.ts';
import { FREE, type Texture } from './texture.ts';

/** The path that moves everything: drawn day after day by the clock, because what it did makes the days after it wild or calm. */
export class MarketPath implements Path {
  readonly kind = 'market';
  readonly seed: number;
  readonly number: number;
  readonly texture: Texture;
  private readonly clock: DayClock;
  private readonly walkSeed: number;
  private readonly values = new Float64Array(MINUTES_IN_DAY + 1);
  private readonly variances = new Float64Array(MINUTES_IN_DAY + 1);

  constructor(seed: number, number: number, clock: DayClock, texture: Texture) {
    this.seed = seed;
    this.number = number;
    this.clock = clock;
    this.texture = texture;
    this.walkSeed = hashText(seed, 'walk');
  }

  walkOf(minute: number): number {
    return hashAt(this.walkSeed, minute);
  }

  span(day: IstDay): DaySpan {
    this.fill(day, this.values, this.variances);
    return {
      start: this.values[0] as number,
      end: this.values[MINUTES_IN_DAY] as number,
      variance: this.variances[MINUTES_IN_DAY] as number,
    };
  }

  /** Fills the path and the variance of a day at the ends of its stretches. */
  fill(day: IstDay, values: Float64Array, variances: Float64Array): void {
    this.clock.fillMarket(day, values, variances);
  }
}

/** The walk of the news of each day, from 0: what moves implied volatility besides the market. */
export class NewsPath implements Path {
  readonly kind = 'own';
  readonly texture = FREE;
  readonly seed: number;
  readonly number: number;
  private readonly clock: DayClock;
  private readonly walkSeed: number;

  constructor(seed: number, number: number, clock: DayClock) {
    this.seed = seed;
    this.number = number;
    this.clock = clock;
    this.walkSeed = hashText(seed, 'walk');
  }

  walkOf(minute: number): number {
    return hashAt(this.walkSeed, minute);
  }

  span(day: IstDay): DaySpan {
    const { sum, variance } = this.clock.news(day);
    return { start: 0, end: sum, variance };
  }
}
