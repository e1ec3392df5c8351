import type { WallMs } from '../base/time.ts';

/** Time as the parts of a member see it. A simulation gives them time of its own, so they have no timer or clock. */
export interface ClusterTime {
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  readonly wall: () => WallMs;
  /** Does work after `ms` milliseconds. Returns a function that cancels it. */
  readonly after: (ms: number, work: () => void) => () => void;
  /** Does work in the next turn of the event loop. */
  readonly defer: (work: () => void) => void;
}
