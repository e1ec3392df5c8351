import { amountOf, type Price, type Quantity } from '../../base/money.ts';
import { mix } from '../../base/random.ts';
import type { IstDay } from '../../base/time.ts';
import type { Side } from '../../core/order.ts';
import type { ClosingPrint } from './closing-print.ts';
import { hashAt, unitOf } from './draws.ts';
import { emptyLine, highestOf, type Line, lowestOf, minuteNumber, type Source, scale, valueAt } from './line.ts';
import type { PathDay } from './path-day.ts';
import type { Hours } from './sessions.ts';

export const MINUTE_SECONDS = 60;
/** Blocks beside each other whose prints are alike more often than by chance, and the bit of a hash that no other draw takes. */
const RUN_BLOCKS = 8;
const OF_A_RUN = 1_024;
const NO_WALK = new Float64Array(MINUTE_SECONDS);

/** What one day's trading of an instrument is drawn from. */
export interface TapeTerms {
  readonly day: IstDay;
  readonly hours: Hours;
  readonly source: Source;
  /** The path's day whose trades tell how volume is spread; filled at the minute asked for and the next. */
  readonly activity: (day: IstDay, minute: number) => PathDay;
  /** Of the instrument, for all days. */
  readonly seed: number;
  /** In paise. */
  readonly tick: Price;
  /** 0 for an index, which prints no quantity. */
  readonly lot: Quantity;
  /** Seconds in which there is exactly one print: a divisor of 60, or a multiple. */
  readonly block: number;
  /** Lots traded in continuous trading, at least one a block. */
  readonly lots: number;
  /** The width of the touch as a share of the price; never less than a tick. */
  readonly spreadShare: number;
  /** What follows continuous trading; nothing when left out. */
  readonly closing?: ClosingPrint | undefined;
}

/** The fold of the prints of one minute. Prices in ticks; `prints` 0 when there was none. */
export interface MinuteFold {
  prints: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** Sum of price in ticks times lots; only when it was asked for. */
  turnover: number;
}

/** What is common to prices within one minute: the line of fair values and the width of the touch, both in ticks. */
interface Minute {
  number: number;
  readonly line: Line;
  width: number;
}

/**
 * The market's own trading of one instrument on one day. The day is cut into blocks; each has one print at a hashed second, at the
 * bid or the ask of that second, with the lots that the day's volume leaves to it. So any second's last print is found at once.
 * The closing print, where there is one, is that of one block more behind the last. Seconds count from IST midnight.
 */
export class Tape {
  readonly terms: TapeTerms;
  readonly day: IstDay;
  /** Of continuous trading the first second, and the one after the last. */
  readonly open: number;
  readonly close: number;
  /** Prints in continuous trading. */
  readonly blocks: number;
  /** Prints in the whole day. */
  readonly prints: number;
  /** The second after the last minute that has a print. */
  readonly end: number;
  private readonly block: number;
  private readonly perTick: number;
  private readonly blockSeed: number;
  private readonly runSeed: number;
  private readonly volumeSeed: number;
  private readonly spareLots: number;
  private readonly minute: Minute = { number: -1, line: emptyLine(), width: 1 };
  private readonly shares = { minute: -1, before: 0, after: 0 };
  /** The second of the closing print. */
  private readonly closedAt: number;
  private readonly tradesAtOpen: number;
  private readonly trades: number;

  constructor(terms: TapeTerms) {
    this.terms = terms;
    this.day = terms.day;
    this.open = terms.hours.open * MINUTE_SECONDS;
    this.close = terms.hours.close * MINUTE_SECONDS;
    this.block = terms.block;
    this.blocks = Math.ceil((this.close - this.open) / terms.block);
    this.prints = terms.closing === undefined ? this.blocks : this.blocks + 1;
    this.end = terms.closing === undefined ? this.close : (minuteOf(terms.closing.second) + 1) * MINUTE_SECONDS;
    this.perTick = 1 / terms.tick;
    this.closedAt = terms.closing?.second ?? Number.POSITIVE_INFINITY;
    this.blockSeed = mix(mix(terms.seed, terms.day), 1);
    this.runSeed = mix(mix(terms.seed, terms.day), 3);
    this.volumeSeed = mix(terms.seed, 2);
    this.spareLots = terms.lots - this.blocks;
    const { open, close } = terms.hours;
    this.tradesAtOpen = terms.activity(this.day, open).trades[open] as number;
    this.trades = (terms.activity(this.day, close).trades[close] as number) - this.tradesAtOpen;
  }

