/**
 * The clock of the market: the wall's, until an operator has set it; then the one that the state of the journal says.
 * A clock that is set goes from one instant that has work to the next, and stands there until the work is done. So no
 * second is left out, and nothing depends on how the machine's timers fell: work that takes longer slows the clock.
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

/** The whole second after an instant. */
export function secondAfter(at: EpochMs): EpochMs {
  return ((secondOf(at) + 1) * SECOND_MS) as EpochMs;
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
  /** The next instant that has work. The market comes to it when the work begins. */
  private next = Number.POSITIVE_INFINITY;
  /** The instant whose work is being done: the market stands there. */
  private working: EpochMs | undefined;
  /** The last instant that was given out. */
  private shown = 0;
  private lost = 0;
  /** True while a clock that is set stands still whatever its speed: see `stand`. */
  private stands = false;

  constructor(parts: MarketClockParts) {
    this.parts = parts;
  }

  /**
   * The present instant of the market. A clock that is set never goes back, never jumps with the wall, and stands
   * before the next instant that has work until that begins.
   */
  now(): EpochMs {
    const line = this.follow();
    if (line === undefined) return this.parts.wall() as number as EpochMs;
    if (this.working !== undefined) return this.working;
    const reached = Math.floor(Math.min(this.reached(line), this.due(line) - 1));
    this.shown = Math.max(this.shown, reached);
    return this.shown as EpochMs;
  }

  /** True for a clock that an operator has set. */
  get isSet(): boolean {
    return this.follow() !== undefined;
  }

  /**
   * How long the clock may be left alone: until its next work, or the next whole second of the wall while it follows
   * the wall. In milliseconds of the wall, above 0. A clock that is set is looked at sooner where that takes long.
   */
  untilLook(): number {
    const line = this.follow();
    if (line === undefined) return SECOND_MS - (this.parts.wall() % SECOND_MS);
    const { speed } = line;
    if (speed === 0 || speed === 'max' || this.stands || this.isHeld()) return LOOK_MS;
    return Math.min(LOOK_MS, (this.due(line) - this.reached(line)) / speed);
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

  /** True for a clock that is set and whose next work is due, or goes on. */
  isHeld(): boolean {
    const line = this.follow();
    if (line === undefined) return false;
    return this.working !== undefined || this.reached(line) >= this.due(line);
  }

  /** Begins work: at the next instant that has some, or at the given one. The market stands there until `end`. */
  begin(at?: EpochMs): EpochMs {
    const line = this.follow();
    this.working = at ?? ((line === undefined ? this.next : this.due(line)) as EpochMs);
    this.shown = Math.max(this.shown, this.working);
    return this.working;
  }

  /** The work is done. The market may go on, up to the next instant that has some. */
  end(next: EpochMs): void {
    this.working = undefined;
    this.next = next;
  }

  /** There is work at this instant, which may be sooner than was known. */
  expect(at: EpochMs): void {
    this.next = Math.min(this.next, at);
  }

  /** How much slower than its speed the market went since the clock was set or started, in its own milliseconds. */
  get lostMs(): number {
    return Math.round(this.lost);
  }

  /** The next instant at which something is to be done; the end of a step is one. */
  private due({ until }: ClockLine): number {
    return Math.min(this.next, until ?? this.next);
  }

  /** The market's place if its work took no time. Time that is too late to be caught up is given up. */
  private reached(line: ClockLine): number {
    const { speed } = line;
    if (this.stands) return this.from;
    if (speed === 'max') return Number.POSITIVE_INFINITY;
    const reached = this.from + (this.parts.elapsed() - this.since) * speed;
    const late = reached - this.due(line) - CATCH_UP_MS * speed;
    if (late <= 0 || speed === 0) return reached;
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
    this.lost = 0;
    return clock;
  }
}
