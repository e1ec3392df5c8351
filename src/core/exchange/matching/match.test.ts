import assert from 'node:assert/strict';
import test from 'node:test';
import type { OrderNumber } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import { Floor } from '../book/floor-fixture.ts';

const [ANN, BOB, CAT, DAN] = [1, 2, 3, 4];
const IOC = { retention: 'IOC' } as const;

test('the better price trades first, and at one price the order that came first', () => {
  const floor = new Floor();
  const late = floor.place(ANN, 'S', 101, 10);
  const worse = floor.place(BOB, 'S', 102, 10);
  const last = floor.place(CAT, 'S', 101, 10);
  const best = floor.place(BOB, 'S', 100, 5);
  floor.place(DAN, 'B', 102, 20);
  assert.deepEqual(floor.trades(), ['100 x 5', '101 x 10', '101 x 5']);
  assert.deepEqual(
    [best, late, last, worse].map((order) => floor.filled(order)),
    [5, 10, 5, 0],
  );
});

test('users trade with each other inside the spread at the price of the resting order', () => {
  const floor = new Floor();
  floor.show({ bids: [[95, 50]], asks: [[105, 50]] });
  const resting = floor.place(ANN, 'B', 100, 10);
  floor.place(BOB, 'S', 98, 4);
  assert.deepEqual(floor.trades(), ['100 x 4']);
  assert.equal(floor.filled(resting), 4);
  assert.deepEqual(floor.book.lastTrade, { tick: floor.tick, price: 100 });
});

test('an order takes the displayed depth as far as its limit, and its other units rest', () => {
  const floor = new Floor();
  floor.show({
    asks: [
      [101, 10],
      [102, 20],
      [104, 99],
    ],
  });
  const order = floor.place(ANN, 'B', 103, 40);
  assert.deepEqual(floor.trades(), ['101 x 10', '102 x 20']);
  assert.deepEqual(floor.types(), ['OrderAcknowledged', 'Traded', 'Traded', 'OrderRested']);
  assert.equal(floor.book.remainingOf(order), 10);
});

test('units taken of a level stay taken until the level has another generation', () => {
  const floor = new Floor();
  floor.show({ asks: [[101, 10, 7]] });
  floor.place(ANN, 'B', 101, 6, IOC);
  floor.place(BOB, 'B', 101, 6, IOC);
  assert.deepEqual(floor.trades(), ['101 x 4']);
  floor.place(CAT, 'B', 101, 6, IOC);
  assert.deepEqual(floor.trades(), []);
  floor.move({ asks: [[101, 10, 7]] });
  floor.place(CAT, 'B', 101, 6, IOC);
  assert.deepEqual(floor.trades(), [], 'a new tick does not bring it back');
  floor.show({ asks: [[101, 10, 8]] });
  floor.place(CAT, 'B', 101, 6, IOC);
  assert.deepEqual(floor.trades(), ['101 x 6']);
  floor.place(CAT, 'B', 101, 6, IOC);
  assert.deepEqual(floor.trades(), ['101 x 4'], 'what was taken of the old level does not count');
});

test('an incoming order takes the units in front of a user, then the user, then the units behind', () => {
  const floor = new Floor();
  floor.show({ asks: [[101, 8]] });
  const first = floor.place(ANN, 'S', 101, 5);
  floor.show({ asks: [[101, 20]] });
  const second = floor.place(BOB, 'S', 101, 5);
  assert.deepEqual(
    [first, second].map((order) => floor.book.aheadOf(order)),
    [8, 20],
  );
  floor.place(CAT, 'B', 101, 28);
  assert.deepEqual(floor.trades(), ['101 x 8', '101 x 5', '101 x 12', '101 x 3']);
  assert.deepEqual([floor.filled(first), floor.filled(second)], [5, 3]);
  assert.equal(floor.book.aheadOf(second), 0);
  floor.place(CAT, 'B', 101, 9, IOC);
  assert.deepEqual(floor.trades(), ['101 x 2'], 'the displayed units are all taken');
});

