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
    () => archived,
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
