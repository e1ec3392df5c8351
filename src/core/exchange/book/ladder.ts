/**
 * One side of a book or of its stops: the levels sorted by price, linked from the best to the worst. A price finds its
 * level by its number of ticks, in pages of consecutive ticks (`price-pages.ts`), so finding it costs about the same
 * in a book of any size. The orders of one level are in `queue.ts`.
 */

import { assert } from '../../../base/assert.ts';
import type { Price } from '../../../base/money.ts';
import type { BookStore } from './book-store.ts';
import { type Level, NO_LEVEL } from './handles.ts';
import type { LevelTable } from './level-table.ts';
import { NO_PAGE, PAGE_BITS, PAGE_TICKS, type Page, type PricePages } from './price-pages.ts';

/** The largest price whose number of ticks surely fits into 32 bits. */
const LARGEST = 2 ** 31 - 1;
const NO_PRICE = 0 as Price;
/** The shared empty lists of a ladder without pages. A ladder gets its own lists with its first level. */
const NO_NUMBERS: number[] = [];
const NO_PAGES: Page[] = [];

/** `highestFirst`: the highest price is the best, as for bids. */
export class Ladder {
  best = NO_LEVEL;
  /**
   * The price of the best level. It is kept here because every incoming order needs it. It means nothing while there is
   * no level.
   */
  bestPrice = 0 as Price;
  /** Its number in the table of levels; 0 before its first level. */
  number = 0;
  /** The number of levels. */
  size = 0;
  /** The number of orders in them. */
  orders = 0;
  /** Units that these orders still have to fill. */
  quantity = 0;
  /**
   * The largest number of paise that divides every price that ever had a level. After a few prices this is the tick.
   */
  private tick = 0;
  /** The price that was asked for last, and its level. An order asks for its price more than once. */
  private asked = NO_PRICE;
  private answer = NO_LEVEL;
  /** The page that was asked for last. The next price is likely to be in it too. */
  private nearNumber = -1;
  private near = NO_PAGE;
  private readonly highestFirst: boolean;
  private readonly levels: LevelTable;
  private readonly pages: PricePages;
  /** The pages that have levels: their page numbers, ascending, and their places in the table. */
  private numbers = NO_NUMBERS;
  private places = NO_PAGES;

  constructor(highestFirst: boolean, { levels, pages }: BookStore) {
    this.highestFirst = highestFirst;
    this.levels = levels;
    this.pages = pages;
  }

  /** The level with the worst price, or `NO_LEVEL`. */
  get worst(): Level {
    return this.highestFirst
      ? this.betterThan(Number.NEGATIVE_INFINITY, 0)
      : this.betterThan(Number.POSITIVE_INFINITY, 0);
  }

  /** The level of a price, or `NO_LEVEL`. */
  find(price: Price): Level {
    return price === this.asked ? this.answer : this.seek(price);
  }

  private seek(price: Price): Level {
    const { tick } = this;
    // Almost all prices take the short way.
    if (price > LARGEST) return this.findLarge(price);
    const ticks = (price / tick) | 0;
    if (ticks * tick !== price) return NO_LEVEL;
    const page = this.pageOf(ticks >>> PAGE_BITS);
    this.asked = price;
    this.answer = page === NO_PAGE ? NO_LEVEL : this.pages.level(page, ticks & (PAGE_TICKS - 1));
    return this.answer;
  }

  private findLarge(price: Price): Level {
    const ticks = price / this.tick;
    const page = Number.isInteger(ticks) ? this.pageOf(pageNumber(ticks)) : NO_PAGE;
    return page === NO_PAGE ? NO_LEVEL : this.pages.level(page, ticks % PAGE_TICKS);
  }

  /** The level of a price; it is made when there is none. */
  open(price: Price): Level {
    const found = this.find(price);
    return found === NO_LEVEL ? this.make(price) : found;
  }

  private make(price: Price): Level {
    if (this.number === 0) this.number = this.levels.nextLadder();
    if (!Number.isInteger(price / this.tick)) this.divide(price);
    const level = this.levels.add(price, this.number);
    const ticks = price / this.tick;
    this.link(level, price, ticks);
    this.put(level, ticks);
    this.size += 1;
    this.asked = price;
    this.answer = level;
    return level;
  }

