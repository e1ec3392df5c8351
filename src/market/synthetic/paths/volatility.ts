/**
 * At-the-money volatility of indices and stocks through time, and the volatility index made from it. The volatility of
 * a strike is in `options/smile.ts`.
 */
import type { IstDay } from '../../../base/time.ts';
import { MINUTES_IN_DAY } from '../../day-tape.ts';
import { exp } from '../../options/elementary.ts';
import { SMILE_AVERAGE } from '../../options/smile.ts';
import { boundedMove, type DayOutlook, RESPONSE, usualSquare } from './day-clock.ts';
import type { Factors } from './factors.ts';
import { type Line, minuteNumber, type Source, straight } from './line.ts';
import { type Mood, sumOfMoods } from './moods.ts';

/** At-the-money volatility against the yearly volatility of the paths when the outlook is neutral. */
const LEVEL = 1.06;
/** How far the market's moods move a stock's volatility. */
const STOCK_SHARE = 0.6;
/** Slow moods of a single stock: the days that a mood lasts, and how far it goes, as a logarithm. */
const MOODS: readonly Mood[] = [
  { days: 5, swing: 0.05 },
  { days: 23, swing: 0.1 },
];

interface KnownDay {
  readonly day: IstDay;
  readonly outlook: DayOutlook;
  /** Where the market path stands as the day begins. */
  readonly start: number;
}

/**
 * The at-the-money volatility of indices and stocks through time, for a calendar year: the annual volatility for the
 * days of the regime, times the outlook. The outlook is the variance that one must expect of the month ahead after all
 * moves so far.
 */
export class Volatilities {
  private readonly factors: Factors;
  private readonly level: number;
  private minute = -1;
  private mood = 0;
  private known: KnownDay | undefined;

  constructor(factors: Factors) {
    this.factors = factors;
    this.level = LEVEL * factors.mean.market.yearFactor;
  }

  /** The at-the-money volatility of an index. */
  ofIndex(annual: number, day: IstDay, minute: number): number {
    return this.level * annual * exp(this.market(day, minute));
  }

  /** The at-the-money volatility of a stock, whose own moods come from `seed`. */
  ofStock(annual: number, seed: number, day: IstDay, minute: number): number {
    return (
      this.level *
      annual *
      exp(STOCK_SHARE * this.market(day, minute) + sumOfMoods(MOODS, seed, day + minute / MINUTES_IN_DAY))
    );
  }

  /**
   * The logarithm of the market's volatility against the middle of all; it follows the market and the news of the day
   * as they come.
   */
  private market(day: IstDay, minute: number): number {
    const number = minuteNumber(day, minute);
    if (number !== this.minute) {
      const { outlook, start } = this.knownOf(day);
      const passed = this.factors.mean.market.passed(minute);
      const place = this.factors.marketAt(day, minute).values[minute] as number;
      const move = boundedMove((place - start) / outlook.deviation);
      const surprise = move * move - usualSquare(outlook.calm, passed);
      this.mood =
        outlook.start +
        (outlook.end - outlook.start) * passed +
        RESPONSE.move * move +
        RESPONSE.square * surprise +
        RESPONSE.news * (this.factors.newsAt(day, minute).values[minute] as number);
      this.minute = number;
    }
    return this.mood;
  }

  /** How a walk of the market, and one of news, within a minute move the logarithm of volatility: their amplitudes. */
  walks(day: IstDay, minute: number): { readonly market: number; readonly news: number } {
    const { deviation } = this.knownOf(day).outlook;
    const { factors } = this;
    return {
      market: (RESPONSE.move * factors.marketAt(day, minute).deviation(minute)) / deviation,
      news: RESPONSE.news * factors.newsAt(day, minute).deviation(minute),
    };
  }

  private knownOf(day: IstDay): KnownDay {
    if (this.known?.day !== day) {
      const { clock } = this.factors;
      const start = this.factors.marketAt(day, 0).values[0] as number;
      this.known = { day, outlook: clock.outlook(day), start };
    }
    return this.known;
  }
}

/**
 * A volatility index: the volatility that a month's options of all strikes price in, in per cent, as a price in paise.
 */
export class VolatilityIndexSource implements Source {
  private readonly factors: Factors;
  private readonly volatilities: Volatilities;
  private readonly annual: number;

  constructor(factors: Factors, volatilities: Volatilities, annual: number) {
    this.factors = factors;
    this.volatilities = volatilities;
    this.annual = annual;
  }

  at(day: IstDay, minute: number): number {
    return this.volatilities.ofIndex(this.annual, day, minute) * SMILE_AVERAGE * 10_000;
  }

  fill(day: IstDay, minute: number, line: Line): void {
    const from = this.at(day, minute);
    straight(line, from, this.at(day, minute + 1));
    const { market, news } = this.volatilities.walks(day, minute);
    const number = minuteNumber(day, minute);
    line.walk.clear();
    line.walk.add(this.factors.market.walkOf(number), from * market);
    line.walk.add(this.factors.news.walkOf(number), from * news);
  }
}
