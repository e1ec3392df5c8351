import type { EpochMs, IstDay } from '../../base/time.ts';
import { istInstant, MINUTE_MS } from '../../base/time.ts';
import { black76, forwardOf, type OptionTerms, spotDelta } from '../options/black76.ts';
import { smileVolatility, yearsToExpiry } from '../options/smile.ts';
import { hashAt, signedOf } from './draws.ts';
import { type Line, minuteNumber, type Source, straight } from './line.ts';

/** The at-the-money volatility of an underlying through time. */
export type AtmVolatility = (day: IstDay, minute: number) => number;

/** How far a forward strays from carry, in ticks. Source: market-rules R8.8. */
const BASIS_TICKS = 2;

/** The forward of one underlying and expiry, which its future and its options share, so that parity holds between them. */
export class Forward {
  readonly spot: Source;
  private readonly expiresAt: EpochMs;
  private readonly seed: number;
  private readonly noise: number;

  /** `tick` is the tick of the underlying in paise; a future's is never finer. */
  constructor(spot: Source, expiresAt: EpochMs, tick: number, seed: number) {
    this.spot = spot;
    this.expiresAt = expiresAt;
    this.seed = seed;
    this.noise = BASIS_TICKS * tick;
  }

  /** Years from a minute to expiry. */
  years(day: IstDay, minute: number): number {
    return yearsToExpiry(istInstant(day, minute * MINUTE_MS), this.expiresAt);
  }

  /** The forward at a minute, with its basis noise. */
  at(day: IstDay, minute: number, years: number): number {
    const basis = this.noise * signedOf(hashAt(this.seed, minuteNumber(day, minute)));
    return forwardOf(this.spot.at(day, minute), years) + basis;
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
    this.forward.spot.fill(day, minute, line);
    straight(line, this.at(day, minute), this.at(day, minute + 1));
  }
}

/** An option: Black-76 with the smile at each minute, and between minutes the walk of the underlying times delta. */
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
    this.forward.spot.fill(day, minute, line);
    straight(line, this.at(day, minute), this.at(day, minute + 1));
    const delta = this.delta(day, minute);
    line.market *= delta;
    line.own *= delta;
  }

  /** The change of the value when the spot changes by one. */
  delta(day: IstDay, minute: number): number {
    const years = this.forward.years(day, minute);
    const forward = this.forward.at(day, minute, years);
    return spotDelta(this.terms, forward, years, this.volatility(day, minute, forward, years));
  }

  private volatility(day: IstDay, minute: number, forward: number, years: number): number {
    return smileVolatility(this.atm(day, minute), this.terms.strike, forward, years);
  }
}
