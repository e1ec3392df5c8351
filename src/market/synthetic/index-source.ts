/**
 * The level of an index as the weighted sum of its members. Within a minute the leading members and sectors count by
 * themselves, and one walk stands for all others.
 */
import { must } from '../../base/assert.ts';
import { hashAt, hashText } from '../../base/random.ts';
import type { IstDay } from '../../base/time.ts';
import { MINUTES_IN_DAY } from '../day-tape.ts';
import { exp } from '../options/elementary.ts';
import type { Factors } from './paths/factors.ts';
import { type Line, minuteNumber, type Source, straight } from './paths/line.ts';
import { HOUR_MINUTES, isQuiet } from './paths/path-day.ts';
import type { Walk } from './paths/walk.ts';
import type { Anchor, StockSource } from './stock-source.ts';

export interface Member {
  readonly source: StockSource;
  /** Weights of one index sum to 1. */
  readonly weight: number;
}

const KEPT_DAYS = 16;
const HOURS = MINUTES_IN_DAY / HOUR_MINUTES;

interface IndexDay {
  day: IstDay;
  readonly levels: Float64Array;
  /** By hours, as far as they have been added up. */
  readonly loads: (Loads | undefined)[];
}

/**
 * The amplitudes of the walks of which the walk of a minute is made. All minutes of a quiet hour have those of its
 * first.
 */
interface Amplitudes {
  /** The number of the minute; -1 when there is none yet. */
  number: number;
  market: number;
  /** Of the leading sectors and members, in their order. */
  readonly sectors: Float64Array;
  readonly members: Float64Array;
  /** Of the rest at the ends of the quarters of the minute, and of all but the market in between. */
  rest: number;
  fine: number;
}

/** The parts of the level when an hour begins, times the loadings. */
interface Loads {
  readonly market: number;
  /** Of the leading sectors and members, in their order. */
  readonly sectors: Float64Array;
  readonly members: Float64Array;
  /** Sum of the squares of all others. */
  readonly rest: number;
}

interface Loaded {
  readonly place: number;
  readonly load: number;
}

/** The others may make this share of what is neither the market's nor of leading sectors and members, in squares. */
const REST_SHARE = 0.15;

/** The places of the largest loads, as many as leave no more than REST_SHARE of `total`. */
function leading(loads: readonly Loaded[], total: number): number[] {
  let rest = loads.reduce((sum, { load }) => sum + load * load, 0);
  const found: number[] = [];
  for (const { place, load } of loads.toSorted((a, b) => b.load - a.load)) {
    if (rest <= REST_SHARE * total) break;
    rest -= load * load;
    found.push(place);
  }
  return found;
}

/** An index from its members: level x sum of weight x member(t) / member(reference). */
export class IndexSource implements Source {
  private readonly factors: Factors;
  private readonly members: readonly StockSource[];
  /** Level x weight / exp(X(reference)) of each member. */
  private readonly scales: Float64Array;
  /** The share of the index's variance that the market makes. */
  readonly marketShare: number;
  /** A member of each sector, the sector of each member by its place there, and who leads. */
  private readonly sectors: readonly StockSource[];
  private readonly sectorOf: readonly number[];
  private readonly leadingSectors: readonly number[];
  private readonly leadingMembers: readonly number[];
  private readonly walkSeed: number;
  private readonly amplitudes: Amplitudes;
  private readonly kept: IndexDay[] = [];
  private next = 0;

  constructor(factors: Factors, name: string, members: readonly Member[], anchor: Anchor) {
    this.factors = factors;
    this.members = members.map((member) => member.source);
    this.scales = Float64Array.from(
      members,
      (member) => (anchor.close * member.weight) / exp(member.source.logarithm(anchor.day, anchor.minute)),
    );
    const paths = [...new Set(this.members.map(({ sector }) => sector))];
    this.sectorOf = this.members.map(({ sector }) => paths.indexOf(sector));
    this.sectors = paths.map((path) =>
      must(
        this.members.find(({ sector }) => sector === path),
        'a member',
      ),
    );
    const owns = members.map(({ source, weight }, place) => ({ place, load: weight * source.loadings.own }));
    const shared = this.sectors.map((_, place) => ({ place, load: 0 }));
    for (const [i, { source, weight }] of members.entries()) {
      const sector = must(shared[this.sectorOf[i] as number], 'a sector');
      sector.load += weight * source.loadings.sector;
    }
    const market = members.reduce((sum, { source, weight }) => sum + weight * source.loadings.market, 0);
    const total = [...owns, ...shared].reduce((sum, { load }) => sum + load * load, 0);
    this.marketShare = (market * market) / (market * market + total);
    this.leadingMembers = leading(owns, total / 2);
    this.leadingSectors = leading(shared, total / 2);
    this.amplitudes = {
      number: -1,
      market: 0,
      sectors: new Float64Array(this.leadingSectors.length),
      members: new Float64Array(this.leadingMembers.length),
      rest: 0,
      fine: 0,
    };
    this.walkSeed = hashText(factors.seed, `walk ${name}`);
  }

  at(day: IstDay, minute: number): number {
    return this.reached(day, minute).levels[minute] as number;
  }

  /** The levels of a day, added up at a minute. */
  private reached(day: IstDay, minute: number): IndexDay {
    const found = this.indexDay(day);
    if (found.levels[minute] === 0) this.fillHour(found, minute);
    return found;
  }

