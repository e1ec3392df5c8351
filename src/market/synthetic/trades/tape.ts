/**
 * One day's prints of an instrument: the touch around the fair value, and the side and price of each print. When it
 * trades and how much is in `day-trades.ts`; the book is in `book-shape.ts`.
 */
import { amountOf, type Price, type Quantity } from '../../../base/money.ts';
import { hashAt, mix } from '../../../base/random.ts';
import type { IstDay } from '../../../base/time.ts';
import type { Side } from '../../../core/order.ts';
import {
  type Bounds,
  type ClosingTape,
  type DayTape,
  MINUTE_SECONDS,
  type MinuteFold,
  minuteOf,
} from '../../day-tape.ts';
import {
  emptyBounds,
  emptyLine,
  fillBounds,
  fillNearBounds,
  fillValues,
  type Line,
  type Source,
  scale,
  valueAt,
} from '../paths/line.ts';
import { DayTrades, type DayTradesTerms } from './day-trades.ts';
import type { MinutePrints } from './minute-prints.ts';

/** Seconds whose prints are alike more often than by chance. */
const RUN_SECONDS = 16;
/** The shift that brings bit 10 of a hash, which no other draw takes, to the place of the sign. */
const OF_A_RUN = 31 - 10;

/** A distance in ticks that is larger than the rounding error of a fair value. */
const HAIR = 1e-6;
/**
 * The seconds of a minute but the first and the last, midpoints first: so the extremes are nearly found after a few of
 * them, and few of the others are asked for their side.
 */
const INNER_SECONDS = midpointsFirst();
/** Room for the seconds of the prints of a minute and their fair values while it is folded. */
const SECONDS = new Uint8Array(MINUTE_SECONDS);
const VALUES = new Float64Array(MINUTE_SECONDS);

/** The inputs of one day's tape. */
export interface TapeTerms extends DayTradesTerms {
  readonly source: Source;
  /** In paise. */
  readonly tick: Price;
  /** 0 for an index, which prints no quantity. */
  readonly lot: Quantity;
  /** The width of the touch as a share of the price; never less than a tick. */
  readonly spreadShare: number;
  /** The close after continuous trading; none when left out. */
  readonly closing?: ClosingTape | undefined;
}

/**
 * The values shared by all prices within one minute: the line of fair values and the width of the touch, both in ticks.
 */
interface Minute {
  number: number;
  readonly line: Line;
  width: number;
  /** Of its prints, once they were asked for. */
  readonly bounds: Bounds;
  bounded: boolean;
}

/** A drawn tape: each print is at the bid or the ask of its second. */
export class Tape implements DayTape {
  readonly terms: TapeTerms;
  readonly day: IstDay;
  readonly tick: Price;
  readonly lot: Quantity;
  readonly lots: number;
  readonly seed: number;
  readonly open: number;
  readonly close: number;
  readonly begin: number;
  readonly end: number;
  readonly closing: ClosingTape | undefined;
  private readonly perTick: number;
  private readonly sideSeed: number;
  private readonly runSeed: number;
  private readonly trades: DayTrades;
  private readonly minute: Minute = { number: -1, line: emptyLine(), width: 1, bounds: emptyBounds(), bounded: false };
  /** The second of the closing print. */
  private readonly closedAt: number;

  constructor(terms: TapeTerms) {
    this.terms = terms;
    this.day = terms.day;
    this.tick = terms.tick;
    this.lot = terms.lot;
    this.lots = terms.lots;
    this.seed = terms.seed;
    this.closing = terms.closing;
    this.open = terms.hours.open * MINUTE_SECONDS;
    this.close = terms.hours.close * MINUTE_SECONDS;
    this.begin = this.open;
    this.end = terms.closing === undefined ? this.close : (minuteOf(terms.closing.second) + 1) * MINUTE_SECONDS;
    this.perTick = 1 / terms.tick;
    this.closedAt = terms.closing?.second ?? Number.POSITIVE_INFINITY;
    this.sideSeed = mix(mix(terms.seed, terms.day), 1);
    this.runSeed = mix(mix(terms.seed, terms.day), 3);
    this.trades = new DayTrades(terms);
  }

  get openPrice(): Price {
    return this.printPrice(this.open).price;
  }

