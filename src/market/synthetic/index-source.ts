import { hashText } from '../../base/random.ts';
import type { IstDay } from '../../base/time.ts';
import { exp } from '../options/elementary.ts';
import { shapeOffset } from './bridges.ts';
import { hashAt } from './draws.ts';
import { type Factors, minuteVariance } from './factors.ts';
import { type Line, minuteNumber, type Source, straight } from './line.ts';
import type { Path } from './path.ts';
import { HOUR_MINUTES } from './path-day.ts';
import { MINUTES_IN_DAY } from './profile.ts';
import type { Anchor, StockSource } from './stock-source.ts';

export interface Member {
  readonly source: StockSource;
  /** Weights of one index sum to 1. */
  readonly weight: number;
}

/** The own walk of an index within a minute, as a share of the market's: what its members' own walks leave when added up. */
const OWN_WALK = 0.25;
const KEPT_DAYS = 16;

interface IndexDay {
  day: IstDay;
  readonly levels: Float64Array;
}

/** An index from its members: level x sum of weight x member(t) / member(reference). */
export class IndexSource implements Source {
  private readonly factors: Factors;
  private readonly members: readonly StockSource[];
  /** Level x weight / exp(X(reference)) of each member. */
  private readonly scales: Float64Array;
  private readonly marketLoading: number;
  /** The share of the index's variance that the market makes. */
  readonly marketShare: number;
  private readonly shapeSeed: number;
  private readonly kept: IndexDay[] = [];
  private next = 0;

  constructor(factors: Factors, name: string, members: readonly Member[], anchor: Anchor) {
    this.factors = factors;
    this.members = members.map((member) => member.source);
    this.scales = Float64Array.from(
      members,
      (member) => (anchor.close * member.weight) / exp(member.source.logarithm(anchor.day, anchor.minute)),
    );
    let loading = 0;
    for (const member of members) loading += member.weight * member.source.loadings.market;
    this.marketLoading = loading;
    this.marketShare = (loading * loading) / (loading * loading + otherVariance(members));
    this.shapeSeed = hashText(factors.seed, `walk ${name}`);
  }

  at(day: IstDay, minute: number): number {
    const { levels } = this.daysLevels(day);
    if (levels[minute] === 0) this.fillHour(levels, day, minute);
    return levels[minute] as number;
  }

  /** The level that prices of the members on a day add up to; `priceOf` tells a member's price in paise by its place in the list. */
  levelOf(day: IstDay, priceOf: (member: number) => number): number {
    let level = 0;
    for (const [place, member] of this.members.entries()) {
      level += (this.scales[place] as number) * member.exponentialOf(priceOf(place), day);
    }
    return level;
  }

  fill(day: IstDay, minute: number, line: Line): void {
    const from = this.at(day, minute);
    straight(line, from, this.at(day, minute + 1));
    const variance = minuteVariance(this.factors.marketAt(day, minute), minute);
    line.market = from * this.marketLoading * Math.sqrt(variance);
    line.own = line.market * OWN_WALK;
    line.marketShape = this.factors.marketShape(day, minute);
    line.ownShape = shapeOffset(hashAt(this.shapeSeed, minuteNumber(day, minute)));
  }

  /** Adds up the members at the minutes of one hour, its end included only at the day's end. */
  private fillHour(levels: Float64Array, day: IstDay, minute: number): void {
    const hour = Math.min(Math.floor(minute / HOUR_MINUTES), MINUTES_IN_DAY / HOUR_MINUTES - 1);
    const from = hour * HOUR_MINUTES;
    const next = from + HOUR_MINUTES;
    const to = next === MINUTES_IN_DAY ? next : next - 1;
    for (let i = 0; i < this.members.length; i += 1) {
      (this.members[i] as StockSource).addTo(levels, this.scales[i] as number, day, from, to);
    }
  }

  /** The levels of a day as far as they were computed; 0 where not yet. */
  private daysLevels(day: IstDay): IndexDay {
    for (const kept of this.kept) if (kept.day === day) return kept;
    if (this.kept.length < KEPT_DAYS) {
      const fresh = { day, levels: new Float64Array(MINUTES_IN_DAY + 1) };
      this.kept.push(fresh);
      return fresh;
    }
    const recycled = this.kept[this.next] as IndexDay;
    this.next = (this.next + 1) % KEPT_DAYS;
    recycled.day = day;
    recycled.levels.fill(0);
    return recycled;
  }
}

/** The variance of an index that comes from the sectors and the companies of its members. */
function otherVariance(members: readonly Member[]): number {
  const sectors = new Map<Path, number>();
  let variance = 0;
  for (const { source, weight } of members) {
    const { sector, own } = source.loadings;
    sectors.set(source.sector, (sectors.get(source.sector) ?? 0) + weight * sector);
    variance += (weight * own) ** 2;
  }
  for (const loading of sectors.values()) variance += loading * loading;
  return variance;
}
