import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OwnHosts } from '../../../src/base/net/own-hosts.ts';
import { type WallMs, wallOf } from '../../../src/base/time.ts';
import { DemoSessions } from '../../../src/gateway/credentials/demo-sessions.ts';
import type { GatewayDeps } from '../../../src/gateway/deps.ts';
import { unasked } from '../../kit/unasked.ts';
import { assertFailure, assertShape, assertSuccess, TEXT } from '../../kit/wire/wire-checks.ts';
import { ALICE, NOW, openWorld, type World } from '../../kit/wire/world.ts';

const HOSTS = new OwnHosts(['127.0.0.1', 'localhost']);
const OPENED = { actid: /^AB1234$/, userName: TEXT, susertoken: /^[0-9a-f]{64}$/, email: /@/ };
const STRANGER = 'ZZ9999';

/** The demo logins of a world; the wall stands still unless `wall` moves it. */
async function inWorld(
  run: (world: World) => Promise<void>,
  { wall = () => wallOf(NOW), settings = {} }: { wall?: () => WallMs; settings?: Partial<GatewayDeps> } = {},
): Promise<void> {
  const world = await openWorld({
    hosts: HOSTS,
    demoLogins: { enter: (userId, address) => new DemoSessions(world.engine, wall).enter(userId, address) },
    ...settings,
  });
  const account = { userId: STRANGER, name: 'A REAL ONE', email: 'z@example.com', sealedCredentials: '' };
  await world.engine.submit(unasked({ type: 'RegisterUser', ...account, usesTotp: false, demo: false }));
  try {
    await run(world);
    assert.deepEqual(world.failures, []);
  } finally {
    await world.close();
  }
}

test('demoUsers names the demo users and nobody else', () =>
  inWorld(async (world) => {
    const rows = assertSuccess(await world.post('/demoUsers', {}), 'Demo users') as { userId: string; name: string }[];
    assert.deepEqual(
      rows.map(({ userId }) => userId),
      ['AB1234', 'CD5678', 'EF9012'],
    );
    for (const row of rows) assertShape(row, { userId: TEXT, name: TEXT });
  }));

test('demoLogin answers as login does, and its token opens the other operations until it is logged out', () =>
  inWorld(async (world) => {
    const data = assertSuccess(await world.post('/demoLogin', { userId: 'AB1234' }), 'Login successful');
    assertShape(data, OPENED);
    const who = { userId: 'AB1234', jKey: (data as { susertoken: string }).susertoken };
    assert.equal((await world.post('/orderBook', who)).status, 200);
    assert.equal((await world.post('/limit', { ...who, userId: 'CD5678' })).status, 401);
    assert.equal((await world.post('/logout', who)).status, 200);
    assertFailure(await world.post('/orderBook', who), 401, 'INVALID_JKEY', 'jKey');
  }));

test('demoLogin refuses a user who is not a demo user as it refuses one who is not there', () =>
  inWorld(async (world) => {
    const before = world.engine.state.sessions.size;
    const texts = new Set<string>();
    for (const userId of [STRANGER, 'NOBODY', 'ab1234', '__proto__']) {
      const seen = await world.post('/demoLogin', { userId });
      assertFailure(seen, 400, 'BAD_REQUEST', 'userId');
      texts.add(seen.text);
    }
    assert.equal(texts.size, 1);
    assertFailure(await world.post('/demoLogin', {}), 400, 'MISSING_FIELD', 'userId');
    for (const userId of [7, true, ['AB1234'], 'x'.repeat(65)]) {
      assertFailure(await world.post('/demoLogin', { userId }), 400, 'BAD_REQUEST', 'userId');
    }
    assert.equal(world.engine.state.sessions.size, before);
  }));

test('a service that does not offer it names nobody and lets nobody in', async () => {
  const world = await openWorld();
  assert.deepEqual(assertSuccess(await world.post('/demoUsers', {}), 'Demo users'), []);
  const seen = await world.post('/demoLogin', { userId: ALICE.credentials.userId });
  assertFailure(seen, 403, 'FORBIDDEN', 'demoLogin');
  await world.close();
});

test('a page of another site gets no demo user, in whatever shape its request comes', () =>
  inWorld(async (world) => {
    const before = world.engine.state.sessions.size;
    for (const origin of ['https://evil.example', 'http://127.0.0.1.evil.example', 'null', 'file://', '', 'x']) {
      // The second head has a header that the lane leaves to Node's own server.
      for (const more of [{}, { expect: '' }, { 'content-type': 'application/json; charset=UTF-8; a=b' }]) {
        const headers = { origin, ...more };
        assertFailure(await world.post('/demoLogin', { userId: 'AB1234' }, headers), 403, 'FORBIDDEN', 'Origin');
        assert.deepEqual(assertSuccess(await world.post('/demoUsers', {}, headers), 'Demo users'), []);
      }
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const headers = { 'content-type': type };
      assert.equal((await world.post('/demoLogin', { userId: 'AB1234' }, headers)).status, 415);
    }
    assert.equal(world.engine.state.sessions.size, before);
    for (const origin of [`http://127.0.0.1:${world.port}`, 'http://localhost:5173']) {
      assert.equal((await world.post('/demoLogin', { userId: 'AB1234' }, { origin })).status, 200, origin);
    }
  }));

test('more than five logins in a second are asked to wait, and the next second takes them again', async () => {
  let now = wallOf(NOW);
  const world = await openWorld();
  const logins = new DemoSessions(world.engine, () => now);
  const enter = () => logins.enter('AB1234', '127.0.0.1');
  for (let n = 0; n < 5; n += 1) assert.equal((await enter()).ok, true);
  assert.deepEqual(await enter(), { ok: false, why: 'Throttled', retryAfterSeconds: 1 });
  assert.deepEqual(await logins.enter('NOBODY', '127.0.0.1'), { ok: false, why: 'InvalidCredentials' });
  now = (now + 1_000) as WallMs;
  assert.equal((await enter()).ok, true);
  await world.close();
});

test('the 21st session of a demo user ends his first, as behind a password', async () => {
  let now = wallOf(NOW);
  const world = await openWorld();
  const logins = new DemoSessions(world.engine, () => {
    now = (now + 1_000) as WallMs;
    return now;
  });
  const account = world.engine.state.accounts.at(2);
  for (let n = 0; n < 25; n += 1) assert.equal((await logins.enter('EF9012', '127.0.0.1')).ok, true);
  assert.equal(account?.sessions.length, 20);
  await world.close();
});
