/**
 * Fair values of futures and options from the path of their underlying. Those of one expiry share one forward, so that
 * parity holds between them. Volume and spread are in `contract-liquidity.ts`.
 */

import { hashAt } from '../../../base/random.ts';
import type { EpochMs, IstDay } from '../../../base/time.ts';
import { istDay, istInstant, istTimeOfDay, MINUTE_MS } from '../../../base/time.ts';
import { MINUTE_SECONDS } from '../../day-tape.ts';
import type { AtmVolatility } from '../../listing.ts';
import { black76, type OptionTerms, spotDelta } from '../../options/black76.ts';
import { inCalendarTime, smileVolatility, yearsToExpiry } from '../../options/smile.ts';
import { signedOf } from '../paths/draws.ts';
import { type Curve, type Line, minuteNumber, type Source, straight } from '../paths/line.ts';
import type { Clock } from '../paths/mean-clock.ts';
import type { Carry } from './carry.ts';

/** How far a forward strays from carry in a minute, in ticks. Source: market-rules R8.8. */
const BASIS_TICKS = 2;
/**
 * For this many minutes before its end an option is priced at each second by itself: a delta held for a whole minute
 * would be wrong by then.
 */
const CLOSE_MINUTES = 30;

/** The inputs of a forward. */
export interface ForwardTerms {
  readonly spot: Source;
  readonly expiresAt: EpochMs;
  /** The tick of the underlying, in paise; a future's is never finer. */
  readonly tick: number;
  readonly seed: number;
  /**
   * The minute of the last day at which the settlement price is known; the end of the day when it is the last spot
   * price.
   */
  readonly settledFrom: number;
  readonly clock: Clock;
  readonly carry: Carry;
}

/**
 * The forward of one underlying and expiry, which its future and its options share, so that parity holds between them.
 * Once the settlement price is made, later moves of the path do not count. Source: market-rules R7.1, R8.8.
 */
export class Forward {
  private readonly spot: Source;
  private readonly expiresAt: EpochMs;
  private readonly lastDay: IstDay;
  private readonly settledFrom: number;
  private readonly seed: number;
  private readonly noise: number;
  private readonly clock: Clock;
  private readonly carry: Carry;
  private readonly endMinute: number;
  /** The clock's reading when the spot has reached the price that the contracts settle by. */
  private readonly clockAtEnd: number;

  constructor({ spot, expiresAt, tick, seed, settledFrom, clock, carry }: ForwardTerms) {
    this.spot = spot;
    this.expiresAt = expiresAt;
    this.lastDay = istDay(expiresAt);
    this.settledFrom = settledFrom;
    this.seed = seed;
    this.noise = BASIS_TICKS * tick;
    this.clock = clock;
    this.carry = carry;
    this.endMinute = Math.min(istTimeOfDay(expiresAt) / MINUTE_MS, settledFrom);
    this.clockAtEnd = clock.at(this.lastDay, this.endMinute);
  }

  /** Years from a minute to expiry. */
  years(day: IstDay, minute: number): number {
    return yearsToExpiry(istInstant(day, minute * MINUTE_MS), this.expiresAt);
  }

  /**
   * The same in years of the mean clock: the share of a year's variance that the spot still has before it. `minute` may
   * have a fraction.
   */
  varianceYears(day: IstDay, minute: number): number {
    const left = this.clockAtEnd - this.clock.at(day, minute);
    return left > 0 ? left : 0;
  }

  /** The forward at a minute, with its basis noise. */
  at(day: IstDay, minute: number, years: number): number {
    const noise = this.noise * signedOf(hashAt(this.seed, minuteNumber(day, minute)));
    const spot = this.spot.at(day, this.isSettled(day, minute) ? this.settledFrom : minute);
    return spot * this.factor(day, minute, years) + noise;
  }

  /** The forward at expiry for a unit of spot, `years` away. `minute` may have a fraction. */
  factor(day: IstDay, minute: number, years: number): number {
    return this.carry.factor(day, minute, years);
  }

  /** Whether the minute is one of the last before the contracts' value is known. */
  isClose(day: IstDay, minute: number): boolean {
    return day === this.lastDay && minute < this.endMinute && minute >= this.endMinute - CLOSE_MINUTES;
  }

  /** Fills the walk of the spot within a minute; there is none once the close is made. */
  fillWalk(day: IstDay, minute: number, line: Line): void {
    if (this.isSettled(day, minute)) line.walk.clear();
    else this.spot.fill(day, minute, line);
  }

  /** Fills the straight part of a minute of the forward. */
  fillStraight(day: IstDay, minute: number, line: Line): void {
    straight(
      line,
      this.at(day, minute, this.years(day, minute)),
      this.at(day, minute + 1, this.years(day, minute + 1)),
    );
  }

