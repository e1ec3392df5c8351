import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId, OrderNumber } from '../../../base/ids.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import type { Side } from '../../order.ts';
import { AuctionBook } from './auction-book.ts';

function gathered(...orders: readonly (readonly [Side, price: number, ahead: number])[]): AuctionBook {
  const book = new AuctionBook();
  for (const [at, [side, price, ahead]] of orders.entries()) {
    const [number, account] = [at as OrderNumber, at as AccountId];
    book.add({
      number,
      account,
      side,
      price: price as Price,
      remaining: 10 as Quantity,
      ahead: ahead as Quantity,
      atMarket: true,
    });
  }
  return book;
}

const aheadOf = (book: AuctionBook) => Array.from(book.entries(), ({ ahead }) => ahead);

test('an advance of the queue counts only at its side and price, and never goes below 0', () => {
  const book = gathered(['B', 100, 30], ['B', 99, 30], ['S', 100, 30], ['B', 100, 5]);
  book.advance('B', 100 as Price, 10 as Quantity);
  assert.deepEqual(aheadOf(book), [20, 30, 30, 0]);
  book.advance('S', 100 as Price, 31 as Quantity);
  assert.deepEqual(aheadOf(book), [20, 30, 0, 0]);
});

test('a market order that was not filled keeps its place as a limit order, with no market units in front', () => {
  const book = gathered(['B', 110, 7], ['B', 100, 7]);
  book.limit(0 as OrderNumber, 100 as Price);
  assert.deepEqual(book.dump().orders, [
    [0, 0, 'B', 100, 10, 0],
    [1, 1, 'B', 100, 10, 7, true],
  ]);
  book.limit(1 as OrderNumber, 100 as Price);
  const { ahead, atMarket } = book.entry(1 as OrderNumber);
  assert.deepEqual([ahead, atMarket], [7, false], 'at the price that it had it keeps its place');
  assert.deepEqual(AuctionBook.load(book.dump()).dump(), book.dump());
});

test('a filled order leaves the auction, and an unknown order throws', () => {
  const book = gathered(['B', 100, 0], ['S', 101, 0]);
  book.fill(0 as OrderNumber, 4 as Quantity);
  assert.equal(book.entry(0 as OrderNumber).remaining, 6);
  book.fill(0 as OrderNumber, 6 as Quantity);
  assert.deepEqual([book.has(0 as OrderNumber), book.size], [false, 1]);
  assert.throws(() => book.entry(0 as OrderNumber), /does not wait/);
  assert.throws(() => book.remove(0 as OrderNumber), /does not wait/);
  assert.throws(() => book.reduce(1 as OrderNumber, 11 as Quantity), /neither grows/);
});
