import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moment, reasonOf, whoseAct } from './trail-words.ts';

test('times of lines are shown in IST, whatever the time zone of the machine', () => {
  assert.equal(moment(Date.UTC(2026, 10, 22, 18, 30, 5)), '2026-11-23 00:00:05');
});

test('the operator and the reason are those of the command, or those that the request gave', () => {
  assert.deepEqual([whoseAct({ by: 'asha' }), reasonOf({ why: 'a drill' })], ['asha', 'a drill']);
  const what = { by: 'asha', why: 'a drill', on: true };
  assert.deepEqual([whoseAct({ what }), reasonOf({ what })], ['asha', 'a drill']);
  assert.deepEqual(
    [whoseAct({}), reasonOf({ message: 'not known', rule: 'X' }), reasonOf({ rule: 'X' })],
    ['', 'not known', 'X'],
  );
});