  private isSettled(day: IstDay, minute: number): boolean {
    return day === this.lastDay && minute >= this.settledFrom;
  }
}

/** A future: the forward of its expiry. */
export class FutureSource implements Source {
  private readonly forward: Forward;

  constructor(forward: Forward) {
    this.forward = forward;
  }

  at(day: IstDay, minute: number): number {
    return this.forward.at(day, minute, this.forward.years(day, minute));
  }

  fill(day: IstDay, minute: number, line: Line): void {
    this.forward.fillWalk(day, minute, line);
    this.forward.fillStraight(day, minute, line);
  }
}

/**
 * An option: Black-76 with the smile at each minute, over the variance that is still to come, and between minutes the
 * walk of the underlying times the delta of the minute's start. In its last minutes it is priced at each second from
 * the forward of that second.
 */
export class OptionSource implements Source {
  private readonly terms: OptionTerms;
  private readonly forward: Forward;
  private readonly atm: AtmVolatility;
  private curves: readonly CloseCurve[] = [];

  constructor(terms: OptionTerms, forward: Forward, atm: AtmVolatility) {
    this.terms = terms;
    this.forward = forward;
    this.atm = atm;
  }

  at(day: IstDay, minute: number): number {
    const years = this.forward.years(day, minute);
    const forward = this.forward.at(day, minute, years);
    return black76(this.terms, forward, years, this.volatility(day, minute, forward, years));
  }

  fill(day: IstDay, minute: number, line: Line): void {
    line.curve = undefined;
    this.forward.fillWalk(day, minute, line);
    if (this.forward.isClose(day, minute)) {
      this.forward.fillStraight(day, minute, line);
      line.curve = this.closeCurve(day, minute);
      return;
    }
    straight(line, this.at(day, minute), this.at(day, minute + 1));
    // The delta of the start: that of the end would reveal where the minute goes.
    line.walk.scale(this.delta(day, minute));
  }

  /** The change of the value when the spot changes by one. */
  delta(day: IstDay, minute: number): number {
    const years = this.forward.years(day, minute);
    const forward = this.forward.at(day, minute, years);
    return spotDelta(this.terms, forward, years, this.volatility(day, minute, forward, years));
  }

  private volatility(day: IstDay, minute: number, forward: number, years: number): number {
    const varianceYears = this.forward.varianceYears(day, minute);
    const volatility = smileVolatility(this.atm(day, minute), this.terms.strike, forward, varianceYears);
    return inCalendarTime(volatility, varianceYears, years);
  }

  /** The curve of one of the last minutes. The last two are kept: a book looks back over the end of a minute. */
  private closeCurve(day: IstDay, minute: number): Curve {
    const number = minuteNumber(day, minute);
    const known = this.curves.find((curve) => curve.number === number);
    if (known !== undefined) return known;
    const atm = this.atm(day, minute);
    const made = new CloseCurve(number, this.terms, atm, this.timeLeft(day, minute), this.timeLeft(day, minute + 1));
    this.curves = [made, ...this.curves.slice(0, 1)];
    return made;
  }

  private timeLeft(day: IstDay, minute: number): TimeLeft {
    return { years: this.forward.years(day, minute), varianceYears: this.forward.varianceYears(day, minute) };
  }
}

interface TimeLeft {
  readonly years: number;
  readonly varianceYears: number;
}

/**
 * An option through one of its last minutes: its value at a second from the forward at that second and the time that is
 * left then. Volatility at the money is that of the minute's start.
 */
class CloseCurve implements Curve {
  readonly number: number;
  private readonly terms: OptionTerms;
  private readonly atm: number;
  private readonly from: TimeLeft;
  private readonly to: TimeLeft;
  /** By second; below 0 where it was not asked for yet. */
  private readonly values = new Float64Array(MINUTE_SECONDS).fill(-1);

  constructor(number: number, terms: OptionTerms, atm: number, from: TimeLeft, to: TimeLeft) {
    this.number = number;
    this.terms = terms;
    this.atm = atm;
    this.from = from;
    this.to = to;
  }

  valueAt(forward: number, second: number): number {
    const known = this.values[second] as number;
    if (known >= 0) return known;
    const { terms, atm, from, to } = this;
    const passed = second / MINUTE_SECONDS;
    const years = from.years + (to.years - from.years) * passed;
    const varianceYears = from.varianceYears + (to.varianceYears - from.varianceYears) * passed;
    const volatility = smileVolatility(atm, terms.strike, forward, varianceYears);
    const value = black76(terms, forward, years, inCalendarTime(volatility, varianceYears, years));
    // A far option is worth a hair less than nothing by rounding.
    this.values[second] = value > 0 ? value : 0;
    return this.values[second] as number;
  }
}
