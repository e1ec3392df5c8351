import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lowerBound } from './lower-bound.ts';
import { Random } from './random.ts';

test('the first place that is not below is that of a look at all places', () => {
  const random = new Random(20_261_123);
  for (let round = 0; round < 500; round += 1) {
    const list = Array.from({ length: random.below(12) }, () => random.below(8)).sort((one, other) => one - other);
    const [wanted, from] = [random.below(9), random.below(list.length + 1)];
    const isBelow = (place: number): boolean => (list[place] as number) < wanted;
    const plain = list.findIndex((value, place) => place >= from && value >= wanted);
    assert.equal(lowerBound(from, list.length, isBelow), plain < 0 ? list.length : plain, `${list} ${from} ${wanted}`);
  }
});
