import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { timeAfter } from './market-time.ts';

test('the time of the market goes on at its speed from the last message', () => {
  equal(timeAfter('18:03:13 23-11-2026', 0, 1), '18:03:13');
  equal(timeAfter('18:03:13 23-11-2026', 1_999, 1), '18:03:14');
  equal(timeAfter('09:59:59 23-11-2026', 1_000, 60), '10:00:59');
});

test('the time of the market goes over midnight and stands still at speed 0', () => {
  equal(timeAfter('23:59:59 23-11-2026', 2_000, 1), '00:00:01');
  equal(timeAfter('12:00:00 23-11-2026', 60_000, 0), '12:00:00');
});
