import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reopeningPhase } from './reopening.ts';

test('a halt ends with eight minutes of entry, four of matching and three of buffer', () => {
  const phases = [901, 900, 421, 420, 181, 180, 1, 0, -1].map(reopeningPhase);
  assert.deepEqual(phases, [
    undefined,
    'PreOpen',
    'PreOpen',
    'PreOpenMatching',
    'PreOpenMatching',
    'Buffer',
    'Buffer',
    undefined,
    undefined,
  ]);
});
