/**
 * Proves that a book is consistent: sorted, not crossed, and adding up level by level. It reads every order, so only
 * tests and the check of a whole state use it. Source: reliability I5, I16, I17.
 */

import { assert } from '../../../base/assert.ts';
import type { Price } from '../../../base/money.ts';
import type { Side } from '../../order.ts';
import type { Book } from './book.ts';
import { type Level, NO_LEVEL, NO_ORDER } from './handles.ts';
import { firstOf, nextOf, previousOf } from './queue.ts';

/** Throws unless the book is consistent. */
export function checkBook(book: Book): void {
  checkSide(book, 'B');
  checkSide(book, 'S');
  const bid = book.bestPrice('B');
  const ask = book.bestPrice('S');
  assert(bid === undefined || ask === undefined || bid < ask, 'the book is not crossed');
  const stops = book.armedStops();
  for (const { number } of stops) assert(book.isArmed(number) && !book.isResting(number), `stop ${number} is armed`);
}

function checkSide(book: Book, side: Side): void {
  let orders = 0;
  let quantity = 0;
  let depth = 0;
  let last: Price | undefined;
  const { levels } = book.store;
  const best = book.best(side);
  const isShown = book.bestPrice(side) === (best === NO_LEVEL ? undefined : levels.price(best));
  assert(isShown, `the best price of ${side} is that of its best level`);
  for (let level = book.best(side); level !== NO_LEVEL; level = levels.worse(level)) {
    checkLevel(book, level, side);
    const price = levels.price(level);
    assert(book.levelOf(side, price) === level, 'a level is found');
    const better = levels.better(level);
    assert((better === NO_LEVEL) === (depth === 0), 'the best level has none before it');
    if (better !== NO_LEVEL) {
      const before = levels.price(better);
      assert(side === 'B' ? before > price : before < price, 'levels are sorted, best first');
    }
    depth += 1;
    last = price;
    orders += levels.orders(level);
    quantity += levels.quantity(level);
  }
  assert(depth === book.levelCount(side), `the levels of ${side} are counted`);
  assert(orders === book.orderCount(side) && quantity === book.totalOf(side), `the side ${side} adds up`);
  assert(book.worstPrice(side) === last, `the worst price of ${side} is that of its last level`);
}

function checkLevel(book: Book, level: Level, side: Side): void {
  const { store } = book;
  const { orders: table, levels } = store;
  const price = levels.price(level);
  let orders = 0;
  let quantity = 0;
  let mark = 0;
  let previous = NO_ORDER;
  for (let handle = firstOf(store, level); handle !== NO_ORDER; handle = nextOf(store, handle)) {
    const number = table.number(handle);
    assert(
      table.find(number) === handle && previousOf(store, handle) === previous,
      `order ${number} is linked and found`,
    );
    const rests = table.level(handle) === level && book.isResting(number) && !book.isArmed(number);
    assert(rests && table.remaining(handle) > 0, `order ${number} rests on ${side} with units left`);
    assert(table.mark(handle) >= mark, `order ${number} has fewer units in front than the one before it`);
    mark = table.mark(handle);
    previous = handle;
    orders += 1;
    quantity += table.remaining(handle);
  }
  assert(orders > 0 && levels.last(level) === previous && levels.lastMark(level) === mark, 'no level is empty');
  const addsUp = orders === levels.orders(level) && quantity === levels.quantity(level);
  assert(addsUp, `the level at ${price} adds up`);
}
