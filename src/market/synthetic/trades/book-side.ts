/**
 * One side of the market's own book of an instrument, second after second: its levels, their quantities and how long
 * each has stood. A level that goes on is not found again. `book-shape.ts` puts the two sides together.
 *
 * A price is written as a height here: its ticks on the side of bids, minus its ticks on the side of asks. So on both
 * sides a better price is a higher one.
 */
import type { Price, Quantity } from '../../../base/money.ts';
import { finish, hashAt, hashWords, unitOf } from '../../../base/random.ts';
import type { DepthLevel } from '../../../core/market.ts';
import { exp } from '../../options/elementary.ts';
import { normalOf } from '../paths/draws.ts';
import type { Liquidity } from './liquidity.ts';

/** Levels a side. */
export const LEVELS = 20;
/** The shortest and the longest life of a level in seconds; each price has its own rhythm. */
const SHORTEST_LIFE = 5;
const LIVES = 26;
export const LONGEST_LIFE = SHORTEST_LIFE + LIVES - 1;
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

/**
 * The memory of a side is one list of whole numbers. It begins with the touch of each of the last seconds, at the place
 * of its second; then come the heights of the levels that are known, the seconds in which they end, their lots, their
 * orders and the seconds in which they began. A level on the grid has the place of its height, which no other level of
 * a book has; one off the grid, as only the best one is, has a place behind those.
 */
const RING = 32;
const OFF_GRID = RING;
const PLACES = RING + 1;
const HEIGHTS = RING;
const ENDS = HEIGHTS + PLACES;
const LOTS = ENDS + PLACES;
const ORDERS = LOTS + PLACES;
const BEGINS = ORDERS + PLACES;
const ROOM = BEGINS + PLACES;
/** Below all heights: the place has no level. */
const NOTHING = -0x80000000;
/** A level with more lots than that is found again each time. */
const MOST_KEPT = 0x7fffffff;

/** The moment that a side stands for, and its terms. */
export interface SideMoment {
  readonly liquidity: Liquidity;
  /** Of the instrument, for its books. */
  readonly seed: number;
  /** The second counted from 1970, and of the day. */
  readonly now: number;
  readonly second: number;
  /** The number of seconds, this one included, in which a level may have begun. */
  readonly reach: number;
  /** In paise. */
  readonly tick: Price;
  readonly lot: Quantity;
  /** The price band in ticks. */
  readonly lowest: number;
  readonly highest: number;
}

/** The units at a touch that a record has. */
export interface TouchUnits {
  readonly units: number;
  readonly since: number;
}

/** A level before its price and its quantity are known. */
interface LevelNumbers extends Pick<DepthLevel, 'orders' | 'generation'> {
  readonly lots: number;
}

/** A level is renewed when its life ends, and when its price joins the side again; between the two it stays. */
export class BookSide {
  private readonly isBuy: boolean;
  private readonly isOption: boolean;
  private readonly numbers = new Int32Array(ROOM).fill(NOTHING);
  /** The known levels as they were last shown. Most levels end before they are. */
  private readonly shown = new Array<DepthLevel | undefined>(PLACES).fill(undefined);
  /** Units of all levels of the last `levels`. */
  units = 0;

  constructor(isBuy: boolean, isOption: boolean) {
    this.isBuy = isBuy;
    this.isOption = isOption;
  }

  /** Takes the touches of the last seconds, latest first. Levels that one of them lies behind have left the side. */
  pass(second: number, touches: Int32Array, count: number): void {
    const { numbers } = this;
    const before = this.touchAt(second + RING - count);
    let low = Number.POSITIVE_INFINITY;
    for (let back = 0; back < count; back += 1) {
      const touch = touches[back] as number;
      if (touch < low) low = touch;
      numbers[(second - back) % RING] = touch;
    }
    // No level that is known is above the touch before these.
    if (low < before) this.leave(low);
  }

  /** Forgets the levels above a touch. */
  private leave(touch: number): void {
    const { numbers } = this;
    for (let place = HEIGHTS; place < ENDS; place += 1) {
      if ((numbers[place] as number) > touch) numbers[place] = NOTHING;
    }
  }

  /** Forgets the levels, as of another day. */
  forget(): void {
    this.numbers.fill(NOTHING, HEIGHTS, ENDS);
  }

  /** The best price of the second, in ticks. */
  touch(second: number): number {
    return this.priceOf(this.touchAt(second));
  }

  /**
   * The displayed levels, best first, at most `most` of them. `recorded`: the units of the touch, where they are known.
   */
  levels(moment: SideMoment, recorded: TouchUnits | undefined, most: number): readonly DepthLevel[] {
    const { gap } = moment.liquidity;
    const touch = this.touchAt(moment.second);
    const lowest = this.isBuy ? moment.lowest : -moment.highest;
    const found = new Array<DepthLevel>(Math.min(most, LEVELS));
    let count = 0;
    this.units = 0;
    let height = Math.min(touch, this.isBuy ? moment.highest : -moment.lowest);
    // The best level may stand between two steps of the grid.
    let step = height / gap;
    for (; count < LEVELS && height >= lowest; count += 1) {
      if (recorded !== undefined && height === touch) found[count] = this.recordedLevel(moment, height, recorded);
      else {
        const place = (step | 0) === step ? step & (RING - 1) : OFF_GRID;
        this.meet(moment, height, place);
        if (count < most) found[count] = this.level(moment, height, place);
      }
      step = Math.ceil(step) - 1;
      height = step * gap;
    }
    if (count < found.length) found.length = count;
    return found;
  }