  /**
   * The touch at a second and at those before it: best bids in ticks (0 when nobody bids) and minus the best asks, latest first.
   * Returns the width of the touch in ticks at the second itself.
   */
  touches(second: number, count: number, bids: Int32Array, asks: Int32Array): number {
    for (let back = count - 1; back >= 0; back -= 1) {
      const { line, width } = this.at(second - back);
      const bid = bidOf(valueAt(line, (second - back) % MINUTE_SECONDS), width);
      bids[back] = bid;
      asks[back] = -(bid + width);
    }
    return this.at(second).width;
  }

  /** The block that holds a second of the session. */
  blockAt(second: number): number {
    return Math.floor((second - this.open) / this.block);
  }

  /** The last block whose print is at or before the second; -1 when there is none yet. */
  lastBlock(second: number): number {
    if (second < this.open) return -1;
    if (second >= this.close) return second < this.closedAt ? this.blocks - 1 : this.blocks;
    const block = this.blockAt(second);
    return this.printSecond(block) <= second ? block : block - 1;
  }

  /** The second at which a block prints. */
  printSecond(block: number): number {
    if (block === this.blocks) return this.closedAt;
    return this.block === 1 ? this.open + block : this.secondOf(block, hashAt(this.blockSeed, block));
  }

  /** The side that crossed the spread in a block, and its price. In an auction the buyer counts as the one who came. */
  printPrice(block: number): { readonly price: Price; readonly aggressor: Side } {
    const { closing } = this.terms;
    if (closing !== undefined && block === this.blocks) return { price: closing.price, aggressor: 'B' };
    const second = this.printSecond(block);
    const minute = this.at(second);
    const fair = valueAt(minute.line, second % MINUTE_SECONDS);
    const ticks = this.ticksOf(block, fair, minute.width);
    const bought = ticks > bidOf(fair, minute.width);
    return { price: (ticks * this.terms.tick) as Price, aggressor: bought ? 'B' : 'S' };
  }

  /** The units of a block's print. */
  printQuantity(block: number): Quantity {
    return ((this.lotsBefore(block + 1) - this.lotsBefore(block)) * this.terms.lot) as Quantity;
  }

  /** Lots traded in the blocks before this one. */
  lotsBefore(block: number): number {
    const { lots, closing } = this.terms;
    if (block > this.blocks) return lots + (closing?.lots ?? 0);
    if (block === this.blocks) return lots;
    return block + Math.floor(this.spareLots * this.shareBefore(block));
  }

  /** What the prints of the seconds after `from`, up to and with `to`, add up to: lots, and price in ticks times lots. */
  tradedWithin(from: number, to: number): { readonly lots: number; readonly ticksTimesLots: number } {
    let lots = 0;
    let ticksTimesLots = 0;
    for (let block = this.lastBlock(to); block >= 0 && this.printSecond(block) > from; block -= 1) {
      const traded = this.lotsBefore(block + 1) - this.lotsBefore(block);
      lots += traded;
      ticksTimesLots += (this.printPrice(block).price / this.terms.tick) * traded;
    }
    return { lots, ticksTimesLots };
  }

  /** Lots traded up to and with a second. */
  lotsUpTo(second: number): number {
    return this.lotsBefore(this.lastBlock(second) + 1);
  }

