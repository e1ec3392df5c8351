import { hashText } from '../../base/random.ts';
import type { IstDay } from '../../base/time.ts';
import { exp } from '../options/elementary.ts';
import { hashAt, signedOf } from './draws.ts';
import type { Factors } from './factors.ts';
import { type Line, minuteNumber, type Source, straight } from './line.ts';
import { MINUTES_IN_DAY } from './profile.ts';
import { withinPath } from './span-of-days.ts';

/** At-the-money volatility against what the paths have in a year when the outlook is the middle of all. */
const LEVEL = 0.95;
/** How much of the outlook's logarithm of variance implied volatility follows: a half would be all of it. */
const OUTLOOK_SHARE = 0.4;
/** What the market's moods move a stock's volatility. */
const STOCK_SHARE = 0.6;
/** Slow moods of a single stock: the days that a mood lasts, and how far it goes, as a logarithm. */
const MOODS = [
  { days: 5, swing: 0.05 },
  { days: 23, swing: 0.1 },
] as const;
/** A fall of the market by one ordinary day's deviation raises volatility by this logarithm, until the fall is old. */
const FEAR = 0.05;
/** The days over which the market gets used to where it is. */
const MEMORY_DAYS = 10;

interface Before {
  readonly day: IstDay;
  readonly usual: number;
  readonly usualChange: number;
  readonly outlook: number;
  readonly outlookChange: number;
}

/**
 * The at-the-money volatility of everything through time, for a calendar year: its annual volatility over as many days as the regime has, times the
 * outlook and the fear of falls.
 */
export class Volatilities {
  private readonly factors: Factors;
  private readonly level: number;
  private minute = -1;
  private mood = 0;
  private known: Before | undefined;

  constructor(factors: Factors) {
    this.factors = factors;
    this.level = LEVEL * factors.mean.yearFactor;
  }

  /** The at-the-money volatility of an index. */
  ofIndex(annual: number, day: IstDay, minute: number): number {
    return this.level * annual * exp(this.market(day, minute));
  }

  /** The at-the-money volatility of a stock, whose own moods come from `seed`. */
  ofStock(annual: number, seed: number, day: IstDay, minute: number): number {
    return (
      this.level * annual * exp(STOCK_SHARE * this.market(day, minute) + mood(seed, day + minute / MINUTES_IN_DAY))
    );
  }

  private market(day: IstDay, minute: number): number {
    const number = minuteNumber(day, minute);
    if (number !== this.minute) {
      const elapsed = minute / MINUTES_IN_DAY;
      const now = this.factors.marketAt(day, minute).values[minute] as number;
      const before = this.before(day);
      const fall = before.usual + before.usualChange * elapsed - now;
      this.mood = OUTLOOK_SHARE * (before.outlook + before.outlookChange * elapsed) + FEAR * fall;
      this.minute = number;
    }
    return this.mood;
  }

  /** What a day knows of those before it: the usual place of the market path and the outlook, and how they go through the day. */
  private before(day: IstDay): Before {
    if (this.known?.day === day) return this.known;
    const { clock, market } = this.factors;
    const start = (back: number) => market.span(withinPath((day - back) as IstDay)).start;
    let sum = 0;
    for (let back = 1; back <= MEMORY_DAYS; back += 1) sum += start(back);
    const outlook = clock.outlook((day - 2) as IstDay);
    this.known = {
      day,
      usual: sum / MEMORY_DAYS,
      usualChange: (start(0) - start(MEMORY_DAYS)) / MEMORY_DAYS,
      outlook,
      outlookChange: clock.outlook((day - 1) as IstDay) - outlook,
    };
    return this.known;
  }
}

/** The sum of moods at a time in days: each a straight line between the draws at its ends. */
function mood(seed: number, time: number): number {
  let sum = 0;
  for (let i = 0; i < MOODS.length; i += 1) {
    const { days, swing } = MOODS[i] as (typeof MOODS)[number];
    const place = time / days;
    const low = Math.floor(place);
    const from = signedOf(hashAt(seed + i, low));
    const to = signedOf(hashAt(seed + i, low + 1));
    sum += swing * (from + (to - from) * (place - low));
  }
  return sum;
}

/** A volatility index: the at-the-money volatility in per cent, as a price in paise. */
export class VolatilityIndexSource implements Source {
  private readonly factors: Factors;
  private readonly volatilities: Volatilities;
  private readonly annual: number;
  private readonly walkSeed: number;

  constructor(factors: Factors, volatilities: Volatilities, annual: number) {
    this.factors = factors;
    this.volatilities = volatilities;
    this.annual = annual;
    this.walkSeed = hashText(factors.seed, 'walk volatility');
  }

  at(day: IstDay, minute: number): number {
    return this.volatilities.ofIndex(this.annual, day, minute) * 10_000;
  }

  fill(day: IstDay, minute: number, line: Line): void {
    const from = this.at(day, minute);
    straight(line, from, this.at(day, minute + 1));
    const number = minuteNumber(day, minute);
    const amplitude = -from * FEAR * this.factors.marketAt(day, minute).deviation(minute);
    line.walk.clear();
    line.walk.add(this.factors.market.walkOf(number), amplitude);
    line.walk.add(hashAt(this.walkSeed, number), 0.3 * amplitude);
  }
}