  /**
   * The touch at a second and at those before it: best bids in ticks (0 when nobody bids) and minus the best asks,
   * latest first.
   */
  touches(second: number, count: number, bids: Int32Array, asks: Int32Array): void {
    for (let back = count - 1; back >= 0; back -= 1) {
      const { line, width } = this.at(second - back);
      const bid = bidOf(valueAt(line, (second - back) % MINUTE_SECONDS), width);
      bids[back] = bid;
      asks[back] = -(bid + width);
    }
  }

  fairValue(minute: number): number {
    return this.terms.source.at(this.day, minute);
  }

  lastPrint(second: number): number {
    if (second < this.open) return -1;
    if (second >= this.close) return second < this.closedAt ? this.lastContinuous() : this.closedAt;
    const minute = minuteOf(second);
    const start = minute * MINUTE_SECONDS;
    const last = this.trades.minute(minute).last(second - start);
    return last < 0 ? this.trades.lastBefore(minute) : start + last;
  }

  lastContinuous(): number {
    return this.trades.lastBefore(minuteOf(this.close));
  }

  /** In an auction the buyer counts as the aggressor. */
  printPrice(second: number): { readonly price: Price; readonly aggressor: Side } {
    const { closing } = this.terms;
    if (closing !== undefined && second === this.closedAt) return { price: closing.price, aggressor: 'B' };
    const minute = this.at(second);
    const fair = valueAt(minute.line, second % MINUTE_SECONDS);
    const bid = bidOf(fair, minute.width);
    const bought = boughtOf(this.sideOf(second), fair, bid, minute.width);
    const ticks = bid + minute.width * bought;
    return { price: (ticks * this.terms.tick) as Price, aggressor: bought === 1 ? 'B' : 'S' };
  }

  printQuantity(second: number): Quantity {
    return ((this.lotsUpTo(second) - this.lotsUpTo(second - 1)) * this.terms.lot) as Quantity;
  }

  lotsUpTo(second: number): number {
    const { lots, closing } = this.terms;
    if (second < this.open) return 0;
    if (second >= this.closedAt) return lots + (closing?.lots ?? 0);
    if (second >= this.close) return lots;
    const minute = minuteOf(second);
    const place = second - minute * MINUTE_SECONDS;
    if (place === MINUTE_SECONDS - 1) return this.trades.lotsBefore(minute + 1);
    const count = this.trades.minute(minute).upTo(place);
    return count === 0 ? this.trades.lotsBefore(minute) : (this.trades.lotsWithin(minute)[count] as number);
  }

  tradedWithin(from: number, to: number): { readonly lots: number; readonly ticksTimesLots: number } {
    const first = Math.max(from + 1, this.open);
    const last = Math.min(to, this.close - 1);
    let ticksTimesLots = 0;
    for (let minute = minuteOf(first); minute <= minuteOf(last); minute += 1) {
      const start = minute * MINUTE_SECONDS;
      ticksTimesLots += this.turnover(minute, Math.max(first - start, 0), Math.min(last - start, MINUTE_SECONDS - 1));
    }
    const { closing, tick } = this.terms;
    if (closing !== undefined && from < this.closedAt && to >= this.closedAt)
      ticksTimesLots += (closing.price / tick) * closing.lots;
    return { lots: this.lotsUpTo(to) - this.lotsUpTo(from), ticksTimesLots };
  }

  fold(minuteOfDay: number, until: number, withTurnover: boolean, out: MinuteFold): void {
    out.prints = 0;
    out.turnover = 0;
    const start = minuteOfDay * MINUTE_SECONDS;
    if (start >= this.close) this.foldClosing(minuteOfDay, until, withTurnover, out);
    if (start < this.open || start >= this.close) return;
    const end = Math.min(until - start, MINUTE_SECONDS - 1);
    const prints = this.trades.minute(minuteOfDay);
    const { line, width } = this.atMinute(minuteOfDay);
    if (end === MINUTE_SECONDS - 1 && prints.isFull && line.curve === undefined) this.foldFull(start, line, width, out);
    else this.foldPrints(minuteOfDay, prints, end, out);
    if (withTurnover) out.turnover = this.turnover(minuteOfDay, 0, end);
  }

  private foldClosing(minuteOfDay: number, until: number, withTurnover: boolean, out: MinuteFold): void {
    const { closing, tick } = this.terms;
    if (closing === undefined || minuteOf(closing.second) !== minuteOfDay || closing.second > until) return;
    const ticks = closing.price / tick;
    out.prints = 1;
    out.open = ticks;
    out.high = ticks;
    out.low = ticks;
    out.close = ticks;
    if (withTurnover) out.turnover = ticks * closing.lots;
  }

