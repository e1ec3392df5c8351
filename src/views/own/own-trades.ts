/**
 * The trades that users added to the market's own, minute by minute and for ever. Minutes that are over are rows of a
 * log. A trade in which the market was the aggressor leaves the last traded price, and one that a print made has its
 * units in that print. Candles with both are made in `views/merge.ts`. Source: docs/matching.md.
 */

import { type Json, places, whole } from '../../base/codec.ts';
import type { InstrumentId, Tick } from '../../base/ids.ts';
import { inMemory, type MakeStore } from '../../base/logs/byte-log.ts';
import { lowerBound } from '../../base/lower-bound.ts';
import type { Price } from '../../base/money.ts';
import type { StoredRow } from '../../base/stored-tables.ts';
import { type EpochMs, type IstDay, istDay, istInstant } from '../../base/time.ts';
import type { AuctionMatched, Event, Traded } from '../../core/event.ts';
import type { LastTrade } from '../../core/exchange/book/book.ts';
import type { State } from '../../core/state.ts';
import { decodeBar, encodeBar, minuteOf, type OwnBar, OwnBarLog } from './own-bar.ts';

/** The last tick of a bar in which no trade was the last traded price: before all of the market's prints. */
const NEVER = -1 as Tick;

/** This number of minutes of an instrument that are over goes to the log at once. */
const RUN = 32;

/** One instrument's trades. */
interface Trail {
  /** The starts of the first minutes of its runs in the log, and the places of these, ascending. */
  readonly starts: EpochMs[];
  readonly places: number[];
  /** The minutes after those, ascending: the last may be open. */
  readonly minutes: OwnBar[];
  /** The day of the last minute and its minutes put together: every quote asks for them. */
  lastDay: IstDay;
  day: OwnBar;
}

export class OwnTrades {
  private readonly log: OwnBarLog;
  private readonly byInstrument = new Map<InstrumentId, Trail>();
  /** The last auction that found a price, with users' trades or without. It is not stored: the books have it too. */
  private readonly auctions = new Map<InstrumentId, LastTrade>();

  /** `makeStore` keeps the minutes that are over. */
  constructor(makeStore: MakeStore = inMemory) {
    this.log = new OwnBarLog(makeStore);
  }

  apply(event: Event): void {
    if (event.type === 'AuctionMatched') return this.note(event);
    if (event.type !== 'Traded' || this.extendLast(event)) return;
    this.add(event.instrument, barOfTrade(event));
  }

  /** Takes the prices of auctions from stored books. Where users have traded since, it is the price of that trade. */
  begin({ books }: Pick<State, 'books'>): void {
    for (const [instrument, { lastTrade }] of books) {
      if (lastTrade !== undefined) this.auctions.set(instrument, lastTrade);
    }
  }

  private note({ instrument, tick, result }: AuctionMatched): void {
    if (result !== undefined) this.auctions.set(instrument, { tick, price: result.price });
  }

  /** The tick and the price of the last auction; where users have traded since it may be those of their trade. */
  auctionOf(instrument: InstrumentId): LastTrade | undefined {
    return this.auctions.get(instrument);
  }

  /** True when users have ever traded in the instrument. */
  has(instrument: InstrumentId): boolean {
    return this.byInstrument.has(instrument);
  }

  /** All trades of one day. */
  dayOf(instrument: InstrumentId, day: IstDay): OwnBar | undefined {
    const trail = this.byInstrument.get(instrument);
    if (trail?.lastDay === day) return trail.day;
    return together(this.minutesOf(instrument, istInstant(day), (istInstant((day + 1) as IstDay) - 1) as EpochMs));
  }

  /** The minutes whose start lies in [from, to], ascending. */
  minutesOf(instrument: InstrumentId, from: EpochMs, to: EpochMs): readonly OwnBar[] {
    const trail = this.byInstrument.get(instrument);
    if (trail === undefined) return [];
    const { starts, minutes } = trail;
    const bars: OwnBar[] = [];
    const first = lowerBound(0, starts.length, (run) => (starts[run] as EpochMs) <= from) - 1;
    const end = lowerBound(0, starts.length, (run) => (starts[run] as EpochMs) <= to);
    for (let run = Math.max(first, 0); run < end; run += 1) bars.push(...this.runOf(trail, run));
    const stored = bars.slice(countBefore(bars, from), countBefore(bars, to + 1));
    return [...stored, ...minutes.slice(countBefore(minutes, from), countBefore(minutes, to + 1))];
  }

