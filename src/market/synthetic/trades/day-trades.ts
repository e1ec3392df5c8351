/**
 * When an instrument trades on a day, and how many lots: the seconds with a print, and the volume before any second.
 * The prices of the prints are in `tape.ts`.
 */

import { hashAt, mix, unitOf } from '../../../base/random.ts';
import type { IstDay } from '../../../base/time.ts';
import { CLOSE_MINUTE, MINUTE_SECONDS } from '../../day-tape.ts';
import { exp, normalQuantile } from '../../options/elementary.ts';
import type { TradingMinutes } from '../../session/sessions.ts';
import { drawOf } from '../paths/draws.ts';
import { minuteNumber } from '../paths/line.ts';
import { BURST_SECONDS, DRAWS, MinutePrints } from './minute-prints.ts';

/**
 * How busy an instrument was from the start of a day to a minute: the variance that its logarithm of price has
 * gathered. An ordinary day has about 1.
 */
export type Activity = (day: IstDay, minute: number) => number;

/** The inputs of a day's trades. */
export interface DayTradesTerms {
  readonly day: IstDay;
  readonly hours: TradingMinutes;
  readonly activity: Activity;
  /** Of the instrument, for all days. */
  readonly seed: number;
  /** Units of an order's lot; sizes are round where it is 1. */
  readonly lot: number;
  /** Lots traded in continuous trading. */
  readonly lots: number;
  /** Trades in continuous trading, at most a lot each; 0 for an index, which has a level every second. */
  readonly trades: number;
}

/** The number of trades in a handful: their order and their sizes are drawn together. */
const HANDFUL = 8;
/** From this many trades a minute on, handfuls are not taken apart between two minutes. */
const WHOLE_HANDFULS = 64;
/** From this many trades on, every second of a minute has a print. */
const EVERY_SECOND = 300;
/** How far back at most the activity of a minute is read, in minutes, so that minutes differ by instrument. */
const LATENESS = 0.4;
/**
 * The share of a day's trades that is for the close alone, more and more of it in the last minutes of the session. It
 * moves no price.
 */
const CLOSING_PART = 0.15;
const CLOSING_MINUTES = 45;
/** In a quiet minute one trade in this many comes by itself; the others follow the one before within some seconds. */
const ALONE = 3;
const FOLLOWS_WITHIN = 4;
/** Seconds whose prints come and fail to come together in a busy minute, and how much busier or quieter they are. */
const BURSTS = MINUTE_SECONDS / BURST_SECONDS;
const QUIETEST = 0.25;
const BUSIEST = 2.25;
/** The upper bits of a hash whose lower bits were used already: a second is drawn from them. */
const SECOND_BITS = 20;
const SIZE_SPREAD = 1.1;
const SIZES = sizes(SIZE_SPREAD);
/** Sizes are multiples of one of these; each entry is equally likely. */
const ROUND_SIZES = [1, 1, 1, 5, 10, 10, 50, 100] as const;
/** A size is rounded only where the average one is this many times as large. */
const ROUND_ROOM = 2;

/** Equally likely sizes of mean 1, from a lognormal law. */
function sizes(spread: number): Float64Array {
  const found = Float64Array.from({ length: 256 }, (_, i) => exp(spread * normalQuantile((i + 0.5) / 256)));
  const mean = found.reduce((sum, size) => sum + size, 0) / found.length;
  return found.map((size) => size / mean);
}

/**
 * When an instrument trades on one day, and how much: at the first second of the session, and then as it comes. Trades
 * and lots before any minute are found at once: they follow the activity up to that minute. Within a minute they are
 * drawn together. Seconds count from IST midnight.
 */
export class DayTrades {
  private readonly terms: DayTradesTerms;
  private readonly open: number;
  private readonly close: number;
  private readonly daySeed: number;
  private readonly lotSeed: number;
  private readonly lateSeed: number;
  private readonly secondSeed: number;
  private readonly activityAtOpen: number;
  private readonly activityOfDay: number;
  private readonly closingFrom: number;
  private readonly closingTo: number;
  private readonly dense: boolean;
  /** Trades before a minute and before the next. */
  private readonly counts = { minute: -2, before: 0, after: 0 };
  private readonly drawn = { minute: -1, prints: new MinutePrints() };
  /** The share of the activity at a minute. */
  private readonly reached = { minute: -1, activity: 0 };
  /** The lots of the day before each print of a minute, and after the last. */
  private readonly lots = { minute: -1, before: new Float64Array(MINUTE_SECONDS + 1) };
  private readonly handful = { number: -1, before: new Float64Array(HANDFUL + 1) };
  /** The last second with a print before a minute. */
  private readonly last = { minute: -1, second: -1 };

