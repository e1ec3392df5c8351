/** Reads one lane from a position on, again and again. A read that hangs is left behind after a while. */

import type { ClusterLimits } from '../cluster-limits.ts';
import type { ClusterTime } from '../cluster-time.ts';
import { type Lane, type LaneMessage, LaneUnreachable } from '../lanes/lane.ts';
import { withPatience } from '../patience.ts';

/** `Late`: no machine of the log answered in time. */
export type Pulled = 'Messages' | 'Empty' | 'Late';

export interface LaneReaderParts {
  readonly lane: Lane;
  /** The position after which it reads. */
  readonly after: number;
  readonly time: ClusterTime;
  readonly limits: ClusterLimits;
  /**
   * Takes the next message. `isFresh`: it was looked for shortly before, and not there yet. It throws where it cannot
   * be taken, and then the reader stands before it.
   */
  readonly take: (message: LaneMessage, isFresh: boolean) => void;
}

/** A message that was not there this long ago is fresh. In milliseconds. */
const FRESH_MS = 300;

/** The place of a member in a lane. */
export class LaneReader {
  readonly lane: Lane;
  private readonly parts: LaneReaderParts;
  private at: number;
  private running: Promise<Pulled> | undefined;
  private emptySince = Number.NEGATIVE_INFINITY;

  constructor(parts: LaneReaderParts) {
    this.lane = parts.lane;
    this.parts = parts;
    this.at = parts.after;
  }

  /** The position of the last message that was taken. */
  get position(): number {
    return this.at;
  }

  /**
   * When the last read began that found nothing, in monotonic milliseconds. The machine that answered may have been
   * behind.
   */
  get foundNothingAt(): number {
    return this.emptySince;
  }

  /** Reads once, or joins a read that runs. Rejects with the error of `take`, or with `LaneTrimmed`. */
  pull(): Promise<Pulled> {
    this.running ??= this.read().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async read(): Promise<Pulled> {
    const { lane, time, limits, take } = this.parts;
    const began = time.elapsed();
    const messages = await withPatience(time, limits.giveUpMs, this.answer(lane), undefined);
    if (messages === undefined) return 'Late';
    const isFresh = time.elapsed() - this.emptySince <= FRESH_MS;
    for (const message of messages) {
      take(message, isFresh);
      this.at = message.position;
    }
    if (messages.length > 0) return 'Messages';
    this.emptySince = began;
    return 'Empty';
  }

  private async answer(lane: Lane): Promise<readonly LaneMessage[] | undefined> {
    try {
      return await lane.read(this.at);
    } catch (error) {
      if (error instanceof LaneUnreachable) return undefined;
      throw error;
    }
  }
}