  /** Each minute in a row with its instrument. */
  *rows(): Generator<StoredRow> {
    for (const [instrument, trail] of this.byInstrument) {
      for (let run = 0; run < trail.places.length; run += 1) {
        for (const bar of this.runOf(trail, run)) yield [instrument, ...encodeBar(bar)];
      }
      for (const bar of trail.minutes) yield [instrument, ...encodeBar(bar)];
    }
  }

  /** Takes the next row of `rows`. Throws `Undecodable`. */
  take(stored: Json): void {
    const [instrument, ...bar] = places(stored, 'a bar', 9);
    this.add(whole(instrument, 'instrument'), decodeBar(bar));
  }

  /** The minutes of a run of the log. */
  private runOf({ places: firsts }: Trail, run: number): OwnBar[] {
    const first = firsts[run] as number;
    return Array.from({ length: RUN }, (_, place) => this.log.read(first + place));
  }

  /** Adds a trade to the minute that is open. False when the trade begins another one. */
  private extendLast(event: Traded): boolean {
    const trail = this.byInstrument.get(event.instrument);
    const last = trail?.minutes[trail.minutes.length - 1];
    if (trail === undefined || last?.start !== minuteOf(event.tick)) return false;
    trade(last, event);
    trade(trail.day, event);
    return true;
  }

  /** Adds trades that are not earlier than those before them; a new minute's bar is kept as it is. */
  private add(instrument: InstrumentId, bar: OwnBar): void {
    const trail = this.byInstrument.get(instrument);
    const day = istDay(bar.start);
    if (trail === undefined) {
      this.byInstrument.set(instrument, { starts: [], places: [], minutes: [bar], lastDay: day, day: { ...bar } });
      return;
    }
    const last = trail.minutes[trail.minutes.length - 1];
    if (last?.start === bar.start) extend(last, bar);
    else this.open(trail, bar);
    if (trail.lastDay === day) return extend(trail.day, bar);
    trail.lastDay = day;
    trail.day = { ...bar };
  }

  /** Begins a minute. Those before it are over, and go to the log when there are enough. */
  private open({ starts, places: firsts, minutes }: Trail, bar: OwnBar): void {
    if (minutes.length === RUN) {
      starts.push((minutes[0] as OwnBar).start);
      firsts.push(this.log.add(minutes));
      minutes.length = 0;
    }
    minutes.push(bar);
  }
}

/** Bars in ascending order as one; nothing of none. */
export function together(bars: readonly OwnBar[]): OwnBar | undefined {
  const [first] = bars;
  if (first === undefined) return undefined;
  const whole = { ...first };
  for (let index = 1; index < bars.length; index += 1) extend(whole, bars[index] as OwnBar);
  return whole;
}

function extend(bar: OwnBar, later: OwnBar): void {
  bar.high = Math.max(bar.high, later.high) as Price;
  bar.low = Math.min(bar.low, later.low) as Price;
  bar.volume += later.volume;
  bar.turnover += later.turnover;
  end(bar, later.lastTick, later.close);
}

function trade(bar: OwnBar, event: Traded): void {
  const { price } = event;
  const units = unitsOf(event);
  if (price > bar.high) bar.high = price;
  if (price < bar.low) bar.low = price;
  bar.volume += units;
  bar.turnover += price * units;
  end(bar, lastTickOf(event), price);
}

/** A later close takes the place of the bar's, unless only the bar's was a last traded price. */
function end(bar: OwnBar, lastTick: Tick, close: Price): void {
  if (lastTick === NEVER && bar.lastTick !== NEVER) return;
  bar.close = close;
  bar.lastTick = lastTick;
}

/** A print that came to a user's order holds the units of its fill; depth that came to it is in no print. */
function unitsOf(event: Traded): number {
  return isPassive(event) && event.taken === undefined ? 0 : event.quantity;
}

function lastTickOf(event: Traded): Tick {
  return isPassive(event) ? NEVER : event.tick;
}

function isPassive({ aggressor, buy, sell }: Traded): boolean {
  return (aggressor === 'B' ? buy : sell) === undefined;
}

function barOfTrade(event: Traded): OwnBar {
  const { tick, price } = event;
  const units = unitsOf(event);
  const turnover = price * units;
  const start = minuteOf(tick);
  return {
    start,
    open: price,
    high: price,
    low: price,
    close: price,
    volume: units,
    turnover,
    firstTick: tick,
    lastTick: lastTickOf(event),
  };
}

/** How many bars start before an instant. */
function countBefore(bars: readonly OwnBar[], at: number): number {
  return lowerBound(0, bars.length, (place) => (bars[place] as OwnBar).start < at);
}
