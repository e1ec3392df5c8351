/**
 * How far the clock of a member is from its leader's, measured by the instants in the leader's messages. A message
 * takes time, which only adds to the difference, so the least of some seconds is the measure. That this clock is
 * behind is seen by any message; that it is ahead only by messages that were read as soon as they came.
 */

import type { ClusterTime } from '../cluster-time.ts';

/** A measure is the least difference of this time at least, in milliseconds; the one before it counts beside it. */
const WINDOW_MS = 5_000;
/** A clock is called ahead by this number of messages: one of them may have been long on its way. */
const ENOUGH = 5;
/**
 * A fresh message that was made this much before an earlier one, in milliseconds, shows that the leader's clock was set
 * back. No message is that late: a leader leaves a lane that does not answer.
 */
const BACK_MS = 10_000;

interface Window {
  /** In monotonic milliseconds. */
  readonly began: number;
  /** The least difference; `Infinity` before the first message. */
  least: number;
  messages: number;
}

const NOTHING: Window = { began: Number.NEGATIVE_INFINITY, least: Number.POSITIVE_INFINITY, messages: 0 };

/** A member with a wrong clock would bring the market to a wrong instant, and time of records does not go back. */
export class ClockGuard {
  private readonly time: Pick<ClusterTime, 'elapsed' | 'wall'>;
  private window: Window = NOTHING;
  private before: Window = NOTHING;
  /** The latest instant in a message since the leader's clock went back. */
  private latest = Number.NEGATIVE_INFINITY;

  constructor(time: Pick<ClusterTime, 'elapsed' | 'wall'>) {
    this.time = time;
  }

  /** A message came that its leader made at `wall`. `isFresh`: it was looked for shortly before, and not there yet. */
  heard(wall: number, isFresh: boolean): void {
    const ahead = this.time.wall() - wall;
    // Old messages are of a clock that its leader may have set since; they count while there is nothing better.
    if (!isFresh && (ahead >= 0 || this.isKnown())) return;
    const now = this.time.elapsed();
    if (isFresh && wall < this.latest - BACK_MS) this.measureAgain(now);
    this.latest = Math.max(this.latest, wall);
    // A member that is cut off keeps its measure: the few messages after a silence do not make another one.
    if (now - this.window.began >= WINDOW_MS && (this.window === NOTHING || this.window.messages >= ENOUGH)) {
      this.before = this.window;
      this.window = { began: now, least: Number.POSITIVE_INFINITY, messages: 0 };
    }
    this.window.least = Math.min(this.window.least, ahead - this.step());
    this.window.messages += 1;
  }

  /**
   * By how many milliseconds this clock is ahead of the leader's; `undefined` while it is not known. A step of this
   * clock after the last message counts.
   */
  apartMs(): number | undefined {
    const ahead = Math.min(this.window.least, this.before.least) + this.step();
    if (ahead < 0) return ahead;
    return this.isKnown() ? ahead : undefined;
  }

  private isKnown(): boolean {
    return this.window.messages + this.before.messages >= ENOUGH;
  }

  /**
   * Another leader leads, or the clock of this one was set back: earlier differences are too small, and would hide that
   * this clock is ahead. A clock that was known stays known, by the message that showed it.
   */
  private measureAgain(now: number): void {
    this.window = {
      began: now,
      least: Number.POSITIVE_INFINITY,
      messages: this.window.messages + this.before.messages,
    };
    this.before = NOTHING;
    this.latest = Number.NEGATIVE_INFINITY;
  }

  /** By how much this wall clock went otherwise than the monotonic one, from a fixed point on. */
  private step(): number {
    return this.time.wall() - this.time.elapsed();
  }
}
