import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { stepOf } from './steps-progress.ts';

const NOTHING = { hasInstrument: false, hasTicket: false, hasSent: false, hasTrade: false };

test('the first steps follow what the user did', () => {
  equal(stepOf(NOTHING, 0, 5), 0);
  equal(stepOf({ ...NOTHING, hasInstrument: true }, 0, 5), 1);
  equal(stepOf({ ...NOTHING, hasInstrument: true, hasTicket: true }, 0, 5), 2);
  equal(stepOf({ ...NOTHING, hasInstrument: true, hasSent: true }, 0, 5), 4);
  equal(stepOf({ ...NOTHING, hasTrade: true }, 0, 5), 5);
});

test('a user who presses Next goes on, and is never led back', () => {
  equal(stepOf({ ...NOTHING, hasInstrument: true }, 3, 5), 3);
  equal(stepOf({ ...NOTHING, hasSent: true }, 1, 5), 4);
  equal(stepOf(NOTHING, 9, 5), 5);
});
