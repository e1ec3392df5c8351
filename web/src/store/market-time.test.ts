import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { ownSpeed, paceText, timeAfter } from './market-time.ts';

test('the time of the market goes on at its speed from the last message', () => {
  equal(timeAfter('18:03:13 23-11-2026', 0, 1), '18:03:13');
  equal(timeAfter('18:03:13 23-11-2026', 1_999, 1), '18:03:14');
  equal(timeAfter('09:59:59 23-11-2026', 1_000, 60), '10:00:59');
});

test('the time of the market goes over midnight and stands still at speed 0', () => {
  equal(timeAfter('23:59:59 23-11-2026', 2_000, 1), '00:00:01');
  equal(timeAfter('12:00:00 23-11-2026', 60_000, 0), '12:00:00');
});

test('the page lets no time pass by itself in a market that is fast or stands still', () => {
  equal(ownSpeed('1'), 1);
  equal(ownSpeed('0.5'), 0.5);
  for (const speed of ['0', '1.5', '60', '3600', 'max']) equal(ownSpeed(speed), 0, speed);
});

test('a speed is said in words, and that of the wall is not', () => {
  equal(paceText('1'), '');
  equal(paceText('0'), 'stands still');
  equal(paceText('0.5'), '\u00d70.5');
  equal(paceText('600'), '\u00d7600');
  equal(paceText('max'), 'as fast as it can');
});
