/**
 * The depth that quotes show in continuous trading: the market's free units and the users' orders, merged by price.
 * While orders gather for an auction, `auction-depth.ts` gives the depth.
 */

import type { Price, Quantity } from '../../../base/money.ts';
import type { Depth } from '../../market.ts';
import type { Side } from '../../order.ts';
import { freeUnits, marketLevels, reaches } from '../matching/market-side.ts';
import type { Book, BookLevel } from './book.ts';

/** One side of the visible depth: the market's free units and the users' orders, merged by price, best first. */
export interface VisibleSide {
  readonly levels: readonly BookLevel[];
  /** Units of all levels of the market and of all users' orders, also beyond the levels shown. */
  readonly total: Quantity;
}

export interface VisibleDepth {
  readonly buys: VisibleSide;
  readonly sells: VisibleSide;
}

/** The depth of an instrument as quotes show it, `count` levels a side. */
export function visibleDepth(book: Book | undefined, depth: Depth, count: number): VisibleDepth {
  return { buys: visibleSide(book, depth, 'B', count), sells: visibleSide(book, depth, 'S', count) };
}

function visibleSide(book: Book | undefined, depth: Depth, side: Side, count: number): VisibleSide {
  if (book === undefined) return marketSide(depth, side, count);
  const market = freeLevels(book, depth, side);
  // The orders that an opening auction leaves stand beside the ladders until continuous trading.
  const orders = book.auction ?? book;
  const users = orders.levels(side, count);
  const levels = users.length === 0 ? market.slice(0, count) : merge(market, users, side, count);
  return { levels, total: (orders.totalOf(side) + unitsOf(market)) as Quantity };
}

/** A side that no user has ordered on. */
function marketSide(depth: Depth, side: Side, count: number): VisibleSide {
  const levels = marketLevels(depth, side);
  const known = side === 'B' ? depth.bidUnits : depth.askUnits;
  return {
    levels: levels.length > count ? levels.slice(0, count) : levels,
    total: (known ?? unitsOf(levels)) as Quantity,
  };
}

function unitsOf(levels: readonly BookLevel[]): number {
  let units = 0;
  for (const { quantity } of levels) units += quantity;
  return units;
}

function freeLevels(book: Book, depth: Depth, side: Side): readonly BookLevel[] {
  const free: BookLevel[] = [];
  for (const level of marketLevels(depth, side)) {
    const quantity = freeUnits(book, side, level) as Quantity;
    if (quantity > 0) free.push({ price: level.price, quantity, orders: level.orders });
  }
  return free;
}

function merge(market: readonly BookLevel[], users: readonly BookLevel[], side: Side, count: number): BookLevel[] {
  const levels: BookLevel[] = [];
  let m = 0;
  let u = 0;
  while (levels.length < count) {
    const a = market[m];
    const b = users[u];
    if (a === undefined && b === undefined) break;
    if (a !== undefined && b !== undefined && a.price === b.price) {
      levels.push(joined(a.price, a, b));
      m += 1;
      u += 1;
    } else if (b === undefined || (a !== undefined && !reaches(side, b.price, a.price))) {
      levels.push(a as BookLevel);
      m += 1;
    } else {
      levels.push(b);
      u += 1;
    }
  }
  return levels;
}

function joined(price: Price, a: BookLevel, b: BookLevel): BookLevel {
  return { price, quantity: (a.quantity + b.quantity) as Quantity, orders: a.orders + b.orders };
}
