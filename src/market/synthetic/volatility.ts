import { hashText } from '../../base/random.ts';
import type { IstDay } from '../../base/time.ts';
import { exp } from '../options/elementary.ts';
import { shapeOffset } from './bridges.ts';
import { hashAt, signedOf } from './draws.ts';
import { type Factors, minuteVariance } from './factors.ts';
import { type Line, minuteNumber, type Source, straight } from './line.ts';
import { MINUTES_IN_DAY } from './profile.ts';
import { FIRST_DAY } from './span-of-days.ts';

/** At-the-money volatility against the deviation of the spell that the market is in: a spell's median is below its mean. */
const LEVEL = 0.95;
/** How much of a spell's logarithm of variance implied volatility follows: a half would be all of it. */
const SPELL_SHARE = 0.4;
/** What the market's moods move a stock's volatility. */
const STOCK_SHARE = 0.6;
/** Slow moods of a single stock: the days that a mood lasts, and how far it goes, as a logarithm. */
const MOODS = [
  { days: 5, swing: 0.05 },
  { days: 23, swing: 0.1 },
] as const;
/** A fall of the market by one ordinary day's deviation raises volatility by this logarithm, as long as it is fresh. */
const FEAR = 0.03;
const FRESH_DAYS = 2;

/** The at-the-money volatility of everything through time: its annual volatility times the spell it is in and the fear of falls. */
export class Volatilities {
  private readonly factors: Factors;
  private minute = -1;
  private marketMood = 0;

  constructor(factors: Factors) {
    this.factors = factors;
  }

  /** The at-the-money volatility of an index. */
  ofIndex(annual: number, day: IstDay, minute: number): number {
    return LEVEL * annual * exp(this.market(day, minute));
  }

  /** The at-the-money volatility of a stock, whose own moods come from `seed`. */
  ofStock(annual: number, seed: number, day: IstDay, minute: number): number {
    return LEVEL * annual * exp(STOCK_SHARE * this.market(day, minute) + mood(seed, day + minute / MINUTES_IN_DAY));
  }

  private market(day: IstDay, minute: number): number {
    const number = minuteNumber(day, minute);
    if (number === this.minute) return this.marketMood;
    const now = this.factors.days.get(this.factors.market, day);
    now.reach(minute);
    const earlier = day - FRESH_DAYS < FIRST_DAY ? FIRST_DAY : ((day - FRESH_DAYS) as IstDay);
    const then = this.factors.days.get(this.factors.market, earlier);
    then.reach(minute);
    const move = (now.values[minute] as number) - (then.values[minute] as number);
    this.marketMood = SPELL_SHARE * this.spell(day, minute) - FEAR * move;
    this.minute = number;
    return this.marketMood;
  }

  /** The spell as it is known: through a day it goes from that of two days ago to that of the day before. */
  private spell(day: IstDay, minute: number): number {
    const from = this.factors.clock.spell((day - 2) as IstDay);
    const to = this.factors.clock.spell((day - 1) as IstDay);
    return from + ((to - from) * minute) / MINUTES_IN_DAY;
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
  private readonly shapeSeed: number;

  constructor(factors: Factors, volatilities: Volatilities, annual: number) {
    this.factors = factors;
    this.volatilities = volatilities;
    this.annual = annual;
    this.shapeSeed = hashText(factors.seed, 'walk volatility');
  }

  at(day: IstDay, minute: number): number {
    return this.volatilities.ofIndex(this.annual, day, minute) * 10_000;
  }

  fill(day: IstDay, minute: number, line: Line): void {
    const from = this.at(day, minute);
    straight(line, from, this.at(day, minute + 1));
    line.market = -from * FEAR * Math.sqrt(minuteVariance(this.factors.marketAt(day, minute), minute));
    line.own = 0.3 * line.market;
    line.marketShape = this.factors.marketShape(day, minute);
    line.ownShape = shapeOffset(hashAt(this.shapeSeed, minuteNumber(day, minute)));
  }
}
