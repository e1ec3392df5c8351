import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytes, duration } from './health-words.ts';

test('sizes and durations are shown in the unit that a person reads at a glance', () => {
  assert.deepEqual([0, 1023, 1024, 67_108_864, 5e15].map(bytes), [
    '0 B',
    '1023 B',
    '1.0 KiB',
    '64.0 MiB',
    '4547.5 TiB',
  ]);
  assert.deepEqual([5, 65, 3_600, 90_061].map(duration), ['5 s', '1 min 5 s', '1 h 0 min', '1 d 1 h']);
});
