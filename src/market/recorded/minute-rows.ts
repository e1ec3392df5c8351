/**
 * The candles of a recorded day as candles of one minute, in ticks. A candle of several minutes, or of a whole day, is
 * taken apart into minutes that fold back to it; all chance is a hash of (seed, day, row).
 */
import { unitOf } from '../../base/random.ts';
import { MINUTES_IN_DAY } from '../day-tape.ts';
import { drawOf } from '../synthetic/paths/draws.ts';
import type { CandleColumns, RecordedCandleDay } from './recorded-days.ts';
import { type CandlePrices, fillTiedPath } from './tied-path.ts';

/** Candles of one minute each, ascending; all columns as long as each other. */
export interface MinuteRows {
  readonly minute: Int32Array;
  /** In ticks. */
  readonly open: Int32Array;
  readonly high: Int32Array;
  readonly low: Int32Array;
  readonly close: Int32Array;
  /** Units. */
  readonly volume: Float64Array;
  /** Open units when the minute ends; `undefined` where it is not known. */
  readonly openInterest: Float64Array | undefined;
}

/** Continuous trading, which longer candles are taken apart within: minutes after IST midnight. */
export interface SpannedHours {
  readonly open: number;
  readonly close: number;
}

/** The inputs of the rows of a day. */
export interface RowTerms {
  readonly recorded: RecordedCandleDay;
  /** Paise of a tick: every price of the day is a multiple of it. */
  readonly tick: number;
  /** Units; quantities are shared out in whole lots as far as they are. */
  readonly lot: number;
  readonly hours: SpannedHours;
  readonly seed: number;
}

/** A candle of several minutes has this draw for the volume of each of them, after the draws of its path. */
const VOLUME_DRAWS = 100_000;
const PRESENCE_DRAWS = 200_000;

export function minuteRows({ recorded, tick, lot, hours, seed }: RowTerms): MinuteRows {
  const { span, candles } = recorded;
  const ticks = (column: Int32Array): Int32Array => column.map((paise) => paise / tick);
  const { minute, volume, openInterest } = candles;
  const [open, high] = [ticks(candles.open), ticks(candles.high)];
  const [low, close] = [ticks(candles.low), ticks(candles.close)];
  const rows = { minute, open, high, low, close, volume, openInterest };
  if (span === 1) return rows;
  const growing = new GrowingRows(openInterest !== undefined);
  for (let row = 0; row < minute.length; row += 1) {
    const { open: first, close: end } = span === 'day' ? hours : within(minute[row] as number, span, hours);
    takeApart({ rows, row, first, minutes: end - first, lot, seed: drawOf(seed, row) }, growing);
  }
  return growing.rows();
}

/**
 * The minutes of a candle of several: those in continuous trading, since its units traded there, when it has any of
 * them. A candle that is all before or after it has its own, up to midnight.
 */
function within(minute: number, span: number, { open, close }: SpannedHours): SpannedHours {
  const end = Math.min(minute + span, MINUTES_IN_DAY);
  if (minute >= close || end <= open) return { open: minute, close: end };
  return { open: Math.max(minute, open), close: Math.min(end, close) };
}

interface Whole {
  readonly rows: Omit<CandleColumns, 'openInterest'> & Pick<MinuteRows, 'openInterest'>;
  readonly row: number;
  readonly first: number;
  readonly minutes: number;
  readonly lot: number;
  readonly seed: number;
}

/** Adds the minutes of a longer candle: each has an open and a close of one path through the whole candle. */
function takeApart({ rows, row, first, minutes, lot, seed }: Whole, into: GrowingRows): void {
  const candle = candleAt(rows, row);
  const volume = rows.volume[row] as number;
  const openInterest = rows.openInterest?.[row];
  const count = minutesOf(volume, lot, minutes, candle);
  if (count === 1) {
    into.add(first, candle, volume, openInterest);
    return;
  }
  const path = new Int32Array(2 * count);
  fillTiedPath(candle, path.length, seed, path);
  const volumes = shared(volume, lot, count, seed);
  let place = 0;
  for (let minute = 0; minute < minutes && place < count; minute += 1) {
    const isIn = unitOf(drawOf(seed, PRESENCE_DRAWS + minute)) * (minutes - minute) < count - place;
    if (!isIn) continue;
    const [open, close] = [path[2 * place] as number, path[2 * place + 1] as number];
    const prices = { open, close, high: Math.max(open, close), low: Math.min(open, close) };
    into.add(first + minute, prices, volumes[place] as number, openInterest);
    place += 1;
  }
}

/** How many minutes of a longer candle trade: as many as it has lots; all of one whose volume is not known. */
function minutesOf(volume: number, lot: number, minutes: number, { high, low }: CandlePrices): number {
  if (volume > 0) return Math.min(minutes, Math.max(1, Math.floor(volume / lot)));
  return high === low ? 1 : minutes;
}

/** Shares units out over `count` minutes unevenly, in whole lots; the rest is in the last. */
export function shared(units: number, lot: number, count: number, seed: number): Float64Array {
  const weights = Float64Array.from({ length: count }, (_, i) => 0.4 + unitOf(drawOf(seed, VOLUME_DRAWS + i)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const lots = Math.floor(units / lot);
  const spare = Math.max(lots - count, 0);
  const each = lots < count ? 0 : 1;
  const parts = new Float64Array(count);
  let reached = 0;
  let given = 0;
  for (let i = 0; i < count - 1; i += 1) {
    reached += weights[i] as number;
    const upTo = each * (i + 1) + Math.floor((spare * reached) / sum);
    parts[i] = (upTo - given) * lot;
    given = upTo;
  }
  parts[count - 1] = units - given * lot;
  return parts;
}

function candleAt({ open, high, low, close }: Whole['rows'], row: number): CandlePrices {
  return {
    open: open[row] as number,
    high: high[row] as number,
    low: low[row] as number,
    close: close[row] as number,
  };
}

/** Rows that are added one by one. */
class GrowingRows {
  private readonly minute: number[] = [];
  private readonly open: number[] = [];
  private readonly high: number[] = [];
  private readonly low: number[] = [];
  private readonly close: number[] = [];
  private readonly volume: number[] = [];
  private readonly openInterest: number[] | undefined;

  constructor(hasOpenInterest: boolean) {
    this.openInterest = hasOpenInterest ? [] : undefined;
  }

  add(minute: number, { open, high, low, close }: CandlePrices, volume: number, openInterest = 0): void {
    this.minute.push(minute);
    this.open.push(open);
    this.high.push(high);
    this.low.push(low);
    this.close.push(close);
    this.volume.push(volume);
    this.openInterest?.push(openInterest);
  }

  rows(): MinuteRows {
    return {
      minute: Int32Array.from(this.minute),
      open: Int32Array.from(this.open),
      high: Int32Array.from(this.high),
      low: Int32Array.from(this.low),
      close: Int32Array.from(this.close),
      volume: Float64Array.from(this.volume),
      openInterest: this.openInterest && Float64Array.from(this.openInterest),
    };
  }
}
