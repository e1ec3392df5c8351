/**
 * Gathers rows into the days of instruments and checks what no row can be checked for alone: the order of times,
 * minutes that come twice, days that come twice. A day is handed over when the next one begins, or when its document
 * ends.
 */
import type { Exchange } from '../base/ids.ts';
import { formatIsoDay, type IstDay, twoDigits } from '../base/time.ts';
import type {
  OfficialPrices,
  RecordedCandleDay,
  RecordedName,
  RecordedTickDay,
} from '../market/recorded/recorded-days.ts';
import type { Row } from './row.ts';
import { faultOf, TapeFault } from './tape-fault.ts';

/** The minutes that a candle spans, or `day`. */
export type Span = RecordedCandleDay['span'];

/** A day as it was gathered: the span of candles is known at the end of the file alone. */
export type CollectedDay = Omit<RecordedCandleDay, 'span'> | RecordedTickDay;

/** Takes over one day of an instrument. */
export type TakeDay = (series: Series, day: CollectedDay) => void;

export interface Candle {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  readonly openInterest: number;
}

/** The columns of a candle's prices in its file, for the words of a fault. */
export interface CandleCells {
  readonly high: number;
  readonly low: number;
  /** Where the time stands, and the date. */
  readonly time: number;
}

export interface Tick {
  readonly price: number;
  readonly quantity: number;
  readonly bid: number;
  readonly bidQuantity: number;
  readonly ask: number;
  readonly askQuantity: number;
  readonly openInterest: number;
}

/** The figures of a day beside its prices and volumes. */
export interface Extras {
  readonly lot?: number | undefined;
  readonly official?: OfficialPrices | undefined;
}

/** One instrument of a tape while it is read. */
export class Series implements RecordedName {
  readonly exchange: Exchange;
  readonly symbol: string;
  readonly kind: 'candles' | 'ticks';
  /** The day that rows are gathered for. */
  gathered: GatheredDay | undefined;
  /** The document that each finished day came from. */
  readonly documents = new Map<IstDay, string>();
  /** The greatest common divisor of the distances between candles of a day, in minutes; 0 before there were two. */
  step = 0;
  /** How many distances it stands on. */
  steps = 0;
  /** The least of them. */
  least = Number.POSITIVE_INFINITY;
  /** The latest minute of any candle. */
  latest = 0;
  /** The span that the file states. */
  stated: Span | undefined;
  /** Rows had a date alone: its candles are of whole days, though the file states no span. */
  isDated = false;

  constructor({ exchange, symbol }: RecordedName, kind: 'candles' | 'ticks') {
    this.exchange = exchange;
    this.symbol = symbol;
    this.kind = kind;
  }

  /** Notes the span that a file states. Returns the one of earlier candles where they have another. */
  state(span: Span): Span | undefined {
    const fits = span === 'day' ? this.latest === 0 : this.least >= span;
    const before = this.stated ?? (fits ? span : spanOf(this));
    this.stated = before;
    return before === span ? undefined : before;
  }
}

interface GatheredDay {
  readonly day: IstDay;
  readonly document: string;
  readonly extras: Extras;
  /** Minutes of candles, seconds of ticks. */
  readonly times: number[];
  /** The columns of candles or of ticks, in the order of their types. */
  readonly columns: readonly number[][];
}

/** The columns besides the time. */
const CANDLE_COLUMNS = 6;
const TICK_COLUMNS = 7;
/** Rows of days that are not at their end, over all instruments: 60 bytes each or so. */
const MOST_WAITING = 8_000_000;
/** Spans that files of candles have, in minutes, and the distances that a guess of it needs. */
export const SPANS: readonly number[] = [2, 3, 5, 10, 15, 30, 60];
const STEPS_OF_GUESS = 10;

export class Collector {
  rows = 0;
  private readonly take: TakeDay;
  private readonly open = new Set<Series>();
  private waiting = 0;

  constructor(take: TakeDay) {
    this.take = take;
  }

  /** A candle that begins with a minute; of a whole day it is minute 0. */
  candle(row: Row, series: Series, day: IstDay, minute: number, candle: Candle, cells: CandleCells, extras?: Extras) {
    const { open, high, low, close } = candle;
    if (high < low) throw row.fault(cells.high, `${row.shown(cells.high)} is below the low ${row.text(cells.low)}`);
    if (high < open || high < close) throw row.fault(cells.high, `${row.shown(cells.high)} is below the open or close`);
    if (low > open || low > close) throw row.fault(cells.low, `${row.shown(cells.low)} is above the open or close`);
    const gathered = this.dayOf(row, series, day, cells.time, extras);
    const { times, columns } = gathered;
    const before = times.length === 0 ? -1 : (times[times.length - 1] as number);
    if (minute <= before) throw this.notLater(row, cells.time, minute === before, clock(minute * 60));
    if (before >= 0) this.expectApart(row, series, minute, minute - before, cells.time);
    if (minute > series.latest) series.latest = minute;
    times.push(minute);
    const [opens, highs, lows, closes, volumes, interests] = columns as CandleLists;
    opens.push(open);
    highs.push(high);
    lows.push(low);
    closes.push(close);
    volumes.push(candle.volume);
    interests.push(candle.openInterest);
    this.counted();
  }

  /** A tick of a second. */
  tick(row: Row, series: Series, day: IstDay, second: number, tick: Tick, time: number): void {
    const { times, columns } = this.dayOf(row, series, day, time);
    const before = times.length === 0 ? -1 : (times[times.length - 1] as number);
    if (second < before) throw this.notLater(row, time, false, clock(second));
    times.push(second);
    const [prices, quantities, bids, bidQuantities, asks, askQuantities, interests] = columns as TickLists;
    prices.push(tick.price);
    quantities.push(tick.quantity);
    bids.push(tick.bid);
    bidQuantities.push(tick.bidQuantity);
    asks.push(tick.ask);
    askQuantities.push(tick.askQuantity);
    interests.push(tick.openInterest);
    this.counted();
  }

