import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import { dayOfCivil, HOUR_MS, istInstant } from '../../../src/base/time.ts';
import type { Client } from '../../../src/gateway/turns.ts';
import { Wire } from '../../../src/gateway/wire.ts';
import { FuzzWorld } from '../../property/fuzz/fuzz-world.ts';

const AT = istInstant(must(dayOfCivil(2026, 11, 18), 'a date'), 11 * HOUR_MS);
const ADDRESS = '203.0.113.7';

test('a client is the user that its token names, in whatever letters the key of the token comes', async () => {
  const world = await FuzzWorld.open({ regime: 'always', at: AT, rateLimit: 'off', slicing: 'off' });
  const wire = new Wire(world.deps);
  const user = must(world.users[0], 'a user');
  const account = world.engine.read((state) => state.accountByUser.get(user.plain.userId));
  const askFor = (path: string, body: object): Promise<Client> =>
    new Promise((resolve, reject) => {
      const operation = must(wire.operationAt(`/V1${path}`), 'an operation');
      const fail = () => reject(new Error('it has a short answer'));
      const call = { address: ADDRESS, idempotencyKey: undefined, belongTo: () => true, sendLong: fail, cut: fail };
      wire.enter(operation, JSON.stringify(body), { ...call, send: (_reply, client) => resolve(client) });
    });
  const { userId } = user.plain;
  const token = must(user.tokens[0], 'a session');
  for (const key of ['jKey', 'jkey', 'JKEY']) {
    assert.equal(await askFor('/limit', { userId, [key]: token }), await account, key);
    const isLarge = { filler: 'x'.repeat(5_000) };
    assert.equal(await askFor('/limit', { userId, [key]: token, ...isLarge }), await account, `${key}, large`);
  }
  for (const body of [{}, { jKey: 'f'.repeat(64) }, { jKey: 5 }, { token }]) {
    assert.equal(await askFor('/limit', { userId, ...body }), ADDRESS, JSON.stringify(body));
  }
  const fields = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, 0]));
  assert.equal(await askFor('/limit', { userId, ...fields }), ADDRESS, 'a body with too many fields');
});
