import type { WallMs } from '../base/time.ts';

/** What is measured by the wall clock: the commands that guard the door, and their events. */
export interface WallStamped {
  /** When it was, by the wall. Absent while the market's clock is the wall's: then the stamp says it. */
  readonly wall?: WallMs;
}

/** The wall instant that an event takes over from its command, to be spread into it; nothing where there is none. */
export function wallPart({ wall }: WallStamped): WallStamped {
  return wall === undefined ? {} : { wall };
}
