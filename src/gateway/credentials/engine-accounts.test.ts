import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOW_HASH_COST } from '../../../test/kit/low-hash-cost.ts';
import { FIRST_DAY } from '../../../test/kit/money/listed.ts';
import { World } from '../../../test/kit/money/world.ts';
import { testPorts } from '../../../test/kit/ports.ts';
import { worldEngine } from '../../../test/kit/world-engine.ts';
import { wallOf } from '../../base/time.ts';
import { KeyOperations } from '../../operator/operations/key-operations.ts';
import { sha256Hex } from '../../os/digest.ts';
import { CredentialLogins, type LoginAccounts } from './credential-logins.ts';
import { engineAccounts } from './engine-accounts.ts';
import { enrol, withApiKey } from './enrolment.ts';
import { newKeys } from './key-file.ts';

const OLD = { userId: 'ASHA', password: 'before', vendorCode: 'ASHA_API', apiKey: 'a'.repeat(32) };
const GROUNDS = { by: 'desk', why: 'the password is known to others' };
const ATTEMPT = {
  userId: OLD.userId,
  passwordDigest: sha256Hex(OLD.password),
  totp: '',
  vendorCode: OLD.vendorCode,
  apiKey: OLD.apiKey,
  address: '127.0.0.1',
};

for (const [act, sessions] of [
  ['renew', 1],
  ['reset', 0],
] as const) {
  test(`a login that was checked before a ${act} of its credentials opens no session after it`, async () => {
    const keys = newKeys();
    const world = new World(testPorts(), FIRST_DAY);
    const sealedCredentials = await enrol(keys, OLD, LOW_HASH_COST);
    const about = { name: 'Asha', email: 'asha@example.com', sealedCredentials, usesTotp: false, demo: false };
    world.submit({ type: 'RegisterUser', userId: OLD.userId, ...about });
    const engine = worldEngine(world);
    const now = () => wallOf(world.at);
    const desk = new KeyOperations({
      engine,
      withApiKey: (userId, sealed, apiKey) => withApiKey(keys, userId, sealed, apiKey),
      enrol: (plain) => enrol(keys, plain, LOW_HASH_COST),
      startRenewsDemo: () => true,
      now,
      log: () => undefined,
    });
    const accounts = engineAccounts(engine);
    let meanwhile = async (): Promise<unknown> => undefined;
    const interrupted: LoginAccounts = {
      find: (userId) => accounts.find(userId),
      openSession: async (...asked) => {
        await meanwhile();
        return accounts.openSession(...asked);
      },
    };
    const logins = await CredentialLogins.create({ keys, accounts: interrupted, now, cost: LOW_HASH_COST });
    assert.equal((await logins.login(ATTEMPT)).ok, true);
    assert.equal(world.state.sessions.size, 1);
    meanwhile = async () => assert.ok((await desk[act](OLD.userId, GROUNDS)).ok);
    assert.deepEqual(await logins.login(ATTEMPT), { ok: false, why: 'InvalidCredentials' });
    assert.equal(world.state.sessions.size, sessions);
  });
}
