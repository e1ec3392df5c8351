/**
 * The orders of all books of one state that stand in queues. Order numbers are dense inside a day, so the number of an
 * order gives its place: there is no search, no hash and no reuse of places. The table grows page by page and never
 * copies. `queue.ts` says which order stands behind which.
 */

import { assert } from '../../../base/assert.ts';
import type { AccountId, OrderNumber } from '../../../base/ids.ts';
import type { Quantity } from '../../../base/money.ts';
import { NUMBERS_OF_A_ROOM, olderRoom, roomAround } from '../../../base/number-room.ts';
import { type Handle, type Level, NO_LEVEL, NO_ORDER } from './handles.ts';
import { LargeIntegers } from './large-integers.ts';

/** The fields that every move of an order needs lie in a record of 16 bytes: four integers, by their index. */
const RECORD = 4;
const LEVEL = 0;
const REMAINING = 1;
const PREVIOUS = 2;
const NEXT = 3;
/**
 * Fields that are seldom read lie behind the records of the page, so that the records fill the processor's cache: two
 * integers.
 */
const ASIDE = 2;
const ACCOUNT = 0;
const MARK = 1;
/** The number of records of a page, as a power of two. */
const PAGE_BITS = 14;
const PAGE = 1 << PAGE_BITS;
const INSIDE = PAGE - 1;
/** The pages of all numbers of a room. */
const PAGES_OF_A_ROOM = Math.ceil(NUMBERS_OF_A_ROOM / PAGE);
/** This day's numbers without a shard come after the places of its numbers with one: older journals have them. */
const OLDER = PAGES_OF_A_ROOM * PAGE;
/** Orders with numbers of other days stand behind both. They waited for this day. */
const OTHER_DAYS = 2 * OLDER;
/** Handles are integers of 32 bits. */
const MOST_PAGES = 20 * PAGES_OF_A_ROOM;
/** The start of the second part of a page, in integers. */
const BEHIND = PAGE * RECORD;
/** A shared empty page, for numbers whose orders never stood in a queue. It is never written. */
const BLANK = new Int32Array(PAGE * (RECORD + ASIDE));

/**
 * An order names the one that came before it at its level. It names the one behind it only once somebody asked:
 * `queue.ts` links orders and releases them. An order that ended may stay linked. It then stands in no queue, and keeps
 * its level as a negative number.
 */
export class OrderTable {
  /** The number of handle 0: the start of a room of the day. 0 before it is known. */
  private base = 0;
  /** The number of the handle `OLDER`. */
  private olderBase = 0;
  /** Orders of other days, in the order of their places, and their handles. */
  private readonly others: OrderNumber[] = [];
  private readonly otherHandles = new Map<OrderNumber, Handle>();
  private readonly pages: Int32Array[] = [];
  private readonly largeRemaining = new LargeIntegers();
  private readonly largeMarks = new LargeIntegers();

  /** `first`: any number of the day. Without it the first order sets the day. */
  constructor(first = 0) {
    this.setDay(first);
  }

  /**
   * Files an order at its place, in the queue of a level, behind `previous`. An order stands in one queue at a time.
   */
  put(handle: Handle, account: AccountId, remaining: number, mark: number, level: Level, previous: Handle): void {
    const page = this.pages[handle >>> PAGE_BITS] as Int32Array;
    const at = (handle & INSIDE) * RECORD;
    assert(page[at + LEVEL] === NO_LEVEL, 'an order is in the book only once');
    page[at + LEVEL] = level;
    page[at + REMAINING] = this.largeRemaining.field(handle, remaining);
    page[at + PREVIOUS] = previous;
    page[at + NEXT] = NO_ORDER;
    const aside = BEHIND + (handle & INSIDE) * ASIDE;
    page[aside + ACCOUNT] = account;
    page[aside + MARK] = this.largeMarks.field(handle, mark);
  }

  /** Ends an order of a level. It stays linked to its neighbours, so that their records need not be read. */
  end(handle: Handle, level: Level): void {
    this.setInteger(handle, LEVEL, -level);
  }

