import type { WallMs } from '../base/time.ts';

/** Carries wall time: the commands that guard the door, and their events. */
export interface WallStamped {
  /** The wall time. Absent while the market's clock is the wall's, because the stamp is then the wall time. */
  readonly wall?: WallMs;
}

/** The wall time that an event takes over from its command, to be spread into the event; empty where there is none. */
export function wallPart({ wall }: WallStamped): WallStamped {
  return wall === undefined ? {} : { wall };
}
