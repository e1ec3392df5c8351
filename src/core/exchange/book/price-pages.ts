/**
 * Finds the level of a price, for all ladders of one state. A page covers a run of consecutive ticks and has one bit
 * for each price with a level. `ladder.ts` chooses the page of a price.
 */

import type { Brand } from '../../../base/brand.ts';
import { type Level, NO_LEVEL } from './handles.ts';

/** The place of a page in the table. */
export type Page = Brand<'Page'>;
export const NO_PAGE = 0 as Page;

/** The number of prices of a page, each one tick from the next: as a power of two, and in full. */
export const PAGE_BITS = 8;
export const PAGE_TICKS = 1 << PAGE_BITS;
/**
 * A page begins with one bit for each of its prices, which finds the next level. Then comes one bit for each of these
 * words that is not 0, and then the levels. All are integers of 32 bits.
 */
const WORDS = PAGE_TICKS / 32;
const SUMMARY = WORDS;
const LEVELS = SUMMARY + 1;
const PAGE_INTS = LEVELS + PAGE_TICKS;
const FIRST_CAPACITY = 4;

/** The table doubles when it is full, and uses pages again. */
export class PricePages {
  private cells = new Int32Array(FIRST_CAPACITY * PAGE_INTS);
  /** Places that were ever in use. The first one stays empty. */
  private used = 1;
  private readonly free: Page[] = [];

  /** Adds a page without levels. */
  add(): Page {
    const free = this.free.pop();
    if (free !== undefined) return free;
    if (this.used * PAGE_INTS === this.cells.length) this.grow();
    this.used += 1;
    return (this.used - 1) as Page;
  }

  /** Gives back a page without levels. */
  delete(page: Page): void {
    this.free.push(page);
  }

  /** The level of a price, by its place in the page, or `NO_LEVEL`. */
  level(page: Page, place: number): Level {
    return this.cells[page * PAGE_INTS + LEVELS + place] as Level;
  }

  put(page: Page, place: number, level: Level): void {
    const start = page * PAGE_INTS;
    const word = place >>> 5;
    this.cells[start + LEVELS + place] = level;
    this.setBits(start + word, this.bits(start + word) | (1 << (place & 31)));
    this.setBits(start + SUMMARY, this.bits(start + SUMMARY) | (1 << word));
  }

  /** Removes the level of a price. True when the page has no level left. */
  clear(page: Page, place: number): boolean {
    const start = page * PAGE_INTS;
    const word = place >>> 5;
    const left = this.bits(start + word) & ~(1 << (place & 31));
    this.cells[start + LEVELS + place] = NO_LEVEL;
    this.setBits(start + word, left);
    if (left !== 0) return false;
    const words = this.bits(start + SUMMARY) & ~(1 << word);
    this.setBits(start + SUMMARY, words);
    return words === 0;
  }

  /** The level of the next higher price than the one at `place`, which may be -1; `NO_LEVEL` when the page has none. */
  above(page: Page, place: number): Level {
    const start = page * PAGE_INTS;
    const from = place + 1;
    if (from === PAGE_TICKS) return NO_LEVEL;
    let word = from >>> 5;
    let bits = this.bits(start + word) & (-1 << (from & 31));
    if (bits === 0) {
      const words = this.bits(start + SUMMARY) & (-2 << word);
      if (words === 0) return NO_LEVEL;
      word = lowest(words);
      bits = this.bits(start + word);
    }
    return this.level(page, word * 32 + lowest(bits));
  }

  /**
   * The level of the next lower price than the one at `place`, which may be behind the last; `NO_LEVEL` when the page
   * has none.
   */
  below(page: Page, place: number): Level {
    const start = page * PAGE_INTS;
    const from = place - 1;
    if (from < 0) return NO_LEVEL;
    let word = from >>> 5;
    let bits = this.bits(start + word) & (-1 >>> (31 - (from & 31)));
    if (bits === 0) {
      const words = this.bits(start + SUMMARY) & ((1 << word) - 1);
      if (words === 0) return NO_LEVEL;
      word = highest(words);
      bits = this.bits(start + word);
    }
    return this.level(page, word * 32 + highest(bits));
  }

  private bits(at: number): number {
    return this.cells[at] as number;
  }

  private setBits(at: number, bits: number): void {
    this.cells[at] = bits;
  }

  private grow(): void {
    const longer = new Int32Array(this.cells.length * 2);
    longer.set(this.cells);
    this.cells = longer;
  }
}

/** The number of the lowest bit that is set. */
function lowest(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

function highest(bits: number): number {
  return 31 - Math.clz32(bits);
}
