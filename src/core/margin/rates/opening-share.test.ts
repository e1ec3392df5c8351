import assert from 'node:assert/strict';
import test from 'node:test';
import { openingShare } from './opening-share.ts';

test('only the units that open need margin, exact to one unit', () => {
  assert.equal(openingShare(1_000, 10, 0), 1_000);
  assert.equal(openingShare(1_000, 10, 4), 600);
  assert.equal(openingShare(1_000, 10, 9), 100);
  assert.equal(openingShare(1_000, 10, 10), 0);
  assert.equal(openingShare(1_000, 10, 12), 0);
  assert.equal(openingShare(1_001, 10, 5), 501, 'half up');
});
