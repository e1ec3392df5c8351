import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { generateSecret, generateSync } from 'otplib';
import { must } from '../../../src/base/assert.ts';
import { DAY_MS, dayOfCivil, type EpochMs, HOUR_MS, istInstant, type WallMs, wallOf } from '../../../src/base/time.ts';
import type { PlainCredentials } from '../../../src/gateway/credentials/enrolment.ts';
import { LateLooks } from '../../../src/gateway/credentials/late-looks.ts';
import { LoginThrottle } from '../../../src/gateway/credentials/login-throttle.ts';
import { SecondCodes } from '../../../src/gateway/credentials/second-codes.ts';
import type { Reply } from '../../../src/gateway/http/respond.ts';
import { Wire } from '../../../src/gateway/wire.ts';
import { FuzzWorld, sha256 } from '../../property/fuzz/fuzz-world.ts';
import { loginThrough } from './login-through.ts';

/*
 * A stranger fails for the owner of an account without end: the owner gets in all the same, and what can be guessed in
 * a day stays small. Time is the world's own clock. Source: reliability section 4.
 */

const NOW = istInstant(must(dayOfCivil(2026, 11, 17), 'a date'), 11 * HOUR_MS);
const HOME = '203.0.113.7';
const SECRET = generateSecret();
const OWNER: PlainCredentials = {
  userId: 'AB1234',
  password: 'correct horse',
  totpSecret: SECRET,
  vendorCode: 'AB1234_API',
  apiKey: '34ffc4587242fa66a03ba8ce6801f3c9',
};

interface Front {
  readonly world: FuzzWorld;
  readonly login: (change: object, address?: string) => Promise<Reply>;
}

async function open(): Promise<Front> {
  const world = await FuzzWorld.open({ regime: 'always', at: NOW, rateLimit: 'off', slicing: 'off' });
  await world.enrolUser(OWNER);
  const wire = new Wire(world.deps);
  const login = async (change: object, address = HOME): Promise<Reply> => {
    await setImmediate();
    const TOTP = generateSync({ secret: SECRET, epoch: Math.floor(world.now / 1_000) });
    const { userId, vendorCode, apiKey } = OWNER;
    const body = { userId, password: sha256(OWNER.password), TOTP, vendorCode, apiKey, ...change };
    return loginThrough(wire, body, address);
  };
  return { world, login };
}

const waitOf = ({ headers }: Reply): number => Number(headers[headers.indexOf('retry-after') + 1]) * 1_000;

const STRANGERS: readonly (readonly [what: string, change: object, tries: number])[] = [
  ['everything', { password: 'f'.repeat(64), vendorCode: 'x', apiKey: 'x', TOTP: '000000' }, 1],
  ['the password', { password: 'f'.repeat(64) }, 1],
  ['the API key', { apiKey: 'x' }, 1],
  ['the code alone', { TOTP: '000000' }, 2],
];

for (const [what, change, tries] of STRANGERS) {
  test(`failures from the owner's address as each wait ends, with ${what} wrong, do not keep the owner out`, async () => {
    const { world, login } = await open();
    const waitAlone = new LoginThrottle();
    let heldByWaitAlone = 0;
    let throttled = 0;
    for (let i = 0; i < 40; i += 1) {
      if (waitAlone.waitMs(OWNER.userId, HOME, wallOf(world.now)) === 0) {
        waitAlone.recordFailure(OWNER.userId, HOME, wallOf(world.now));
      }
      const reply = await login(change);
      assert.ok(reply.status === 401 || reply.status === 429, reply.body);
      if (waitAlone.waitMs(OWNER.userId, HOME, wallOf(world.now)) > 0) heldByWaitAlone += 1;
      if (reply.status === 429) throttled += 1;
      world.now = (world.now + (reply.status === 429 ? waitOf(reply) : 100)) as EpochMs;
    }
    await login(change);
    assert.ok(throttled > 15, 'the stranger is slowed');
    assert.ok(heldByWaitAlone > 25, 'the control: a wait by user and address alone holds the owner');
    let tried = 1;
    let reply = await login({});
    for (; reply.status !== 200 && tried < 3; tried += 1) {
      world.now = (world.now + 30_000) as EpochMs;
      await login(change);
      reply = await login({});
    }
    assert.equal(reply.status, 200, reply.body);
    assert.ok(tried <= tries, `the owner needs ${tried} tries`);
  });
}

test('one right code among many wrong ones opens nothing and is answered as they are, also when it comes twice', async () => {
  const { world, login } = await open();
  for (let i = 0; i < 6; i += 1) assert.equal((await login({ TOTP: '000000' }, `198.51.100.${i}`)).status, 401);
  const wrong = await login({ TOTP: '000000' }, '198.51.100.20');
  const right = await login({}, '198.51.100.21');
  assert.deepEqual(right, wrong, 'a right code reads as a wrong one');
  assert.equal((await login({}, '198.51.100.22')).status, 401, 'the same code again');
  world.now = (world.now + 5 * 60_000) as EpochMs;
  assert.equal((await login({}, '198.51.100.23')).status, 401, 'the second one comes too late, and is a first one');
  world.now = (world.now + 30_000) as EpochMs;
  assert.equal((await login({}, '198.51.100.24')).status, 200);
});

test('codes for one user from many addresses are slowed', async () => {
  const { world, login } = await open();
  for (let i = 0; i < 40; i += 1) await login({ TOTP: '000000' }, `198.51.100.${i}`);
  world.now = (world.now + 1_000) as EpochMs;
  const before = await login({}, '198.51.100.50');
  world.now = (world.now + 29_000) as EpochMs;
  const owner = await login({}, '198.51.100.51');
  assert.equal(before.status, 401, 'no look is left in this half minute, so the code is not noted');
  assert.equal(owner.status, 401, 'the first of two');
});

test('spraying over users from one address is slowed, and the owner there gets in', async () => {
  const { login } = await open();
  const seen: number[] = [];
  for (let i = 0; i < 60; i += 1) seen.push((await login({ userId: `ZZ${i}` })).status);
  assert.deepEqual(seen, [...Array(50).fill(401), ...Array(10).fill(429)]);
  assert.equal((await login({ apiKey: 'x' })).status, 429);
  assert.equal((await login({ userId: 'ZZ99' }, '198.51.100.9')).status, 401, 'elsewhere nobody is slowed');
  assert.equal((await login({})).status, 200);
});

test('a day of guesses without a pause is looked at as often as the documentation says', () => {
  const looks = { pair: new LateLooks(), user: new LateLooks(), address: new LateLooks() };
  const count = { pair: 0, user: 0, address: 0 };
  for (let at = 0, i = 0; at < DAY_MS; at += 250, i += 1) {
    const now = (NOW + at) as WallMs;
    if (looks.pair.take('AB1234', HOME, now)) count.pair += 1;
    if (looks.user.take('AB1234', `198.51.100.${i % 250}`, now)) count.user += 1;
    if (looks.address.take(`ZZ${i % 250}`, HOME, now)) count.address += 1;
  }
  assert.deepEqual(count, { pair: 11_520, user: 34_560, address: 34_560 });
});

test('of single right codes five wrong ones a day are the price, whatever the addresses', () => {
  const codes = new SecondCodes();
  let free = 0;
  for (let at = 0; at < DAY_MS; at += 30_000) {
    const now = (NOW + at) as WallMs;
    if (!codes.areGuessed('AB1234', now)) free += 1;
    codes.recordWrong('AB1234', now);
  }
  assert.equal(free, 5);
});
