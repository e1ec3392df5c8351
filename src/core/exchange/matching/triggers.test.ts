import assert from 'node:assert/strict';
import test from 'node:test';
import type { Price } from '../../../base/money.ts';
import { Floor } from '../book/floor-fixture.ts';
import { FiredStops } from './triggers.ts';

const [ANN, BOB, CAT, DAN] = [1, 2, 3, 4];

function fired(floor: Floor): unknown[] {
  return floor.events.flatMap((event) => (event.type === 'StopTriggered' ? [event.order] : []));
}

test('a stop whose trigger the last price has already reached is refused, on either side', () => {
  const floor = new Floor();
  for (const [side, trigger] of [
    ['B', 100],
    ['B', 99],
    ['S', 100],
    ['S', 101],
  ] as const) {
    floor.place(ANN, side, trigger, 5, { trigger } as never);
    assert.deepEqual(floor.types(), ['OrderRejected']);
  }
  floor.place(ANN, 'B', 101, 5, { trigger: 101 } as never);
  assert.deepEqual(floor.types(), ['OrderAcknowledged', 'StopArmed']);
});

test('a print of the market at the trigger fires a stop, and one short of it does not', () => {
  const floor = new Floor();
  const stop = floor.place(ANN, 'B', 106, 5, { trigger: 105 } as never);
  floor.move({ asks: [[106, 50]], print: ['B', 104, 1] });
  assert.deepEqual(floor.types(), []);
  floor.move({ asks: [[106, 50]], print: ['B', 105, 1] });
  assert.deepEqual(floor.types(), ['StopTriggered', 'Traded']);
  assert.equal(floor.filled(stop), 5);
});

test('a trade among users fires a stop, and the trades of the stop may fire another', () => {
  const floor = new Floor();
  floor.place(ANN, 'S', 102, 5);
  floor.place(ANN, 'S', 104, 5);
  floor.place(ANN, 'S', 106, 5);
  const second = floor.place(BOB, 'B', 110, 5, { trigger: 104 } as never);
  const first = floor.place(CAT, 'B', 110, 5, { trigger: 102 } as never);
  floor.place(DAN, 'B', 102, 5);
  assert.deepEqual(fired(floor), [first, second]);
  assert.deepEqual(floor.trades(), ['102 x 5', '104 x 5', '106 x 5']);
});

test('several stops fire in the order of their entry, whatever their triggers', () => {
  const floor = new Floor();
  const stops = [107, 103, 105].map((trigger) => floor.place(ANN, 'B', 120, 5, { trigger } as never));
  floor.move({ print: ['B', 110, 1] });
  assert.deepEqual(fired(floor), stops);
});

test('all stops that one trade fires are released, even when the first of them trades the price back', () => {
  const floor = new Floor();
  floor.place(DAN, 'S', 104, 50);
  const stops = [ANN, BOB].map((account) => floor.place(account, 'B', 107, 5, { trigger: 105 } as never));
  floor.move({ print: ['B', 105, 10] });
  assert.deepEqual(fired(floor), stops);
  assert.deepEqual(floor.trades(), ['104 x 10', '104 x 5', '104 x 5']);
});

test('an order that trades at several prices fires the stops of each price, the earlier price first', () => {
  const floor = new Floor();
  for (const price of [106, 101, 98]) floor.place(BOB, 'B', price, 5);
  const low = floor.place(DAN, 'S', 90, 5, { trigger: 98 } as never);
  const high = floor.place(ANN, 'B', 97, 5, { trigger: 105 } as never);
  floor.place(CAT, 'S', 98, 15);
  assert.deepEqual(fired(floor), [high, low]);
});

test('a fired stop that was cancelled before its turn is passed over', () => {
  const floor = new Floor();
  const stop = floor.place(ANN, 'B', 107, 5, { trigger: 105 } as never);
  const waiting = new FiredStops();
  waiting.see(floor.book, 105 as Price);
  waiting.see(floor.book, 106 as Price);
  floor.cancel(stop);
  assert.equal(waiting.next(floor.book), undefined);
});

