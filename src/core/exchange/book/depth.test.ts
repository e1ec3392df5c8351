import assert from 'node:assert/strict';
import test from 'node:test';
import { visibleDepth } from './depth.ts';
import { Floor } from './floor-fixture.ts';

test("quotes show the market's free units and the users' orders together, by price, best first", () => {
  const floor = new Floor();
  floor.show({
    asks: [
      [101, 10],
      [103, 20],
    ],
    bids: [
      [99, 7],
      [98, 5],
    ],
  });
  floor.place(1, 'S', 102, 4);
  floor.place(1, 'S', 103, 6);
  floor.place(1, 'B', 100, 3);
  floor.place(2, 'B', 101, 4, { retention: 'IOC' });
  const { buys, sells } = visibleDepth(floor.book, floor.depth(), 5);
  assert.deepEqual(sells.levels, [
    { price: 101, quantity: 6, orders: 1 },
    { price: 102, quantity: 4, orders: 1 },
    { price: 103, quantity: 26, orders: 2 },
  ]);
  assert.deepEqual(
    buys.levels.map(({ price, quantity }) => [price, quantity]),
    [
      [100, 3],
      [99, 7],
      [98, 5],
    ],
  );
  assert.deepEqual([buys.total, sells.total], [15, 36]);
});

test('a level that is all taken is not shown, and totals count the levels beyond those asked for', () => {
  const floor = new Floor();
  floor.show({
    asks: [
      [101, 10],
      [103, 20],
    ],
  });
  floor.place(1, 'B', 101, 10);
  for (const price of [104, 105, 106]) floor.place(1, 'S', price, 1);
  const { sells } = visibleDepth(floor.book, floor.depth(), 2);
  assert.deepEqual(
    sells.levels.map(({ price }) => price),
    [103, 104],
  );
  assert.equal(sells.total, 23);
});

test("an instrument without a book shows the market's depth", () => {
  const floor = new Floor();
  floor.show({
    bids: [
      [99, 7],
      [98, 5],
    ],
  });
  const { buys, sells } = visibleDepth(undefined, floor.depth(), 1);
  assert.deepEqual([buys.levels.length, buys.total, sells.total], [1, 12, 0]);
});
