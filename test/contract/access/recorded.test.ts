import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateSecret, generateSync } from 'otplib';
import { must } from '../../../src/base/assert.ts';
import { dayOfCivil, HOUR_MS, istInstant } from '../../../src/base/time.ts';
import type { LoginAttempt } from '../../../src/gateway/logins.ts';
import { decodeGroup } from '../../../src/journal/codec.ts';
import { FuzzWorld, sha256 } from '../../property/fuzz/fuzz-world.ts';

const NOW = istInstant(must(dayOfCivil(2026, 11, 17), 'a date'), 11 * HOUR_MS);

test('the records of logins and what a snapshot holds, in plain text, name no secret', async () => {
  const world = await FuzzWorld.open({ regime: 'always', at: NOW, rateLimit: 'off', slicing: 'off' });
  const plain = {
    userId: 'AB1234',
    password: 'correct horse battery',
    totpSecret: generateSecret(),
    vendorCode: 'AB1234_API',
    apiKey: '34ffc4587242fa66a03ba8ce6801f3c9',
  };
  await world.enrolUser(plain);
  const code = generateSync({ secret: plain.totpSecret, epoch: Math.floor(NOW / 1_000) });
  const passwordDigest = sha256(plain.password);
  const attempt = {
    userId: plain.userId,
    passwordDigest,
    totp: code,
    vendorCode: plain.vendorCode,
    apiKey: plain.apiKey,
  };
  const login = (change: Partial<LoginAttempt>) =>
    world.deps.logins.login({ ...attempt, address: '10.0.0.1', ...change });
  assert.equal((await login({ passwordDigest: sha256('wrong') })).ok, false);
  const done = await login({});
  assert.ok(done.ok);
  await world.engine.drain();

  const records = JSON.stringify([...world.journal.groups(0)].flatMap(decodeGroup));
  const snapshot = [...world.live.lines()].join('\n');
  const secrets = [
    plain.password,
    passwordDigest,
    plain.totpSecret,
    plain.apiKey,
    sha256(plain.apiKey),
    done.token,
    '$argon2',
  ];
  for (const text of [records, snapshot]) {
    assert.ok(text.includes(plain.userId) && text.includes(sha256(done.token)), 'the login is recorded');
    for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} is recorded`);
  }
});
