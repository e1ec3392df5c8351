import assert from 'node:assert/strict';
import test from 'node:test';
import type { Price } from '../../../base/money.ts';
import { Random } from '../../../base/random.ts';
import { BookStore } from './book-store.ts';
import { type Level, NO_LEVEL } from './handles.ts';
import { Ladder } from './ladder.ts';

/** A ladder, and a plain map of the same levels that is sorted when it is asked. */
class Watched {
  readonly ladder: Ladder;
  private readonly store: BookStore;
  private readonly highestFirst: boolean;
  private readonly levels = new Map<number, Level>();

  constructor(highestFirst: boolean, store: BookStore) {
    this.ladder = new Ladder(highestFirst, store);
    this.store = store;
    this.highestFirst = highestFirst;
  }

  /** Best first. */
  get prices(): number[] {
    return [...this.levels.keys()].sort((a, b) => (this.highestFirst ? b - a : a - b));
  }

  open(price: number): void {
    const known = this.levels.get(price);
    const level = this.ladder.open(price as Price);
    if (known !== undefined) assert.equal(level, known, `${price} has one level`);
    this.levels.set(price, level);
  }

  close(price: number): void {
    this.ladder.close(this.levels.get(price) as Level);
    this.levels.delete(price);
  }

  /** Checks that both have the same levels in the same order, both ways, and that a price finds its level. */
  check(where: string): void {
    const { ladder, prices } = this;
    const { levels } = this.store;
    const linked: number[] = [];
    let before = NO_LEVEL;
    for (let level = ladder.best; level !== NO_LEVEL; level = levels.worse(level)) {
      assert.equal(levels.better(level), before, `${where}: linked both ways`);
      assert.equal(ladder.find(levels.price(level)), level, `${where}: ${levels.price(level)} is found`);
      linked.push(levels.price(level));
      before = level;
    }
    assert.deepEqual(linked, prices, where);
    assert.deepEqual([ladder.size, ladder.worst], [prices.length, before], where);
    if (prices.length > 0) assert.equal(ladder.bestPrice, prices[0], where);
  }
}

test('ladders of one store keep their levels sorted and found as prices come and go', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = new Random(seed);
    const store = new BookStore();
    const ladders = [new Watched(true, store), new Watched(false, store)];
    const tick = [1, 5, 10, 100, 7][random.below(5)] as number;
    const middle = tick * random.between(1, 100_000);
    const spread = [3, 40, 300, 5_000][random.below(4)] as number;
    for (let step = 0; step < 150; step += 1) {
      const watched = ladders[random.below(2)] as Watched;
      const open = watched.prices;
      const isOdd = random.chance(2);
      const price = middle + random.below(spread) * tick + (isOdd ? random.below(tick) : 0);
      if (open.length > 0 && random.chance(45)) watched.close(open[random.below(open.length)] as number);
      else watched.open(price);
      watched.check(`seed ${seed}, step ${step}`);
      assert.equal(watched.ladder.find((middle - tick) as Price), NO_LEVEL);
    }
  }
});

test('a price between two ticks has no level until it gets one', () => {
  const store = new BookStore();
  const watched = new Watched(true, store);
  for (const price of [1_000, 1_005, 1_010]) watched.open(price);
  assert.equal(watched.ladder.find(1_007 as Price), NO_LEVEL);
  watched.open(1_007);
  watched.check('a finer tick');
  for (const price of watched.prices) watched.close(price);
  watched.check('empty again');
  for (const price of [0, 1_000, 1_010]) assert.equal(watched.ladder.find(price as Price), NO_LEVEL);
  watched.open(1_000);
  assert.equal(watched.ladder.find(1_005 as Price), NO_LEVEL);
  watched.check('one level');
});

test('prices that lie far apart and very large ones find their levels', () => {
  const watched = new Watched(false, new BookStore());
  const prices = [5, 2 ** 31, 5 * 255, 5 * 256, 5 * 257, 10 ** 12, 10 ** 12 + 5];
  for (const price of prices) {
    watched.open(price);
    watched.check(`with ${price}`);
  }
  for (const price of prices) {
    watched.close(price);
    watched.check(`without ${price}`);
  }
});

test('each bit of a page leads to the next level, up and down', () => {
  for (const highestFirst of [true, false]) {
    for (let gap = 1; gap < 300; gap += 1) {
      const watched = new Watched(highestFirst, new BookStore());
      for (const price of [1, 300 - gap, 300, 600]) watched.open(price);
      watched.open(299.5 * 2);
      watched.check(`gap ${gap}`);
    }
  }
});

test('the places of closed levels are used again', () => {
  const store = new BookStore();
  const watched = new Watched(true, store);
  for (let round = 1; round <= 1_000; round += 1) {
    watched.open(round * 1_000);
    watched.close(round * 1_000);
  }
  assert.ok(store.pages.add() <= 2 && store.levels.add(100 as Price, 1) <= 2);
});
