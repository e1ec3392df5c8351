/**
 * The market's own book of an instrument at one second: its levels, their quantities and how long each has stood. It is
 * found from the tape alone; orders of users are in the book of the exchange.
 */
import { type Price, type Quantity, ZERO_QUANTITY } from '../../../base/money.ts';
import { finish, hashAt, hashWords, mix, unitOf } from '../../../base/random.ts';
import { tickOf } from '../../../base/tick.ts';
import type { IstDay } from '../../../base/time.ts';
import type { Depth, DepthLevel, PriceBand } from '../../../core/market.ts';
import type { Side } from '../../../core/order.ts';
import type { MarketBook } from '../../listing.ts';
import { exp } from '../../options/elementary.ts';
import { normalOf } from '../paths/draws.ts';
import type { Liquidity } from './liquidity.ts';

/** Levels a side. */
export const LEVELS = 20;
/** The shortest and the longest life of a level in seconds; each price has its own rhythm. */
const SHORTEST_LIFE = 5;
const LIVES = 26;
const LONGEST_LIFE = SHORTEST_LIFE + LIVES - 1;
/**
 * A level's quantity against an ordinary one's: the deviation of its logarithm, in a book and in that of an option that
 * is nearly worthless.
 */
const SPREAD = 0.7;
const CHEAP_SPREAD = 2.2;
const QUANTITY_BITS = 20;
const QUANTITIES = quantities(SPREAD);
const CHEAP_QUANTITIES = quantities(CHEAP_SPREAD);
/**
 * Cheap options are offered in very large quantities. Below this price in paise a level is deeper the cheaper the
 * option is.
 */
const CHEAP_PAISE = 490;
const MOST_DEEPER = 60;
/** A level this many gaps behind the touch is twice as thick as the touch; it grows no further beyond LEVELS. */
const TWICE_AS_THICK = 6;
/**
 * Quantities are multiples of one of these lots, each as likely as it stands here, where they are at least this many
 * times as large.
 */
const ROUND_LOTS = [1, 1, 1, 5, 10, 25, 50, 100] as const;
const ROUND_ROOM = 2;

/** The part of a tape that its book is made from. */
export interface BookedTape {
  readonly day: IstDay;
  readonly seed: number;
  readonly open: number;
  /**
   * The touch at a second and at those before it: best bids in ticks of the book (0 when nobody bids) and minus the
   * best asks, latest first. Returns the width of the touch in ticks at the second itself.
   */
  touches(second: number, count: number, bids: Int32Array, asks: Int32Array): number;
  /** The units at the touch of a side, and since which second, where they are known. */
  unitsAtTouch?(second: number, side: Side): TouchUnits | undefined;
}

/** The units at a touch that a record has. */
export interface TouchUnits {
  readonly units: number;
  readonly since: number;
}

/** The day of which a book is a moment. Its prices are multiples of `tick`, its quantities of `lot`. */
export interface BookedDay {
  readonly tape: BookedTape;
  readonly liquidity: Liquidity;
  readonly tick: Price;
  readonly lot: Quantity;
}

/**
 * The market's own book of one instrument at one second. A level is renewed when its life ends, and when its price
 * joins the side again; between the two its quantity stays.
 */
class BookShape implements MarketBook {
  private traded: BookedDay;
  /** The second counted from 1970. */
  private now = 0;
  /** Of the day. */
  private second = 0;
  private tick: Price;
  private lot: Quantity;
  private seed = 0;
  private lowest = 0;
  private highest = 0;
  private width = 1;
  /** Best bids, and minus the best asks, of this second and those before it in which a level may have begun. */
  private readonly bids = new Int32Array(LONGEST_LIFE);
  private readonly asks = new Int32Array(LONGEST_LIFE);
  /** The least of each from this second back to another. */
  private readonly lowBids = new Int32Array(LONGEST_LIFE);
  private readonly lowAsks = new Int32Array(LONGEST_LIFE);
  private reach = 0;
  private readonly isOption: boolean;

  constructor(traded: BookedDay, second: number, band: PriceBand, isOption: boolean) {
    this.isOption = isOption;
    this.traded = traded;
    this.tick = traded.tick;
    this.lot = traded.lot;
    this.stand(traded, second, band);
  }

  /** Makes this the book of another second of the same instrument, in the same memory. */
  stand(traded: BookedDay, second: number, band: PriceBand): void {
    const { tape } = traded;
    this.traded = traded;
    this.now = tickOf(tape.day, second);
    this.tick = traded.tick;
    this.lot = traded.lot;
    this.second = second;
    this.seed = mix(tape.seed, 3);
    this.lowest = Math.max(1, Math.ceil(band.lower / this.tick));
    this.highest = Math.floor(band.upper / this.tick);
    this.reach = Math.min(LONGEST_LIFE, second - tape.open + 1);
    this.width = tape.touches(second, this.reach, this.bids, this.asks);
    least(this.bids, this.lowBids, this.reach);
    least(this.asks, this.lowAsks, this.reach);
  }

  depth(): Depth {
    return { bids: this.levels('B'), asks: this.levels('S') };
  }

  quantityAt(side: Side, price: Price): Quantity {
    const ticks = price / this.tick;
    if (!Number.isInteger(ticks) || !this.holds(side, ticks)) return ZERO_QUANTITY;
    const known = this.recordedAt(side, ticks);
    if (known !== undefined) return known.units as Quantity;
    const back = this.renewedBack(side, ticks);
    return (this.lots(side, ticks, back, this.draw(side, ticks, back)) * this.lot) as Quantity;
  }

