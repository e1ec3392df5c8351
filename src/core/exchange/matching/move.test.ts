import assert from 'node:assert/strict';
import test from 'node:test';
import { Floor } from '../book/floor-fixture.ts';

const [ANN, BOB] = [1, 2];

test('a resting order behind displayed units fills only after these have traded', () => {
  const floor = new Floor();
  floor.show({ bids: [[99, 30]] });
  const order = floor.place(ANN, 'B', 99, 10);
  floor.move({ bids: [[99, 30]], print: ['S', 99, 25] });
  assert.deepEqual(floor.types(), ['QueueAdvanced']);
  assert.deepEqual([floor.book.aheadOf(order), floor.filled(order)], [5, 0]);
  floor.move({ bids: [[99, 30]], print: ['S', 99, 9] });
  assert.deepEqual(floor.types(), ['QueueAdvanced', 'Traded']);
  assert.deepEqual([floor.book.aheadOf(order), floor.filled(order)], [0, 4]);
});

test('a print trades through two orders and the market units between them', () => {
  const floor = new Floor();
  floor.show({ bids: [[99, 10]] });
  const first = floor.place(ANN, 'B', 99, 5);
  floor.show({ bids: [[99, 16]] });
  const second = floor.place(BOB, 'B', 99, 5);
  floor.move({ print: ['S', 99, 23] });
  assert.deepEqual(floor.types(), ['QueueAdvanced', 'Traded', 'QueueAdvanced', 'Traded']);
  assert.deepEqual([floor.filled(first), floor.filled(second)], [5, 2]);
});

test('a print fills better orders first, and does not fill worse ones', () => {
  const floor = new Floor();
  const better = floor.place(ANN, 'B', 100, 5);
  const at = floor.place(ANN, 'B', 99, 5);
  const worse = floor.place(ANN, 'B', 98, 5);
  floor.move({ print: ['S', 99, 50] });
  assert.deepEqual(floor.trades(), ['100 x 5', '99 x 5']);
  assert.deepEqual(
    [better, at, worse].map((order) => floor.filled(order)),
    [5, 5, 0],
  );
});

test('a print with a buyer as the aggressor does not fill buys', () => {
  const floor = new Floor();
  floor.place(ANN, 'B', 99, 5);
  floor.move({ print: ['B', 99, 50] });
  assert.deepEqual(floor.types(), []);
});

test("depth that crosses resting orders trades at the orders' prices, best first, as far as it goes", () => {
  const floor = new Floor();
  const worse = floor.place(ANN, 'B', 99, 10);
  const best = floor.place(BOB, 'B', 101, 10);
  floor.move({
    asks: [
      [98, 12, 4],
      [99, 3, 4],
    ],
  });
  assert.deepEqual(floor.trades(), ['101 x 10', '99 x 2', '99 x 3']);
  assert.deepEqual([floor.filled(best), floor.filled(worse)], [10, 5]);
  const taken = floor.events.map((event) => (event.type === 'Traded' ? event.taken : undefined));
  assert.deepEqual(taken, [
    { price: 98, generation: 4 },
    { price: 98, generation: 4 },
    { price: 99, generation: 4 },
  ]);
});

test('depth that crossed counts as taken: the same depth trades once', () => {
  const floor = new Floor();
  const order = floor.place(ANN, 'S', 101, 10);
  floor.move({ bids: [[102, 4, 1]] });
  floor.move({ bids: [[102, 4, 1]] });
  assert.equal(floor.filled(order), 4);
  floor.move({ bids: [[102, 4, 2]] });
  assert.equal(floor.filled(order), 8);
});

test('depth that does not reach a resting order leaves it alone and makes no event', () => {
  const floor = new Floor();
  floor.place(ANN, 'B', 99, 10);
  floor.move({ asks: [[100, 50]], bids: [[98, 50]] });
  assert.deepEqual(floor.types(), []);
});

test('each print of a second counts, in their order: what went ahead of an order in the first is not counted twice', () => {
  const floor = new Floor();
  floor.show({ bids: [[99, 30]] });
  const order = floor.place(ANN, 'B', 99, 10);
  floor.move({
    bids: [[99, 30]],
    earlier: [
      ['S', 99, 20],
      ['B', 101, 500],
      ['S', 99, 12],
    ],
    print: ['S', 99, 3],
  });
  assert.deepEqual(floor.types(), ['QueueAdvanced', 'QueueAdvanced', 'Traded', 'Traded']);
  assert.deepEqual(floor.trades(), ['99 x 2', '99 x 3']);
  assert.deepEqual([floor.book.aheadOf(order), floor.filled(order)], [0, 5]);
});

test('prints of a second at several prices fill the orders that each of them reaches', () => {
  const floor = new Floor();
  const high = floor.place(ANN, 'B', 99, 5);
  const low = floor.place(BOB, 'B', 97, 5);
  floor.move({
    earlier: [
      ['S', 99, 4],
      ['S', 97, 3],
    ],
    print: ['S', 98, 50],
  });
  assert.deepEqual(floor.trades(), ['99 x 4', '99 x 1', '97 x 2']);
  assert.deepEqual([floor.filled(high), floor.filled(low)], [5, 2]);
});

test('a price inside a second fires a stop, though the second ends elsewhere', () => {
  const floor = new Floor();
  const stop = floor.place(ANN, 'B', 110, 5, { trigger: 105 as never });
  floor.move({ earlier: [['B', 105, 1]], print: ['S', 101, 1] });
  assert.ok(floor.events.some((event) => event.type === 'StopTriggered' && event.order === stop));
});
