/** How long a leader waits for one lane before it tries the other one with the same message. */

import type { ClusterLimits } from '../cluster-limits.ts';

/** The least wait, as a multiple of what a message usually takes. */
const OF_USUAL = 4;
/** The part that the newest message has in what is usual. */
const NEWEST = 1 / 8;
/** A message above this size takes long by itself. In bytes. */
const LONG_BYTES = 256 * 1024;

/**
 * Follows the log: while it answers quickly, one slow flush of a server is left behind soon. Where each message takes
 * long, a leader is patient, since a second message would only add to the load.
 */
export class LanePatience {
  private readonly limits: Pick<ClusterLimits, 'leastGiveUpMs' | 'giveUpMs'>;
  private readonly lanes: number;
  private usualMs = 0;

  constructor(limits: Pick<ClusterLimits, 'leastGiveUpMs' | 'giveUpMs'>, lanes: number) {
    this.limits = limits;
    this.lanes = lanes;
  }

  /**
   * Counts a message of `bytes` bytes that a lane has stored, `ms` milliseconds after it was given to it. A long stop
   * counts no more than a short one, and a long message not at all: theirs is not the usual time.
   */
  count(ms: number, bytes: number): void {
    if (bytes > LONG_BYTES) return;
    this.usualMs += NEWEST * (Math.min(ms, this.limits.leastGiveUpMs) - this.usualMs);
  }

  /** The wait for a message of `bytes` bytes, in milliseconds. */
  of(bytes: number): number {
    const { leastGiveUpMs, giveUpMs } = this.limits;
    if (this.lanes === 1 || bytes > LONG_BYTES) return giveUpMs;
    return Math.min(giveUpMs, Math.max(leastGiveUpMs, OF_USUAL * this.usualMs));
  }
}
