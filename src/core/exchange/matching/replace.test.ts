import assert from 'node:assert/strict';
import test from 'node:test';
import { Floor } from '../book/floor-fixture.ts';

const [ANN, BOB, CAT] = [1, 2, 3];

function twoSellers(): { floor: Floor; first: ReturnType<Floor['place']>; second: ReturnType<Floor['place']> } {
  const floor = new Floor();
  floor.show({ asks: [[101, 8]] });
  const first = floor.place(ANN, 'S', 101, 10);
  const second = floor.place(BOB, 'S', 101, 10);
  return { floor, first, second };
}

test('fewer units keep the place in the queue and the units in front', () => {
  const { floor, first } = twoSellers();
  floor.replace(first, { quantity: 4 });
  assert.deepEqual(floor.events, [
    { type: 'OrderReplaced', order: first, terms: floor.order(first).terms, keepsPriority: true },
  ]);
  assert.equal(floor.book.aheadOf(first), 8);
  floor.place(CAT, 'B', 101, 12);
  assert.equal(floor.filled(first), 4);
});

test('unchanged terms keep the place', () => {
  const { floor, first } = twoSellers();
  floor.replace(first, {});
  assert.deepEqual(floor.types(), ['OrderReplaced']);
});

test('more units go to the back of the queue', () => {
  const { floor, first, second } = twoSellers();
  floor.replace(first, { quantity: 11 });
  assert.deepEqual(floor.types(), ['OrderReplaced', 'OrderRested']);
  floor.place(CAT, 'B', 101, 18);
  assert.deepEqual([floor.filled(first), floor.filled(second)], [0, 10]);
});

test('another price and then the old one again loses the place', () => {
  const { floor, first, second } = twoSellers();
  floor.replace(first, { price: 102 });
  floor.replace(first, { price: 101 });
  floor.place(CAT, 'B', 101, 18);
  assert.deepEqual([floor.filled(first), floor.filled(second)], [0, 10]);
});

test('a part-filled order keeps its fills: only the rest of the new total trades', () => {
  const floor = new Floor();
  const order = floor.place(ANN, 'S', 101, 10);
  floor.place(BOB, 'B', 101, 4);
  floor.replace(order, { quantity: 7 });
  assert.equal(floor.book.remainingOf(order), 3);
  floor.replace(order, { quantity: 20 });
  assert.equal(floor.book.remainingOf(order), 16);
});

test('a new price that reaches the other side trades at once', () => {
  const floor = new Floor();
  const resting = floor.place(ANN, 'S', 105, 4);
  const order = floor.place(BOB, 'B', 100, 10);
  floor.replace(order, { price: 105 });
  assert.deepEqual(floor.types(), ['OrderReplaced', 'Traded', 'OrderRested']);
  assert.deepEqual([floor.filled(resting), floor.book.remainingOf(order)], [4, 6]);
});

test('an order that is replaced at its old price is not counted in front of itself', () => {
  const floor = new Floor();
  floor.show({ bids: [[99, 30]] });
  const order = floor.place(ANN, 'B', 99, 5);
  floor.show({ bids: [[99, 2]] });
  floor.replace(order, { quantity: 6 });
  assert.equal(floor.book.aheadOf(order), 2);
});

test('a resting order that becomes immediate-or-cancel leaves the book', () => {
  const floor = new Floor();
  const order = floor.place(ANN, 'B', 99, 5);
  floor.replace(order, { retention: 'IOC' });
  assert.deepEqual(floor.types(), ['OrderReplaced', 'OrderCancelled']);
  assert.equal(floor.book.has(order), false);
});

test('a plain order that becomes a stop is armed, and a stop that becomes a plain order trades', () => {
  const floor = new Floor();
  const seller = floor.place(ANN, 'S', 110, 5);
  const order = floor.place(BOB, 'B', 99, 5);
  floor.replace(order, { priceType: 'SL-LMT', price: 111, trigger: 105 });
  assert.deepEqual(floor.types(), ['OrderReplaced', 'StopArmed']);
  assert.equal(floor.book.isArmed(order), true);
  floor.replace(order, { priceType: 'LMT', price: 110, trigger: 0 });
  assert.deepEqual(floor.types(), ['OrderReplaced', 'Traded']);
  assert.equal(floor.filled(seller), 5);
});

test('new terms with a trigger that is already reached are refused and the order stays as it is', () => {
  const floor = new Floor();
  const order = floor.place(BOB, 'B', 99, 5);
  floor.replace(order, { priceType: 'SL-LMT', price: 101, trigger: 100 });
  const refusal = { rule: 'TriggerAlreadyCrossed', trigger: 100, last: 100 };
  assert.deepEqual(floor.events, [{ type: 'ReplaceRejected', order, refusal }]);
  assert.equal(floor.book.isResting(order), true);
});

test('new terms with a trigger that is already reached fire the stop where triggers are not strict, whether it waited or rested', () => {
  const floor = new Floor();
  floor.strictTrigger = false;
  const crossed = { priceType: 'SL-LMT', price: 101, trigger: 100 } as const;
  const order = floor.place(BOB, 'B', 99, 5);
  floor.replace(order, crossed);
  assert.deepEqual(floor.types(), ['OrderReplaced', 'StopArmed', 'StopTriggered', 'OrderRested']);
  const stop = floor.place(CAT, 'B', 111, 5, { trigger: 110 } as never);
  floor.replace(stop, crossed);
  assert.deepEqual(floor.types(), ['OrderReplaced', 'StopArmed', 'StopTriggered', 'OrderRested']);
  assert.equal(floor.book.isResting(stop), true);
});
