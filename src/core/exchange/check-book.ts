import { assert } from '../../base/assert.ts';
import type { Side } from '../order.ts';
import type { Book } from './book.ts';

/** Throws unless the book is sorted, uncrossed, and adds up level by level. Walks all of it: for tests. Source: reliability I5, I16, I17. */
export function checkBook(book: Book): void {
  checkSide(book, 'B');
  checkSide(book, 'S');
  const bid = book.levelAt('B', 0);
  const ask = book.levelAt('S', 0);
  assert(bid === undefined || ask === undefined || bid.price < ask.price, 'the book is crossed');
}

function checkSide(book: Book, side: Side): void {
  for (let depth = 0; depth < book.levelCount(side); depth += 1) {
    const level = book.levelAt(side, depth);
    const better = depth === 0 ? undefined : book.levelAt(side, depth - 1);
    assert(level !== undefined && level.orders > 0, 'no level is empty');
    if (better !== undefined) {
      assert(side === 'B' ? better.price > level.price : better.price < level.price, 'levels are sorted, best first');
    }
    let orders = 0;
    let quantity = 0;
    let mark = 0;
    for (let order = level.first; order !== undefined; order = order.next) {
      assert(order.remaining > 0 && book.isResting(order.number), `order ${order.number} rests with nothing left`);
      assert(order.aheadMark >= mark, `order ${order.number} has fewer units in front than the one before it`);
      mark = order.aheadMark;
      orders += 1;
      quantity += order.remaining;
    }
    assert(orders === level.orders && quantity === level.quantity, `the level at ${level.price} does not add up`);
  }
}
