import { type EpochMs, SECOND_MS } from '../../../src/base/time.ts';
import { ManualClock } from './manual-clock.ts';
import { openWorld, type World } from './world.ts';

/** A world whose sockets follow a clock that stands until a test moves it. */
export interface ClockedWorld {
  readonly world: World;
  readonly clock: ManualClock;
  /** Moves the market and the sockets on by a second. */
  second(): Promise<void>;
}

export async function clockedWorld(): Promise<ClockedWorld> {
  const clock = new ManualClock();
  const world = await openWorld({ socketClock: clock });
  const second = async (): Promise<void> => {
    world.now = (world.now + SECOND_MS) as EpochMs;
    await clock.pass(SECOND_MS);
  };
  return { world, clock, second };
}
