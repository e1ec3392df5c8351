/**
 * How far the clock of a member is from its leader's, measured by the instants in the leader's messages. A message takes
 * time, which only adds to the difference, so the least of some seconds is the measure.
 */

import type { ClusterTime } from '../cluster-time.ts';

/** The measure is the least difference of this time and up to twice of it, in milliseconds. */
const WINDOW_MS = 5_000;

/** A member with a wrong clock would bring the market to a wrong instant, and time of records does not go back. */
export class ClockGuard {
  private readonly time: Pick<ClusterTime, 'elapsed' | 'wall'>;
  private windowBegan = Number.NEGATIVE_INFINITY;
  private least: number | undefined;
  private leastBefore: number | undefined;

  constructor(time: Pick<ClusterTime, 'elapsed' | 'wall'>) {
    this.time = time;
  }

  /** A message came that its leader made at `wall`. */
  heard(wall: number): void {
    const now = this.time.elapsed();
    if (now - this.windowBegan >= WINDOW_MS) {
      this.leastBefore = now - this.windowBegan < 2 * WINDOW_MS ? this.least : undefined;
      this.least = undefined;
      this.windowBegan = now;
    }
    const ahead = this.time.wall() - wall - this.step();
    this.least = this.least === undefined ? ahead : Math.min(this.least, ahead);
  }

  /**
   * By how many milliseconds this clock is ahead of the leader's; `undefined` before a message came. A step of this
   * clock after the last message counts.
   */
  apartMs(): number | undefined {
    const known = [this.least, this.leastBefore].filter((one) => one !== undefined);
    return known.length === 0 ? undefined : Math.min(...known) + this.step();
  }

  /** By how much this wall clock went otherwise than the monotonic one, from a fixed point on. */
  private step(): number {
    return this.time.wall() - this.time.elapsed();
  }
}
