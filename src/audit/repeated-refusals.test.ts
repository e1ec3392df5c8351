import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '../base/time.ts';
import { RepeatedRefusals } from './repeated-refusals.ts';

const START = 30_000_000 * MINUTE_MS;

test('the first refusals of a kind in a minute have lines, the others are counted, and each is one or the other', () => {
  const refusals = new RepeatedRefusals();
  refusals.due(START, false);
  const admitted = Array.from({ length: 100 }, (_, i) => refusals.admits('"op":"login"', START + i)).filter(
    Boolean,
  ).length;
  assert.equal(admitted, 20);
  assert.deepEqual(refusals.due(START + 1_000, false), []);
  const expected = { what: '"op":"login"', count: 80, first: START + 20, last: START + 99 };
  assert.deepEqual(refusals.due(START + MINUTE_MS, false), [expected]);
  assert.equal(refusals.admits('"op":"login"', START + MINUTE_MS), true);
});

test('a flood of many kinds makes a bounded number of lines, and none of it is uncounted', () => {
  const refusals = new RepeatedRefusals();
  refusals.due(START, false);
  let admitted = 0;
  for (let i = 0; i < 50_000; i += 1) if (refusals.admits(`"address":"${i % 5_000}"`, START)) admitted += 1;
  const repeats = refusals.due(START, true);
  assert.ok(admitted <= 600 && repeats.length <= 501, `${admitted} lines, ${repeats.length} counts`);
  assert.equal(admitted + repeats.reduce((sum, { count }) => sum + count, 0), 50_000);
});
