import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilRoom } from '../kit/time-with-room.ts';

test('tests wait for the end of a market day and of its sessions, and for nothing else', () => {
  const waits = ['00:00', '05:44', '05:45', '05:59', '06:00', '09:15', '23:44', '23:45', '23:59'].map((time) => {
    return [time, untilRoom(Date.parse(`2026-12-01T${time}:00+05:30`)) / 1000];
  });
  assert.deepEqual(Object.fromEntries(waits), {
    '00:00': 0,
    '05:44': 0,
    '05:45': 910,
    '05:59': 70,
    '06:00': 0,
    '09:15': 0,
    '23:44': 0,
    '23:45': 910,
    '23:59': 70,
  });
});
