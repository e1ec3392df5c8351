/**
 * The touch around recorded prints, second by second: the recorded one where it is known, else a spread of the
 * liquidity model at the last print, which nothing of the future moves.
 */
import type { Price } from '../../base/money.ts';
import type { Side } from '../../core/order.ts';
import { type Bounds, MINUTE_SECONDS } from '../day-tape.ts';
import type { TouchUnits } from '../synthetic/trades/book-side.ts';
import { type DayPrints, type PrintRun, placeAfter } from './print-run.ts';

/** The inputs of a day's touch, as `RecordedTapeTerms` has them. */
export interface TouchTerms {
  readonly tick: Price;
  readonly grid: Price;
  readonly prints: DayPrints;
  readonly before: number;
  readonly spreadShare: number;
}

/** Minutes kept: a book looks back over half a minute. */
const KEPT_MINUTES = 3;

/** The touch of each second of a minute, in ticks of the grid. */
interface MinuteTouch {
  minute: number;
  readonly bids: Int32Array;
  readonly asks: Int32Array;
}

/** A touch in ticks of the grid; bid 0 when nobody bids. */
interface Touch {
  readonly bid: number;
  readonly ask: number;
}

export class RecordedTouch {
  private readonly terms: TouchTerms;
  private readonly kept: MinuteTouch[] = [];
  private next = 0;
  private bounded: { readonly minute: number; readonly bounds: Bounds } | undefined;

  constructor(terms: TouchTerms) {
    this.terms = terms;
  }

  /** As `BookedTape.touches`. */
  fill(second: number, count: number, bids: Int32Array, asks: Int32Array): void {
    for (let back = count - 1; back >= 0; back -= 1) {
      const at = second - back;
      const minute = Math.floor(at / MINUTE_SECONDS);
      const touch = this.minute(minute);
      const place = at - minute * MINUTE_SECONDS;
      bids[back] = touch.bids[place] as number;
      asks[back] = -(touch.asks[place] as number);
    }
  }

  /** The recorded units at the touch. */
  unitsAt(second: number, side: Side): TouchUnits | undefined {
    const quote = this.terms.prints.quoteAt(second);
    const units = side === 'B' ? quote?.bidUnits : quote?.askUnits;
    return quote === undefined || units === undefined || units === 0 ? undefined : { units, since: quote.since };
  }

  /** The range of the prints and the touches of a minute, in ticks of the tape. */
  bounds(minute: number): Bounds {
    if (this.bounded?.minute === minute) return this.bounded.bounds;
    const { grid, tick, prints } = this.terms;
    const { bids, asks } = this.minute(minute);
    const scale = grid / tick;
    let high = 0;
    let low = Number.POSITIVE_INFINITY;
    for (let second = 0; second < MINUTE_SECONDS; second += 1) {
      high = Math.max(high, (asks[second] as number) * scale);
      low = Math.min(low, (bids[second] as number) * scale);
    }
    const { from, to, ticks } = prints.run(minute);
    for (let place = from; place < to; place += 1) {
      const here = ticks[place] as number;
      if (here > high) high = here;
      if (here < low) low = here;
    }
    const bounds = { high, low };
    this.bounded = { minute, bounds };
    return bounds;
  }

  /** The middle of the touch at a second, in paise. */
  middle(second: number): number {
    const minute = Math.floor(second / MINUTE_SECONDS);
    const { bids, asks } = this.minute(minute);
    const place = second - minute * MINUTE_SECONDS;
    return (((bids[place] as number) + (asks[place] as number)) * this.terms.grid) / 2;
  }

  private minute(minute: number): MinuteTouch {
    const known = this.kept.find((touch) => touch.minute === minute);
    if (known !== undefined) return known;
    const made = this.kept[this.next] ?? {
      minute,
      bids: new Int32Array(MINUTE_SECONDS),
      asks: new Int32Array(MINUTE_SECONDS),
    };
    this.kept[this.next] = made;
    this.next = (this.next + 1) % KEPT_MINUTES;
    made.minute = minute;
    this.make(minute, made);
    return made;
  }

  private make(minute: number, into: MinuteTouch): void {
    const { prints } = this.terms;
    const before = prints.minuteBefore(minute);
    const carried = before < 0 ? undefined : lastOf(prints.run(before));
    let touch = carried === undefined ? this.beforePrints() : this.around(carried.ticks, carried.bought);
    const run = prints.run(minute);
    const start = minute * MINUTE_SECONDS;
    let place = run.from;
    for (let second = 0; second < MINUTE_SECONDS; second += 1) {
      const until = placeAfter(run, start + second);
      if (until > place) touch = this.around(run.ticks[until - 1] as number, run.bought[until - 1] === 1);
      place = until;
      const shown = this.recorded(start + second, touch);
      into.bids[second] = shown.bid;
      into.asks[second] = shown.ask;
    }
  }

  /** The recorded touch, where there is one; a side without a quote stands a spread behind the other. */
  private recorded(second: number, drawn: Touch): Touch {
    const quote = this.terms.prints.quoteAt(second);
    if (quote === undefined || (quote.bid === 0 && quote.ask === 0)) return drawn;
    const { grid } = this.terms;
    const bid = Math.floor(quote.bid / grid);
    const ask = quote.ask === 0 ? bid + this.widthAt(quote.bid) : Math.ceil(quote.ask / grid);
    return { bid, ask: Math.max(ask, bid + 1) };
  }

  private beforePrints(): Touch {
    const { before, grid } = this.terms;
    const width = this.widthAt(before);
    const bid = Math.max(Math.floor(before / grid - width / 2 + 0.5), 0);
    return { bid, ask: bid + width };
  }

  /** A print that was bought is at the ask, one that was sold at the bid. */
  private around(ticks: number, bought: boolean): Touch {
    const { tick, grid } = this.terms;
    const price = ticks * tick;
    const width = this.widthAt(price);
    if (!bought) {
      const bid = Math.floor(price / grid);
      return { bid, ask: bid + width };
    }
    const ask = Math.max(Math.ceil(price / grid), 1);
    return { bid: Math.max(ask - width, 0), ask };
  }

  private widthAt(price: number): number {
    const { grid, spreadShare } = this.terms;
    return Math.max(1, Math.floor((price / grid) * spreadShare + 0.5));
  }
}

function lastOf({ to, ticks, bought }: PrintRun): { readonly ticks: number; readonly bought: boolean } {
  return { ticks: ticks[to - 1] as number, bought: bought[to - 1] === 1 };
}
