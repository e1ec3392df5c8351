import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAnyBody, assertFailure } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld } from '../../kit/wire/world.ts';

test('logout answers without data, and the token is dead afterwards', async () => {
  const world = await openWorld();
  const seen = await world.call('/logout', ALICE);
  assert.deepEqual(assertAnyBody(seen), { status: 'success', message: 'Successfully logged out' });
  assert.equal(seen.status, 200);
  for (const path of ['/limit', '/logout']) {
    const late = await world.call(path, ALICE);
    assertFailure(late, 401, 'INVALID_JKEY', 'jKey', 'jKey parameter is invalid');
  }
  await world.close();
});

test('logout refuses a missing user, a missing token and a wrong one', async () => {
  const world = await openWorld();
  const { userId, jKey } = ALICE.credentials;
  assertFailure(await world.post('/logout', { jKey }), 401, 'INVALID_USERID', 'userId', 'User ID is required');
  assertFailure(await world.post('/logout', { userId }), 401, 'INVALID_JKEY', 'jKey');
  assertFailure(await world.post('/logout', { userId, jKey: 'x' }), 401, 'INVALID_JKEY', 'jKey');
  assertFailure(await world.post('/logout', { userId: 'CD5678', jKey }), 401, 'INVALID_USERID', 'userId');
  assert.equal((await world.call('/limit', ALICE)).status, 200);
  await world.close();
});
