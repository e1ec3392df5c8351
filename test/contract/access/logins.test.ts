import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { test } from 'node:test';
import { generateSecret, generateSync } from 'otplib';
import { must } from '../../../src/base/assert.ts';
import { dayOfCivil, HOUR_MS, istInstant } from '../../../src/base/time.ts';
import type { PlainCredentials } from '../../../src/gateway/credentials/enrolment.ts';
import { HASH_COST } from '../../../src/gateway/credentials/password-hash.ts';
import type { Reply } from '../../../src/gateway/http/respond.ts';
import { Wire } from '../../../src/gateway/wire.ts';
import { FuzzWorld, sha256 } from '../../property/fuzz/fuzz-world.ts';
import { loginThrough } from './login-through.ts';

/*
 * A login that fails reads the same and costs the same whoever it was for and whatever was wrong. Source: contract W5.
 * Work is counted, not timed: `node bench/login-times.ts` measures it.
 */

const NOW = istInstant(must(dayOfCivil(2026, 11, 17), 'a date'), 11 * HOUR_MS);
const KNOWN: PlainCredentials = {
  userId: 'AB1234',
  password: 'correct horse',
  totpSecret: generateSecret(),
  vendorCode: 'AB1234_API',
  apiKey: '34ffc4587242fa66a03ba8ce6801f3c9',
};
const { totpSecret: _none, ...rest } = KNOWN;
const WITHOUT_CODES: PlainCredentials = { ...rest, userId: 'CD5678', vendorCode: 'CD5678_API' };
const UNKNOWN: PlainCredentials = { ...KNOWN, userId: 'EF9012', vendorCode: 'EF9012_API' };

const world = await FuzzWorld.open({
  regime: 'always',
  at: NOW,
  rateLimit: 'off',
  slicing: 'off',
  hashCost: HASH_COST,
});
await world.enrolUser(KNOWN);
await world.enrolUser(WITHOUT_CODES);
const wire = new Wire(world.deps);
await login(KNOWN, {}, 'the first');

let derivations = 0;
createHook({
  init: (_id, type) => {
    if (type === 'ARGON2REQUEST') derivations += 1;
  },
}).enable();

function login(plain: PlainCredentials, change: object, address: string): Promise<Reply> {
  const TOTP = generateSync({ secret: KNOWN.totpSecret ?? '', epoch: Math.floor(world.now / 1_000) + 30 });
  const { userId, vendorCode, apiKey } = plain;
  const body = { userId, password: sha256(plain.password), TOTP, vendorCode, apiKey, ...change };
  return loginThrough(wire, body, address);
}

/** An answer as it leaves, and how many password hashes it took. */
async function costed(
  plain: PlainCredentials,
  change: object,
  address: string,
): Promise<[bytes: string, hashes: number]> {
  const before = derivations;
  const { status, type, headers, body } = await login(plain, change, address);
  return [JSON.stringify([status, type, headers, body]), derivations - before];
}

const WRONG: Readonly<Record<string, object>> = {
  password: { password: 'f'.repeat(64) },
  'a password that is not a digest': { password: 'x' },
  vendorCode: { vendorCode: 'ZZ9999_API' },
  apiKey: { apiKey: '0'.repeat(32) },
  'a code': { TOTP: '000000' },
  'a code that is not a number': { TOTP: 'abcdef' },
  everything: { password: 'x', vendorCode: 'x', apiKey: 'x', TOTP: 'x' },
};

test('a login that fails reads the same and hashes once, whoever it is for and whatever is wrong', async () => {
  const before = world.live.hash();
  const seen = new Set<string>();
  const costs = new Set<number>();
  let cells = 0;
  for (const user of [
    KNOWN,
    WITHOUT_CODES,
    UNKNOWN,
    { ...UNKNOWN, userId: '__proto__' },
    { ...UNKNOWN, userId: ' ' },
  ]) {
    for (const [what, change] of Object.entries(WRONG)) {
      // A user without codes is not wrong for sending one.
      if (user === WITHOUT_CODES && what.startsWith('a code')) continue;
      const [bytes, hashes] = await costed(user, change, `cell ${cells}`);
      seen.add(bytes);
      costs.add(hashes);
      cells += 1;
    }
  }
  assert.ok(cells >= 30);
  assert.deepEqual([...costs], [1]);
  assert.equal(seen.size, 1);
  assert.match([...seen][0] ?? '', /^\[401,.*INVALID_CREDENTIALS/);
  assert.equal(world.live.hash(), before, 'no failed login changes the books');
});

test('a login that succeeds hashes once, as one that fails', async () => {
  const [bytes, hashes] = await costed(WITHOUT_CODES, {}, 'right');
  assert.match(bytes, /^\[200,/);
  assert.equal(hashes, 1);
});

test('a login without a code reads the same for one who has codes and for one who does not exist, and hashes nothing', async () => {
  const known = await costed(KNOWN, { TOTP: '' }, 'no code');
  const unknown = await costed(UNKNOWN, { TOTP: '' }, 'no code');
  assert.deepEqual(known, unknown);
  assert.equal(known[1], 0);
});

test('a throttle reads the same and hashes once for a known and an unknown user, and holds nobody at another address', async () => {
  const answers: (readonly [string, number][])[] = [];
  for (const user of [KNOWN, UNKNOWN]) {
    const seen: [string, number][] = [];
    for (let tries = 0; tries < 8; tries += 1) seen.push(await costed(user, { password: 'x' }, 'one address'));
    answers.push(seen);
  }
  assert.deepEqual(answers[0], answers[1]);
  assert.deepEqual(
    answers[0]?.map(([bytes, hashes]) => [Number(bytes.slice(1, 4)), hashes]),
    [...Array(5).fill([401, 1]), ...Array(3).fill([429, 1])],
  );
  assert.match((await costed(WITHOUT_CODES, {}, 'one address'))[0], /^\[200,/);
});

/** One check runs and 32 wait. */
const PLACES = 33;

test('when password checks queue up, the one too many reads the same for a known and an unknown user', async () => {
  const waiting = Array.from({ length: PLACES }, (_, index) =>
    login({ ...UNKNOWN, userId: `ZZ${index}` }, {}, '10.9.9.9'),
  );
  const [known] = await costed(KNOWN, { password: 'x' }, '10.9.9.9');
  const [unknown] = await costed(UNKNOWN, { password: 'x' }, '10.9.9.9');
  assert.equal(known, unknown);
  assert.match(known, /^\[503,/);
  await Promise.all(waiting);
});
