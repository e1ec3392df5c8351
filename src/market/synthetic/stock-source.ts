/**
 * Fair values of a share, or of an index without known members, from the paths of market, sector and company. Corporate
 * actions are applied here; a second listing of a share is in `twin-source.ts`.
 */
import type { IstDay } from '../../base/time.ts';
import type { ShareRatios } from '../../reference/corporate-actions/share-ratios.ts';
import { MINUTES_IN_DAY } from '../day-tape.ts';
import { exp } from '../options/elementary.ts';
import type { Factors } from './paths/factors.ts';
import { type Line, minuteNumber, type Source, straight } from './paths/line.ts';
import type { Path } from './paths/path.ts';
import type { PathDay } from './paths/path-day.ts';
import { Texture } from './paths/texture.ts';

/** How a logarithm of a price is made of the paths: standard deviations of a trading day. */
export interface Loadings {
  readonly market: number;
  readonly sector: number;
  readonly own: number;
}

/** The price that a path starts from: the close in paise, and when it was. */
export interface Anchor {
  readonly close: number;
  readonly day: IstDay;
  readonly minute: number;
}

/**
 * A move of a sector takes a while to reach its shares, and a move of one share alone is partly taken back: over
 * minutes shares go together less than over days.
 */
const SECTOR_TEXTURE = new Texture(-0.8);
const OWN_TEXTURE = new Texture(1.7);

/**
 * A share, or an index that is followed without its members: reference x exp(X(t) - X(reference)), times the day's
 * ratio where there are corporate actions.
 */
export class StockSource implements Source {
  readonly loadings: Loadings;
  /** The share of each path in the variance. */
  private readonly variancePart: Loadings;
  private readonly factors: Factors;
  readonly sector: Path;
  readonly own: Path;
  private readonly scale: number;
  private readonly ratios: ShareRatios | undefined;
  private lastNumber = -1;
  private lastValue = 0;
  private sectorDay: PathDay | undefined;
  private ownDay: PathDay | undefined;

  /** `name` makes the own path: the ISIN, so that one company has one path wherever it is listed. */
  constructor(
    factors: Factors,
    name: string,
    sector: string,
    loadings: Loadings,
    anchor: Anchor,
    ratios?: ShareRatios | undefined,
  ) {
    this.factors = factors;
    this.ratios = ratios;
    this.loadings = loadings;
    this.variancePart = varianceParts(loadings);
    this.sector = factors.named(`sector ${sector}`, SECTOR_TEXTURE);
    this.own = factors.named(`own ${name}`, OWN_TEXTURE);
    this.scale = anchor.close / exp(this.logarithm(anchor.day, anchor.minute));
  }

  /** The share of the variance of X that the market makes. */
  get marketShare(): number {
    const { market, sector, own } = this.loadings;
    return (market * market) / (market * market + sector * sector + own * own);
  }

  /** X at a minute. */
  logarithm(day: IstDay, minute: number): number {
    return this.sumAt(this.factors.marketAt(day, minute), this.sectorAt(day, minute), this.ownAt(day, minute), minute);
  }

  private sumAt(marketDay: PathDay, sectorDay: PathDay, ownDay: PathDay, minute: number): number {
    const { market, sector, own } = this.loadings;
    return (
      market * (marketDay.values[minute] as number) +
      sector * (sectorDay.values[minute] as number) +
      own * (ownDay.values[minute] as number)
    );
  }

  /**
   * Adds `factor` times e^X, which no corporate action moves, to `sums` at each minute from `from` to `to`, both
   * included, within one hour. Returns what it adds at the first.
   */
  addTo(sums: Float64Array, factor: number, day: IstDay, from: number, to: number): number {
    const { market, sector, own } = this.loadings;
    const markets = this.factors.marketAt(day, from).values;
    const sectors = this.sectorAt(day, from).values;
    const owns = this.ownAt(day, from).values;
    const start =
      market * (markets[from] as number) + sector * (sectors[from] as number) + own * (owns[from] as number);
    const base = factor * exp(start);
    for (let minute = from; minute <= to; minute += 1) {
      const x =
        market * (markets[minute] as number) + sector * (sectors[minute] as number) + own * (owns[minute] as number);
      const move = x - start;
      const power = move > SMALL || move < -SMALL ? exp(move) : seriesOfExp(move);
      sums[minute] = (sums[minute] as number) + base * power;
    }
    return base;
  }

