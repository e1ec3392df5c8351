/** How long frames of users' own events took from the moment that the event was durable until they were written. */

/** Upper bounds of the counts, in milliseconds. The last count has no bound. */
export const DELAY_BOUNDS_MS = [0.25, 0.5, 1, 2, 3, 5, 10, 20, 50, 100, 1_000] as const;

export class FrameDelays {
  readonly boundsMs: readonly number[] = DELAY_BOUNDS_MS;
  /** How many delays are above the bound before and not above this one; the last: how many are above all bounds. */
  readonly counts: number[] = new Array<number>(DELAY_BOUNDS_MS.length + 1).fill(0);
  /** The sum of all delays, in milliseconds. */
  sumMs = 0;

  /**
   * Counts the delays of frames that this turn of the event loop writes, once they have left. `durableAt`: when each
   * event was known to be durable, on the clock that `elapsed` reads, in milliseconds.
   */
  written(durableAt: readonly number[], elapsed: () => number): void {
    // The texts of a turn leave in its next tick (`outbound.ts`), which was asked for before this one.
    process.nextTick(() => {
      const now = elapsed();
      for (const at of durableAt) this.add(now - at);
    });
  }

  private add(ms: number): void {
    const place = DELAY_BOUNDS_MS.findIndex((bound) => ms <= bound);
    const index = place === -1 ? DELAY_BOUNDS_MS.length : place;
    this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sumMs += ms;
  }
}
