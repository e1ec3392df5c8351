import type { EpochMs } from '../src/base/time.ts';

interface Timed {
  readonly at: number;
  readonly work: () => void;
}

/**
 * The time and the event loop of one simulated machine. Nothing happens by itself: whoever holds it says when the
 * deferred work of a turn is done and how far the clock goes.
 */
export class VirtualLoop {
  now: EpochMs;
  private deferred: (() => void)[] = [];
  private timed: Timed[] = [];

  constructor(now: EpochMs) {
    this.now = now;
  }

  /** Work for the next turn. */
  readonly defer = (work: () => void): void => {
    this.deferred.push(work);
  };

  /** Work for an instant that comes. */
  after(ms: number, work: () => void): void {
    this.timed.push({ at: this.now + ms, work });
  }

  /** One turn: what was deferred before it. True when there was anything. */
  turn(): boolean {
    const work = this.deferred;
    this.deferred = [];
    for (const one of work) one();
    return work.length > 0;
  }

  /** Brings the clock to `at`, and does what was due on the way in the order of its time. */
  advanceTo(at: EpochMs): void {
    for (;;) {
      const due = this.timed.filter((one) => one.at <= at).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.timed = this.timed.filter((one) => one !== due);
      this.now = Math.max(this.now, due.at) as EpochMs;
      due.work();
    }
    this.now = Math.max(this.now, at) as EpochMs;
  }

  /** The instant of the next work that waits for its time; `undefined` when none does. */
  nextDue(): EpochMs | undefined {
    if (this.timed.length === 0) return undefined;
    return Math.min(...this.timed.map(({ at }) => at)) as EpochMs;
  }

  /** The machine ends: nothing that waited is ever done. */
  forget(): void {
    this.deferred = [];
    this.timed = [];
  }
}

/** Resolves when every promise that is settled by now has reached those who wait for it. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
