import { type EpochMs, SECOND_MS, type WallMs } from '../base/time.ts';

/**
 * The clock of the market. The engine alone asks it: everybody else asks `engine.now()`, which gives the instant that a
 * command taken now is stamped with.
 */
export interface MarketClock {
  /** The present instant of the market. */
  now(): EpochMs;
  /**
   * How long it takes until the next whole second of the market begins, in milliseconds of the wall, above 0;
   * `Infinity` while the market stands still.
   */
  untilNextSecond(): number;
  /** The wall's instant while it differs from the market's; `undefined` while the two clocks are one. */
  wallApart(): WallMs | undefined;
}

/** The market clock that is the wall clock. */
export function marketOfTheWall(wall: () => WallMs): MarketClock {
  return {
    now: () => wall() as number as EpochMs,
    untilNextSecond: () => SECOND_MS - (wall() % SECOND_MS),
    wallApart: () => undefined,
  };
}
