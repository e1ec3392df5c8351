/**
 * Prints of a day that was recorded as candles: each minute's are drawn from (seed, instrument, minute) and tied to its
 * candle. How many there are and how large follows the candle's volume.
 */
import { unitOf } from '../../base/random.ts';
import { MINUTE_SECONDS, MINUTES_IN_DAY, type MinuteFold } from '../day-tape.ts';
import { drawOf } from '../synthetic/paths/draws.ts';
import { type MinuteRows, shared } from './minute-rows.ts';
import type { DayPrints, PrintRun } from './print-run.ts';
import { fillTiedPath, pricesNeeded } from './tied-path.ts';

/** The inputs of the prints of a day of candles. */
export interface CandlePrintTerms {
  readonly rows: MinuteRows;
  /** Of the instrument and the day. */
  readonly seed: number;
  /** Units of a lot; 0 for an index, which prints in every second. */
  readonly lot: number;
  /** Units of an ordinary trade. */
  readonly orderUnits: number;
  /** The first second of continuous trading: the first print of the day stands there, if its minute begins there. */
  readonly opensAt: number;
}

/** Draws of a minute, each kind of its own stream. */
const PATH = 1;
const SECONDS = 2;
const SIZES = 3;
const SIDES = 4;

/** Minutes whose prints are kept: a book looks back over half a minute, and a print back to the one before it. */
const KEPT_MINUTES = 4;

interface KeptRun extends PrintRun {
  row: number;
  to: number;
}

export class CandlePrints implements DayPrints {
  readonly first: number;
  readonly end: number;
  readonly units: number;
  readonly open: number;
  private readonly terms: CandlePrintTerms;
  /** The number of rows before each minute. */
  private readonly rowsBefore: Int16Array;
  private readonly before: Float64Array;
  private readonly kept: KeptRun[] = [];
  private next = 0;

  /** The rows are one at least. */
  constructor(terms: CandlePrintTerms) {
    const { minute, volume, open } = terms.rows;
    const count = minute.length;
    this.terms = terms;
    this.first = minute[0] as number;
    this.end = (minute[count - 1] as number) + 1;
    this.open = open[0] as number;
    this.before = new Float64Array(count + 1);
    for (let row = 0; row < count; row += 1) {
      this.before[row + 1] = (this.before[row] as number) + (volume[row] as number);
    }
    this.units = this.before[count] as number;
    this.rowsBefore = new Int16Array(MINUTES_IN_DAY + 1).fill(count);
    for (let row = count - 1, at = MINUTES_IN_DAY; row >= 0; row -= 1) {
      for (; at > (minute[row] as number); at -= 1) this.rowsBefore[at] = row + 1;
      if (row === 0) this.rowsBefore.fill(0, 0, at + 1);
    }
  }

  has(minute: number): boolean {
    return this.rowOf(minute) >= 0;
  }

  unitsBefore(minute: number): number {
    return this.before[this.countBefore(minute)] as number;
  }

  minuteBefore(minute: number): number {
    const count = this.countBefore(minute);
    return count === 0 ? -1 : (this.terms.rows.minute[count - 1] as number);
  }

  closeBefore(minute: number): number {
    const count = this.countBefore(minute);
    return count === 0 ? 0 : (this.terms.rows.close[count - 1] as number);
  }

  fold(minute: number, out: MinuteFold): void {
    const { open, high, low, close } = this.terms.rows;
    const row = this.rowOf(minute);
    out.prints = 1;
    out.open = open[row] as number;
    out.high = high[row] as number;
    out.low = low[row] as number;
    out.close = close[row] as number;
  }

  /** The open interest of the last minute that is over. */
  openInterestAt(second: number): number | undefined {
    const { openInterest } = this.terms.rows;
    if (openInterest === undefined) return undefined;
    const count = this.countBefore(Math.floor((second + 1) / MINUTE_SECONDS));
    return openInterest[Math.max(count - 1, 0)];
  }

  quoteAt(): undefined {
    return undefined;
  }

  run(minute: number): PrintRun {
    const row = this.rowOf(minute);
    const known = this.kept.find((run) => run.row === row);
    if (known !== undefined) return known;
    const run = this.kept[this.next] ?? emptyRun();
    this.kept[this.next] = run;
    this.next = (this.next + 1) % KEPT_MINUTES;
    this.draw(row, run);
    return run;
  }