  constructor(terms: DayTradesTerms) {
    this.terms = terms;
    this.open = terms.hours.open;
    this.close = terms.hours.close;
    this.daySeed = hashAt(mix(terms.seed, terms.day), 1);
    this.lotSeed = mix(this.daySeed, 2);
    this.secondSeed = mix(this.daySeed, 3);
    this.lateSeed = mix(terms.seed, 2);
    this.activityAtOpen = terms.activity(terms.day, this.open);
    this.activityOfDay = terms.activity(terms.day, this.close) - this.activityAtOpen;
    this.closingTo = this.close > CLOSE_MINUTE && this.open < CLOSE_MINUTE ? CLOSE_MINUTE : this.close;
    this.closingFrom = Math.max(this.closingTo - CLOSING_MINUTES, this.open);
    this.dense = terms.trades >= WHOLE_HANDFULS * (this.close - this.open);
  }

  /**
   * The seconds of a minute of the session with a print: all trades of a second are one. Valid until another minute is
   * asked for.
   */
  minute(minute: number): MinutePrints {
    const { drawn } = this;
    if (drawn.minute !== minute) {
      this.draw(minute, drawn.prints);
      drawn.minute = minute;
    }
    return drawn.prints;
  }

  /** True when there is a print in a minute of the session. */
  hasPrints(minute: number): boolean {
    return this.tradesIn(minute) > 0;
  }

  /** The last second with a print before a minute of the session, or its end; -1 when there is none. */
  lastBefore(minute: number): number {
    const { last } = this;
    if (last.minute !== minute) {
      last.second = this.findLastBefore(minute);
      last.minute = minute;
    }
    return last.second;
  }

  /** Lots traded before a minute of the session, or before its end. */
  lotsBefore(minute: number): number {
    if (this.terms.trades === 0) return (minute - this.open) * MINUTE_SECONDS;
    return this.lotsOf(this.tradesBefore(minute));
  }

  /** Lots of the day before each print of a minute, and after the last. Valid until another minute is asked for. */
  lotsWithin(minute: number): Float64Array {
    const { lots } = this;
    if (lots.minute !== minute) {
      this.drawLots(minute, lots.before);
      lots.minute = minute;
    }
    return lots.before;
  }

