import type { Random } from '../../src/base/random.ts';
import type { EpochMs, WallMs } from '../../src/base/time.ts';
import type { VirtualLoop } from '../virtual-loop.ts';

/**
 * The process of one member: all of its work comes through here, so that it can be stopped and go on, or end. Its two
 * clocks are its own: the wall's may jump or stand still, the steady one stands still in a pause of a whole machine.
 */
export class MemberProcess {
  /** How far its wall clock is ahead, in milliseconds. */
  skew = 0;
  /** How much of the time its steady clock did not count, in milliseconds. */
  uncounted = 0;
  /** True once a message came to it that a machine of a log had damaged. */
  readDamage = false;
  /** When it last read messages that had not been there shortly before, one instant for each, the newest last. */
  newsAt: readonly number[] = [];
  private readonly loop: VirtualLoop;
  private readonly random: Random;
  private readonly rate: number;
  private state: 'Runs' | 'Paused' | 'Ended' = 'Runs';
  private backlog: (() => void)[] = [];
  private pausedAt = 0;
  /** The instant at which its wall clock stands still. */
  private frozenWall: number | undefined;

  /** `rate`: how fast its steady clock goes; 1 is right. */
  constructor(loop: VirtualLoop, random: Random, rate = 1) {
    this.loop = loop;
    this.random = random;
    this.rate = rate;
  }

  get runs(): boolean {
    return this.state === 'Runs';
  }

  get isPaused(): boolean {
    return this.state === 'Paused';
  }

  /** Work of this process: done now, when the process goes on, or never. */
  readonly enter = (work: () => void): void => {
    if (this.state === 'Runs') work();
    else if (this.state === 'Paused') this.backlog.push(work);
  };

  readonly defer = (work: () => void): void => {
    this.loop.defer(() => this.enter(work));
  };

  /** Does work after `ms` milliseconds. Returns a function that cancels it. */
  readonly after = (ms: number, work: () => void): (() => void) => {
    let cancelled = false;
    this.loop.after(Math.ceil(ms / this.rate), () =>
      this.enter(() => {
        if (!cancelled) work();
      }),
    );
    return () => {
      cancelled = true;
    };
  };

  readonly wall = (): WallMs => ((this.frozenWall ?? this.loop.now) + this.skew) as number as WallMs;

  readonly clock = (): EpochMs => this.wall() as number as EpochMs;

  readonly elapsed = (): number => (this.loop.now - this.uncounted) * this.rate;

  pause(): void {
    this.state = 'Paused';
    this.pausedAt = this.loop.now;
  }

  /**
   * Goes on with what came in the meantime, sometimes in another order. `counted` is false for a machine that stood
   * still with its steady clock.
   */
  resume(counted: boolean): void {
    this.state = 'Runs';
    if (!counted) this.uncounted += this.loop.now - this.pausedAt;
    const work = this.backlog;
    this.backlog = [];
    while (work.length > 0) {
      const at = this.random.chance(70) ? 0 : this.random.below(work.length);
      for (const one of work.splice(at, 1)) this.loop.defer(() => this.enter(one));
    }
  }

  freezeWall(): void {
    this.frozenWall = this.loop.now;
  }

  /** The wall clock is right again. */
  setClock(): void {
    this.skew = 0;
    this.frozenWall = undefined;
  }

  /** Nothing of it is done any more. */
  end(): void {
    this.state = 'Ended';
    this.backlog = [];
  }
}
