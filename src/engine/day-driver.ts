/**
 * Knows which commands a day brings by the clock: its end and the beginning of the next, cut-offs, revisions of
 * margins, the end of sessions. It decides nothing: `duties.ts` asks it and records the commands.
 */

import type { InstrumentId } from '../base/ids.ts';
import { tickOf } from '../base/tick.ts';
import {
  type EpochMs,
  HOUR_MS,
  type IstDay,
  istDay,
  istInstant,
  MINUTE_MS,
  SECOND_MS,
  type WallMs,
  wallInstant,
} from '../base/time.ts';
import { type Boundary, dueBoundary } from '../core/broker/settlement/boundary.ts';
import type { ExpireSessions, ReviewBan, ReviseMargins, SquareOff } from '../core/command.ts';
import type { State } from '../core/state.ts';
import { SQUARE_OFF_SEGMENTS, type TradingDays } from '../core/trading-days.ts';

/** Sessions end at 06:00 IST. Source: contract W24. */
const SESSION_END_MS = 6 * HOUR_MS;
/** How often idle sessions are looked for. */
const EXPIRY_INTERVAL_MS = 5 * MINUTE_MS;
/** When the figures of margins are revised, besides the day's start. Source: market-rules R4.11. */
const REVISIONS_MS = [8.5 * HOUR_MS, 11 * HOUR_MS, 12.5 * HOUR_MS, 14 * HOUR_MS, 15.5 * HOUR_MS];

const NOTHING_DUE: readonly never[] = Object.freeze([]);

/** The part of the state that the driver reads. */
export type DayState = Pick<
  State,
  'day' | 'dayEnd' | 'portion' | 'squaredOff' | 'riskTick' | 'riskFiles' | 'overLimit'
>;

/** The digests of the SPAN files that are to be used on a day. */
export type SpanFilesOn = (day: IstDay) => readonly string[];

/** The shares whose contracts have a limit of positions over the whole market. */
export type LimitedShares = () => readonly InstrumentId[];

/** The sources that a driver asks; each may be absent. */
export interface DaySources {
  readonly spanFilesOn?: SpanFilesOn;
  readonly limitedShares?: LimitedShares;
}

/** A command of the turn of a day, and the instant that it belongs to, as of `Boundary`. */
export interface Turn {
  readonly command: Boundary['command'];
  readonly at: EpochMs;
}

/** Finds the commands that are due at an instant. */
export class DayDriver {
  private readonly state: () => DayState;
  private readonly days: TradingDays;
  private readonly spanFilesOn: SpanFilesOn | undefined;
  private readonly limitedShares: LimitedShares | undefined;
  private lastExpiry = 0;
  /** The minute in which losses and positions were checked last. */
  private lastLook = -1;
  /** The day whose reviews have begun, and the shares of it that wait for theirs, the next one last. */
  private reviewedDay: IstDay | undefined;
  private toReview: InstrumentId[] = [];
  /** Nothing is due before this instant. It only saves time. */
  private quietUntil = 0;

  constructor(state: () => DayState, days: TradingDays, { spanFilesOn, limitedShares }: DaySources = {}) {
    this.state = state;
    this.days = days;
    this.spanFilesOn = spanFilesOn;
    this.limitedShares = limitedShares;
  }

  /** The next command of the turn of a day, until there is none. */
  dueBoundary(at: EpochMs): Turn | undefined {
    const state = this.state();
    if (state.portion !== undefined) return dueBoundary(state, this.days, at);
    if (at < this.quietUntil) return undefined;
    return this.dueSpanFiles(at) ?? dueBoundary(state, this.days, at);
  }

  /**
   * A day is measured by its own SPAN files from its beginning on; a Monday from the Saturday before, on which it is
   * the next day. At a start, files that were removed are given up before anything else.
   */
  private dueSpanFiles(at: EpochMs): Turn | undefined {
    const { day, riskTick, riskFiles } = this.state();
    if (this.spanFilesOn === undefined || day === 0) return undefined;
    const spanFiles = this.spanFilesOn(day);
    if (String(spanFiles) === String(riskFiles)) return undefined;
    return {
      command: { type: 'ReviseMargins', tick: riskTick, spanFiles },
      at: Math.min(istInstant(day), at) as EpochMs,
    };
  }

  /** Cut-offs and revisions that have come, once the day of `at` has begun. Source: market-rules R2.23, R4.11, R7.4. */
  dueDuties(at: EpochMs): readonly (SquareOff | ReviseMargins)[] {
    if (at < this.quietUntil) return NOTHING_DUE;
    const { day, squaredOff, riskTick } = this.state();
    const duties: (SquareOff | ReviseMargins)[] = [];
    let next = istInstant((Math.max(day, istDay(at)) + 1) as typeof day);
    const isDue = (time: number): boolean => {
      const instant = istInstant(day, time);
      if (instant > at) next = Math.min(next, instant) as EpochMs;
      return instant <= at;
    };
    for (const segment of SQUARE_OFF_SEGMENTS) {
      if (squaredOff.has(segment) || !isDue(this.days.squareOffTime(segment, day))) continue;
      duties.push({ type: 'SquareOff', day, segment });
      this.lastLook = -1;
    }
    const revised = REVISIONS_MS.filter(isDue).at(-1);
    if (revised !== undefined) {
      const tick = tickOf(day, revised / SECOND_MS);
      if (tick > riskTick) duties.push({ type: 'ReviseMargins', tick });
    }
    this.quietUntil = next;
    return duties;
  }

  /**
   * True once a minute, and at the first look after a cut-off: then losses are checked, and positions are closed.
   * Source: R4.35.
   */
  isTimeToLook(at: EpochMs): boolean {
    const minute = Math.floor(at / MINUTE_MS);
    if (minute === this.lastLook) return false;
    this.lastLook = minute;
    return true;
  }

  /**
   * The next comparison of open interest with its limit: once a day for each share with contracts and for each share
   * above its limit, and for all of them again after a start. Asked once a second, so that no turn of the loop holds
   * more than one. Source: market-rules R4.36.
   */
  dueReview(): ReviewBan | undefined {
    const { day, dayEnd, overLimit } = this.state();
    if (this.limitedShares === undefined || day === 0 || dayEnd !== undefined) return undefined;
    if (this.reviewedDay !== day) {
      this.reviewedDay = day;
      this.toReview = [...new Set([...this.limitedShares(), ...overLimit.keys()])].reverse();
    }
    const underlying = this.toReview.pop();
    return underlying === undefined ? undefined : { type: 'ReviewBan', underlying };
  }

  /** A former process did all that was due by then. */
  resume(at: EpochMs): void {
    this.lastLook = Math.floor(at / MINUTE_MS);
  }

  /** The instant up to which no command of the turn of a day and no cut-off is due. */
  get nextDuty(): number {
    return this.quietUntil;
  }

  /** Every few minutes, at the first look after 06:00 IST, and at a start. */
  dueExpiry(at: WallMs): ExpireSessions | undefined {
    const sessionEnd = wallInstant(istDay(at), SESSION_END_MS);
    const crossed = this.lastExpiry < sessionEnd && at >= sessionEnd;
    if (!crossed && at - this.lastExpiry < EXPIRY_INTERVAL_MS) return undefined;
    this.lastExpiry = at;
    return { type: 'ExpireSessions' };
  }
}
