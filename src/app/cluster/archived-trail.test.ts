import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DurableRecord } from '../../engine/feed/durable-record.ts';
import { ArchivedTrail } from './archived-trail.ts';

test('a record goes to the trail when the files have it, in order and in portions', () => {
  let archived = 0;
  const taken: number[] = [];
  const trail = new ArchivedTrail(
    {
      take: (records) => void taken.push(...records.map(({ seq }) => seq)),
      lost: assert.fail,
    },
    { archived: () => archived },
  );
  trail.take([1, 2, 3, 4, 5].map((seq) => ({ seq }) as DurableRecord));
  assert.equal(trail.handOver(), false);
  assert.deepEqual(taken, []);
  archived = 3;
  assert.equal(trail.handOver(2), true);
  assert.deepEqual(taken, [1, 2]);
  assert.equal(trail.handOver(2), false);
  assert.deepEqual(taken, [1, 2, 3]);
  archived = 9;
  trail.handOver();
  assert.deepEqual(taken, [1, 2, 3, 4, 5]);
});

/** A trail over files that have everything, and the work that it has put off to later turns of the loop. */
function scene(hasRoom = (): boolean => true) {
  const taken: number[] = [];
  const deferred: (() => void)[] = [];
  const trail = new ArchivedTrail(
    { take: (records) => void taken.push(records.length), lost: assert.fail },
    { archived: () => Number.POSITIVE_INFINITY, hasRoom, defer: (work) => void deferred.push(work) },
  );
  const add = (from: number, count: number): void =>
    trail.take(Array.from({ length: count }, (_, index) => ({ seq: from + index }) as DurableRecord));
  const turn = (): void => {
    for (const work of deferred.splice(0)) work();
  };
  return { trail, taken, deferred, add, turn };
}

test('all that waits goes to the trail in portions of a turn each, while it has room', () => {
  let room = true;
  const { trail, taken, deferred, add, turn } = scene(() => room);
  add(1, 9_000);
  trail.handOverInTurns();
  assert.deepEqual(taken, [2_000], 'one portion in a turn');
  trail.handOverInTurns();
  assert.deepEqual(taken, [2_000], 'the rest of it is on its way');
  turn();
  room = false;
  turn();
  turn();
  assert.deepEqual([taken, deferred.length], [[2_000, 2_000], 0]);
  trail.handOverInTurns();
  assert.deepEqual(taken, [2_000, 2_000, 2_000], 'a portion for each call, as much as a trail takes at any time');
  room = true;
  trail.handOverInTurns();
  for (let turns = 0; turns < 5; turns += 1) turn();
  assert.deepEqual([taken, deferred.length], [[2_000, 2_000, 2_000, 2_000, 1_000], 0]);
});

test('a trail is full while it is far behind the files, and not because the files are', () => {
  const { trail, add } = scene();
  add(1, 19_999);
  assert.equal(trail.isFull, false);
  add(20_000, 1);
  assert.equal(trail.isFull, true);
  trail.handOver();
  assert.equal(trail.isFull, false);

  const behind = new ArchivedTrail({ take: () => undefined, lost: assert.fail }, { archived: () => 5 });
  behind.take(Array.from({ length: 30_000 }, (_, index) => ({ seq: index + 1 }) as DurableRecord));
  assert.equal(behind.isFull, false);
});
