import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaderIn } from './link.ts';

test('the address of the leader is taken from the close of a machine that follows, and from no other words', () => {
  assert.equal(leaderIn('leader https://b.example:8080'), 'https://b.example:8080');
  for (const reason of ['', 'follower', 'leader javascript:alert(1)', 'leader https://b/c', 'the leader https://b']) {
    assert.equal(leaderIn(reason), '', reason);
  }
});
