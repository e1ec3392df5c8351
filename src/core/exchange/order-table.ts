import { assert } from '../../base/assert.ts';
import type { AccountId, OrderNumber } from '../../base/ids.ts';
import type { Quantity } from '../../base/money.ts';
import { type Handle, NO_ORDER } from './handle.ts';
import { LargeIntegers } from './large-integers.ts';
import { type Level, NO_LEVEL } from './level-table.ts';

/** What every move of an order asks is a record of 16 bytes: four integers, by their index. */
const RECORD = 4;
const LEVEL = 0;
const REMAINING = 1;
const PREVIOUS = 2;
const NEXT = 3;
/**
 * In the place of a level: the order ended between two that stand, and is still linked to its neighbours, whose records its end then need not
 * fetch. The first and the last of a queue always stand.
 */
const ENDED = -1;
/** What is seldom asked stands behind the records of the page, so that these fill the processor's cache: two integers. */
const ASIDE = 2;
const ACCOUNT = 0;
const MARK = 1;
/** Records of a page, as a power of two. */
const PAGE_BITS = 14;
const PAGE = 1 << PAGE_BITS;
const INSIDE = PAGE - 1;
/** Order numbers of a day begin behind a multiple of this. Source: market-rules R0.8. */
const NUMBERS_OF_A_DAY = 100_000_000;
/** Behind the places of a day's numbers stand orders with numbers of other days: those that waited for this one. */
const OTHER_DAYS = Math.ceil(NUMBERS_OF_A_DAY / PAGE) * PAGE;
/** Handles are integers of 32 bits. */
const MOST_PAGES = 20 * Math.ceil(NUMBERS_OF_A_DAY / PAGE);
/** Where the second part of a page begins, in integers. */
const BEHIND = PAGE * RECORD;
/** A page that nobody writes, where no order of the page ever stood in a queue. */
const BLANK = new Int32Array(PAGE * (RECORD + ASIDE));

/**
 * The orders of all books of one state that stand in queues, each at the place that its number gives it: numbers are dense inside a
 * day, so nothing of the day's own is searched, hashed or reused. It grows page by page and never copies.
 */
export class OrderTable {
  /** The number of handle 0: a multiple of the numbers of a day. */
  private base: number;
  /** Orders of other days by their place among them, and their handles. */
  private readonly others: OrderNumber[] = [];
  private readonly otherHandles = new Map<OrderNumber, Handle>();
  private readonly pages: Int32Array[] = [];
  private readonly largeRemaining = new LargeIntegers();
  private readonly largeMarks = new LargeIntegers();

  /** `first`: any number of the day; that of the first order when it is left out. */
  constructor(first = 0) {
    this.base = first - (first % NUMBERS_OF_A_DAY);
  }

  /** Files an order in the queue of a level, behind `previous`. An order is in one queue at a time. */
  add(
    number: OrderNumber,
    account: AccountId,
    remaining: number,
    mark: number,
    level: Level,
    previous: Handle,
  ): Handle {
    const handle = this.placeOf(number);
    const page = this.pages[handle >>> PAGE_BITS] as Int32Array;
    const at = (handle & INSIDE) * RECORD;
    if (page[at + LEVEL] === ENDED) this.unlink(handle);
    assert(page[at + LEVEL] === NO_LEVEL, 'an order is in the book once');
    page[at + LEVEL] = level;
    page[at + REMAINING] = this.largeRemaining.field(handle, remaining);
    page[at + PREVIOUS] = previous;
    page[at + NEXT] = NO_ORDER;
    const aside = BEHIND + (handle & INSIDE) * ASIDE;
    page[aside + ACCOUNT] = account;
    page[aside + MARK] = this.largeMarks.field(handle, mark);
    if (previous !== NO_ORDER) this.setInteger(previous, NEXT, handle);
    return handle;
  }

  /** Takes the only order of a queue out. */
  dropOnly(handle: Handle): void {
    this.setInteger(handle, LEVEL, NO_LEVEL);
  }

  /** Takes the first of several orders of a queue out, and gives the one that is first then. */
  dropFirst(handle: Handle): Handle {
    const first = this.dropTowards(handle, NEXT);
    this.setInteger(first, PREVIOUS, NO_ORDER);
    return first;
  }

  /** Takes the last of several orders of a queue out, and gives the one that is last then. */
  dropLast(handle: Handle): Handle {
    const last = this.dropTowards(handle, PREVIOUS);
    this.setInteger(last, NEXT, NO_ORDER);
    return last;
  }

  /** Takes an order out from between two others of its queue. */
  dropBetween(handle: Handle): void {
    this.setInteger(handle, LEVEL, ENDED);
  }

