import type { Brand } from '../../base/brand.ts';
import type { Price, Quantity } from '../../base/money.ts';
import { type Handle, NO_ORDER } from './handle.ts';

/**
 * The place in the table of all orders at one price of a ladder, oldest first: resting orders at their limit, or stops at their
 * trigger. Good until the level is closed; then another price may get it.
 */
export type Level = Brand<'Level'>;
/** No level: what a fresh record names. */
export const NO_LEVEL = 0 as Level;

/** One level is a record of 64 bytes. First four doubles, by their index in doubles. */
const DOUBLES = 8;
const PRICE = 0;
const QUANTITY = 1;
const ADVANCED = 2;
const LAST_MARK = 3;
/** Then six integers, by their index in integers. */
const INTEGERS = 16;
const LADDER = 8;
const ORDERS = 9;
const FIRST = 10;
const LAST = 11;
const BETTER = 12;
const WORSE = 13;

const FIRST_CAPACITY = 16;

/** The levels of all books of one state, next to each other. It grows by doubling and uses the places of closed levels again. */
export class LevelTable {
  private integers = new Int32Array(FIRST_CAPACITY * INTEGERS);
  private doubles = new Float64Array(this.integers.buffer);
  /** Places that were ever in use; the first is nobody's. */
  private used = 1;
  /** The place that became free last; the others are chained behind it by `worse`. */
  private free = NO_LEVEL;
  private ladders = 0;

  /** A number for a ladder that files levels here, from 1. */
  nextLadder(): number {
    this.ladders += 1;
    return this.ladders;
  }

  /** A level without orders and neighbours. */
  add(price: Price, ladder: number): Level {
    const level = this.vacant();
    const { integers, doubles } = this;
    integers.fill(0, level * INTEGERS, (level + 1) * INTEGERS);
    doubles[level * DOUBLES + PRICE] = price;
    integers[level * INTEGERS + LADDER] = ladder;
    integers[level * INTEGERS + FIRST] = NO_ORDER;
    integers[level * INTEGERS + LAST] = NO_ORDER;
    return level;
  }

  /** Forgets a level to which no other is linked any more. */
  delete(level: Level): void {
    this.integers[level * INTEGERS + WORSE] = this.free;
    this.free = level;
  }

  price(level: Level): Price {
    return this.doubles[level * DOUBLES + PRICE] as Price;
  }

  /** Units that its orders have still to fill; 0 for stops. */
  quantity(level: Level): Quantity {
    return this.doubles[level * DOUBLES + QUANTITY] as Quantity;
  }

  /** How many orders stand in it. */
  orders(level: Level): number {
    return this.integers[level * INTEGERS + ORDERS] as number;
  }

  /** Units of the market that have gone from in front of its queue since it was opened. */
  advanced(level: Level): number {
    return this.doubles[level * DOUBLES + ADVANCED] as number;
  }

  /** The number of the ladder that it belongs to. */
  ladder(level: Level): number {
    return this.integers[level * INTEGERS + LADDER] as number;
  }

  /** The order that came first of those that are left. */
  first(level: Level): Handle {
    return this.integers[level * INTEGERS + FIRST] as Handle;
  }

  last(level: Level): Handle {
    return this.integers[level * INTEGERS + LAST] as Handle;
  }

  /** The mark of its last order: here too, so that an order that comes need not look at the one before it. */
  lastMark(level: Level): number {
    return this.doubles[level * DOUBLES + LAST_MARK] as number;
  }

  /** The next level in line towards the best; `NO_LEVEL` for the best. */
  better(level: Level): Level {
    return this.integers[level * INTEGERS + BETTER] as Level;
  }

  /** The next level in line behind it; `NO_LEVEL` for the last. */
  worse(level: Level): Level {
    return this.integers[level * INTEGERS + WORSE] as Level;
  }

  setFirst(level: Level, handle: Handle): void {
    this.integers[level * INTEGERS + FIRST] = handle;
  }

  setLast(level: Level, handle: Handle, mark: number): void {
    this.integers[level * INTEGERS + LAST] = handle;
    this.doubles[level * DOUBLES + LAST_MARK] = mark;
  }

  /** Adds to the sums of a level; what leaves is below 0. */
  count(level: Level, orders: number, quantity: number): void {
    this.integers[level * INTEGERS + ORDERS] = this.orders(level) + orders;
    this.doubles[level * DOUBLES + QUANTITY] = this.quantity(level) + quantity;
  }

  advance(level: Level, quantity: number): void {
    this.doubles[level * DOUBLES + ADVANCED] = this.advanced(level) + quantity;
  }

  /** Makes two levels neighbours; either may be `NO_LEVEL`. */
  link(worse: Level, better: Level): void {
    if (worse !== NO_LEVEL) this.integers[worse * INTEGERS + BETTER] = better;
    if (better !== NO_LEVEL) this.integers[better * INTEGERS + WORSE] = worse;
  }

  private vacant(): Level {
    const level = this.free;
    if (level !== NO_LEVEL) {
      this.free = this.worse(level);
      return level;
    }
    if ((this.used + 1) * INTEGERS > this.integers.length) this.grow();
    this.used += 1;
    return (this.used - 1) as Level;
  }

  private grow(): void {
    const integers = new Int32Array(this.integers.length * 2);
    integers.set(this.integers);
    this.integers = integers;
    this.doubles = new Float64Array(integers.buffer);
  }
}