  /** Folds the prices of the prints of a minute up to and with a second of it: the innermost loop of every history. */
  private foldPrints(minuteOfDay: number, prints: MinutePrints, end: number, out: MinuteFold): void {
    const count = prints.list(end, SECONDS);
    if (count === 0) return;
    const { line, width } = this.atMinute(minuteOfDay);
    fillValues(line, SECONDS, count, VALUES);
    const start = minuteOfDay * MINUTE_SECONDS;
    const last = count - 1;
    const open = printTicks(this.sideOf(start + (SECONDS[0] as number)), VALUES[0] as number, width);
    const close = printTicks(this.sideOf(start + (SECONDS[last] as number)), VALUES[last] as number, width);
    let high = open > close ? open : close;
    let low = open < close ? open : close;
    // A print is at the bid or the ask: of a fair value between these two it cannot move the extremes.
    let floor = leastInside(low, width);
    let ceiling = mostInside(high, width);
    for (let print = 1; print < last; print += 1) {
      const fair = VALUES[print] as number;
      if (fair < ceiling && fair > floor) continue;
      const ticks = printTicks(this.sideOf(start + (SECONDS[print] as number)), fair, width);
      if (ticks > high) {
        high = ticks;
        ceiling = mostInside(high, width);
      }
      if (ticks < low) {
        low = ticks;
        floor = leastInside(low, width);
      }
    }
    out.prints = count;
    out.open = open;
    out.high = high;
    out.low = low;
    out.close = close;
  }

  /** The same of a whole minute with a print in every second. */
  private foldFull(start: number, { value, slope, walk }: Line, width: number, out: MinuteFold): void {
    const seconds = INNER_SECONDS;
    const steps = walk.seconds();
    const last = MINUTE_SECONDS - 1;
    const open = printTicks(this.sideOf(start), value + (steps[0] as number), width);
    const close = printTicks(this.sideOf(start + last), value + slope * last + (steps[last] as number), width);
    let high = larger(open, close);
    let low = smaller(open, close);
    let floor = leastInside(low, width);
    let ceiling = mostInside(high, width);
    for (let i = 0; i < last - 1; i += 1) {
      const second = seconds[i] as number;
      const fair = value + slope * second + (steps[second] as number);
      if (fair < ceiling && fair > floor) continue;
      const ticks = printTicks(this.sideOf(start + second), fair, width);
      high = larger(high, ticks);
      low = smaller(low, ticks);
      ceiling = mostInside(high, width);
      floor = leastInside(low, width);
    }
    out.prints = MINUTE_SECONDS;
    out.open = open;
    out.high = high;
    out.low = low;
    out.close = close;
  }

  /** Sum of price in ticks times lots over the prints of a minute from one second of it on, up to and with another. */
  private turnover(minuteOfDay: number, from: number, to: number): number {
    const prints = this.trades.minute(minuteOfDay);
    let place = prints.upTo(from - 1);
    if (place === prints.upTo(to)) return 0;
    const { line, width } = this.atMinute(minuteOfDay);
    const lots = this.trades.lotsWithin(minuteOfDay);
    let sum = 0;
    for (let second = from; second <= to; second += 1) {
      if (!prints.has(second)) continue;
      const hash = this.sideOf(minuteOfDay * MINUTE_SECONDS + second);
      const traded = (lots[place + 1] as number) - (lots[place] as number);
      sum += printTicks(hash, valueAt(line, second), width) * traded;
      place += 1;
    }
    return sum;
  }

  hasPrints(minuteOfDay: number): boolean {
    return minuteOfDay * MINUTE_SECONDS < this.close && this.trades.hasPrints(minuteOfDay);
  }

  highBound(minuteOfDay: number): number {
    return this.boundsOf(minuteOfDay).high;
  }

  lowBound(minuteOfDay: number): number {
    return this.boundsOf(minuteOfDay).low;
  }

  nearBounds(minuteOfDay: number): Bounds {
    const { line, width } = this.atMinute(minuteOfDay);
    const bounds = emptyBounds();
    fillNearBounds(line, bounds);
    return ofPrints(bounds, width);
  }

  private boundsOf(minuteOfDay: number): Bounds {
    const minute = this.atMinute(minuteOfDay);
    const { line, width, bounds } = minute;
    if (!minute.bounded) {
      fillBounds(line, bounds);
      ofPrints(bounds, width);
      minute.bounded = true;
    }
    return bounds;
  }

