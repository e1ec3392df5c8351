/**
 * How much variance each day holds, and how the market path goes through the days: calm and wild spells, falls that
 * make the days after them wilder, news. It knows no instrument and no price.
 */

import type { HoursRegime } from '../../../base/market/hours-regime.ts';
import { hashAt, hashText } from '../../../base/random.ts';
import { type IstDay, weekday } from '../../../base/time.ts';
import { exp, log, normalCumulative } from '../../options/elementary.ts';
import { activityProfile, dayVariance } from '../trades/profile.ts';
import { normalOf, signedOf } from './draws.ts';
import { FIRST_DAY, TREE_DAYS } from './span-of-days.ts';

/**
 * Waves of the logarithm of the variance that a day is expected to hold: the share of one that is left a trading day
 * later, how far one shock moves it, and how much of that shock is a fall of the market. They make volatility cluster,
 * and rise when the market falls.
 */
const WAVES = [
  { left: 0.75, step: 0.24, fall: 0.85 },
  { left: 0.989, step: 0.083, fall: 0.5 },
] as const;
/** How much a large move adds to a shock, whichever way it goes. */
const SURPRISE = 0.05;
/** A move larger than this, in deviations, has the effects of one of this size: a crash does not feed on itself. */
const LARGEST_MOVE = 4;
/** The mean square of a day's move, as a multiple of the variance that was expected of it. */
const USUAL_SQUARE = 1.1;
/**
 * The deviation of the logarithm of the size of a day's news, and how many deviations it goes up at most: most days
 * bring little besides the market's move, some bring much.
 */
const NEWS_SPREAD = 1.2;
const LARGEST_NEWS = 1.9;
/** Trading days over which implied volatility looks ahead. */
const MONTH_DAYS = 21;
/** The deviation of the logarithm of the part of a day's variance that nobody expected. */
const NOISE = 0.15;
/** How unevenly the stretches of a day share its variance. */
const UNEVENNESS = 0.3;
/** A fall by one deviation raises the variance of the rest of the day by this logarithm. */
const LEVERAGE = 0.55;
/**
 * Each trading day takes the market back by one part in this many of its distance from where it began: prices stay
 * within reach of the reference for decades.
 */
const PULL_DAYS = 3_000;

/**
 * The number of days from FIRST_DAY on over which the mean variance of a trading day is 1: eight years. A longer time
 * has wilder and calmer decades in it.
 */
const MEAN_DAYS = 2_922;

const HOUR_MINUTES = 60;
/** The hours at which the stretches of a day begin and end. */
export const STRETCH_HOURS: readonly number[] = [0, 9, 10, 12, 14, 16, 24];
const STRETCHES = STRETCH_HOURS.length - 1;

/** The expected variance of the month ahead through a day, as half its logarithm; 0 is the middle of all. */
export interface DayOutlook {
  /** When the day begins, and when it ends if nothing happens. */
  readonly start: number;
  readonly end: number;
  /** The unit of the market path's move: the deviation that was expected of a trading day. */
  readonly deviation: number;
  /** The variance of the day by the calendar, an ordinary trading day's being 1. */
  readonly calm: number;
}

/** How much of a wave is still there in the month ahead, on average. */
const AHEAD = WAVES.map(({ left }) => (left * (1 - power(left, MONTH_DAYS))) / ((1 - left) * MONTH_DAYS));

const USUAL_NEWS = usualNews();

/**
 * The causes that move the outlook through a day, for one deviation each: the market's move, its square, and news that
 * the market's move does not show.
 */
export const RESPONSE = {
  move: -perShock(({ fall }) => fall),
  square: perShock(() => SURPRISE),
  news: perShock(({ fall }) => newsShare(fall)),
} as const;

/** A day of the week: its variance by the calendar, and what it leaves of each wave. */
interface Weekday {
  readonly calm: number;
  readonly left: readonly number[];
}

interface Seeds {
  readonly moves: number;
  readonly noise: number;
  readonly newsSize: number;
  readonly news: number;
}

/** The clocks that were asked for last: to draw all days of one takes some 20 ms. */
const known = new Map<string, DayClock>();
const KEPT_CLOCKS = 4;