  /** The handle of an order that stands in a queue, or `NO_ORDER`. */
  find(number: OrderNumber): Handle {
    const place = number - this.base;
    const isToday = place >= 0 && place < NUMBERS_OF_A_DAY;
    const handle = isToday ? (place as Handle) : (this.otherHandles.get(number) ?? NO_ORDER);
    if (!(handle >= 0 && handle < this.pages.length * PAGE)) return NO_ORDER;
    return this.level(handle) > NO_LEVEL ? handle : NO_ORDER;
  }

  number(handle: Handle): OrderNumber {
    return handle < OTHER_DAYS
      ? ((this.base + handle) as OrderNumber)
      : (this.others[handle - OTHER_DAYS] as OrderNumber);
  }

  account(handle: Handle): AccountId {
    return this.aside(handle, ACCOUNT) as AccountId;
  }

  /** The level in whose queue an order stands that stands in one. */
  level(handle: Handle): Level {
    return this.integer(handle, LEVEL) as Level;
  }

  /** The order in front of one that stands, or `NO_ORDER`. */
  previous(handle: Handle): Handle {
    return this.standing(this.integer(handle, PREVIOUS) as Handle, PREVIOUS);
  }

  /** The order behind one that stands, or `NO_ORDER`. */
  next(handle: Handle): Handle {
    return this.standing(this.integer(handle, NEXT) as Handle, NEXT);
  }

  /** Units that a resting order has still to fill. */
  remaining(handle: Handle): Quantity {
    return this.largeRemaining.value(handle, this.integer(handle, REMAINING)) as Quantity;
  }

  setRemaining(handle: Handle, remaining: number): void {
    this.setInteger(handle, REMAINING, this.largeRemaining.field(handle, remaining));
  }

  /**
   * Of a resting order what stood in front of it when it came, plus what had advanced at its level until then; of a stop its running
   * number among the stops of its book.
   */
  mark(handle: Handle): number {
    return this.largeMarks.value(handle, this.aside(handle, MARK));
  }

  /** The first order that stands, from one on in a direction. */
  private standing(from: Handle, direction: typeof NEXT | typeof PREVIOUS): Handle {
    let at = from;
    while (at !== NO_ORDER && this.integer(at, LEVEL) === ENDED) at = this.integer(at, direction) as Handle;
    return at;
  }

  /** Lets go of an order and of those behind it that ended, as far as the first that stands, which it gives. */
  private dropTowards(from: Handle, direction: typeof NEXT | typeof PREVIOUS): Handle {
    let at = from;
    for (;;) {
      const page = this.pages[at >>> PAGE_BITS] as Int32Array;
      const start = (at & INSIDE) * RECORD;
      if (at !== from && page[start + LEVEL] !== ENDED) return at;
      page[start + LEVEL] = NO_LEVEL;
      at = page[start + direction] as Handle;
    }
  }

  /** Lets go of an order that ended between others: its neighbours become each other's. */
  private unlink(handle: Handle): void {
    const previous = this.integer(handle, PREVIOUS) as Handle;
    const next = this.integer(handle, NEXT) as Handle;
    this.setInteger(previous, NEXT, next);
    this.setInteger(next, PREVIOUS, previous);
    this.setInteger(handle, LEVEL, NO_LEVEL);
  }

  private integer(handle: Handle, field: number): number {
    return (this.pages[handle >>> PAGE_BITS] as Int32Array)[(handle & INSIDE) * RECORD + field] as number;
  }

  private setInteger(handle: Handle, field: number, value: number): void {
    (this.pages[handle >>> PAGE_BITS] as Int32Array)[(handle & INSIDE) * RECORD + field] = value;
  }

  private aside(handle: Handle, field: number): number {
    return (this.pages[handle >>> PAGE_BITS] as Int32Array)[BEHIND + (handle & INSIDE) * ASIDE + field] as number;
  }

  /** The handle of a number, with a page behind it. */
  private placeOf(number: OrderNumber): Handle {
    if (this.base === 0) this.base = number - (number % NUMBERS_OF_A_DAY);
    const place = number - this.base;
    const handle = place >= 0 && place < NUMBERS_OF_A_DAY ? place : this.placeAmongOthers(number);
    const page = Math.floor(handle / PAGE);
    if (page < 0 || page >= this.pages.length || this.pages[page] === BLANK) this.addPage(page);
    return handle as Handle;
  }

  private placeAmongOthers(number: OrderNumber): number {
    const known = this.otherHandles.get(number);
    if (known !== undefined) return known;
    const handle = (OTHER_DAYS + this.others.length) as Handle;
    this.others.push(number);
    this.otherHandles.set(number, handle);
    return handle;
  }

  private addPage(page: number): void {
    assert(page >= 0 && page < MOST_PAGES, 'orders of a state have numbers of a few days');
    while (this.pages.length <= page) this.pages.push(BLANK);
    this.pages[page] = new Int32Array(PAGE * (RECORD + ASIDE));
  }
}
