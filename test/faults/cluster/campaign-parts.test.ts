import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FIRST_SEED, fileOf, PARTS, type Part, seedsLeft } from './campaign-parts.ts';
import type { Line } from './trial-log.ts';

for (const part of PARTS) {
  test(`the campaign names a test and its faults as their file does: ${part.faults[0]}`, () => {
    const source = readFileSync(fileOf(part), 'utf8');
    const names = [...source.matchAll(/(?:\bit|longRun)\('([^']+)'/g)].map(([, name = '']) => name);
    assert.equal(names.filter((name) => new RegExp(part.pattern).test(name)).length, 1, names.join('\n'));
    for (const fault of part.faults) assert.ok(source.includes(`'${fault}'`), fault);
  });
}

test('a run of the campaign gets the first seeds that were not tried with each fault, and that no other run has', () => {
  const part: Part = { file: 'members', pattern: '', faults: ['one', 'other'], trials: 6 };
  const line = (fault: string, number: number): Line => ({ fault, seed: FIRST_SEED + number, acknowledged: 1, gap: 1 });
  const lines = [line('one', 0), line('other', 0), line('one', 1), line('one', 4), line('other', 4)];
  const numbers = (begun: readonly number[]): readonly number[] =>
    seedsLeft(part, lines, new Set(begun.map((number) => FIRST_SEED + number))).map((seed) => seed - FIRST_SEED);
  assert.deepEqual(numbers([]), [1, 2, 3]);
  assert.deepEqual(numbers([1, 2]), [3]);
  assert.deepEqual(numbers([1, 2, 3]), [5]);
  assert.deepEqual(numbers([1, 2, 3, 5]), []);
});