  at(day: IstDay, minute: number): number {
    const number = minuteNumber(day, minute);
    if (number !== this.lastNumber) {
      this.lastValue = this.scale * exp(this.logarithm(day, minute));
      this.lastNumber = number;
    }
    const value = this.lastValue;
    return this.ratios === undefined ? value : value * this.ratios.priceOn(day);
  }

  /** e^X that a price of a day stands for, corporate actions taken off. */
  exponentialOf(price: number, day: IstDay): number {
    return price / (this.scale * (this.ratios?.priceOn(day) ?? 1));
  }

  /** The sector's walk counts at the ends of the quarters of the minute; in between its part is of the own walk. */
  fill(day: IstDay, minute: number, line: Line): void {
    const from = this.at(day, minute);
    const marketDay = this.factors.marketAt(day, minute);
    const sectorDay = this.sectorAt(day, minute);
    const ownDay = this.ownAt(day, minute);
    const number = minuteNumber(day, minute);
    // The end of this minute is the start of the next, so it is kept for the next fill.
    this.lastValue = this.scale * exp(this.sumAt(marketDay, sectorDay, ownDay, minute + 1));
    this.lastNumber = number + 1;
    straight(line, from, this.at(day, minute + 1));
    const { market, sector, own } = this.loadings;
    const marketPart = from * market * marketDay.deviation(minute);
    const sectorPart = from * sector * sectorDay.deviation(minute);
    const ownPart = from * own * ownDay.deviation(minute);
    const ownWalk = this.own.walkOf(number);
    line.walk.clear();
    line.walk.add(this.factors.market.walkOf(number), marketPart);
    line.walk.addCoarse(this.sector.walkOf(number), sectorPart);
    line.walk.addCoarse(ownWalk, ownPart);
    line.walk.addFine(ownWalk, Math.sqrt(sectorPart * sectorPart + ownPart * ownPart));
  }

  /** How busy a day was up to a minute, by the moves of its paths; a trading day's is about 1 on average. */
  activity(day: IstDay, minute: number): number {
    const { market, sector, own } = this.variancePart;
    return (
      market * (this.factors.marketAt(day, minute).variances[minute] as number) +
      sector * (this.sectorAt(day, minute).variances[minute] as number) +
      own * (this.ownAt(day, minute).variances[minute] as number)
    );
  }

  /**
   * The logarithm's expected move on a day as a multiple of an ordinary day of its weekday. For the market it is the
   * expectation of the morning: the variance that the market's own fall adds to its afternoon would reveal in the
   * morning which way it goes.
   */
  dayActivity(day: IstDay): number {
    const { market, sector, own } = this.variancePart;
    const sectorVariance = this.sectorAt(day, 0).variances[MINUTES_IN_DAY] as number;
    const ownVariance = this.ownAt(day, 0).variances[MINUTES_IN_DAY] as number;
    const rest = this.factors.ofOrdinary(day, sector * sectorVariance + own * ownVariance);
    return market * this.factors.expectedOn(day) + rest;
  }

  /** The own path's day, filled at a minute and the next. */
  ownAt(day: IstDay, minute: number): PathDay {
    const found = this.factors.days.get(this.own, day, this.ownDay);
    found.reach(minute);
    this.ownDay = found;
    return found;
  }

  /** The same of the sector's path. */
  sectorAt(day: IstDay, minute: number): PathDay {
    const found = this.factors.days.get(this.sector, day, this.sectorDay);
    found.reach(minute);
    this.sectorDay = found;
    return found;
  }
}

function varianceParts({ market, sector, own }: Loadings): Loadings {
  const whole = market * market + sector * sector + own * own;
  return { market: (market * market) / whole, sector: (sector * sector) / whole, own: (own * own) / whole };
}

/** The largest move within an hour, up or down, for which the series of e^x is right to 1 part in 10^12. */
const SMALL = 0.05;

/** e^x to x^6. It is a function of its own, and short, so that a compiler takes it into the loop over the minutes. */
function seriesOfExp(x: number): number {
  const square = x * x;
  const fourth = 1 / 24 + x * (1 / 120) + square * (1 / 720);
  return 1 + x + square * (0.5 + x * (1 / 6) + square * fourth);
}
