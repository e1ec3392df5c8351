import type { Price } from '../../base/money.ts';
import type { Side } from '../order.ts';
import { emptyLevel, type Level } from './level.ts';

/**
 * The price levels of one side, kept sorted with the best price last: levels come and go near the touch, where an array is
 * cheapest to change, and a price is found by halving.
 */
export class Ladder {
  /** Ascending for buys and descending for sells, as `price * sign`, so that the best is always the largest. */
  private readonly keys: number[] = [];
  private readonly levels: Level[] = [];
  private readonly sign: 1 | -1;

  constructor(side: Side) {
    this.sign = side === 'B' ? 1 : -1;
  }

  get size(): number {
    return this.levels.length;
  }

  best(): Level | undefined {
    return this.levels[this.levels.length - 1];
  }

  /** The level that is `depth` levels behind the best: 0 is the best. */
  at(depth: number): Level | undefined {
    return this.levels[this.levels.length - 1 - depth];
  }

  find(price: Price): Level | undefined {
    const index = this.indexOf(price * this.sign);
    return this.keys[index] === price * this.sign ? this.levels[index] : undefined;
  }

  /** The level of a price, made when there is none. */
  open(price: Price): Level {
    const key = price * this.sign;
    const index = this.indexOf(key);
    if (this.keys[index] === key) return this.levels[index] as Level;
    const level = emptyLevel(price);
    if (index === this.keys.length) {
      this.keys.push(key);
      this.levels.push(level);
    } else {
      this.keys.splice(index, 0, key);
      this.levels.splice(index, 0, level);
    }
    return level;
  }

  /** Removes a level that has no orders left. */
  close(level: Level): void {
    const index = this.indexOf(level.price * this.sign);
    if (index === this.keys.length - 1) {
      this.keys.pop();
      this.levels.pop();
    } else {
      this.keys.splice(index, 1);
      this.levels.splice(index, 1);
    }
  }

  /** Where a key stands, or would stand. */
  private indexOf(key: number): number {
    const { keys } = this;
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((keys[middle] as number) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
