import type { EpochMs } from '../src/base/time.ts';

interface Timed {
  readonly at: number;
  /** Counts up: of two at one instant the one that was asked for first comes first. */
  readonly order: number;
  readonly work: () => void;
}

/**
 * The time and the event loop of one simulated machine. Nothing happens by itself: whoever holds it says when the
 * deferred work of a turn is done and how far the clock goes.
 */
export class VirtualLoop {
  now: EpochMs;
  private deferred: (() => void)[] = [];
  /** A binary heap: the first is due first. */
  private timed: Timed[] = [];
  private asked = 0;

  constructor(now: EpochMs) {
    this.now = now;
  }

  /** Work for the next turn. */
  readonly defer = (work: () => void): void => {
    this.deferred.push(work);
  };

  /** Work for an instant that comes. */
  after(ms: number, work: () => void): void {
    const { timed } = this;
    this.asked += 1;
    timed.push({ at: this.now + ms, order: this.asked, work });
    for (let at = timed.length - 1; at > 0; ) {
      const above = (at - 1) >> 1;
      if (!isBefore(timed, at, above)) break;
      swap(timed, at, above);
      at = above;
    }
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
    for (let due = this.takeDue(at); due !== undefined; due = this.takeDue(at)) {
      this.now = Math.max(this.now, due.at) as EpochMs;
      due.work();
    }
    this.now = Math.max(this.now, at) as EpochMs;
  }

  /** The instant of the next work that waits for its time; `undefined` when none does. */
  nextDue(): EpochMs | undefined {
    return this.timed[0]?.at as EpochMs | undefined;
  }

  /** The machine ends: nothing that waited is ever done. */
  forget(): void {
    this.deferred = [];
    this.timed = [];
  }

  private takeDue(until: number): Timed | undefined {
    const { timed } = this;
    const [first] = timed;
    if (first === undefined || first.at > until) return undefined;
    swap(timed, 0, timed.length - 1);
    timed.pop();
    for (let at = 0; ; ) {
      let least = at;
      for (const below of [2 * at + 1, 2 * at + 2]) {
        if (below < timed.length && isBefore(timed, below, least)) least = below;
      }
      if (least === at) return first;
      swap(timed, at, least);
      at = least;
    }
  }
}

function isBefore(timed: readonly Timed[], one: number, other: number): boolean {
  const [a, b] = [timed[one] as Timed, timed[other] as Timed];
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

function swap(timed: Timed[], one: number, other: number): void {
  [timed[one], timed[other]] = [timed[other] as Timed, timed[one] as Timed];
}

/** Resolves when every promise that is settled by now has reached those who wait for it. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
