import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId } from '../base/ids.ts';
import { MINUTE_MS } from '../base/time.ts';
import { RepeatedRefusals, UserRefusals } from './repeated-refusals.ts';

const START = 30_000_000 * MINUTE_MS;

test('the first refusals of a kind in a minute have lines, the others are counted, and each is one or the other', () => {
  const refusals = new RepeatedRefusals();
  refusals.due(START, false);
  const admitted = Array.from({ length: 100 }, (_, i) => refusals.admits('"op":"login"', START + i, true)).filter(
    Boolean,
  ).length;
  assert.equal(admitted, 20);
  assert.deepEqual(refusals.due(START + 1_000, false), []);
  const expected = { what: '"op":"login"', count: 80, first: START + 20, last: START + 99 };
  assert.deepEqual(refusals.due(START + MINUTE_MS, false), [expected]);
  assert.equal(refusals.admits('"op":"login"', START + MINUTE_MS, true), true);
});

test('a flood of many kinds makes a bounded number of lines, and none of it is uncounted', () => {
  const refusals = new RepeatedRefusals();
  refusals.due(START, false);
  let admitted = 0;
  for (let i = 0; i < 50_000; i += 1) if (refusals.admits(`"address":"${i % 5_000}"`, START, true)) admitted += 1;
  const repeats = refusals.due(START, true);
  assert.ok(admitted <= 600 && repeats.length <= 501, `${admitted} lines, ${repeats.length} counts`);
  assert.equal(admitted + repeats.reduce((sum, { count }) => sum + count, 0), 50_000);
});

test('without room nothing has a line, and all of it is counted until there is room again', () => {
  const refusals = new RepeatedRefusals();
  refusals.due(START, false);
  for (let i = 0; i < 10; i += 1) assert.equal(refusals.admits('"op":"login"', START + i, false), false);
  assert.equal(refusals.admits('"op":"login"', START + MINUTE_MS, true), true);
  const expected = { what: '"op":"login"', count: 10, first: START, last: START + 9 };
  assert.deepEqual(refusals.due(START + MINUTE_MS, false), [expected]);
});

test('each user has an allowance of his own, and his further kinds are counted under his name', () => {
  const refusals = new UserRefusals();
  refusals.due(START, false);
  let admitted = 0;
  const refuse = (account: number, times: number): void => {
    for (let i = 0; i < times; i += 1) {
      const user = `,"user":"${account}"`;
      if (refusals.admits(account as AccountId, user, `"op":"op ${i % 100}"${user}`, START, true)) admitted += 1;
    }
  };
  refuse(1, 10_000);
  assert.equal(admitted, 600);
  refuse(2, 500);
  assert.equal(admitted, 1_100);
  assert.deepEqual(refusals.due(START + 59_000, false), []);
  const repeats = refusals.due(START + MINUTE_MS, false);
  assert.equal(repeats.length, 51);
  assert.equal(
    repeats.reduce((sum, { count }) => sum + count, 0),
    9_400,
  );
  assert.ok(repeats.some(({ what }) => what === '"op":"others","user":"1"'));
  refuse(1, 1);
  assert.equal(admitted, 1_101, 'the next minute has lines again');
});
