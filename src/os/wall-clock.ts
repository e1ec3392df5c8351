import type { WallMs } from '../base/time.ts';

/** The wall clock of the machine, which is read here alone. Market time is asked of the engine. */
export function wallClock(): WallMs {
  return Date.now() as WallMs;
}