  private findLastBefore(minute: number): number {
    if (minute <= this.open) return -1;
    const count = this.tradesBefore(minute);
    if (count === 0) return -1;
    let high = minute - 1;
    let low = high;
    for (let step = 1; this.tradesBefore(low) === count; step *= 2) {
      high = low - 1;
      low = Math.max(low - step, this.open);
    }
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.tradesBefore(middle) < count) low = middle;
      else high = middle - 1;
    }
    return low * MINUTE_SECONDS + this.minute(low).last(MINUTE_SECONDS - 1);
  }

  private tradesIn(minute: number): number {
    const { counts } = this;
    if (this.terms.trades === 0) return EVERY_SECOND;
    if (counts.minute !== minute) {
      counts.before = this.tradesBefore(minute);
      counts.after = this.countBefore(minute + 1);
      counts.minute = minute;
    }
    return counts.after - counts.before;
  }

  /** Trades before a minute, which is often one of those that were counted last. */
  private tradesBefore(minute: number): number {
    const { counts } = this;
    if (counts.minute === minute) return counts.before;
    return counts.minute === minute - 1 ? counts.after : this.countBefore(minute);
  }

  /** The trades of the handfuls that are over, and of the one that has begun. */
  private countBefore(minute: number): number {
    const { trades } = this.terms;
    if (trades === 0) return (minute - this.open) * EVERY_SECOND;
    if (minute <= this.open) return 0;
    if (minute >= this.close) return trades;
    const reached = trades * this.shareAt(minute);
    const handful = Math.floor(reached / HANDFUL);
    const done = handful * HANDFUL;
    if (this.dense) return done > 0 ? done : HANDFUL;
    const size = trades - done < HANDFUL ? trades - done : HANDFUL;
    const part = (reached - done) / size;
    const start = unitOf(drawOf(this.daySeed, done));
    const isFirst = done === 0;
    let count = isFirst ? 1 : done;
    for (let trade = isFirst ? 1 : 0; trade < size; trade += 1) {
      const draw = unitOf(drawOf(this.daySeed, done + trade + 1));
      const place = start + draw * draw;
      if ((place < 1 ? place : place - 1) < part) count += 1;
    }
    return count;
  }

  /**
   * The share of the day's activity before a minute, which is read a little late, so that minutes differ by instrument.
   */
  private shareAt(minute: number): number {
    const { activity, day } = this.terms;
    const late = LATENESS * unitOf(hashAt(this.lateSeed, minuteNumber(day, minute)));
    const { reached } = this;
    const from = reached.minute === minute - 1 ? reached.activity : activity(day, minute - 1);
    const to = activity(day, minute);
    reached.activity = to;
    reached.minute = minute;
    const moved = (to - (to - from) * late - this.activityAtOpen) / this.activityOfDay;
    return moved + CLOSING_PART * (this.closing(minute) - moved);
  }

  /** How much of what is traded for the close alone comes before a minute. */
  private closing(minute: number): number {
    const { closingFrom, closingTo } = this;
    if (minute <= closingFrom) return 0;
    if (minute >= closingTo) return 1;
    const passed = (minute - closingFrom) / (closingTo - closingFrom);
    return (passed * (1 + passed)) / 2;
  }

  private draw(minute: number, prints: MinutePrints): void {
    const trades = this.tradesIn(minute);
    prints.clear();
    if (minute === this.open) prints.add(0);
    if (trades >= EVERY_SECOND) prints.fill();
    else if (trades > MINUTE_SECONDS) this.drawBusy(minute, trades, prints);
    else if (trades > 0) this.drawQuiet(minute, trades, prints);
  }

  /** The seconds of a minute with a few trades: each at a second of its own, or soon after the one before. */
  private drawQuiet(minute: number, trades: number, prints: MinutePrints): void {
    const seed = hashAt(this.secondSeed, minute);
    let second = 0;
    for (let trade = minute === this.open ? 1 : 0; trade < trades; trade += 1) {
      const hash = drawOf(seed, trade);
      const alone = trade === 0 || hash % ALONE === 0;
      const draw = hash >>> 12;
      second = alone ? (draw * MINUTE_SECONDS) >>> SECOND_BITS : (second + (draw % FOLLOWS_WITHIN)) % MINUTE_SECONDS;
      prints.add(second);
    }
  }

  /**
   * The seconds of a minute with more trades than seconds: the busier some seconds in a row are, the likelier each has
   * one.
   */
  private drawBusy(minute: number, trades: number, prints: MinutePrints): void {
    const seed = hashAt(this.secondSeed, minute);
    const pace = trades / MINUTE_SECONDS;
    let paces = 0;
    for (let burst = 0; burst < BURSTS; burst += 1) {
      if ((burst & 3) === 0) paces = drawOf(seed, burst);
      const draw = (paces & 255) / 256;
      paces >>>= 8;
      const busy = pace * (QUIETEST + BUSIEST * draw * draw);
      const likely = DRAWS * (1 - 1 / (1 + busy + busy * busy * 0.5));
      prints.addDrawn(burst * BURST_SECONDS, drawOf(seed, BURSTS + burst), likely);
    }
    if (prints.first() < 0) prints.add(drawOf(seed, MINUTE_SECONDS) % MINUTE_SECONDS);
  }

  private drawLots(minute: number, before: Float64Array): void {
    const count = this.minute(minute).upTo(MINUTE_SECONDS - 1);
    const from = this.lotsBefore(minute);
    if (this.terms.trades === 0) {
      for (let print = 0; print <= count; print += 1) before[print] = from + print;
      return;
    }
    this.shareOut(from, this.lotsBefore(minute + 1), count, hashAt(this.lotSeed, minute), before);
  }

  /** Lots before a trade of the day. */
  private lotsOf(trade: number): number {
    const number = Math.floor(trade / HANDFUL);
    const done = number * HANDFUL;
    if (trade === done) return this.lotsOfHandfuls(done);
    const { handful } = this;
    if (handful.number !== number) {
      const end = Math.min(done + HANDFUL, this.terms.trades);
      const seed = hashAt(this.lotSeed, -number);
      this.shareOut(this.lotsOfHandfuls(done), this.lotsOfHandfuls(end), end - done, seed, handful.before);
      handful.number = number;
    }
    return handful.before[trade - done] as number;
  }

  private lotsOfHandfuls(trades: number): number {
    const { lots, trades: all } = this.terms;
    return trades + Math.floor(((lots - all) * trades) / all);
  }

  /**
   * Shares the lots of the day between two numbers out over some prints in a row: a lot each at least, few large and
   * many small ones, often round where units are traded. Fills what is traded before each, and after the last.
   */
  private shareOut(from: number, to: number, count: number, seed: number, before: Float64Array): void {
    before[0] = from;
    if (count === 0) return;
    const spare = to - from - count;
    let sum = 0;
    let hash = 0;
    for (let print = 1; print <= count; print += 1) {
      if ((print & 3) === 1) hash = drawOf(seed, print);
      sum += SIZES[hash & 255] as number;
      hash >>>= 8;
      before[print] = sum;
    }
    const round = this.roundness(drawOf(seed, 0), (to - from) / count);
    let least = from;
    for (let print = 1; print < count; print += 1) {
      least += 1;
      const exact = from + print + Math.floor((spare * (before[print] as number)) / sum);
      const rounded = exact - (exact % round);
      if (rounded > least) least = rounded;
      const most = to - count + print;
      before[print] = least < most ? least : most;
    }
    before[count] = to;
  }

  private roundness(hash: number, average: number): number {
    if (this.terms.lot !== 1) return 1;
    const round = ROUND_SIZES[hash % ROUND_SIZES.length] as number;
    return round * ROUND_ROOM <= average ? round : 1;
  }
}
