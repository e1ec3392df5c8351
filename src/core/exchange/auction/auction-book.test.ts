import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId, OrderNumber } from '../../../base/ids.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import { Random } from '../../../base/random.ts';
import type { Side } from '../../order.ts';
import { AuctionBook, type AuctionEntry } from './auction-book.ts';

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

test('the levels and totals of gathered orders are those of a walk over all of them, after each of many changes', () => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const random = new Random(seed);
    const book = new AuctionBook();
    for (let step = 0; step < 200; step += 1) {
      change(book, random, step as OrderNumber);
      for (const side of ['B', 'S'] as const) {
        const own = Array.from(book.entries()).filter((entry) => entry.side === side);
        const total = own.reduce((units, { remaining }) => units + remaining, 0);
        const where = `seed ${seed}, step ${step}`;
        assert.equal(book.totalOf(side), total, where);
        assert.deepEqual(book.levels(side, 3), walked(own).slice(0, 3), where);
        assert.deepEqual(AuctionBook.load(book.dump()).levels(side, 99), walked(own), where);
      }
    }
  }
});

/** One change of a book: mostly a new order, else fewer units, none, a limit for an order at market, or an end. */
function change(book: AuctionBook, random: Random, number: OrderNumber): void {
  const entries = Array.from(book.entries());
  const draw = random.below(10);
  if (draw < 5 || entries.length === 0) {
    const [side, atMarket] = [random.pick(['B', 'S'] as const), random.chance(20)];
    const price = (90 + random.below(20)) as Price;
    const remaining = random.between(1, 50) as Quantity;
    return book.add({ number, account: 0 as AccountId, side, price, remaining, ahead: 0 as Quantity, atMarket });
  }
  const { number: of, remaining } = random.pick(entries);
  if (draw < 7) return book.fill(of, random.between(1, remaining) as Quantity);
  if (draw < 8) return book.reduce(of, random.below(remaining + 1) as Quantity);
  if (draw < 9) return book.limit(of, (90 + random.below(20)) as Price);
  book.remove(of);
}

/** The levels of limit orders of one side, best first. */
function walked(entries: readonly Readonly<AuctionEntry>[]): object[] {
  const limits = entries.filter(({ atMarket }) => !atMarket);
  const best = entries[0]?.side === 'B' ? -1 : 1;
  return Array.from(Map.groupBy(limits, ({ price }) => price))
    .sort(([one], [other]) => (one - other) * best)
    .map(([price, at]) => ({ price, quantity: at.reduce((sum, one) => sum + one.remaining, 0), orders: at.length }));
}
