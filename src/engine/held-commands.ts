import type { EpochMs } from '../base/time.ts';
import type { Reply } from '../core/reply.ts';
import { Unavailable } from './port.ts';
import type { Slice } from './slice.ts';

/** Commands that may wait at a time. Beyond that they are refused. */
const MOST_HELD = 10_000;

/** Takes a command at an instant whose duties are done. */
type Take = (now: EpochMs) => Promise<Reply>;

/**
 * Commands that came before the duties of the present were done. They are taken in the order in which they came.
 * Source: reliability P10.
 */
export class HeldCommands {
  private waiting: ((now: EpochMs) => void)[] = [];

  get size(): number {
    return this.waiting.length;
  }

  /** Lets a command wait for its turn. Rejects with `Unavailable` when too many wait. */
  hold(take: Take): Promise<Reply> {
    if (this.waiting.length >= MOST_HELD) {
      return Promise.reject(new Unavailable('too many commands wait for the work of the present'));
    }
    return new Promise((resolve) => {
      this.waiting.push((now) => resolve(take(now)));
    });
  }

  /**
   * Takes commands, one at least, until the slice is over or there is no `present`, the instant whose duties are done.
   * True when none is left.
   */
  takeWhile(slice: Slice, present: () => EpochMs | undefined): boolean {
    let taken = 0;
    for (const take of this.waiting) {
      const now = taken > 0 && slice.isOver ? undefined : present();
      if (now === undefined) break;
      take(now);
      taken += 1;
    }
    this.waiting = this.waiting.slice(taken);
    return this.waiting.length === 0;
  }

  /** Takes all of them at once: for when each is refused. */
  takeAll(now: EpochMs): void {
    const { waiting } = this;
    this.waiting = [];
    for (const take of waiting) take(now);
  }
}
