import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlacedRows } from './placed-rows.ts';

test('the items at some places of a log are read stretch by stretch, as they were when the list was made', () => {
  const items = ['a', 'b', 'c', 'd', 'e'];
  const reads: number[] = [];
  const log = {
    read: (place: number): string => {
      reads.push(place);
      return items[place] as string;
    },
  };
  const places = [0, 2, 3];
  const list = new PlacedRows(log, places);
  places.push(4);
  assert.equal(list.length, 3);
  assert.deepEqual([list.slice(0, 2), list.slice(2, 9), list.slice(3, 9)], [['a', 'c'], ['d'], []]);
  assert.deepEqual(reads, [0, 2, 3], 'nothing is read that was not asked for');
});
