import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { type Toast, type Tone, withToast } from './toast-list.ts';

function shownAfter(...tones: readonly Tone[]): readonly Toast[] {
  return tones.reduce<readonly Toast[]>((shown, tone, number) => withToast(shown, { number, tone, text: '' }), []);
}

const numbersOf = (shown: readonly Toast[]): readonly number[] => shown.map(({ number }) => number);

test('the oldest of the messages that go by themselves make room, and failures and alerts stay', () => {
  deepEqual(numbersOf(shownAfter('note', 'good', 'note', 'good', 'note', 'note')), [1, 2, 3, 4, 5]);
  deepEqual(numbersOf(shownAfter('bad', 'good', 'good', 'warn', 'good', 'good', 'good')), [0, 3, 4, 5, 6]);
  deepEqual(numbersOf(shownAfter('bad', 'bad', 'bad', 'bad', 'bad', 'warn', 'good')), [0, 1, 2, 3, 4, 5, 6]);
  deepEqual(numbersOf(shownAfter('bad', 'bad', 'bad', 'bad', 'bad', 'good', 'bad')), [0, 1, 2, 3, 4, 6]);
});

test('a day of failures does not fill the page', () => {
  equal(shownAfter(...new Array<Tone>(1_000).fill('bad')).length, 200);
});
