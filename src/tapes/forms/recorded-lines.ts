/**
 * The lines of one recorded day of an instrument, gathered into columns: figures of minutes, quotes and prints. Times
 * never go back, and every number is checked.
 */
import { NO_PRINT } from '../../base/market/recording-form.ts';
import type { IstDay } from '../../base/time.ts';
import type { OfficialPrices, RecordedModel, RecordedTickDay } from '../../market/recorded/recorded-days.ts';
import type { Series } from '../collector.ts';
import { MOST_PAISE, MOST_UNITS } from '../numbers.ts';
import { TapeFault } from '../tape-fault.ts';

const LAST_SECOND = 86_399;
const MINUTES = 1_440;
/** Rows of a day: some of each second. */
const MOST_ROWS = 8_000_000;

/** The head of a day. */
export interface RecordedHead {
  readonly series: Series;
  readonly day: IstDay;
  readonly lot: number;
  readonly official: OfficialPrices;
  readonly model: Omit<RecordedModel, 'minutes'>;
}

export class RecordedLines {
  readonly series: Series;
  private readonly head: RecordedHead;
  private readonly seconds: number[] = [];
  private readonly prices: number[] = [];
  private readonly quantities: number[] = [];
  private readonly bids: number[] = [];
  private readonly asks: number[] = [];
  private readonly interests: number[] = [];
  private readonly bought: number[] = [];
  /** Minute, fair value, low, high, near low, near high. */
  private readonly minutes: readonly number[][] = [[], [], [], [], [], []];
  private bid = 0;
  private ask = 0;
  private prints = 0;

  constructor(head: RecordedHead) {
    this.series = head.series;
    this.head = head;
  }

  /** Adds a line. Throws `TapeFault` with its place. */
  add(cells: readonly unknown[], place: string): void {
    const [kind, ...rest] = cells;
    const fault = (): TapeFault => new TapeFault(`${place}: ${JSON.stringify(cells).slice(0, 120)} cannot be read`);
    if (this.seconds.length >= MOST_ROWS) throw new TapeFault(`${place}: a day has at most ${MOST_ROWS} lines`);
    if (kind === 'p') this.print(rest, fault);
    else if (kind === 'q') this.quote(rest, fault);
    else if (kind === 'm') this.minute(rest, fault);
    else throw fault();
  }

  /** The day, and how many prints it has. */
  finished(): { readonly day: RecordedTickDay; readonly rows: number } {
    const { head, seconds, bids } = this;
    const { day, lot, official, model } = head;
    const [minute = [], fair = [], low = [], high = [], nearLow = [], nearHigh = []] = this.minutes;
    const none = new Float64Array(seconds.length);
    const ticks = {
      second: Int32Array.from(seconds),
      price: Int32Array.from(this.prices),
      quantity: Float64Array.from(this.quantities),
      quotes: bids.some((bid, row) => bid > 0 || (this.asks[row] as number) > 0)
        ? { bid: Int32Array.from(bids), bidQuantity: none, ask: Int32Array.from(this.asks), askQuantity: none }
        : undefined,
      openInterest: Float64Array.from(this.interests),
      bought: Int32Array.from(this.bought),
    };
    const minutes = {
      minute: Float64Array.from(minute),
      fair: Float64Array.from(fair),
      low: Float64Array.from(low),
      high: Float64Array.from(high),
      nearLow: Float64Array.from(nearLow),
      nearHigh: Float64Array.from(nearHigh),
    };
    return { day: { kind: 'ticks', day, lot, official, ticks, model: { ...model, minutes } }, rows: this.prints };
  }

  private print([second, price, units, side, openInterest]: readonly unknown[], fault: () => TapeFault): void {
    const known = whole(price, 1, MOST_PAISE) && whole(units, 0, MOST_UNITS);
    if (!known || !whole(openInterest, 0, MOST_UNITS) || (side !== 'B' && side !== 'S')) throw fault();
    this.row(second, price, units, side === 'B' ? 1 : 0, openInterest, fault);
    this.prints += 1;
  }

  private quote([second, bid, ask]: readonly unknown[], fault: () => TapeFault): void {
    if (!whole(bid, 0, MOST_PAISE) || !whole(ask, 0, MOST_PAISE) || ask <= bid) throw fault();
    this.bid = bid;
    this.ask = ask;
    const price = this.prices.at(-1) ?? ask;
    this.row(second, price, 0, NO_PRINT, this.interests.at(-1) ?? 0, fault);
  }

  private row(second: unknown, price: number, units: number, bought: number, interest: number, fault: () => TapeFault) {
    if (!whole(second, this.seconds.at(-1) ?? 0, LAST_SECOND)) throw fault();
    this.seconds.push(second);
    this.prices.push(price);
    this.quantities.push(units);
    this.bids.push(this.bid);
    this.asks.push(this.ask);
    this.interests.push(interest);
    this.bought.push(bought);
  }

  private minute(figures: readonly unknown[], fault: () => TapeFault): void {
    const [minute] = figures;
    if (!whole(minute, (this.minutes[0]?.at(-1) ?? -1) + 1, MINUTES) || figures.length !== this.minutes.length) {
      throw fault();
    }
    for (const [place, figure] of figures.entries()) {
      if (typeof figure !== 'number' || !Number.isFinite(figure)) throw fault();
      this.minutes[place]?.push(figure);
    }
  }
}

function whole(value: unknown, least: number, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}
