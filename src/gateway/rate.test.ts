import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EpochMs } from '../base/time.ts';
import { TokenBuckets } from './rate.ts';

const at = (ms: number) => ms as EpochMs;

test('a bucket gives its burst, then as many a second as it refills', () => {
  const buckets = new TokenBuckets(3);
  const waits = [0, 0, 0, 0].map(() => buckets.take('a', at(0)));
  assert.deepEqual(waits, [0, 0, 0, 1]);
  assert.equal(buckets.take('a', at(333)), 1);
  assert.equal(buckets.take('a', at(334)), 0);
  assert.equal(buckets.take('b', at(334)), 0);
});

test('over a long time no more pass than the rate and one burst', () => {
  const buckets = new TokenBuckets(10);
  let passed = 0;
  for (let ms = 0; ms < 60_000; ms += 10) if (buckets.take('a', at(ms)) === 0) passed += 1;
  assert.ok(passed >= 600 && passed <= 610, String(passed));
});

test('a clock that goes back gives nothing and takes nothing', () => {
  const buckets = new TokenBuckets(1);
  assert.equal(buckets.take('a', at(10_000)), 0);
  assert.equal(buckets.take('a', at(0)), 1);
});

test('many keys do not grow the buckets without end', () => {
  const buckets = new TokenBuckets(1);
  for (let i = 0; i < 30_000; i += 1) assert.equal(buckets.take(`k${i}`, at(i * 1_000)), 0);
  assert.ok(buckets.size <= 10_000);
});
