/**
 * The clock of the market: the wall's, until an operator has set it; then the one that the state of the journal says.
 * A clock that is set waits for the work of each of its seconds, so no second is left out: what takes longer slows it.
 */
import { type EpochMs, SECOND_MS, type WallMs } from '../../base/time.ts';
import type { ClockLine } from '../../core/clock/clock-line.ts';
import type { State } from '../../core/state.ts';

/** How far work may make the market late before the time is given up, in milliseconds of the wall. */
const CATCH_UP_MS = 250;
/** A clock that is set is looked at this often at least, in milliseconds of the wall: its speed may have changed. */
const LOOK_MS = 100;

export interface MarketClockParts {
  readonly wall: () => WallMs;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  /** The state that recovery gave, and that the engine goes on with. */
  readonly state: Pick<State, 'clock' | 'at'>;
}

/** The second of the market that holds the instant. */
export function secondOf(at: EpochMs): number {
  return Math.floor(at / SECOND_MS);
}

/**
 * The clock of the market. The engine alone asks it: everybody else asks `engine.now()`, which gives the instant that a
 * command taken now is stamped with.
 */
export class MarketClock {
  private readonly parts: MarketClockParts;
  /** The line of the journal that the members below follow. */
  private line: ClockLine | undefined;
  /** Where the market stood, fractions of milliseconds included, at the monotonic instant `since`. */
  private from = 0;
  private since = 0;
  /** The last second whose work is done. The market stands still at the end of the next one until that is done too. */
  private met = 0;
  private lost = 0;
  /** True while a clock that is set stands still whatever its speed: see `stand`. */
  private stands = false;

  constructor(parts: MarketClockParts) {
    this.parts = parts;
  }

  /** The present instant of the market. A clock that is set never goes back, and never jumps with the wall. */
  now(): EpochMs {
    const line = this.follow();
    if (line === undefined) return this.parts.wall() as number as EpochMs;
    return Math.floor(Math.min(this.reached(line), this.end - 1)) as EpochMs;
  }

  /**
   * How long the clock may be left alone: until the next whole second of the market begins, in milliseconds of the
   * wall, above 0. A clock that is set is to be looked at sooner where that takes long.
   */
  untilLook(): number {
    const line = this.follow();
    if (line === undefined) return SECOND_MS - (this.parts.wall() % SECOND_MS);
    if (line.speed === 0 || this.stands || this.isHeld()) return LOOK_MS;
    return Math.min(LOOK_MS, (SECOND_MS - (this.now() % SECOND_MS)) / line.speed);
  }

  /** Lets a clock that is set stand still until `go`, so that no market time passes in a start. */
  stand(): void {
    this.stands = true;
  }

  /** Lets market time pass from now on. */
  go(): void {
    this.stands = false;
    this.since = this.parts.elapsed();
  }

  /** The wall's instant while it differs from the market's; `undefined` while the two clocks are one. */
  wallApart(): WallMs | undefined {
    return this.parts.state.clock === undefined ? undefined : this.parts.wall();
  }

  /** True for a clock that is set and waits for the work of a second. */
  isHeld(): boolean {
    const line = this.follow();
    return line !== undefined && this.reached(line) >= this.end;
  }

  /** The last second whose work is done; `undefined` while the market follows the wall, which waits for nothing. */
  lastMet(): number | undefined {
    return this.follow() === undefined ? undefined : this.met;
  }

  /** The work of a second is done: the market may go on to the end of the next one. */
  meet(second: number): void {
    if (this.follow() !== undefined) this.met = Math.max(this.met, second);
  }

  /** How much slower than its speed the market went since the clock was set or started, in its own milliseconds. */
  get lostMs(): number {
    return Math.round(this.lost);
  }

  private get end(): number {
    return (this.met + 2) * SECOND_MS;
  }

  /** The market's place if its work took no time. Time that is too late to be caught up is given up. */
  private reached({ speed }: ClockLine): number {
    if (this.stands) return this.from;
    const reached = this.from + (this.parts.elapsed() - this.since) * speed;
    const late = reached - this.end - CATCH_UP_MS * speed;
    if (late <= 0) return reached;
    this.from -= late;
    this.lost += late;
    return reached - late;
  }

  /**
   * Takes over a line that the journal has since the last look. At a start that is the line of a former process, and
   * the market goes on from the last record.
   */
  private follow(): ClockLine | undefined {
    const { clock, at } = this.parts.state;
    if (clock === this.line) return clock;
    this.line = clock;
    if (clock === undefined) return undefined;
    this.from = Math.max(clock.market, at);
    this.since = this.parts.elapsed();
    this.met = secondOf(this.from as EpochMs) - 1;
    this.lost = 0;
    return clock;
  }
}
