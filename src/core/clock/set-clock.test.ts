import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId } from '../../base/ids.ts';
import { type EpochMs, MINUTE_MS, type WallMs } from '../../base/time.ts';
import { emptyState } from '../state.ts';
import { applyClockSet, decideMarkClock, decideSetClock, isMarkDue, speedOf } from './set-clock.ts';

const AT = (29_919_105 * MINUTE_MS) as EpochMs;
const WALL = 1_800_000_000_000 as WallMs;
const SET = { type: 'SetClock', by: 'desk', why: 'a lesson' } as const;

test('a clock is set with its instant of both clocks, once for each speed', () => {
  const state = emptyState();
  assert.equal(speedOf(state), 1);
  assert.deepEqual(decideSetClock(state, AT, { ...SET, speed: 1 }), [], 'it goes at that speed already');
  const [first] = decideSetClock(state, AT, { ...SET, speed: 60 });
  assert.deepEqual(first, { type: 'ClockSet', at: AT, market: AT, speed: 60, by: 'desk', why: 'a lesson' });
  if (first !== undefined) applyClockSet(state, first);
  assert.equal(speedOf(state), 60);
  assert.deepEqual(decideSetClock(state, AT, { ...SET, speed: 60, wall: WALL }), []);
  const [second] = decideSetClock(state, AT, { ...SET, speed: 0, wall: WALL });
  assert.equal(second?.at, WALL);
  assert.equal(second?.market, AT);
});

test('a mark is due once in a minute without records, and only where the clock is set', () => {
  const state = emptyState();
  state.at = AT;
  const later = (ms: number): EpochMs => (AT + ms) as EpochMs;
  assert.ok(!isMarkDue(state, later(MINUTE_MS)));
  assert.deepEqual(decideMarkClock(state, later(MINUTE_MS)), []);
  applyClockSet(state, { type: 'ClockSet', at: WALL, market: AT, speed: 60, by: 'desk', why: 'a lesson' });
  assert.ok(!isMarkDue(state, later(MINUTE_MS - 1)));
  assert.ok(isMarkDue(state, later(MINUTE_MS)));
  assert.deepEqual(decideMarkClock(state, later(MINUTE_MS)), [{ type: 'ClockMarked' }]);
  assert.deepEqual(decideMarkClock(state, AT), [], 'the journal has a record of this instant');
});

test('a start can set the clock forward at the same speed, and the instant that it asked for is kept', () => {
  const state = emptyState();
  const market = (AT + 5 * MINUTE_MS) as EpochMs;
  const [jump] = decideSetClock(state, AT, { ...SET, speed: 1, market, asked: market, wall: WALL });
  assert.deepEqual(jump, { type: 'ClockSet', at: WALL, market, speed: 1, by: 'desk', why: 'a lesson', asked: market });
  if (jump !== undefined) applyClockSet(state, jump);
  const [later] = decideSetClock(state, market, { ...SET, speed: 60, wall: WALL });
  assert.equal(later?.asked, market);
  assert.throws(() => decideSetClock(state, market, { ...SET, speed: 2, market: AT, wall: WALL }), /never goes back/);
});

test('a step ends at an instant that is ahead, and replaces the speed that was set before it', () => {
  const state = emptyState();
  const until = (AT + 90_500) as EpochMs;
  const step = { ...SET, speed: 'max', until, eventOf: 0 as AccountId } as const;
  assert.deepEqual(decideSetClock(state, until, step), [], 'it is over');
  const [set] = decideSetClock(state, AT, step);
  assert.deepEqual(set, { ...step, type: 'ClockSet', at: AT, market: AT });
  if (set !== undefined) applyClockSet(state, set);
  assert.equal(speedOf(state), 'max');
  const [ended] = decideSetClock(state, until, { ...SET, speed: 0 });
  assert.equal(ended?.until, undefined);
  assert.equal(decideSetClock(state, AT, { ...SET, speed: 'max' }).length, 1, 'a run at the speed of the step');
});