  /**
   * The level for given prices of the members on a day; `priceOf` gives a member's price in paise by its place in the
   * list.
   */
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
    this.fillWalk(this.reached(day, minute), minute, line.walk);
  }

  /**
   * The sum of the walks of the members: the market's second by second, those of the leading sectors and the leading
   * members' own at the ends of the quarters of the minute. The rest, and the way between those ends, is a walk of its
   * own, as wide as theirs.
   */
  private fillWalk(indexDay: IndexDay, minute: number, walk: Walk): void {
    const { market, sectors, members, rest, fine } = this.amplitudesAt(indexDay, minute);
    const number = minuteNumber(indexDay.day, minute);
    const seed = hashAt(this.walkSeed, number);
    walk.clear();
    walk.add(this.factors.market.walkOf(number), market);
    for (let i = 0; i < sectors.length; i += 1) {
      walk.addCoarse(this.leadingSector(i).sector.walkOf(number), sectors[i] as number);
    }
    walk.addCoarse(seed, rest);
    for (let i = 0; i < members.length; i += 1) {
      walk.addCoarse(this.leadingMember(i).own.walkOf(number), members[i] as number);
    }
    walk.addFine(seed, fine);
  }

  private amplitudesAt(indexDay: IndexDay, minute: number): Amplitudes {
    const { amplitudes } = this;
    const hour = hourOf(minute);
    const from = isQuiet(hour) ? hour * HOUR_MINUTES : minute;
    const number = minuteNumber(indexDay.day, from);
    if (amplitudes.number !== number) {
      this.fillAmplitudes(indexDay, from);
      amplitudes.number = number;
    }
    return amplitudes;
  }

  private fillAmplitudes({ day, loads }: IndexDay, minute: number): void {
    const { amplitudes } = this;
    const { market, sectors, members, rest } = must(loads[hourOf(minute)], 'an hour that was added up');
    const deviation = this.factors.marketAt(day, minute).deviation(minute);
    amplitudes.market = market * deviation;
    amplitudes.rest = Math.sqrt(rest) * deviation;
    let squares = amplitudes.rest * amplitudes.rest;
    for (let i = 0; i < sectors.length; i += 1) {
      const sector = this.leadingSector(i).sectorAt(day, minute);
      const part = (sectors[i] as number) * sector.deviation(minute);
      amplitudes.sectors[i] = part;
      squares += part * part;
    }
    for (let i = 0; i < members.length; i += 1) {
      const own = (members[i] as number) * this.leadingMember(i).ownAt(day, minute).deviation(minute);
      amplitudes.members[i] = own;
      squares += own * own;
    }
    amplitudes.fine = Math.sqrt(squares);
  }

  private leadingSector(place: number): StockSource {
    return this.sectors[this.leadingSectors[place] as number] as StockSource;
  }

  private leadingMember(place: number): StockSource {
    return this.members[this.leadingMembers[place] as number] as StockSource;
  }

  /** Adds up the members at the minutes of one hour, its end included only at the day's end. */
  private fillHour({ day, levels, loads }: IndexDay, minute: number): void {
    const hour = hourOf(minute);
    const from = hour * HOUR_MINUTES;
    const next = from + HOUR_MINUTES;
    const to = next === MINUTES_IN_DAY ? next : next - 1;
    const { members, scales, sectorOf } = this;
    const sectors = new Float64Array(this.sectors.length);
    const owns = new Float64Array(members.length);
    let market = 0;
    for (let i = 0; i < members.length; i += 1) {
      const member = members[i] as StockSource;
      const part = member.addTo(levels, scales[i] as number, day, from, to);
      const sector = sectorOf[i] as number;
      market += part * member.loadings.market;
      sectors[sector] = (sectors[sector] as number) + part * member.loadings.sector;
      owns[i] = part * member.loadings.own;
    }
    const [leadingSectors, otherSectors] = parted(sectors, this.leadingSectors);
    const [leadingMembers, otherMembers] = parted(owns, this.leadingMembers);
    loads[hour] = { market, sectors: leadingSectors, members: leadingMembers, rest: otherSectors + otherMembers };
  }

  /** The levels of a day as far as they were computed; 0 where not yet. */
  private indexDay(day: IstDay): IndexDay {
    for (const kept of this.kept) if (kept.day === day) return kept;
    if (this.kept.length < KEPT_DAYS) {
      const levels = new Float64Array(MINUTES_IN_DAY + 1);
      const fresh = { day, levels, loads: [] };
      this.kept.push(fresh);
      return fresh;
    }
    const recycled = this.kept[this.next] as IndexDay;
    this.next = (this.next + 1) % KEPT_DAYS;
    recycled.day = day;
    recycled.levels.fill(0);
    recycled.loads.length = 0;
    return recycled;
  }
}

function hourOf(minute: number): number {
  return Math.min(Math.floor(minute / HOUR_MINUTES), HOURS - 1);
}

/** The loads at some places, and the sum of the squares of all others. */
function parted(loads: Float64Array, places: readonly number[]): [Float64Array, number] {
  const found = new Float64Array(places.length);
  for (let i = 0; i < places.length; i += 1) found[i] = loads[places[i] as number] as number;
  return [found, Math.max(squaresOf(loads) - squaresOf(found), 0)];
}

function squaresOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += (values[i] as number) * (values[i] as number);
  return sum;
}