/** The clock of a seed in the hours of a regime. */
export function dayClockOf(regime: HoursRegime, seed: number): DayClock {
  const key = `${regime} ${seed}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= KEPT_CLOCKS) known.clear();
  const made = new DayClock(regime, seed);
  known.set(key, made);
  return made;
}

/**
 * How much variance each day holds, for all paths alike: 1 on average over trading days, calm and wild spells included;
 * and how the market path goes through the days. One pass draws both in the order of days, because a fall makes the
 * days after it wilder. Everything comes from the calendar of weekdays and the seed alone, never from the holidays, so
 * that a new holiday table changes no past.
 */
export class DayClock {
  private readonly cumulative = new Float64Array(TREE_DAYS + 1);
  /** Where the market path stands when a day begins, before it is scaled. */
  private readonly places = new Float64Array(TREE_DAYS + 1);
  /** The deviation that each day is expected to have, before it is scaled. */
  private readonly deviations = new Float64Array(TREE_DAYS);
  private readonly outlooks = new Float64Array(TREE_DAYS);
  private readonly outlooksAfter = new Float64Array(TREE_DAYS);
  /** Brings the mean variance of a trading day to 1. */
  private readonly scale: number;
  private readonly logScale: number;
  private readonly weekdays: readonly Weekday[];
  private readonly shares: readonly number[];
  private readonly seeds: Seeds;
  /**
   * The market path and its variance at the ends of the stretches of the day that was drawn last, from 0 and not
   * scaled.
   */
  private readonly moves = new Float64Array(STRETCHES + 1);
  private readonly variances = new Float64Array(STRETCHES + 1);

  constructor(regime: HoursRegime, seed: number) {
    this.weekdays = Array.from({ length: 7 }, (_, number) => weekdayOf(dayVariance(regime, number)));
    const profile = activityProfile(regime, 'market');
    const passed = STRETCH_HOURS.map((hour) => profile[hour * HOUR_MINUTES] as number);
    this.shares = passed.slice(1).map((share, stretch) => share - (passed[stretch] as number));
    this.seeds = {
      moves: hashText(seed, 'market'),
      noise: hashText(seed, 'noise of days'),
      newsSize: hashText(seed, 'size of news'),
      news: hashText(seed, 'news'),
    };
    this.scale = 1 / Math.sqrt(this.drawDays());
    this.logScale = log(this.scale);
    for (let i = 0; i <= TREE_DAYS; i += 1)
      this.cumulative[i] = (this.cumulative[i] as number) * this.scale * this.scale;
  }

  /** The variance between two days counted from FIRST_DAY. */
  between(from: number, to: number): number {
    return (this.cumulative[to] as number) - (this.cumulative[from] as number);
  }

  /**
   * Fills where the market path and the day's variance stand at the hours of STRETCH_HOURS, at their minutes. `day`
   * within [FIRST_DAY, LAST_DAY].
   */
  fillMarket(day: IstDay, values: Float64Array, variances: Float64Array): void {
    const { moves, scale } = this;
    const i = day - FIRST_DAY;
    this.drawDay(i);
    const start = this.places[i] as number;
    for (let stretch = 0; stretch < STRETCHES; stretch += 1) {
      const minute = (STRETCH_HOURS[stretch] as number) * HOUR_MINUTES;
      values[minute] = (start + (moves[stretch] as number)) * scale;
      variances[minute] = (this.variances[stretch] as number) * scale * scale;
    }
    const end = (STRETCH_HOURS[STRETCHES] as number) * HOUR_MINUTES;
    values[end] = (this.places[i + 1] as number) * scale;
    variances[end] = (this.variances[STRETCHES] as number) * scale * scale;
  }

  /** The expectations for a day and after it. `day` within [FIRST_DAY, LAST_DAY]. */
  outlook(day: IstDay): DayOutlook {
    const i = day - FIRST_DAY;
    return {
      start: (this.outlooks[i] as number) + this.logScale,
      end: (this.outlooksAfter[i] as number) + this.logScale,
      deviation: (this.deviations[i] as number) * this.scale,
      calm: this.weekdayOf(i).calm,
    };
  }

  /** The news of a day: their sum, and the variance of their walk. `day` within [FIRST_DAY, LAST_DAY]. */
  news(day: IstDay): { readonly sum: number; readonly variance: number } {
    const i = day - FIRST_DAY;
    const size = newsSize(normalOf(hashAt(this.seeds.newsSize, i))) / USUAL_NEWS;
    const deviation = size * Math.sqrt(this.weekdayOf(i).calm);
    return { sum: deviation * normalOf(hashAt(this.seeds.news, i)), variance: deviation * deviation };
  }

  /** Draws all days; returns the mean variance of a trading day. */
  private drawDays(): number {
    const waves = WAVES.map(() => 0);
    let tradingDays = 0;
    for (let i = 0; i < TREE_DAYS; i += 1) {
      this.expect(i, waves);
      const variance = this.drawDay(i);
      const move = this.moves[STRETCHES] as number;
      this.places[i + 1] = (this.places[i] as number) + move;
      this.cumulative[i + 1] = (this.cumulative[i] as number) + variance;
      if (i < MEAN_DAYS) tradingDays += this.weekdayOf(i).calm;
      this.shock(i, move / (this.deviations[i] as number), waves);
    }
    return (this.cumulative[MEAN_DAYS] as number) / tradingDays;
  }

  /** Keeps the expectation that the waves give for a day and for the month after it. */
  private expect(i: number, waves: readonly number[]): void {
    const { left } = this.weekdayOf(i);
    let [sum, now, after] = [0, 0, 0];
    for (let k = 0; k < WAVES.length; k += 1) {
      const wave = waves[k] as number;
      const weight = 0.5 * (AHEAD[k] as number) * wave;
      sum += wave;
      now += weight;
      after += weight * (left[k] as number);
    }
    this.deviations[i] = exp(0.5 * sum);
    this.outlooks[i] = now;
    this.outlooksAfter[i] = after;
  }

  /** Moves the waves on by a day whose market moved by `move` deviations. */
  private shock(i: number, move: number, waves: number[]): void {
    const { calm, left } = this.weekdayOf(i);
    const bounded = boundedMove(move);
    const surprise = SURPRISE * (bounded * bounded - usualSquare(calm, 1));
    const news = this.news((FIRST_DAY + i) as IstDay).sum;
    for (let k = 0; k < WAVES.length; k += 1) {
      const { step, fall } = WAVES[k] as (typeof WAVES)[number];
      waves[k] =
        (waves[k] as number) * (left[k] as number) + step * (surprise - fall * bounded + newsShare(fall) * news);
    }
  }

  /**
   * Draws the stretches of a day. Returns the variance of the day without the effect of the market's own move: other
   * paths must not reveal in the morning that the market falls in the afternoon.
   */
  private drawDay(i: number): number {
    const { moves, variances, shares, seeds } = this;
    const { calm } = this.weekdayOf(i);
    const deviation = this.deviations[i] as number;
    const pull = (calm * (this.places[i] as number)) / PULL_DAYS;
    const variance = calm * deviation * deviation * exp(NOISE * normalOf(hashAt(seeds.noise, i)) - 0.5 * NOISE * NOISE);
    let passed = 0;
    for (let stretch = 0; stretch < STRETCHES; stretch += 1) {
      const share = shares[stretch] as number;
      const hash = hashAt(seeds.moves, i * STRETCHES + stretch);
      const before = moves[stretch] as number;
      const fear = exp(-LEVERAGE * boundedMove(before / deviation) - 0.5 * LEVERAGE * LEVERAGE * calm * passed);
      const held = variance * share * (1 + UNEVENNESS * signedOf(hash)) * fear;
      moves[stretch + 1] = before + Math.sqrt(held) * normalOf(hash) - pull * share;
      variances[stretch + 1] = (variances[stretch] as number) + held;
      passed += share;
    }
    return variance;
  }

  private weekdayOf(i: number): Weekday {
    return this.weekdays[weekday((FIRST_DAY + i) as IstDay)] as Weekday;
  }
}

/** A move in deviations, cut at the size beyond which it has no further effect. */
export function boundedMove(move: number): number {
  if (move > LARGEST_MOVE) return LARGEST_MOVE;
  return move < -LARGEST_MOVE ? -LARGEST_MOVE : move;
}

/**
 * The mean square of the market's move through a part of a day, in the squared deviations that were expected of a
 * trading day.
 */
export function usualSquare(calm: number, passed: number): number {
  return USUAL_SQUARE * calm * passed;
}

function weekdayOf(calm: number): Weekday {
  return { calm, left: WAVES.map(({ left }) => power(left, calm)) };
}

/** The part of a shock that is news, so that both parts make one deviation. */
function newsShare(fall: number): number {
  return Math.sqrt(1 - fall * fall);
}

function newsSize(draw: number): number {
  return exp(NEWS_SPREAD * (draw < LARGEST_NEWS ? draw : LARGEST_NEWS));
}

/** The root of the mean square of `newsSize`. */
function usualNews(): number {
  const spread = 2 * NEWS_SPREAD;
  const ordinary = exp((spread * spread) / 2) * normalCumulative(LARGEST_NEWS - spread);
  return Math.sqrt(ordinary + exp(spread * LARGEST_NEWS) * (1 - normalCumulative(LARGEST_NEWS)));
}

/** The outlook's move for a shock of a part of each wave. */
function perShock(part: (wave: (typeof WAVES)[number]) => number): number {
  return WAVES.reduce((sum, wave, k) => sum + 0.5 * (AHEAD[k] as number) * wave.step * part(wave), 0);
}

function power(base: number, exponent: number): number {
  return exp(exponent * log(base));
}