  printsBeyond(minuteOfDay: number, level: number, up: boolean): number {
    const start = minuteOfDay * MINUTE_SECONDS;
    let count = 0;
    for (
      let second = this.lastPrint(start + MINUTE_SECONDS - 1);
      second >= start;
      second = this.lastPrint(second - 1)
    ) {
      const { price } = this.printPrice(second);
      if (up ? price >= level : price <= level) count += 1;
    }
    return count;
  }

  turnoverOf(ticksTimesLots: number): number {
    return amountOf(this.terms.tick, (ticksTimesLots * this.terms.lot) as Quantity);
  }

  /**
   * The hash that decides the side of a second's print: half of the prints go with the others of their run, as one
   * large order makes many.
   */
  private sideOf(second: number): number {
    const own = hashAt(this.sideSeed, second);
    // Both are made, and one is taken by its bits: a processor cannot foresee a branch that half of all prints take.
    const ofRun = (own << OF_A_RUN) >> 31;
    return (own & ~ofRun) | (hashAt(this.runSeed, (second / RUN_SECONDS) | 0) & ofRun);
  }

  private at(second: number): Minute {
    return this.atMinute(minuteOf(second));
  }

  private atMinute(minuteOfDay: number): Minute {
    const { minute, terms } = this;
    if (minute.number !== minuteOfDay) {
      terms.source.fill(this.day, minuteOfDay, minute.line);
      scale(minute.line, this.perTick);
      const width = Math.floor(valueAt(minute.line, 0) * terms.spreadShare + 0.5);
      minute.width = width > 1 ? width : 1;
      minute.bounded = false;
      minute.number = minuteOfDay;
    }
    return minute;
  }
}

function midpointsFirst(): Uint8Array {
  const order: number[] = [];
  let spans = [[0, MINUTE_SECONDS - 1]];
  while (spans.length > 0) {
    const wide = spans.filter(([low = 0, high = 0]) => high - low > 1);
    spans = wide.flatMap(([low = 0, high = 0]) => {
      const middle = (low + high) >> 1;
      order.push(middle);
      return [
        [low, middle],
        [middle, high],
      ];
    });
  }
  return Uint8Array.from(order);
}

/** A fair value below this, by a hair, has its ask at `high` or lower. */
function mostInside(high: number, width: number): number {
  return high - width + 1 + (width - 1) / 2 - HAIR;
}

/** A fair value above this, by a hair, has its bid at `low` or higher. */
function leastInside(low: number, width: number): number {
  return low + (width - 1) / 2 + HAIR;
}

/** The larger of two numbers of ticks, without a branch, since a processor cannot foresee which it is. */
function larger(a: number, b: number): number {
  const more = (b - a) | 0;
  return (a + (more & ~(more >> 31))) | 0;
}

/** The smaller of two numbers of ticks, without a branch. */
function smaller(a: number, b: number): number {
  const more = (b - a) | 0;
  return (a + (more & (more >> 31))) | 0;
}

/** Makes the bounds of prints, which lie within half a width and a tick of the fair value, of those of fair values. */
function ofPrints(bounds: Bounds, width: number): Bounds {
  const beyond = (width + 1) / 2;
  bounds.high = Math.max(width, bounds.high + beyond);
  bounds.low -= beyond;
  return bounds;
}

/**
 * The best bid around a fair value in ticks: the touch lies as evenly about it as ticks allow. Below 2^31 ticks, so
 * that the truncation to 32 bits is a floor.
 */
function bidOf(fair: number, width: number): number {
  const bid = (fair - (width - 1) / 2) | 0;
  return bid > 0 ? bid : 0;
}

/**
 * 1 when a print was bought, 0 when it was sold: bought in proportion to how near the ask the fair value is, so that
 * prints are fair on average; always bought where nobody bids.
 */
function boughtOf(hash: number, fair: number, bid: number, width: number): number {
  if (bid === 0) return 1;
  return ((hash & 1_023) * width - (((fair - bid) * 1_024) | 0)) >>> 31;
}

/** The price of a print in ticks: the ask of its second when it was bought, else the bid. */
function printTicks(hash: number, fair: number, width: number): number {
  const bid = bidOf(fair, width);
  return bid + width * boughtOf(hash, fair, bid, width);
}