  /** Folds the prints of a minute whose seconds are at most `until`. Both in the day's own counting. */
  fold(minuteOfDay: number, until: number, withTurnover: boolean, out: MinuteFold): void {
    out.prints = 0;
    out.turnover = 0;
    const start = minuteOfDay * MINUTE_SECONDS;
    if (start >= this.close) this.foldClosing(minuteOfDay, until, withTurnover, out);
    if (start < this.open || start >= this.close) return;
    const end = Math.min(start + MINUTE_SECONDS - 1, until);
    const first = this.blockAt(start);
    if (this.block <= MINUTE_SECONDS) {
      const count = Math.floor((end - start) / this.block) + 1;
      const whole = this.printSecond(first + count - 1) <= end ? count : count - 1;
      this.foldBlocks(minuteOfDay, first, whole, out);
      if (withTurnover) out.turnover = this.turnover(minuteOfDay, first, whole);
      return;
    }
    const second = this.printSecond(first);
    if (second < start || second > end) return;
    this.foldBlocks(minuteOfDay, first, 1, out);
    if (withTurnover) out.turnover = this.turnover(minuteOfDay, first, 1);
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

  /** Folds the prices of `count` blocks that print in a minute: the innermost loop of every history. */
  private foldBlocks(minuteOfDay: number, first: number, count: number, out: MinuteFold): void {
    if (count < 1) return;
    const { line, width } = this.atMinute(minuteOfDay);
    const start = minuteOfDay * MINUTE_SECONDS;
    const last = first + count - 1;
    const walk = count > 2 ? line.walk.seconds() : NO_WALK;
    const { value, slope } = line;
    const { block } = this;
    const half = (width - 1) / 2;
    const open = this.ticksOf(first, valueAt(line, this.printSecond(first) - start), width);
    const close = this.ticksOf(last, valueAt(line, this.printSecond(last) - start), width);
    let high = open > close ? open : close;
    let low = open < close ? open : close;
    let top = high - width;
    const shift = this.open - start;
    for (let index = first + 1; index < last; index += 1) {
      const second = block === 1 ? index + shift : this.printSecond(index) - start;
      const fair = value + slope * second + (walk[second] as number);
      const bid = (fair - half) | 0;
      // A print is at the bid or the ask of its second: most cannot move the extremes.
      if (bid <= top && bid >= low) continue;
      const ticks = this.ticksOf(index, fair, width);
      if (ticks > high) {
        high = ticks;
        top = high - width;
      }
      if (ticks < low) low = ticks;
    }
    out.prints = count;
    out.open = open;
    out.high = high;
    out.low = low;
    out.close = close;
  }

  /** The price of a block's print in ticks: at the ask of its second when it was bought, else at the bid. */
  private ticksOf(block: number, fair: number, width: number): number {
    const hash = hashAt(this.blockSeed, block);
    // Half of the prints go with the others of their run, as one large order makes many.
    const decides = (hash & OF_A_RUN) === 0 ? hash : hashAt(this.runSeed, (block / RUN_BLOCKS) | 0);
    const bid = bidOf(fair, width);
    return bid + width * boughtOf(decides, fair, bid, width);
  }

  /** Sum of price in ticks times lots of `count` blocks that print in a minute. */
  private turnover(minuteOfDay: number, first: number, count: number): number {
    const { line, width } = this.atMinute(minuteOfDay);
    let sum = 0;
    let lots = this.lotsBefore(first);
    for (let index = first; index < first + count; index += 1) {
      const second = this.printSecond(index) - minuteOfDay * MINUTE_SECONDS;
      const after = this.lotsBefore(index + 1);
      sum += this.ticksOf(index, valueAt(line, second), width) * (after - lots);
      lots = after;
    }
    return sum;
  }

  /** No print of the minute is above this, in ticks. */
  highBound(minuteOfDay: number): number {
    const { line, width } = this.atMinute(minuteOfDay);
    return Math.max(width, highestOf(line) + (width + 1) / 2);
  }

  /** No print of the minute is below this, in ticks. */
  lowBound(minuteOfDay: number): number {
    const { line, width } = this.atMinute(minuteOfDay);
    return lowestOf(line) - (width + 1) / 2;
  }

  /** How many prints of a minute were at `level` (paise) or above it, or below it when not `up`. */
  printsBeyond(minuteOfDay: number, level: number, up: boolean): number {
    const start = minuteOfDay * MINUTE_SECONDS;
    let count = 0;
    for (let block = this.lastBlock(start + MINUTE_SECONDS - 1); block >= 0; block -= 1) {
      if (this.printSecond(block) < start) break;
      const { price } = this.printPrice(block);
      if (up ? price >= level : price <= level) count += 1;
    }
    return count;
  }

  /** Turnover in paise of a sum of ticks times lots. */
  turnoverOf(ticksTimesLots: number): number {
    return amountOf(this.terms.tick, (ticksTimesLots * this.terms.lot) as Quantity);
  }

  private secondOf(block: number, hash: number): number {
    const start = this.open + block * this.block;
    if (this.block === 1) return start;
    return start + offsetOf(hash, start + this.block > this.close ? this.close - start : this.block);
  }

  private at(second: number): Minute {
    return this.atMinute(minuteOf(second));
  }

  private atMinute(minuteOfDay: number): Minute {
    const { minute, terms } = this;
    if (minute.number !== minuteOfDay) {
      terms.source.fill(this.day, minuteOfDay, minute.line);
      scale(minute.line, this.perTick);
      const width = Math.floor(minute.line.value * terms.spreadShare + 0.5);
      minute.width = width > 1 ? width : 1;
      minute.number = minuteOfDay;
    }
    return minute;
  }

  /** The share of the spare lots that trades before a block; within a minute the blocks share unevenly what the minute has. */
  private shareBefore(block: number): number {
    const start = this.open + block * this.block;
    const minute = minuteOf(start);
    const { shares } = this;
    if (shares.minute !== minute) {
      shares.before = this.shareAt(minute);
      shares.after = this.shareAt(minute + 1);
      shares.minute = minute;
    }
    const rest = start - minute * MINUTE_SECONDS;
    if (rest === 0) return shares.before;
    const jitter = unitOf(hashAt(this.volumeSeed ^ this.day, block));
    const share = shares.before + ((shares.after - shares.before) * (rest + jitter * this.block)) / MINUTE_SECONDS;
    return share < shares.after ? share : shares.after;
  }

  /** The share of the day's activity before a minute, which is read up to a minute late, so that minutes differ by instrument. */
  private shareAt(minute: number): number {
    const { hours, activity } = this.terms;
    if (minute <= hours.open) return 0;
    if (minute >= hours.close) return 1;
    const late = unitOf(hashAt(this.volumeSeed, minuteNumber(this.day, minute)));
    const { trades } = activity(this.day, minute);
    const from = trades[minute] as number;
    const to = trades[minute + 1] as number;
    return (from + (to - from) * late - this.tradesAtOpen) / this.trades;
  }
}

function minuteOf(second: number): number {
  return Math.floor(second / MINUTE_SECONDS);
}

/**
 * The best bid around a fair value in ticks: the touch lies as evenly about it as ticks allow. Below 2^31 ticks, so that the
 * truncation to 32 bits is a floor.
 */
function bidOf(fair: number, width: number): number {
  const bid = (fair - (width - 1) / 2) | 0;
  return bid > 0 ? bid : 0;
}

/**
 * 1 when a print was bought, 0 when it was sold: bought in proportion to how near the ask the fair value is, so that prints
 * are fair on average; always bought where nobody bids.
 */
function boughtOf(hash: number, fair: number, bid: number, width: number): number {
  if (bid === 0) return 1;
  return ((hash & 1_023) * width - (((fair - bid) * 1_024) | 0)) >>> 31;
}

/** A second within a block of `length`, from other bits than `boughtOf` takes. */
function offsetOf(hash: number, length: number): number {
  return Math.floor(((hash >>> 12) * length) / 1_048_576);
}