  /** A day of an instrument that was gathered elsewhere. */
  whole(series: Series, day: RecordedTickDay, document: string, rows: number): void {
    const earlier = series.documents.get(day.day);
    if (earlier !== undefined) {
      const where = earlier === document ? 'before' : `in ${earlier}`;
      throw faultOf(document, `${formatIsoDay(day.day)} of ${series.exchange}:${series.symbol} came ${where}`);
    }
    series.documents.set(day.day, document);
    this.rows += rows;
    this.take(series, day);
  }

  /** The end of a document: its days are whole. */
  endDocument(): void {
    for (const series of this.open) this.close(series);
  }

  private counted(): void {
    this.rows += 1;
    this.waiting += 1;
    if (this.waiting <= MOST_WAITING) return;
    throw new TapeFault(`more than ${MOST_WAITING} rows wait for the end of their day: sort the file by instrument`);
  }

  private dayOf(row: Row, series: Series, day: IstDay, time: number, extras: Extras = {}): GatheredDay {
    const { gathered } = series;
    if (gathered?.day === day) return gathered;
    if (gathered !== undefined) {
      if (day < gathered.day) throw this.notLater(row, time, false, formatIsoDay(day));
      this.close(series);
    }
    const earlier = series.documents.get(day);
    if (earlier !== undefined) {
      const where = earlier === row.document ? 'before' : `in ${earlier}`;
      throw row.fault(time, `${formatIsoDay(day)} of ${series.exchange}:${series.symbol} came ${where}`);
    }
    const columns = Array.from({ length: series.kind === 'candles' ? CANDLE_COLUMNS : TICK_COLUMNS }, () => []);
    const begun = { day, document: row.document, extras, times: [], columns };
    series.gathered = begun;
    this.open.add(series);
    return begun;
  }

  /** Notes the distance to the candle in front of one. Throws `TapeFault` when they overlap by the stated span. */
  private expectApart(row: Row, series: Series, minute: number, distance: number, time: number): void {
    const { stated } = series;
    if (typeof stated === 'number' && distance < stated) {
      throw row.fault(time, `${clock(minute * 60)} is within the ${stated} minutes of the candle in front of it`);
    }
    series.step = divisor(series.step, distance);
    series.steps += 1;
    series.least = Math.min(series.least, distance);
  }

  private notLater(row: Row, time: number, again: boolean, when: string): TapeFault {
    return row.fault(time, again ? `${when} comes a second time` : `${when} is before the row in front of it`);
  }

  private close(series: Series): void {
    const { gathered } = series;
    if (gathered === undefined) return;
    series.gathered = undefined;
    this.open.delete(series);
    series.documents.set(gathered.day, gathered.document);
    this.waiting -= gathered.times.length;
    this.take(series, series.kind === 'candles' ? candleDay(gathered) : tickDay(gathered));
  }
}

type CandleLists = [number[], number[], number[], number[], number[], number[]];
type TickLists = [number[], number[], number[], number[], number[], number[], number[]];

function candleDay({ day, extras, times, columns }: GatheredDay): CollectedDay {
  const [open, high, low, close, volume, interest] = columns as CandleLists;
  const candles = {
    minute: Int32Array.from(times),
    open: Int32Array.from(open),
    high: Int32Array.from(high),
    low: Int32Array.from(low),
    close: Int32Array.from(close),
    volume: Float64Array.from(volume),
    openInterest: known(interest),
  };
  return { kind: 'candles', day, lot: extras.lot, official: extras.official, candles };
}

function tickDay({ day, times, columns }: GatheredDay): CollectedDay {
  const [price, quantity, bid, bidQuantity, ask, askQuantity, interest] = columns as TickLists;
  const quotes = bid.some((one) => one > 0) || ask.some((one) => one > 0);
  const ticks = {
    second: Int32Array.from(times),
    price: Int32Array.from(price),
    quantity: Float64Array.from(quantity),
    quotes: quotes
      ? {
          bid: Int32Array.from(bid),
          bidQuantity: Float64Array.from(bidQuantity),
          ask: Int32Array.from(ask),
          askQuantity: Float64Array.from(askQuantity),
        }
      : undefined,
    openInterest: known(interest),
  };
  return { kind: 'ticks', day, lot: undefined, official: undefined, ticks };
}

/** A column of open interest; `undefined` when the file has none, which rows say with -1. */
function known(interest: readonly number[]): Float64Array | undefined {
  return interest[0] === -1 ? undefined : Float64Array.from(interest);
}

/** The span of the candles of an instrument: what the file states, or what the distances between them say. */
export function spanOf({ stated, step, steps, latest }: Series): Span {
  if (stated !== undefined) return stated;
  // One candle a day that is stamped with midnight.
  if (steps === 0 && latest === 0) return 'day';
  return steps >= STEPS_OF_GUESS && SPANS.includes(step) ? step : 1;
}

/** `a day`, `1 minute`, `15 minutes`. */
export function spanText(span: Span): string {
  if (span === 'day') return 'a day';
  return span === 1 ? '1 minute' : `${span} minutes`;
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

/** `09:15:00` for a second of the day. */
function clock(second: number): string {
  const minute = Math.floor(second / 60);
  return [Math.floor(minute / 60), minute % 60, second % 60].map(twoDigits).join(':');
}
