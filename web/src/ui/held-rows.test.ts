import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { inPlaces, movedBy } from './held-rows.ts';

interface Row {
  readonly key: string;
  readonly state: string;
}

const keyOf = ({ key }: Row): string => key;
const rows = (keys: string, state = 'open'): readonly Row[] => Array.from(keys, (key) => ({ key, state }));

test('held rows stay in their places as they are now: new ones wait, and those that were left out stay', () => {
  const gone = (row: Row): Row => ({ ...row, state: 'over' });
  deepEqual(inPlaces(rows('cba'), rows('dca', 'filled'), keyOf, gone), [
    { key: 'c', state: 'filled' },
    { key: 'b', state: 'over' },
    { key: 'a', state: 'filled' },
  ]);
});

test('rows that come or go above the first one that is seen are counted', () => {
  equal(movedBy(rows('cba'), rows('edcba'), keyOf, 1), 2);
  equal(movedBy(rows('dcba'), rows('cba'), keyOf, 2), -1);
  equal(movedBy(rows('cba'), rows('dca'), keyOf, 1), 0, 'the row itself went');
  equal(movedBy(rows(''), rows('ab'), keyOf, 0), 0);
});
