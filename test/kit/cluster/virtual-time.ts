import type { WallMs } from '../../../src/base/time.ts';
import type { ClusterTime } from '../../../src/cluster/cluster-time.ts';

interface Timed {
  readonly at: number;
  readonly place: number;
  readonly work: () => void;
}

/** A wall's instant at which tests begin. */
export const FIRST_WALL = 1_800_000_000_000;
/** Turns of the real loop in which promises that are settled reach all that wait for them. */
const TURNS = 3;

/** Time that goes on as a test says. Everything that is due at an instant is done before the next one. */
export class VirtualTime {
  now = 0;
  private timed: Timed[] = [];
  private deferred: (() => void)[] = [];
  private places = 0;

  /** The time of one member. `isFrozen`: work of a member that stands still waits until it goes on. */
  of(member: { readonly wallApart?: number; isFrozen?: () => boolean } = {}): ClusterTime {
    const guarded = (work: () => void): (() => void) => {
      const run = (): void => {
        if (member.isFrozen?.() === true) this.after(5, run);
        else work();
      };
      return run;
    };
    return {
      elapsed: () => this.now,
      wall: () => (FIRST_WALL + this.now + (member.wallApart ?? 0)) as WallMs,
      after: (ms, work) => this.after(ms, guarded(work)),
      defer: (work) => this.deferred.push(guarded(work)),
    };
  }

  after(ms: number, work: () => void): () => void {
    this.places += 1;
    const one = { at: this.now + ms, place: this.places, work };
    this.timed.push(one);
    return () => {
      this.timed = this.timed.filter((other) => other !== one);
    };
  }

  /** Lets `ms` milliseconds pass. */
  async run(ms: number): Promise<void> {
    const end = this.now + ms;
    for (;;) {
      await this.rest();
      const [next] = this.timed.toSorted((a, b) => a.at - b.at || a.place - b.place);
      if (next === undefined || next.at > end) break;
      this.timed = this.timed.filter((one) => one !== next);
      this.now = Math.max(this.now, next.at);
      next.work();
    }
    this.now = end;
    await this.rest();
  }

  /** Lets time pass until `isDone`, at most `mostMs`. True when it was reached. */
  async until(isDone: () => boolean, mostMs: number): Promise<boolean> {
    const end = this.now + mostMs;
    while (!isDone() && this.now < end) await this.run(5);
    return isDone();
  }

  private async rest(): Promise<void> {
    do {
      const work = this.deferred;
      this.deferred = [];
      for (const one of work) one();
      for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    } while (this.deferred.length > 0);
  }
}
