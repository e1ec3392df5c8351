import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REAL_FIGURES, SOURCES } from '../../../bench/market/real/real-figures.ts';
import { outcomesOf } from '../../../bench/market/strategies/played-report.ts';
import { verdictOf } from '../../../bench/market/verdict.ts';

const row = { text: 'a row', source: 'X' };

test('a figure is inside its range, near it, or outside', () => {
  const verdicts = [8.4, 10, 20, 23.1, 17.3, 12.7].map((value) => verdictOf({ ...row, real: [10, 20] }, value));
  assert.deepEqual(verdicts, ['OUT', 'ok', 'ok', 'OUT', 'ok', 'ok']);
  assert.equal(verdictOf({ ...row, real: [14, 16] }, 17), 'near');
  assert.equal(verdictOf({ ...row, real: [14, 16], strict: true }, 17), 'OUT');
});

test('one number counts with 15 % to both sides, also below 0', () => {
  assert.deepEqual(
    [-0.64, -0.63, -0.47, -0.46].map((value) => verdictOf({ ...row, real: -0.55 }, value)),
    ['OUT', 'ok', 'ok', 'OUT'],
  );
});

test('chance widens a range, and a row without measurements has no figure', () => {
  assert.equal(verdictOf({ ...row, real: [0, 0.04], chance: 0.02 }, -0.02), 'ok');
  assert.equal(verdictOf({ ...row, real: 1 }, Number.NaN), 'none');
});

test('every row names a source that is known', () => {
  const unknown = Object.entries(REAL_FIGURES).filter(([, { source }]) => SOURCES[source] === undefined);
  assert.deepEqual(unknown, []);
});

test('a strategy that earns is a fault, unless it has few trades or earns little by quoting', () => {
  const nets = Array.from({ length: 40 }, (_, i) => 1 + (i % 3));
  const trades = { earns: nets, loses: nets.map((net) => -net), few: nets.slice(0, 5), quotes: nets, 'H times': nets };
  const marks = outcomesOf([{ trades, rupeesADay: { quotes: 200 }, notes: [] }]).map(({ name, mark }) => [name, mark]);
  assert.deepEqual(Object.fromEntries(marks), {
    earns: 'FAULT',
    loses: '',
    few: '',
    quotes: 'small',
    'H times': 'apart',
  });
});
