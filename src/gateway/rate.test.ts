import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId } from '../base/ids.ts';
import type { WallMs } from '../base/time.ts';
import { RateLimits, TokenBuckets } from './rate.ts';

const at = (ms: number) => ms as WallMs;

test('a bucket gives its burst, then as many a second as it refills', () => {
  const buckets = new TokenBuckets();
  const waits = [0, 0, 0, 0].map(() => buckets.take('a', 3, at(0)));
  assert.deepEqual(waits, [0, 0, 0, 1]);
  assert.equal(buckets.take('a', 3, at(333)), 1);
  assert.equal(buckets.take('a', 3, at(334)), 0);
  assert.equal(buckets.take('b', 3, at(334)), 0);
});

test('half a second before the next request is there, one second is to be waited', () => {
  const buckets = new TokenBuckets();
  assert.equal(buckets.take('a', 1, at(0)), 0);
  assert.equal(buckets.take('a', 1, at(500)), 1);
  assert.equal(buckets.take('a', 1, at(1_000)), 0);
});

test('over a long time no more pass than the rate and one burst', () => {
  const buckets = new TokenBuckets();
  let passed = 0;
  for (let ms = 0; ms < 60_000; ms += 10) if (buckets.take('a', 10, at(ms)) === 0) passed += 1;
  assert.ok(passed >= 600 && passed <= 610, String(passed));
});

test('a clock that goes back gives nothing and takes nothing', () => {
  const buckets = new TokenBuckets();
  assert.equal(buckets.take('a', 1, at(10_000)), 0);
  assert.equal(buckets.take('a', 1, at(0)), 1);
});

test('many keys do not grow the buckets without end', () => {
  const buckets = new TokenBuckets();
  for (let i = 0; i < 30_000; i += 1) assert.equal(buckets.take(`k${i}`, 1, at(i * 1_000)), 0);
  assert.ok(buckets.size <= 10_000);
});

test('however many keys come in one second, each costs a few looks at buckets', () => {
  const buckets = new TokenBuckets();
  let looks = 0;
  const counted = () => {
    looks += 1;
    return 0;
  };
  const instant = { valueOf: counted } as unknown as WallMs;
  for (let i = 0; i < 40_000; i += 1) assert.equal(buckets.take(`k${i}`, 10, instant), 0);
  assert.ok(looks < 10 * 40_000, `${looks} looks`);
});

test('buckets that are full again are dropped once there are ten thousand, others never', () => {
  const buckets = new TokenBuckets();
  const fill = (count: number, name: string, ms: number) => {
    for (let i = 0; i < count; i += 1) buckets.take(`${name}${i}`, 2, at(ms));
  };
  fill(10_000, 'a', 0);
  assert.equal(buckets.take('b', 2, at(499)), 0);
  assert.equal(buckets.size, 10_001, 'each still lacks a part of a request');
  fill(9_999, 'c', 500);
  assert.equal(buckets.size, 20_000, 'they are looked through again when there are twice as many as were left');
  assert.equal(buckets.take('d', 2, at(500)), 0);
  assert.equal(buckets.size, 10_001, 'the last ones, which are not full yet');
  const many = new TokenBuckets();
  for (let i = 0; i < 10_000; i += 1) many.take(`a${i}`, 2, at(0));
  many.take('b', 2, at(500));
  assert.equal(many.size, 1);
  const few = new TokenBuckets();
  few.take('a', 1, at(0));
  few.take('b', 1, at(10_000));
  assert.equal(few.size, 2, 'few are not looked through');
});

test('a key whose rate changes has the bucket of its new rate', () => {
  const buckets = new TokenBuckets();
  for (let i = 0; i < 2; i += 1) assert.equal(buckets.take('a', 2, at(0)), 0);
  assert.equal(buckets.take('a', 2, at(0)), 1);
  for (let i = 0; i < 5; i += 1) assert.equal(buckets.take('a', 5, at(0)), 0);
  assert.equal(buckets.take('a', 5, at(0)), 1);
});

test('several requests are taken together or not at all, and one that came to nothing is put back', () => {
  const buckets = new TokenBuckets();
  assert.equal(buckets.take('a', 10, at(0), 4), 0);
  assert.equal(buckets.take('a', 10, at(0), 7), 1);
  assert.equal(buckets.take('a', 10, at(0), 6), 0);
  assert.equal(buckets.take('a', 10, at(0)), 1);
  buckets.giveBack('a');
  buckets.giveBack('b');
  assert.deepEqual([buckets.take('a', 10, at(0)), buckets.take('a', 10, at(0)), buckets.size], [0, 1, 1]);
});

test('three quotes, three candles and ten others a second pass for each account', () => {
  const limits = new RateLimits();
  const [one, other] = [0 as AccountId, 1 as AccountId];
  const passed = (take: () => number) => Array.from({ length: 20 }, take).filter((wait) => wait === 0).length;
  for (const account of [one, other]) {
    for (const [kind, most] of [
      ['quote', 3],
      ['candle', 3],
      ['other', 10],
    ] as const) {
      assert.equal(
        passed(() => limits.take(kind, account, at(0))),
        most,
        kind,
      );
    }
  }
});
