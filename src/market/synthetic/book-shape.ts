import { type Price, type Quantity, ZERO_QUANTITY } from '../../base/money.ts';
import { hashWords, mix } from '../../base/random.ts';
import type { Depth, DepthLevel, PriceBand } from '../../core/market.ts';
import type { Side } from '../../core/order.ts';
import { hashAt } from './draws.ts';
import { secondsOfDay } from './instants.ts';
import type { TradedDay } from './listed.ts';

/** Levels a side. */
export const LEVELS = 20;
/** A level is renewed every so many seconds at least and at most, each price in its own rhythm. */
const SHORTEST_LIFE = 5;
const LIVES = 26;
const LONGEST_LIFE = SHORTEST_LIFE + LIVES - 1;
/** A level's quantity against an ordinary one's: at least, and the range above that. */
const LEAST = 0.3;
const RANGE = 1.4;
/** A level this many gaps behind the touch is twice as thick as the touch; it grows no further beyond LEVELS. */
const TWICE_AS_THICK = 6;
const MOST_ORDERS = 24;

/**
 * The market's own book of one instrument at one second: which prices hold orders, how much, and since when. A level is renewed when
 * its life ends, and when its price joins the side anew; between the two its quantity stays.
 */
export class BookShape {
  private readonly traded: TradedDay;
  private readonly second: number;
  private readonly tick: Price;
  private readonly lot: Quantity;
  private readonly seed: number;
  private readonly lowest: number;
  private readonly highest: number;
  private readonly width: number;
  /** Best bids, and minus the best asks, of this second and those before it in which a level may have begun. */
  private readonly bids = new Int32Array(LONGEST_LIFE);
  private readonly asks = new Int32Array(LONGEST_LIFE);
  private readonly reach: number;

  constructor(traded: TradedDay, second: number, band: PriceBand) {
    const { tape } = traded;
    this.traded = traded;
    this.second = second;
    this.tick = tape.terms.tick;
    this.lot = tape.terms.lot;
    this.seed = mix(tape.terms.seed, 3);
    this.lowest = Math.max(1, Math.ceil(band.lower / this.tick));
    this.highest = Math.floor(band.upper / this.tick);
    this.reach = Math.min(LONGEST_LIFE, second - tape.open + 1);
    for (let back = 0; back < this.reach; back += 1) {
      const bid = tape.bid(second - back);
      this.bids[back] = bid;
      this.asks[back] = -(bid + tape.width(second - back));
    }
    this.width = tape.width(second);
  }

  /** The displayed levels, best first. */
  depth(): Depth {
    return { bids: this.levels('B'), asks: this.levels('S') };
  }

  /** The units at a price of a side, displayed or deeper; 0 across the touch, off the grid and outside the band. */
  quantityAt(side: Side, price: Price): Quantity {
    const ticks = price / this.tick;
    if (!Number.isInteger(ticks) || !this.holds(side, ticks)) return ZERO_QUANTITY;
    return this.quantity(side, ticks, this.renewedBack(side, ticks));
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
    const back = this.renewedBack(side, ticks);
    const quantity = this.quantity(side, ticks, back);
    const lots = quantity / this.lot;
    const most = lots < MOST_ORDERS ? lots : MOST_ORDERS;
    const generation = this.generation(back);
    const orders = 1 + (hashWords(this.seed, ticks, generation, 1) % most);
    return { price: (ticks * this.tick) as Price, quantity, orders, generation };
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

  /** The second that a level of `back` seconds ago was renewed in, counted from 1970: another number for each renewal. */
  private generation(back: number): number {
    return secondsOfDay(this.traded.tape.day) + this.second - back;
  }

  /** How many seconds ago the level began: at the end of its last life, or when its price last joined the side. */
  private renewedBack(side: Side, ticks: number): number {
    const rhythm = hashAt(this.seed, side === 'B' ? ticks : -ticks);
    const life = SHORTEST_LIFE + (rhythm % LIVES);
    const age = (secondsOfDay(this.traded.tape.day) + this.second + (rhythm >>> 8)) % life;
    const oldest = age < this.reach ? age : this.reach - 1;
    const touches = side === 'B' ? this.bids : this.asks;
    const level = side === 'B' ? ticks : -ticks;
    let back = 0;
    while (back < oldest && (touches[back + 1] as number) >= level) back += 1;
    return back;
  }

  private quantity(side: Side, ticks: number, back: number): Quantity {
    const { depthLots, gap } = this.traded.liquidity;
    const touch = side === 'B' ? (this.bids[back] as number) - ticks : ticks + (this.asks[back] as number);
    const behind = Math.min(Math.max(touch, 0) / gap, LEVELS);
    const draw = hashWords(this.seed, side === 'B' ? ticks : -ticks, this.generation(back)) / 4_294_967_296;
    const lots = 1 + Math.floor(depthLots * (LEAST + RANGE * draw) * (1 + behind / TWICE_AS_THICK));
    return (lots * this.lot) as Quantity;
  }
}
