import type { Brand } from '../../base/brand.ts';
import { type Level, NO_LEVEL } from './level-table.ts';

/** The place of a page in the table. */
export type Page = Brand<'Page'>;
export const NO_PAGE = 0 as Page;

/** Prices of a page, each a tick from the next: as a power of two, and how many. */
export const PAGE_BITS = 8;
export const PAGE_TICKS = 1 << PAGE_BITS;
/** A page begins with a bit for each of its prices, by which the next level is found; then come the levels. All are integers of 32 bits. */
const WORDS = PAGE_TICKS / 32;
const PAGE_INTS = WORDS + PAGE_TICKS;
const FIRST_CAPACITY = 4;

/** Which prices have levels, and which levels these are, for all ladders of one state. It grows by doubling and uses pages again. */
export class PricePages {
  private cells = new Int32Array(FIRST_CAPACITY * PAGE_INTS);
  /** Places that were ever in use; the first is nobody's. */
  private used = 1;
  private readonly free: Page[] = [];

  /** A page without levels. */
  add(): Page {
    const free = this.free.pop();
    if (free !== undefined) return free;
    if (this.used * PAGE_INTS === this.cells.length) this.grow();
    this.used += 1;
    return (this.used - 1) as Page;
  }

  /** Gives a page back that has no levels. */
  delete(page: Page): void {
    this.free.push(page);
  }

  /** The level of a price, by its place in the page, or `NO_LEVEL`. */
  level(page: Page, place: number): Level {
    return this.cells[page * PAGE_INTS + WORDS + place] as Level;
  }

  put(page: Page, place: number, level: Level): void {
    const start = page * PAGE_INTS;
    this.cells[start + WORDS + place] = level;
    this.cells[start + (place >>> 5)] = (this.cells[start + (place >>> 5)] as number) | (1 << (place & 31));
  }

  /** Forgets the level of a price. True when the page has none any more. */
  clear(page: Page, place: number): boolean {
    const { cells } = this;
    const start = page * PAGE_INTS;
    cells[start + WORDS + place] = NO_LEVEL;
    cells[start + (place >>> 5)] = (cells[start + (place >>> 5)] as number) & ~(1 << (place & 31));
    for (let word = start; word < start + WORDS; word += 1) if (cells[word] !== 0) return false;
    return true;
  }

  /** The level of the next higher price than the one at `place`, which may be -1; `NO_LEVEL` when the page has none. */
  above(page: Page, place: number): Level {
    const from = place + 1;
    let word = from >>> 5;
    if (word === WORDS) return NO_LEVEL;
    let bits = this.bits(page, word) & (-1 << (from & 31));
    while (bits === 0) {
      word += 1;
      if (word === WORDS) return NO_LEVEL;
      bits = this.bits(page, word);
    }
    return this.level(page, word * 32 + 31 - Math.clz32(bits & -bits));
  }

  /** The level of the next lower price than the one at `place`, which may be behind the last; `NO_LEVEL` when the page has none. */
  below(page: Page, place: number): Level {
    const from = place - 1;
    let word = from >> 5;
    if (word < 0) return NO_LEVEL;
    let bits = this.bits(page, word) & (-1 >>> (31 - (from & 31)));
    while (bits === 0) {
      word -= 1;
      if (word < 0) return NO_LEVEL;
      bits = this.bits(page, word);
    }
    return this.level(page, word * 32 + 31 - Math.clz32(bits));
  }

  private bits(page: Page, word: number): number {
    return this.cells[page * PAGE_INTS + word] as number;
  }

  private grow(): void {
    const longer = new Int32Array(this.cells.length * 2);
    longer.set(this.cells);
    this.cells = longer;
  }
}