test('a new trigger sends a stop behind the others, fewer units do not', () => {
  const floor = new Floor();
  const [a, b, c] = [1, 2, 3].map(() => floor.place(ANN, 'B', 120, 5, { trigger: 105 } as never));
  floor.replace(a as never, { trigger: 106 });
  floor.replace(b as never, { quantity: 4 });
  floor.move({ print: ['B', 110, 1] });
  assert.deepEqual(fired(floor), [b, c, a]);
});

test("the users' last trade counts until the market prints in a later tick", () => {
  const floor = new Floor();
  floor.move({ print: ['B', 101, 1] });
  floor.place(ANN, 'S', 90, 5);
  floor.place(BOB, 'B', 90, 5);
  floor.place(CAT, 'S', 80, 5, { trigger: 95 } as never);
  assert.deepEqual(floor.types(), ['OrderRejected'], 'the last price is 90');
  floor.move({});
  floor.place(CAT, 'S', 80, 5, { trigger: 95 } as never);
  assert.deepEqual(floor.types(), ['OrderRejected'], 'and stays 90 while nobody trades');
  floor.move({ print: ['B', 101, 1] });
  floor.place(CAT, 'S', 80, 5, { trigger: 95 } as never);
  assert.deepEqual(floor.types(), ['OrderAcknowledged', 'StopArmed']);
});

test('a fill by the market itself is not a trade of the users', () => {
  const floor = new Floor();
  floor.place(ANN, 'B', 90, 5);
  floor.move({ asks: [[88, 3]], print: ['S', 90, 1] });
  assert.deepEqual(floor.trades(), ['90 x 3', '90 x 1']);
  assert.equal(floor.book.lastTrade, undefined);
});

test('a stop fires once, and then rests at its limit', () => {
  const floor = new Floor();
  const stop = floor.place(ANN, 'B', 106, 5, { trigger: 105 } as never);
  floor.move({ print: ['B', 105, 1] });
  assert.deepEqual(floor.types(), ['StopTriggered', 'OrderRested']);
  floor.move({ print: ['B', 107, 1] });
  assert.deepEqual(floor.types(), []);
  assert.equal(floor.book.isResting(stop), true);
});

test('a stop whose trigger is already reached is armed and fires at once where triggers are not strict, as an order at its limit', () => {
  for (const [side, trigger, limit] of [
    ['B', 100, 100],
    ['B', 99, 103],
    ['S', 100, 100],
    ['S', 101, 97],
  ] as const) {
    const floor = new Floor();
    floor.strictTrigger = false;
    const waiting = floor.place(BOB, 'B', 107, 5, { trigger: 105 } as never);
    const stop = floor.place(ANN, side, limit, 5, { trigger } as never);
    assert.deepEqual(floor.types(), ['OrderAcknowledged', 'StopArmed', 'StopTriggered', 'OrderRested']);
    assert.deepEqual([floor.book.isResting(stop), floor.book.isArmed(waiting)], [true, true]);
    floor.place(CAT, side, limit, 5, { trigger: side === 'B' ? 101 : 99 } as never);
    assert.deepEqual(floor.types(), ['OrderAcknowledged', 'StopArmed'], 'one that is not reached waits');
  }
});

test('a stop that fires on arrival trades, and its trades fire others', () => {
  const floor = new Floor();
  floor.strictTrigger = false;
  floor.place(DAN, 'S', 104, 5);
  floor.place(DAN, 'S', 106, 5);
  const waiting = floor.place(BOB, 'B', 110, 5, { trigger: 104 } as never);
  const stop = floor.place(ANN, 'B', 104, 5, { trigger: 95 } as never);
  assert.deepEqual(fired(floor), [stop, waiting]);
  assert.deepEqual(floor.trades(), ['104 x 5', '106 x 5']);
});