  /** Removes a level that has no orders left. */
  close(level: Level): void {
    const { levels } = this;
    assert(levels.orders(level) === 0 && levels.quantity(level) === 0, 'a level that is closed is empty');
    this.clear(levels.price(level));
    const worse = levels.worse(level);
    levels.link(worse, levels.better(level));
    if (this.best === level) {
      this.best = worse;
      if (worse !== NO_LEVEL) this.bestPrice = levels.price(worse);
    }
    levels.delete(level);
    this.size -= 1;
    this.asked = NO_PRICE;
    this.answer = NO_LEVEL;
  }

  /** Links a new level to its neighbours. */
  private link(level: Level, price: Price, ticks: number): void {
    const { levels, best } = this;
    if (best === NO_LEVEL || (this.highestFirst ? price > this.bestPrice : price < this.bestPrice)) {
      levels.link(best, level);
      this.best = level;
      this.bestPrice = price;
      return;
    }
    const better = this.betterThan(pageNumber(ticks), placeIn(ticks));
    levels.link(levels.worse(better), level);
    levels.link(level, better);
  }

  /** The level with the next better price than a place in a page, or `NO_LEVEL`. The page need not exist. */
  private betterThan(number: number, place: number): Level {
    const { pages, places, highestFirst } = this;
    if (number === this.nearNumber) {
      const level = highestFirst ? pages.above(this.near, place) : pages.below(this.near, place);
      if (level !== NO_LEVEL) return level;
    }
    const index = indexIn(this.numbers, number);
    const isThere = this.numbers[index] === number;
    if (isThere) {
      const page = places[index] as Page;
      const level = highestFirst ? pages.above(page, place) : pages.below(page, place);
      if (level !== NO_LEVEL) return level;
    }
    const next = places[highestFirst ? index + Number(isThere) : index - 1];
    if (next === undefined) return NO_LEVEL;
    return highestFirst ? pages.above(next, -1) : pages.below(next, PAGE_TICKS);
  }

  private put(level: Level, ticks: number): void {
    const number = pageNumber(ticks);
    let page = this.pageOf(number);
    if (page === NO_PAGE) {
      page = this.pages.add();
      this.addPage(number, page);
    }
    this.pages.put(page, placeIn(ticks), level);
  }

  private clear(price: Price): void {
    const { pages } = this;
    const ticks = price / this.tick;
    const number = pageNumber(ticks);
    const page = this.pageOf(number);
    if (!pages.clear(page, placeIn(ticks))) return;
    const index = indexIn(this.numbers, number);
    remove(this.numbers, index);
    remove(this.places, index);
    pages.delete(page);
    this.nearNumber = -1;
  }

  private pageOf(number: number): Page {
    return number === this.nearNumber ? this.near : this.pageElsewhere(number);
  }

  private pageElsewhere(number: number): Page {
    const index = indexIn(this.numbers, number);
    if (this.numbers[index] !== number) return NO_PAGE;
    this.nearNumber = number;
    this.near = this.places[index] as Page;
    return this.near;
  }

  /** Most ladders have one page: their lists begin with room for no more. */
  private addPage(number: number, page: Page): void {
    if (this.numbers === NO_NUMBERS) {
      this.numbers = [number];
      this.places = [page];
      return;
    }
    const index = indexIn(this.numbers, number);
    insert(this.numbers, index, number);
    insert(this.places, index, page);
  }

  /** Makes the tick a divisor of this price too. All levels move to other places. */
  private divide(price: Price): void {
    const { levels } = this;
    for (let level = this.best; level !== NO_LEVEL; level = levels.worse(level)) this.clear(levels.price(level));
    this.tick = greatestDivisor(price, this.tick);
    for (let level = this.best; level !== NO_LEVEL; level = levels.worse(level))
      this.put(level, levels.price(level) / this.tick);
  }
}

function pageNumber(ticks: number): number {
  return ticks <= LARGEST ? ticks >>> PAGE_BITS : Math.floor(ticks / PAGE_TICKS);
}

function placeIn(ticks: number): number {
  return ticks <= LARGEST ? ticks & (PAGE_TICKS - 1) : ticks % PAGE_TICKS;
}

/** The greatest common divisor; of 0 and another number it is that number. */
function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** The index of a number in an ascending list, or the index at which it would stand. */
function indexIn(numbers: readonly number[], number: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Like `splice`, without the array that `splice` returns. */
function insert<Item>(items: Item[], index: number, item: Item): void {
  items.push(item);
  for (let at = items.length - 1; at > index; at -= 1) items[at] = items[at - 1] as Item;
  items[index] = item;
}

function remove<Item>(items: Item[], index: number): void {
  for (let at = index + 1; at < items.length; at += 1) items[at - 1] = items[at] as Item;
  items.pop();
}