  private levels(side: Side): DepthLevel[] {
    const levels: DepthLevel[] = [];
    const { gap } = this.traded.liquidity;
    const step = side === 'B' ? -1 : 1;
    let ticks = this.touch(side);
    if (side === 'B' && ticks > this.highest) ticks = this.highest;
    if (side === 'S' && ticks < this.lowest) ticks = this.lowest;
    while (levels.length < LEVELS && ticks >= this.lowest && ticks <= this.highest) {
      levels.push(this.level(side, ticks));
      ticks = step < 0 ? (Math.ceil(ticks / gap) - 1) * gap : (Math.floor(ticks / gap) + 1) * gap;
    }
    return levels;
  }

  private level(side: Side, ticks: number): DepthLevel {
    const known = this.recordedAt(side, ticks);
    if (known !== undefined) return this.recordedLevel(ticks, known);
    const back = this.renewedBack(side, ticks);
    const draw = this.draw(side, ticks, back);
    const lots = this.lots(side, ticks, back, draw);
    const orders = Math.min(1 + Math.floor((lots * unitOf(finish(draw))) / this.traded.liquidity.orderLots), lots);
    return {
      price: (ticks * this.tick) as Price,
      quantity: (lots * this.lot) as Quantity,
      orders,
      generation: this.now - back,
    };
  }

  /** The recorded units at the touch, where this is its price. */
  private recordedAt(side: Side, ticks: number): TouchUnits | undefined {
    return ticks === this.touch(side) ? this.traded.tape.unitsAtTouch?.(this.second, side) : undefined;
  }

  private recordedLevel(ticks: number, { units, since }: TouchUnits): DepthLevel {
    const { orderLots } = this.traded.liquidity;
    return {
      price: (ticks * this.tick) as Price,
      quantity: units as Quantity,
      orders: Math.max(1, Math.round(units / (orderLots * this.lot))),
      generation: this.now - this.second + since,
    };
  }

  /** A price holds orders when it is on its side of the touch, in the band, and on the grid or at the touch. */
  private holds(side: Side, ticks: number): boolean {
    if (ticks < this.lowest || ticks > this.highest) return false;
    const touch = this.touch(side);
    const edge = side === 'B' ? Math.min(touch, this.highest) : Math.max(touch, this.lowest);
    if (side === 'B' ? ticks > edge : ticks < edge) return false;
    return ticks === edge || ticks % this.traded.liquidity.gap === 0;
  }

  private touch(side: Side): number {
    const bid = this.bids[0] as number;
    return side === 'B' ? bid : bid + this.width;
  }

  /** How many seconds ago the level began: at the end of its last life, or when its price last joined the side. */
  private renewedBack(side: Side, ticks: number): number {
    const level = side === 'B' ? ticks : -ticks;
    const rhythm = hashAt(this.seed, level);
    const life = SHORTEST_LIFE + (rhythm % LIVES);
    const age = (this.now + (rhythm >>> 8)) % life;
    const oldest = age < this.reach ? age : this.reach - 1;
    const lows = side === 'B' ? this.lowBids : this.lowAsks;
    if ((lows[oldest] as number) >= level) return oldest;
    let back = 0;
    while ((lows[back + 1] as number) >= level) back += 1;
    return back;
  }

  /** A hash of the level as it was renewed. */
  private draw(side: Side, ticks: number, back: number): number {
    return hashWords(this.seed, side === 'B' ? ticks : -ticks, this.now - back);
  }

  /** More behind the touch than at it; measured from the touch of when the level began. */
  private lots(side: Side, ticks: number, back: number, draw: number): number {
    const { depthLots, gap } = this.traded.liquidity;
    const distance = side === 'B' ? (this.bids[back] as number) - ticks : ticks + (this.asks[back] as number);
    const behind = Math.min(distance / gap, LEVELS);
    const deeper = this.deeper(ticks);
    const size = (deeper > 1 ? CHEAP_QUANTITIES : QUANTITIES)[draw >>> QUANTITY_BITS] as number;
    return rounded(1 + Math.floor(depthLots * deeper * size * (1 + behind / TWICE_AS_THICK)), draw);
  }

  /** How many times as deep as others a level of an option is at a low price. */
  private deeper(ticks: number): number {
    const price = ticks * this.tick;
    if (!this.isOption || price >= CHEAP_PAISE) return 1;
    return Math.min(CHEAP_PAISE / price, MOST_DEEPER);
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

/** Equally likely quantities, half of them below 1, whose logarithms are normal. */
function quantities(spread: number): Float64Array {
  return Float64Array.from({ length: 4_096 }, (_, i) => exp(spread * normalOf(i << QUANTITY_BITS)));
}

/** Lots as people offer them: often round. */
function rounded(lots: number, draw: number): number {
  const round = ROUND_LOTS[draw % ROUND_LOTS.length] as number;
  return round * ROUND_ROOM <= lots ? lots - (lots % round) : lots;
}

/** The running least of `count` values. */
function least(values: Int32Array, into: Int32Array, count: number): void {
  let low = values[0] as number;
  for (let i = 0; i < count; i += 1) {
    const value = values[i] as number;
    if (value < low) low = value;
    into[i] = low;
  }
}
