/**
 * The price levels of all books of one state, in one table of integers: one object for each level would cost too much
 * memory and time. `ladder.ts` sorts the levels, and `queue.ts` keeps the orders of a level.
 */

import type { Price, Quantity } from '../../../base/money.ts';
import { type Handle, type Level, NO_LEVEL, NO_ORDER } from './handles.ts';
import { LargeIntegers } from './large-integers.ts';

/** The fields that change with every order lie in a record of 16 bytes: four integers, by their index. */
const RECORD = 4;
const QUANTITY = 0;
/** Twice the number of orders, plus 1 once a mark of the level is not 0. */
const ORDERS = 1;
const FIRST = 2;
const LAST = 3;
const MARKED = 1;
/**
 * Fields that are seldom read lie apart, so that the records of more levels fit into the processor's cache. First three
 * doubles, by their index.
 */
const DOUBLES = 4;
const PRICE = 0;
const ADVANCED = 1;
const LAST_MARK = 2;
/** Then two integers, by their index in integers. */
const INTEGERS = 8;
const BETTER = 6;
const WORSE = 7;

const FIRST_CAPACITY = 16;

/** The table doubles when it is full, and uses the places of closed levels again. */
export class LevelTable {
  private records = new Int32Array(FIRST_CAPACITY * RECORD);
  private readonly largeQuantities = new LargeIntegers();
  private integers = new Int32Array(FIRST_CAPACITY * INTEGERS);
  private doubles = new Float64Array(this.integers.buffer);
  /**
   * The ladder of each level. It lies apart, so that finding the ladder of an order need not wait for the record of its
   * level.
   */
  private owners = new Int32Array(FIRST_CAPACITY);
  /** Places that were ever in use. The first one stays empty. */
  private used = 1;
  /** The place that became free last. `worse` links the other free places behind it. */
  private free = NO_LEVEL;
  private ladders = 0;

  /** Gives a ladder its number, from 1. */
  nextLadder(): number {
    this.ladders += 1;
    return this.ladders;
  }

  /** Adds a level without orders and neighbours. */
  add(price: Price, ladder: number): Level {
    const level = this.vacant();
    const { records, integers, doubles } = this;
    records[level * RECORD + QUANTITY] = 0;
    records[level * RECORD + ORDERS] = 0;
    records[level * RECORD + FIRST] = NO_ORDER;
    records[level * RECORD + LAST] = NO_ORDER;
    integers[level * INTEGERS + BETTER] = NO_LEVEL;
    integers[level * INTEGERS + WORSE] = NO_LEVEL;
    doubles[level * DOUBLES + PRICE] = price;
    doubles[level * DOUBLES + ADVANCED] = 0;
    doubles[level * DOUBLES + LAST_MARK] = 0;
    this.owners[level] = ladder;
    return level;
  }

  /** Frees a level that no other level links to. */
  delete(level: Level): void {
    this.integers[level * INTEGERS + WORSE] = this.free;
    this.free = level;
  }

  price(level: Level): Price {
    return this.doubles[level * DOUBLES + PRICE] as Price;
  }

  /** Units that its orders still have to fill; 0 for stops. */
  quantity(level: Level): Quantity {
    return this.largeQuantities.value(level, this.records[level * RECORD + QUANTITY] as number) as Quantity;
  }

  /** The number of its orders. */
  orders(level: Level): number {
    return (this.records[level * RECORD + ORDERS] as number) >>> 1;
  }

  /** The market's units that have left the front of its queue since it was opened. */
  advanced(level: Level): number {
    return this.isMarked(level) ? (this.doubles[level * DOUBLES + ADVANCED] as number) : 0;
  }

  /** The number of the ladder that it belongs to. */
  ladder(level: Level): number {
    return this.owners[level] as number;
  }

  /** The oldest order of those that are left. */
  first(level: Level): Handle {
    return this.records[level * RECORD + FIRST] as Handle;
  }

  last(level: Level): Handle {
    return this.records[level * RECORD + LAST] as Handle;
  }

  /**
   * The mark of its last order. It is kept here too, so that a new order need not read the record of the one before it.
   */
  lastMark(level: Level): number {
    return this.isMarked(level) ? (this.doubles[level * DOUBLES + LAST_MARK] as number) : 0;
  }

  /** The next better level; `NO_LEVEL` for the best. */
  better(level: Level): Level {
    return this.integers[level * INTEGERS + BETTER] as Level;
  }

  /** The next worse level; `NO_LEVEL` for the last. */
  worse(level: Level): Level {
    return this.integers[level * INTEGERS + WORSE] as Level;
  }

  setFirst(level: Level, handle: Handle): void {
    this.records[level * RECORD + FIRST] = handle;
  }

  /** Adds an order behind all others of a level, with its units and its mark. */
  join(level: Level, handle: Handle, units: number, mark: number): void {
    const { records } = this;
    const at = level * RECORD;
    const orders = (records[at + ORDERS] as number) + 2;
    if (records[at + LAST] === NO_ORDER) records[at + FIRST] = handle;
    records[at + LAST] = handle;
    records[at + ORDERS] = orders;
    this.addUnits(level, units);
    if (mark !== 0 || (orders & MARKED) !== 0) this.setLast(level, handle, mark);
  }

  /** Takes the units of an order out of a level. True when the order is the last of the level. */
  leave(level: Level, handle: Handle, units: number): boolean {
    const { records } = this;
    const at = level * RECORD;
    records[at + ORDERS] = (records[at + ORDERS] as number) - 2;
    this.addUnits(level, -units);
    return records[at + LAST] === handle;
  }

  /** Adds to the units of a level; below 0 for units that leave. */
  addUnits(level: Level, units: number): void {
    this.records[level * RECORD + QUANTITY] = this.largeQuantities.field(level, this.quantity(level) + units);
  }

  setLast(level: Level, handle: Handle, mark: number): void {
    this.records[level * RECORD + LAST] = handle;
    if (mark === 0 && !this.isMarked(level)) return;
    this.mark(level);
    this.doubles[level * DOUBLES + LAST_MARK] = mark;
  }

  advance(level: Level, quantity: number): void {
    const before = this.advanced(level);
    this.mark(level);
    this.doubles[level * DOUBLES + ADVANCED] = before + quantity;
  }

  /** Makes two levels neighbours; either may be `NO_LEVEL`. */
  link(worse: Level, better: Level): void {
    if (worse !== NO_LEVEL) this.integers[worse * INTEGERS + BETTER] = better;
    if (better !== NO_LEVEL) this.integers[better * INTEGERS + WORSE] = worse;
  }

  /** True once an order of the level had units of the market in front of it. */
  isMarked(level: Level): boolean {
    return ((this.records[level * RECORD + ORDERS] as number) & MARKED) !== 0;
  }

  private mark(level: Level): void {
    this.records[level * RECORD + ORDERS] = (this.records[level * RECORD + ORDERS] as number) | MARKED;
  }

  private vacant(): Level {
    const level = this.free;
    if (level !== NO_LEVEL) {
      this.free = this.worse(level);
      return level;
    }
    if (this.used === this.owners.length) this.grow();
    this.used += 1;
    return (this.used - 1) as Level;
  }

  private grow(): void {
    this.records = twice(this.records);
    this.owners = twice(this.owners);
    this.integers = twice(this.integers);
    this.doubles = new Float64Array(this.integers.buffer);
  }
}

function twice(integers: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(integers.length * 2);
  longer.set(integers);
  return longer;
}
