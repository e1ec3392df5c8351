import assert from 'node:assert/strict';
import test from 'node:test';
import { actionRefusal, type DoorAction } from './doors.ts';
import type { Phase } from './phase.ts';

/** What each phase answers to a new order, a modification and a cancellation: `-` lets it in. */
const ANSWERS: { readonly [Name in Phase]: readonly [place: string, modify: string, cancel: string] } = {
  Closed: ['MarketClosed', 'MarketClosed', '-'],
  PreOpen: ['-', '-', '-'],
  PreOpenLimitOnly: ['-', '-', '-'],
  PreOpenMatching: ['EntryClosed', 'EntryClosed', 'EntryClosed'],
  Buffer: ['EntryClosed', 'EntryClosed', '-'],
  Continuous: ['-', '-', '-'],
  ClosingReference: ['MarketHalted', 'MarketHalted', '-'],
  ClosingEntry: ['-', '-', '-'],
  ClosingLimitOnly: ['-', '-', '-'],
  ClosingMatching: ['EntryClosed', 'EntryClosed', 'EntryClosed'],
  PostClose: ['-', '-', '-'],
};

test('each phase takes its actions and refuses the others by its own rule', () => {
  const actions: readonly DoorAction[] = ['place', 'modify', 'cancel'];
  for (const [phase, answers] of Object.entries(ANSWERS)) {
    const given = actions.map((action) => actionRefusal(phase as Phase, action)?.rule ?? '-');
    assert.deepEqual(given, answers, phase);
  }
});
