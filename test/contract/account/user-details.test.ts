import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAnyBody, assertFailure, assertShape, T1, TEXT } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld } from '../../kit/wire/world.ts';

test('userDetails answers who is logged in, without a message', async () => {
  const world = await openWorld();
  const seen = await world.call('/userDetails', ALICE);
  const body = assertAnyBody(seen) as { status: string; data: Record<string, unknown> };
  assert.equal(seen.status, 200);
  assert.deepEqual(Object.keys(body), ['status', 'data']);
  assertShape(body.data, {
    actid: /^AB1234$/,
    email: /^ab1234@example\.com$/,
    exchange: [/^(NSE|BSE|NFO|BFO)$/],
    orarr: [/^(MKT|LMT|SL-LMT|SL-MKT)$/],
    requestTime: T1,
    uprev: /^INVESTOR$/,
    userName: TEXT,
  });
  await world.close();
});

test('userDetails refuses a missing token, a wrong one and that of another user', async () => {
  const world = await openWorld();
  const { userId, jKey } = ALICE.credentials;
  assertFailure(await world.post('/userDetails', { userId }), 401, 'INVALID_JKEY', 'jKey', 'jKey parameter is invalid');
  assertFailure(await world.post('/userDetails', { userId, jKey: 'x' }), 401, 'INVALID_JKEY', 'jKey');
  assertFailure(await world.post('/userDetails', { userId: 'CD5678', jKey }), 401, 'INVALID_USERID', 'userId');
  await world.close();
});
