/**
 * The market's own book of an instrument at one second. It is found from the tape alone; orders of users are in the
 * book of the exchange. The levels are in `book-side.ts`.
 */
import { type Price, type Quantity, ZERO_QUANTITY } from '../../../base/money.ts';
import { mix } from '../../../base/random.ts';
import { tickOf } from '../../../base/tick.ts';
import type { IstDay } from '../../../base/time.ts';
import type { Depth, PriceBand } from '../../../core/market.ts';
import type { Side } from '../../../core/order.ts';
import type { MarketBook } from '../../listing.ts';
import { BookSide, LEVELS, LONGEST_LIFE, type SideMoment, type TouchUnits } from './book-side.ts';
import type { Liquidity } from './liquidity.ts';

/** The part of a tape that its book is made from. */
export interface BookedTape {
  readonly day: IstDay;
  readonly seed: number;
  readonly open: number;
  /**
   * The touch at a second and at those before it: best bids in ticks of the book (0 when nobody bids) and minus the
   * best asks, latest first.
   */
  touches(second: number, count: number, bids: Int32Array, asks: Int32Array): void;
  /** The units at the touch of a side, and since which second, where they are known. */
  unitsAtTouch?(second: number, side: Side): TouchUnits | undefined;
}

/** The day of which a book is a moment. Its prices are multiples of `tick`, its quantities of `lot`. */
export interface BookedDay {
  readonly tape: BookedTape;
  readonly liquidity: Liquidity;
  readonly tick: Price;
  readonly lot: Quantity;
}

/** Room for the touches of the seconds that a book is moved on by. */
const BIDS = new Int32Array(LONGEST_LIFE);
const ASKS = new Int32Array(LONGEST_LIFE);

/** The market's own book of one instrument at one second. */
class BookShape implements MarketBook, SideMoment {
  private traded: BookedDay;
  liquidity: Liquidity;
  tick: Price;
  lot: Quantity;
  seed = 0;
  now = 0;
  second = 0;
  reach = 0;
  lowest = 0;
  highest = 0;
  private readonly bids: BookSide;
  private readonly asks: BookSide;

  constructor(traded: BookedDay, second: number, band: PriceBand, isOption: boolean) {
    this.traded = traded;
    this.liquidity = traded.liquidity;
    this.tick = traded.tick;
    this.lot = traded.lot;
    this.bids = new BookSide(true, isOption);
    this.asks = new BookSide(false, isOption);
    this.stand(traded, second, band);
  }

  /** Makes this the book of another second of the same instrument, in the same memory. */
  stand(traded: BookedDay, second: number, band: PriceBand): void {
    const { tape } = traded;
    const passed = second - this.second;
    const goesOn = this.reach > 0 && traded === this.traded && passed >= 0 && passed < LONGEST_LIFE;
    this.traded = traded;
    this.liquidity = traded.liquidity;
    this.now = tickOf(tape.day, second);
    this.tick = traded.tick;
    this.lot = traded.lot;
    this.second = second;
    this.seed = mix(tape.seed, 3);
    this.lowest = Math.max(1, Math.ceil(band.lower / this.tick));
    this.highest = Math.floor(band.upper / this.tick);
    this.reach = Math.min(LONGEST_LIFE, second - tape.open + 1);
    if (!goesOn) this.forget();
    this.pass(goesOn ? passed : this.reach);
  }

  depth(most = LEVELS): Depth {
    const bids = this.bids.levels(this, this.recorded('B'), most);
    const asks = this.asks.levels(this, this.recorded('S'), most);
    return { bids, asks, bidUnits: this.bids.units, askUnits: this.asks.units };
  }

  quantityAt(side: Side, price: Price): Quantity {
    const ticks = price / this.tick;
    if (!Number.isInteger(ticks) || !this.holds(side, ticks)) return ZERO_QUANTITY;
    const known = ticks === this.touch(side) ? this.recorded(side) : undefined;
    return (known?.units ?? (side === 'B' ? this.bids : this.asks).unitsAt(this, ticks)) as Quantity;
  }

  private forget(): void {
    this.bids.forget();
    this.asks.forget();
  }

  /** Takes the touches of the last seconds. */
  private pass(seconds: number): void {
    this.traded.tape.touches(this.second, seconds, BIDS, ASKS);
    this.bids.pass(this.second, BIDS, seconds);
    this.asks.pass(this.second, ASKS, seconds);
  }

  /** The recorded units at the touch. */
  private recorded(side: Side): TouchUnits | undefined {
    return this.traded.tape.unitsAtTouch?.(this.second, side);
  }

  /** A price holds orders when it is on its side of the touch, in the band, and on the grid or at the touch. */
  private holds(side: Side, ticks: number): boolean {
    if (ticks < this.lowest || ticks > this.highest) return false;
    const touch = this.touch(side);
    const edge = side === 'B' ? Math.min(touch, this.highest) : Math.max(touch, this.lowest);
    if (side === 'B' ? ticks > edge : ticks < edge) return false;
    return ticks === edge || ticks % this.liquidity.gap === 0;
  }

  private touch(side: Side): number {
    return (side === 'B' ? this.bids : this.asks).touch(this.second);
  }
}

/** The moment that a book stands for. */
interface BookMoment {
  readonly traded: BookedDay;
  readonly second: number;
  readonly band: PriceBand;
  readonly isOption: boolean;
}

/** The book at a second, in the memory of an earlier one of the same instrument where there is one. */
export function bookAt({ traded, second, band, isOption }: BookMoment, before: MarketBook | undefined): MarketBook {
  if (!(before instanceof BookShape)) return new BookShape(traded, second, band, isOption);
  before.stand(traded, second, band);
  return before;
}