  private countBefore(minute: number): number {
    return this.rowsBefore[Math.min(Math.max(minute, 0), MINUTES_IN_DAY)] as number;
  }

  /** -1 where the minute has no candle. */
  private rowOf(minute: number): number {
    const row = this.countBefore(minute);
    return this.terms.rows.minute[row] === minute ? row : -1;
  }

  private draw(row: number, run: KeptRun): void {
    run.row = row;
    run.to = 0;
    if (row < 0) return;
    const { rows, lot, seed } = this.terms;
    const minute = rows.minute[row] as number;
    const candle = {
      open: rows.open[row] as number,
      high: rows.high[row] as number,
      low: rows.low[row] as number,
      close: rows.close[row] as number,
    };
    const volume = rows.volume[row] as number;
    const own = drawOf(seed, minute);
    const needed = pricesNeeded(candle);
    const lots = lot === 0 ? MINUTE_SECONDS : Math.floor(volume / lot);
    const count = this.countOf(volume, lots, needed);
    run.to = count;
    fillTiedPath(candle, count, drawOf(own, PATH), run.ticks);
    // Prints without a unit of their own share the second of one that has units, so that no second is without volume.
    const carriers = volume === 0 || lots >= count ? count : Math.max(lots, 1);
    this.fillSeconds(minute, carriers, count, drawOf(own, SECONDS), run.seconds);
    const parts = shared(volume, Math.max(lot, 1), carriers, drawOf(own, SIZES));
    this.fillUnits(row, parts, count, run.unitsBefore);
    fillSides(drawOf(own, SIDES), run);
  }

  /** How many prints a minute has: the busier, the nearer to one a second, and as many as its prices need. */
  private countOf(volume: number, lots: number, needed: number): number {
    if (this.terms.lot === 0) return Math.max(needed, MINUTE_SECONDS);
    if (volume === 0) return needed;
    const trades = volume / this.terms.orderUnits;
    const busy = Math.ceil((MINUTE_SECONDS * trades) / (MINUTE_SECONDS + trades));
    return Math.max(needed, Math.min(busy, lots, MINUTE_SECONDS));
  }

  /** Draws `carriers` seconds of a minute, and gives each print one of them, in order. */
  private fillSeconds(minute: number, carriers: number, count: number, seed: number, seconds: Int32Array): void {
    const start = minute * MINUTE_SECONDS;
    const opens = minute === this.first && start === this.terms.opensAt;
    let drawn = 0;
    let print = 0;
    for (let second = 0; second < MINUTE_SECONDS && drawn < carriers; second += 1) {
      const left = MINUTE_SECONDS - second;
      const isIn = unitOf(drawOf(seed, second)) * left < carriers - drawn || (opens && second === 0);
      if (!isIn) continue;
      drawn += 1;
      for (; print < carriedBy(drawn, carriers, count); print += 1) seconds[print] = start + second;
    }
  }

  /** The last print of each second carries its units. */
  private fillUnits(row: number, parts: Float64Array, count: number, unitsBefore: Float64Array): void {
    let units = this.before[row] as number;
    let carrier = 0;
    for (let print = 0; print < count; print += 1) {
      unitsBefore[print] = units;
      if (print + 1 < carriedBy(carrier + 1, parts.length, count)) continue;
      units += parts[carrier] as number;
      carrier += 1;
    }
    unitsBefore[count] = this.before[row + 1] as number;
  }
}

/** The number of prints in the first `carriers` of all seconds with prints. */
function carriedBy(carriers: number, all: number, count: number): number {
  return Math.floor((carriers * count) / all);
}

/** A rise was bought and a fall was sold; of equal prices a hash decides. */
function fillSides(seed: number, { to, ticks, bought }: KeptRun): void {
  for (let print = 0; print < to; print += 1) {
    const here = ticks[print] as number;
    const before = print === 0 ? here : (ticks[print - 1] as number);
    bought[print] = here === before ? drawOf(seed, print) & 1 : here > before ? 1 : 0;
  }
}

function emptyRun(): KeptRun {
  return {
    row: -2,
    from: 0,
    to: 0,
    seconds: new Int32Array(MINUTE_SECONDS),
    ticks: new Int32Array(MINUTE_SECONDS),
    unitsBefore: new Float64Array(MINUTE_SECONDS + 1),
    bought: new Uint8Array(MINUTE_SECONDS),
  };
}