test('market units that were taken in front of one order are not taken again in front of the next', () => {
  const floor = new Floor();
  floor.show({ asks: [[101, 8]] });
  floor.place(ANN, 'S', 101, 5);
  floor.show({ asks: [[101, 20]] });
  floor.place(BOB, 'S', 101, 5);
  floor.show({ asks: [[101, 50]] });
  floor.place(CAT, 'B', 101, 40);
  assert.deepEqual(floor.trades(), ['101 x 8', '101 x 5', '101 x 12', '101 x 5', '101 x 10']);
});

test('the market never trades more than it displays, however many units an order waited behind', () => {
  const floor = new Floor();
  floor.show({ asks: [[101, 8]] });
  floor.place(ANN, 'S', 101, 5);
  floor.show({ asks: [[101, 20]] });
  floor.place(BOB, 'S', 101, 5);
  floor.show({ asks: [[101, 10]] });
  floor.place(CAT, 'B', 101, 40, IOC);
  assert.deepEqual(floor.trades(), ['101 x 8', '101 x 5', '101 x 2', '101 x 5']);
});

test('an order rests behind the displayed units, or behind the units that the market has beyond its display', () => {
  const floor = new Floor();
  floor.show({ bids: [[99, 30]], beyond: 12 });
  assert.equal(floor.book.aheadOf(floor.place(ANN, 'B', 99, 1)), 30);
  assert.equal(floor.book.aheadOf(floor.place(ANN, 'B', 97, 1)), 12);
  floor.show({ bids: [[99, 4]] });
  assert.equal(floor.book.aheadOf(floor.place(BOB, 'B', 99, 1)), 30, 'never less than the order before it');
});

test('an immediate-or-cancel order trades what it can and never rests', () => {
  const floor = new Floor();
  floor.place(ANN, 'S', 100, 3);
  const order = floor.place(BOB, 'B', 100, 5, IOC);
  assert.deepEqual(floor.types(), ['OrderAcknowledged', 'Traded', 'OrderCancelled']);
  assert.equal(floor.filled(order), 3);
  floor.place(BOB, 'B', 90, 5, IOC);
  assert.deepEqual(floor.types(), ['OrderAcknowledged', 'OrderCancelled']);
  assert.equal(floor.book.hasInterest(), false);
});

test('an order that is filled at once does not rest', () => {
  const floor = new Floor();
  floor.place(ANN, 'S', 100, 5);
  floor.place(BOB, 'B', 100, 5);
  assert.deepEqual(floor.types(), ['OrderAcknowledged', 'Traded']);
  assert.equal(floor.book.hasInterest(), false);
});

test('two orders of one account never trade: the resting one is cancelled and matching goes on', () => {
  const floor = new Floor();
  const own = floor.place(ANN, 'S', 100, 5);
  const other = floor.place(BOB, 'S', 101, 5);
  floor.place(ANN, 'B', 101, 5);
  assert.deepEqual(floor.types(), ['OrderAcknowledged', 'OrderCancelled', 'Traded']);
  assert.equal(floor.book.isResting(own), false);
  assert.equal(floor.filled(other), 5);
});

test('an own order that matching does not reach stays', () => {
  const floor = new Floor();
  floor.place(BOB, 'S', 100, 5);
  const own = floor.place(ANN, 'S', 100, 5);
  floor.place(ANN, 'B', 100, 5);
  assert.equal(floor.book.isResting(own), true);
});

test('a cancelled order leaves its place to those behind it, and is cancelled only once', () => {
  const floor = new Floor();
  const first = floor.place(ANN, 'S', 100, 5);
  const second = floor.place(BOB, 'S', 100, 5);
  floor.cancel(first);
  floor.place(CAT, 'B', 100, 5);
  assert.equal(floor.filled(second), 5);
  assert.throws(() => floor.cancel(first), /not in the book/);
});

test('no market units stand in front where the market shows none, for the first order and the next', () => {
  const floor = new Floor();
  const numbers = [floor.place(1, 'B', 100, 10), floor.place(2, 'B', 100, 10), floor.place(3, 'B', 100, 10)];
  assert.deepEqual(
    numbers.map((number) => floor.book.aheadOf(number)),
    [0, 0, 0],
  );
  const level = floor.book.levelOf('B', 100 as Price);
  assert.equal(level && floor.book.aheadOfLast(level, 0 as OrderNumber), 0);
});
