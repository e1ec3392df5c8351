/**
 * The trades that users added to the market's own, minute by minute and for ever. A trade in which the market was the
 * aggressor leaves the last traded price, and one that a print made has its units in that print. Candles with both are
 * made in `merge.ts`. Source: docs/matching.md.
 */

import { type Complete, type Json, places, real, whole } from '../base/codec.ts';
import type { InstrumentId, Tick } from '../base/ids.ts';
import { lowerBound } from '../base/lower-bound.ts';
import type { Price } from '../base/money.ts';
import type { StoredRow } from '../base/stored-tables.ts';
import { type EpochMs, type IstDay, istDay, istInstant, MINUTE_MS, SECOND_MS } from '../base/time.ts';
import type { AuctionMatched, Event, Traded } from '../core/event.ts';
import type { LastTrade } from '../core/exchange/book/book.ts';
import type { State } from '../core/state.ts';

/** The last tick of a bar in which no trade was the last traded price: before all of the market's prints. */
const NEVER = -1 as Tick;

/** Users' trades in one instrument over a stretch of time: a minute, or minutes put together. */
export interface OwnBar {
  /** The start of its first minute. */
  readonly start: EpochMs;
  readonly open: Price;
  high: Price;
  low: Price;
  /** The price of the last trade in which a user was the aggressor; where there is none, of the last. */
  close: Price;
  /** Units beside those of the market's prints. */
  volume: number;
  /** Sum of price times quantity, in paise. */
  turnover: number;
  /** The tick of the first trade. */
  readonly firstTick: Tick;
  /** The tick of the last trade in which a user was the aggressor; `NEVER` where there is none. */
  lastTick: Tick;
}

/** One instrument's trades. Minutes are ascending. */
interface Trail {
  readonly minutes: OwnBar[];
  /** The day of the last minute and its minutes put together: every quote asks for them. */
  lastDay: IstDay;
  day: OwnBar;
}

export class OwnTrades {
  private readonly byInstrument = new Map<InstrumentId, Trail>();
  /** The last auction that found a price, with users' trades or without. It is not stored: the books have it too. */
  private readonly auctions = new Map<InstrumentId, LastTrade>();

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
    const minutes = this.byInstrument.get(instrument)?.minutes ?? [];
    return minutes.slice(countBefore(minutes, from), countBefore(minutes, to + 1));
  }

  /** Each minute in a row with its instrument. */
  *rows(): Generator<StoredRow> {
    for (const [instrument, { minutes }] of this.byInstrument) {
      for (const bar of minutes) yield [instrument, ...encodeBar(bar)];
    }
  }

  /** Takes the next row of `rows`. Throws `Undecodable`. */
  take(stored: Json): void {
    const row = places(stored, 'a bar', 9);
    this.add(whole(row[0], 'instrument'), decodeBar(row));
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
      this.byInstrument.set(instrument, { minutes: [bar], lastDay: day, day: { ...bar } });
      return;
    }
    const last = trail.minutes[trail.minutes.length - 1];
    if (last?.start === bar.start) extend(last, bar);
    else trail.minutes.push(bar);
    if (trail.lastDay === day) return extend(trail.day, bar);
    trail.lastDay = day;
    trail.day = { ...bar };
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

function minuteOf(tick: Tick): EpochMs {
  return (Math.floor((tick * SECOND_MS) / MINUTE_MS) * MINUTE_MS) as EpochMs;
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

/** The start of a bar is the minute of its first tick. */
function encodeBar({ firstTick, lastTick, open, high, low, close, volume, turnover }: OwnBar) {
  return [firstTick, lastTick, open, high, low, close, volume, turnover] as const;
}

/** The bar of a row, in which it follows its instrument. */
function decodeBar(row: readonly Json[]): OwnBar {
  const firstTick: Tick = whole(row[1], 'firstTick');
  return {
    start: minuteOf(firstTick),
    open: whole(row[3], 'open'),
    high: whole(row[4], 'high'),
    low: whole(row[5], 'low'),
    close: whole(row[6], 'close'),
    volume: whole(row[7], 'volume'),
    turnover: real(row[8], 'turnover'),
    firstTick,
    lastTick: whole(row[2], 'lastTick'),
  } satisfies Complete<OwnBar>;
}

/** How many bars start before an instant. */
function countBefore(bars: readonly OwnBar[], at: number): number {
  return lowerBound(0, bars.length, (place) => (bars[place] as OwnBar).start < at);
}