  /** Units at a price, in ticks, that the side holds. */
  unitsAt(moment: SideMoment, ticks: number): number {
    const height = this.priceOf(ticks);
    const back = this.renewedBack(moment, height, hashAt(moment.seed, height));
    return this.lots(moment, height, back, drawOf(moment, height, back)) * moment.lot;
  }

  /** Adds the units of the level at a height to those of all. The level is known then. */
  private meet(moment: SideMoment, height: number, place: number): void {
    const { numbers } = this;
    const isKnown = numbers[HEIGHTS + place] === height && (numbers[ENDS + place] as number) > moment.now;
    const lots = isKnown ? (numbers[LOTS + place] as number) : this.find(moment, height, place);
    this.units += lots * moment.lot;
  }

  /** Finds the level at a height. Returns its lots. */
  private find(moment: SideMoment, height: number, place: number): number {
    const { numbers } = this;
    const { now, seed, liquidity } = moment;
    const rhythm = hashAt(seed, height);
    const back = this.renewedBack(moment, height, rhythm);
    const draw = drawOf(moment, height, back);
    const lots = this.lots(moment, height, back, draw);
    const orders = Math.min(1 + Math.floor((lots * unitOf(finish(draw))) / liquidity.orderLots), lots);
    const isKept = lots <= MOST_KEPT;
    numbers[HEIGHTS + place] = isKept ? height : NOTHING;
    numbers[ENDS + place] = now + lifeOf(rhythm) - ageOf(rhythm, now);
    numbers[LOTS + place] = lots;
    numbers[ORDERS + place] = orders;
    numbers[BEGINS + place] = now - back;
    this.shown[place] = isKept ? undefined : this.levelOf(moment, height, { lots, orders, generation: now - back });
    return lots;
  }

  /** The known level at a height. */
  private level(moment: SideMoment, height: number, place: number): DepthLevel {
    const { numbers, shown } = this;
    const before = shown[place];
    if (before !== undefined) return before;
    const lots = numbers[LOTS + place] as number;
    const orders = numbers[ORDERS + place] as number;
    const generation = numbers[BEGINS + place] as number;
    const level = this.levelOf(moment, height, { lots, orders, generation });
    shown[place] = level;
    return level;
  }

  private levelOf({ tick, lot }: SideMoment, height: number, { lots, orders, generation }: LevelNumbers): DepthLevel {
    const price = (this.priceOf(height) * tick) as Price;
    return { price, quantity: (lots * lot) as Quantity, orders, generation };
  }

  private recordedLevel({ liquidity, lot, now, second, tick }: SideMoment, height: number, touch: TouchUnits) {
    this.units += touch.units;
    return {
      price: (this.priceOf(height) * tick) as Price,
      quantity: touch.units as Quantity,
      orders: Math.max(1, Math.round(touch.units / (liquidity.orderLots * lot))),
      generation: now - second + touch.since,
    };
  }

  private touchAt(second: number): number {
    return this.numbers[second % RING] as number;
  }

  /** The ticks of a height, and the height of ticks. */
  private priceOf(height: number): number {
    return this.isBuy ? height : -height;
  }

  /** How many seconds ago the level began: at the end of its last life, or when its price last joined the side. */
  private renewedBack({ now, second, reach }: SideMoment, height: number, rhythm: number): number {
    const age = ageOf(rhythm, now);
    const oldest = age < reach ? age : reach - 1;
    let back = 0;
    while (back < oldest && this.touchAt(second - back - 1) >= height) back += 1;
    return back;
  }

  /** More behind the touch than at it; measured from the touch of when the level began. */
  private lots({ liquidity, second, tick }: SideMoment, height: number, back: number, draw: number): number {
    const { depthLots, gap } = liquidity;
    const behind = Math.min((this.touchAt(second - back) - height) / gap, LEVELS);
    const deeper = this.deeper(this.priceOf(height) * tick);
    const size = (deeper > 1 ? CHEAP_QUANTITIES : QUANTITIES)[draw >>> QUANTITY_BITS] as number;
    return rounded(1 + Math.floor(depthLots * deeper * size * (1 + behind / TWICE_AS_THICK)), draw);
  }

  /** How many times as deep as others a level of an option is at a low price. */
  private deeper(price: number): number {
    if (!this.isOption || price >= CHEAP_PAISE) return 1;
    return Math.min(CHEAP_PAISE / price, MOST_DEEPER);
  }
}

/** The seconds that a level of that rhythm lives, and how many of them have passed. */
function lifeOf(rhythm: number): number {
  return SHORTEST_LIFE + (rhythm % LIVES);
}

function ageOf(rhythm: number, now: number): number {
  return (now + (rhythm >>> 8)) % lifeOf(rhythm);
}

/** A hash of the level as it was renewed. */
function drawOf({ seed, now }: SideMoment, height: number, back: number): number {
  return hashWords(seed, height, now - back);
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