  /** Forgets an order that no other order links to. */
  release(handle: Handle): void {
    this.setInteger(handle, LEVEL, NO_LEVEL);
  }

  /** The handle of an order that stands in a queue, or `NO_ORDER`. */
  find(number: OrderNumber): Handle {
    const place = number - this.base;
    const handle = place >= 0 && place < NUMBERS_OF_A_ROOM ? ((place | 0) as Handle) : this.placeApart(number);
    const page = handle >>> PAGE_BITS;
    if (page >= this.pages.length) return NO_ORDER;
    return this.level(handle) > NO_LEVEL ? handle : NO_ORDER;
  }

  number(handle: Handle): OrderNumber {
    if (handle < OLDER) return (this.base + handle) as OrderNumber;
    if (handle < OTHER_DAYS) return (this.olderBase + handle - OLDER) as OrderNumber;
    return this.others[handle - OTHER_DAYS] as OrderNumber;
  }

  account(handle: Handle): AccountId {
    return this.aside(handle, ACCOUNT) as AccountId;
  }

  /** The level in whose queue an order stands. Below 0 for an order that ended and is still linked. */
  level(handle: Handle): Level {
    return this.integer(handle, LEVEL) as Level;
  }

  /** True for an order that ended and is still linked. */
  isEnded(handle: Handle): boolean {
    return this.integer(handle, LEVEL) < NO_LEVEL;
  }

  /** The order that it was put behind, ended or not, or `NO_ORDER`. */
  previous(handle: Handle): Handle {
    return this.integer(handle, PREVIOUS) as Handle;
  }

  setPrevious(handle: Handle, previous: Handle): void {
    this.setInteger(handle, PREVIOUS, previous);
  }

  /** The order behind it, ended or not; `NO_ORDER` also while nobody has asked. */
  next(handle: Handle): Handle {
    return this.integer(handle, NEXT) as Handle;
  }

  setNext(handle: Handle, next: Handle): void {
    this.setInteger(handle, NEXT, next);
  }

  /** Units that a resting order still has to fill. */
  remaining(handle: Handle): Quantity {
    return this.largeRemaining.value(handle, this.integer(handle, REMAINING)) as Quantity;
  }

  setRemaining(handle: Handle, remaining: number): void {
    this.setInteger(handle, REMAINING, this.largeRemaining.field(handle, remaining));
  }

  /**
   * For a resting order: the market's units in front of it when it came, plus the units that had left the front of its
   * level before. For a stop: its running number among the stops of its book.
   */
  mark(handle: Handle): number {
    return this.largeMarks.value(handle, this.aside(handle, MARK));
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

  /** The place for an order number. Adds its page when there is none. */
  placeOf(number: OrderNumber): Handle {
    const place = number - this.base;
    if (place >= 0 && place < NUMBERS_OF_A_ROOM) {
      const page = place >>> PAGE_BITS;
      if (page < this.pages.length && this.pages[page] !== BLANK) return (place | 0) as Handle;
    }
    return this.newPlace(number);
  }

  private newPlace(number: OrderNumber): Handle {
    if (this.base === 0) this.setDay(number);
    const handle = this.todaysPlace(number) ?? this.placeAmongOthers(number);
    const page = Math.floor(handle / PAGE);
    if (page < 0 || page >= this.pages.length || this.pages[page] === BLANK) this.addPage(page);
    return handle as Handle;
  }

  /** The place of a number outside the room of the day, or `NO_ORDER`. */
  private placeApart(number: OrderNumber): Handle {
    return this.todaysPlace(number) ?? this.otherHandles.get(number) ?? NO_ORDER;
  }

  private setDay(number: number): void {
    this.base = roomAround(number);
    this.olderBase = olderRoom(this.base);
  }

  private todaysPlace(number: OrderNumber): Handle | undefined {
    const place = number - this.base;
    if (place >= 0 && place < NUMBERS_OF_A_ROOM) return place as Handle;
    const older = number - this.olderBase;
    return older >= 0 && older < NUMBERS_OF_A_ROOM ? ((OLDER + older) as Handle) : undefined;
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
