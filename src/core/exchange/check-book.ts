import { assert } from '../../base/assert.ts';
import { opposite, type Side } from '../order.ts';
import type { Book } from './book.ts';
import type { Level } from './level.ts';
import { NO_ORDER } from './order-store.ts';

/** Throws unless the book is sorted, uncrossed, and adds up level by level. Walks all of it: for tests. Source: reliability I5, I16, I17. */
export function checkBook(book: Book): void {
  checkSide(book, 'B');
  checkSide(book, 'S');
  const bid = book.best('B');
  const ask = book.best('S');
  assert(bid === undefined || ask === undefined || bid.price < ask.price, 'the book is crossed');
  const stops = book.armedStops();
  for (const { number } of stops) assert(book.isArmed(number) && !book.isResting(number), `stop ${number} is armed`);
  const filed = book.orderCount('B') + book.orderCount('S') + stops.length;
  assert(filed === book.orders.size, 'every order of the book stands in one queue');
}

function checkSide(book: Book, side: Side): void {
  let orders = 0;
  let quantity = 0;
  let depth = 0;
  for (let level = book.best(side); level !== undefined; level = level.worse) {
    checkLevel(book, level);
    assert(book.levelAt(side, depth) === level && book.levelOf(side, level.price) === level, 'a level is found');
    const { better } = level;
    assert((better === undefined) === (depth === 0), 'the best level has none before it');
    if (better !== undefined) {
      assert(side === 'B' ? better.price > level.price : better.price < level.price, 'levels are sorted, best first');
    }
    depth += 1;
    orders += level.orders;
    quantity += level.quantity;
  }
  assert(depth === book.levelCount(side), `the levels of ${side} are counted`);
  assert(orders === book.orderCount(side) && quantity === book.totalOf(side), `the side ${side} adds up`);
  assert(book.levelAt(side, depth) === undefined, `${opposite(side)} has its own levels`);
}

function checkLevel(book: Book, level: Level): void {
  const { orders: store } = book;
  let orders = 0;
  let quantity = 0;
  let mark = 0;
  let place = 0;
  let previous = NO_ORDER;
  for (let handle = level.first; handle !== NO_ORDER; handle = store.next(handle)) {
    const number = store.number(handle);
    assert(store.find(number) === handle && store.previous(handle) === previous, `order ${number} is linked and found`);
    assert(
      book.levelOfHandle(handle) === level && store.remaining(handle) > 0,
      `order ${number} rests with units left`,
    );
    assert(store.place(handle) > place, `order ${number} came after the one before it`);
    assert(store.mark(handle) >= mark, `order ${number} has fewer units in front than the one before it`);
    mark = store.mark(handle);
    place = store.place(handle);
    previous = handle;
    orders += 1;
    quantity += store.remaining(handle);
  }
  assert(orders > 0 && level.last === previous, 'no level is empty');
  assert(orders === level.orders && quantity === level.quantity, `the level at ${level.price} does not add up`);
}
