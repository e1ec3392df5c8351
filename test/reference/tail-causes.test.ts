import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Explained, explain, heldMs, NO_PROCESSOR } from '../../bench/tails/causes.ts';
import type { Stretch } from '../../bench/tails/steps.ts';

const SENT = { id: 1, due: 0, sent: 1, received: 30 };
const SERVED = { id: 1, entered: 5, run: 6, recorded: 7, flushing: 10, durable: 24, answered: 26 };

function spent(explained: Explained): Record<string, number> {
  return Object.fromEntries(explained.spent);
}

test('the time of a placement is divided among its parts, and the largest is its cause', () => {
  const explained = explain(SENT, SERVED, [], []);
  assert.deepEqual(spent(explained), {
    'load is late': 1,
    'to the service': 4,
    'turn of its client': 1,
    decision: 1,
    'flush before': 3,
    'own flush': 14,
    release: 2,
    back: 4,
  });
  assert.equal(explained.took, 30);
  assert.equal(explained.cause, 'own flush');
});

test('other work counts as itself, once, and the sum stays the whole time', () => {
  const work: Stretch[] = [
    { kind: 'second', from: 2, to: 8 },
    { kind: 'young collector', from: 4, to: 23 },
    { kind: 'feed', from: 27, to: 29 },
  ];
  const explained = explain(SENT, SERVED, work, []);
  assert.deepEqual(spent(explained), {
    'load is late': 1,
    'to the service': 1,
    'young collector': 19,
    second: 2,
    'own flush': 1,
    release: 2,
    back: 4,
  });
  assert.equal(
    [...explained.spent.values()].reduce((sum, ms) => sum + ms),
    30,
  );
  assert.equal(explained.cause, 'young collector');
});

test('a thread without a processor is the cause where it waited for half of the time', () => {
  assert.equal(
    explain(
      SENT,
      SERVED,
      [],
      [
        [0, 100],
        [25, 116],
      ],
    ).cause,
    NO_PROCESSOR,
  );
  assert.equal(
    explain(
      SENT,
      SERVED,
      [],
      [
        [0, 100],
        [25, 114],
      ],
    ).cause,
    'own flush',
  );
});

test('a stretch held the thread for what it did not wait', () => {
  assert.equal(
    heldMs({ kind: 'young collector', from: 2, to: 12 }, [
      [1, 50],
      [11, 57],
    ]),
    3,
  );
});
