import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameList } from './name-list.ts';

test('ten are named and the others counted', () => {
  const names = Array.from('abcdefghijkl');
  assert.equal(nameList(['a']), 'a');
  assert.equal(nameList(names.slice(0, 10)), 'a, b, c, d, e, f, g, h, i, j');
  assert.equal(nameList(names), 'a, b, c, d, e, f, g, h, i, j and 2 more');
});
