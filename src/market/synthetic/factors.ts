import { hashText } from '../../base/random.ts';
import type { IstDay } from '../../base/time.ts';
import { DayClock } from './day-clock.ts';
import { MeanClock } from './mean-clock.ts';
import { Path } from './path.ts';
import { type PathDay, PathDays } from './path-day.ts';
import { activityProfile, type HoursRegime, tradingProfile } from './profile.ts';
import { FREE, Texture } from './texture.ts';

/** The market goes on a little from minute to minute. */
const MARKET_TEXTURE = new Texture(-0.15);

/** All paths of one seed by name, with the days of them that were read last. */
export class Factors {
  readonly seed: number;
  readonly days: PathDays;
  /** The path that moves everything. */
  readonly market: Path;
  /** How much variance each day holds. */
  readonly clock: DayClock;
  /** What of it is known beforehand. */
  readonly mean: MeanClock;
  private readonly byName = new Map<string, Path>();
  private marketDay: PathDay | undefined;

  constructor(seed: number, regime: HoursRegime) {
    this.seed = seed;
    this.clock = new DayClock(regime, seed);
    this.mean = new MeanClock(regime);
    this.days = new PathDays(activityProfile(regime), tradingProfile(regime));
    this.market = this.named('market', MARKET_TEXTURE);
  }

  /** The path of a name; one name is one path, of the texture that it was first asked with. */
  named(name: string, texture = FREE): Path {
    const known = this.byName.get(name);
    if (known !== undefined) return known;
    const path = new Path(hashText(this.seed, name), this.byName.size, this.clock, texture);
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
}
