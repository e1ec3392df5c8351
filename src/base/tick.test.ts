import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from './assert.ts';
import type { Tick } from './ids.ts';
import { dayOf, firstTickOf, instantOf, tickOf } from './tick.ts';
import { type IstDay, parseIsoDay } from './time.ts';

const DAY = must(parseIsoDay('2026-11-23'), 'a day');

test('a day begins at the tick of its IST midnight, which is 18:30 of the day before in UTC', () => {
  assert.equal(firstTickOf(DAY), Date.UTC(2026, 10, 22, 18, 30) / 1_000);
  assert.equal(instantOf(firstTickOf(DAY)), Date.UTC(2026, 10, 22, 18, 30));
  assert.equal(tickOf(DAY, 33_300), Date.UTC(2026, 10, 23, 3, 45) / 1_000);
});

test('a tick belongs to the day from its first second to its last', () => {
  assert.equal(dayOf(firstTickOf(DAY)), DAY);
  assert.equal(dayOf(tickOf(DAY, 86_399)), DAY);
  assert.equal(dayOf((firstTickOf(DAY) - 1) as Tick), (DAY - 1) as IstDay);
});
