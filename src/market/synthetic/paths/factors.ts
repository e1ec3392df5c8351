/**
 * All paths of one seed in one place: the market, the news, sectors and companies, found by name. Sources add them up
 * to prices; nothing here knows an instrument.
 */

import type { HoursRegime } from '../../../base/market/hours-regime.ts';
import { hashText } from '../../../base/random.ts';
import type { IstDay } from '../../../base/time.ts';
import type { PathKind } from '../trades/profile.ts';
import { type DayClock, dayClockOf } from './day-clock.ts';
import { MarketPath, NewsPath } from './market-path.ts';
import { MeanClock } from './mean-clock.ts';
import { type Path, TreePath } from './path.ts';
import { type PathDay, PathDays } from './path-day.ts';
import { FIRST_DAY } from './span-of-days.ts';
import { FREE, Texture } from './texture.ts';

/** The numbers of paths. */
const MARKET = 0;
const NEWS = 1;
const FIRST_NAMED = 2;
/** The market goes on a little from minute to minute. */
const MARKET_TEXTURE = new Texture(-0.15);

/** All paths of one seed by name, with the days of them that were read last. */
export class Factors {
  readonly seed: number;
  readonly days: PathDays;
  /** The path that moves everything, and the news that move implied volatility besides. */
  readonly market: Path;
  readonly news: Path;
  /** How much variance each day holds. */
  readonly clock: DayClock;
  /** The variance that is known beforehand: for the market path and for all others. */
  readonly mean: Readonly<Record<PathKind, MeanClock>>;
  private readonly byName = new Map<string, TreePath>();
  private marketDay: PathDay | undefined;
  private newsDay: PathDay | undefined;

  constructor(seed: number, regime: HoursRegime) {
    this.seed = seed;
    this.clock = dayClockOf(regime, seed);
    this.mean = { market: new MeanClock(regime, 'market'), own: new MeanClock(regime, 'own') };
    this.days = new PathDays(regime);
    this.market = new MarketPath(hashText(seed, 'market'), MARKET, this.clock, MARKET_TEXTURE);
    this.news = new NewsPath(hashText(seed, 'news'), NEWS, this.clock);
  }

  /** The path of a name; one name is one path, of the texture that it was first asked with. */
  named(name: string, texture = FREE): TreePath {
    const known = this.byName.get(name);
    if (known !== undefined) return known;
    const path = new TreePath(hashText(this.seed, name), FIRST_NAMED + this.byName.size, this.clock, texture);
    this.byName.set(name, path);
    return path;
  }

  /** The market path's day, filled at a minute and the next. */
  marketAt(day: IstDay, minute: number): PathDay {
    const found = this.days.get(this.market, day, this.marketDay);
    found.reach(minute);
    this.marketDay = found;
    return found;
  }

  /** The news of a day, filled at a minute and the next. */
  newsAt(day: IstDay, minute: number): PathDay {
    const found = this.days.get(this.news, day, this.newsDay);
    found.reach(minute);
    this.newsDay = found;
    return found;
  }

  /** How many times as much variance as an ordinary day of its weekday a day is expected to hold. */
  expectedOn(day: IstDay): number {
    return this.ofOrdinary(day, this.clock.between(day - FIRST_DAY, day - FIRST_DAY + 1));
  }

  /** A variance that a day holds, as a multiple of an ordinary day's of its weekday. */
  ofOrdinary(day: IstDay, variance: number): number {
    return variance / this.clock.outlook(day).calm;
  }
}
