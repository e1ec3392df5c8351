import type { EpochMs, IstDay } from '../../base/time.ts';
import { istDay, istInstant, istTimeOfDay, MINUTE_MS } from '../../base/time.ts';
import { black76, forwardOf, type OptionTerms, spotDelta } from '../options/black76.ts';
import { inCalendarTime, smileVolatility, yearsToExpiry } from '../options/smile.ts';
import { hashAt, signedOf } from './draws.ts';
import { type Line, minuteNumber, type Source, straight } from './line.ts';
import type { MeanClock } from './mean-clock.ts';

/** The at-the-money volatility of an underlying through time. */
export type AtmVolatility = (day: IstDay, minute: number) => number;

/** How far a forward strays from carry, in ticks. Source: market-rules R8.8. */
const BASIS_TICKS = 2;

/** What a forward is made from. */
export interface ForwardTerms {
  readonly spot: Source;
  readonly expiresAt: EpochMs;
  /** Of the underlying, in paise; a future's is never finer. */
  readonly tick: number;
  readonly seed: number;
  /** The minute of the last day from which on what the contracts settle by is known; the end of the day when it is the last spot price. */
  readonly settledFrom: number;
  readonly clock: MeanClock;
}

/**
 * The forward of one underlying and expiry, which its future and its options share, so that parity holds between them. Once the close that they
 * settle by is made, nothing that the path does later counts. Source: market-rules R7.1, R8.8.
 */
export class Forward {
  private readonly spot: Source;
  private readonly expiresAt: EpochMs;
  private readonly lastDay: IstDay;
  private readonly settledFrom: number;
  private readonly seed: number;
  private readonly noise: number;
  private readonly clock: MeanClock;
  /** What the clock reads when the spot has come to what the contracts settle by. */
  private readonly clockAtEnd: number;

  constructor({ spot, expiresAt, tick, seed, settledFrom, clock }: ForwardTerms) {
    this.spot = spot;
    this.expiresAt = expiresAt;
    this.lastDay = istDay(expiresAt);
    this.settledFrom = settledFrom;
    this.seed = seed;
    this.noise = BASIS_TICKS * tick;
    this.clock = clock;
    this.clockAtEnd = clock.at(this.lastDay, Math.min(istTimeOfDay(expiresAt) / MINUTE_MS, settledFrom));
  }

  /** Years from a minute to expiry. */
  years(day: IstDay, minute: number): number {
    return yearsToExpiry(istInstant(day, minute * MINUTE_MS), this.expiresAt);
  }

  /** The same in years of the mean clock: the share of a year's variance that the spot still has before it. `minute` may have a fraction. */
  varianceYears(day: IstDay, minute: number): number {
    const left = this.clockAtEnd - this.clock.at(day, minute);
    return left > 0 ? left : 0;
  }

  /** The forward at a minute, with its basis noise. */
  at(day: IstDay, minute: number, years: number): number {
    const basis = this.noise * signedOf(hashAt(this.seed, minuteNumber(day, minute)));
    return forwardOf(this.spot.at(day, this.isSettled(day, minute) ? this.settledFrom : minute), years) + basis;
  }

  /** Fills the walk of the spot within a minute; there is none once the close is made. */
  fillWalk(day: IstDay, minute: number, line: Line): void {
    if (this.isSettled(day, minute)) line.walk.clear();
    else this.spot.fill(day, minute, line);
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
    straight(line, this.at(day, minute), this.at(day, minute + 1));
  }
}

/**
 * An option: Black-76 with the smile at each minute, over the variance that is still to come, and between minutes the walk of the underlying
 * times delta.
 */
export class OptionSource implements Source {
  private readonly terms: OptionTerms;
  private readonly forward: Forward;
  private readonly atm: AtmVolatility;

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
    this.forward.fillWalk(day, minute, line);
    straight(line, this.at(day, minute), this.at(day, minute + 1));
    // The delta at the end: in the last minute it is all or nothing, as what the option will be worth is.
    const delta = this.delta(day, minute + 1);
    line.walk.scale(delta);
  }

  /** The change of the value when the spot changes by one. */
  delta(day: IstDay, minute: number): number {
    const years = this.forward.years(day, minute);
    const forward = this.forward.at(day, minute, years);
    return spotDelta(this.terms, forward, years, this.volatility(day, minute, forward, years));
  }

  private volatility(day: IstDay, minute: number, forward: number, years: number): number {
    const volatility = smileVolatility(this.atm(day, minute), this.terms.strike, forward, years);
    return inCalendarTime(volatility, this.forward.varianceYears(day, minute), years);
  }
}
