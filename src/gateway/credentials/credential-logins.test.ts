import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateSecret, generateSync } from 'otplib';
import { LOW_HASH_COST } from '../../../test/kit/low-hash-cost.ts';
import type { AccountId } from '../../base/ids.ts';
import { DAY_MS, type IstDay, istDay, type WallMs } from '../../base/time.ts';
import { sha256Hex } from '../../os/digest.ts';
import type { LoginAttempt, LoginResult } from '../logins.ts';
import { CredentialLogins, type LoginAccount, type LoginAccounts } from './credential-logins.ts';
import { enrol, type PlainCredentials, withApiKey } from './enrolment.ts';
import { newKeys } from './key-file.ts';

const START = 1_790_000_000_000;
const keys = newKeys();

/** Accounts in memory that refuse a used step as the core does. */
class MemoryAccounts implements LoginAccounts {
  readonly accounts = new Map<string, LoginAccount>();
  readonly sessions = new Map<string, AccountId>();

  async add(plain: PlainCredentials): Promise<void> {
    const account = this.accounts.size as AccountId;
    const sealedCredentials = await enrol(keys, plain, LOW_HASH_COST);
    const lastKeyDay = (istDay(START as WallMs) + 1) as IstDay;
    const addresses = ['203.0.113.7'];
    this.accounts.set(plain.userId, { account, sealedCredentials, lastTotpStep: 0, lastKeyDay, addresses });
  }

  /** Gives a user another API key, which is good for the given number of days more. */
  renew({ userId }: PlainCredentials, apiKey: string, days: number): void {
    const known = this.accounts.get(userId);
    assert.ok(known);
    const sealedCredentials = withApiKey(keys, userId, known.sealedCredentials, apiKey);
    this.accounts.set(userId, { ...known, sealedCredentials, lastKeyDay: (known.lastKeyDay + days) as IstDay });
  }

  find(userId: string): LoginAccount | undefined {
    return this.accounts.get(userId);
  }

  async openSession({ account }: LoginAccount, tokenDigest: string, totpStep: number | undefined): Promise<boolean> {
    for (const [userId, known] of this.accounts) {
      if (known.account !== account || totpStep === undefined) continue;
      if (totpStep <= known.lastTotpStep) return false;
      this.accounts.set(userId, { ...known, lastTotpStep: totpStep });
    }
    this.sessions.set(tokenDigest, account);
    return true;
  }
}

const WITH_CODE: PlainCredentials = {
  userId: 'AB1234',
  password: 'correct horse',
  totpSecret: generateSecret(),
  vendorCode: 'AB1234_API',
  apiKey: '34ffc4587242fa66a03ba8ce6801f3c9',
};
const WITHOUT_CODE: PlainCredentials = {
  userId: 'CD5678',
  password: 'battery staple',
  vendorCode: 'CD5678_API',
  apiKey: '00ffc4587242fa66a03ba8ce6801f3c9',
};

class Door {
  nowMs = START;
  readonly accounts = new MemoryAccounts();
  private logins: CredentialLogins | undefined;

  static async open(): Promise<Door> {
    const door = new Door();
    await door.accounts.add(WITH_CODE);
    await door.accounts.add(WITHOUT_CODE);
    const now = (): WallMs => door.nowMs as WallMs;
    door.logins = await CredentialLogins.create({ keys, accounts: door.accounts, now, cost: LOW_HASH_COST });
    return door;
  }

  code(atMs = this.nowMs): string {
    return generateSync({ secret: WITH_CODE.totpSecret ?? '', epoch: Math.floor(atMs / 1000) });
  }

  login(plain: PlainCredentials, change: Partial<LoginAttempt> = {}): Promise<LoginResult> {
    assert.ok(this.logins);
    return this.logins.login({
      userId: plain.userId,
      passwordDigest: sha256Hex(plain.password),
      totp: plain.totpSecret === undefined ? '' : this.code(),
      vendorCode: plain.vendorCode,
      apiKey: plain.apiKey,
      address: '127.0.0.1',
      ...change,
    });
  }
}

const INVALID = { ok: false, why: 'InvalidCredentials' };

test('all factors right open a session that is known by the digest of its token only', async () => {
  const door = await Door.open();
  const result = await door.login(WITH_CODE);
  assert.ok(result.ok);
  assert.match(result.token, /^[0-9a-f]{64}$/);
  assert.equal(result.account, 0);
  assert.deepEqual([...door.accounts.sessions.keys()], [sha256Hex(result.token)]);
});

test('an account without one-time codes logs in with an empty code', async () => {
  const door = await Door.open();
  assert.equal((await door.login(WITHOUT_CODE)).ok, true);
});

test('the password digest counts in either letter case', async () => {
  const door = await Door.open();
  const passwordDigest = sha256Hex(WITHOUT_CODE.password).toUpperCase();
  assert.equal((await door.login(WITHOUT_CODE, { passwordDigest })).ok, true);
});

test('every wrong factor and an unknown user get the same answer', async () => {
  const changes: Partial<LoginAttempt>[] = [
    { passwordDigest: sha256Hex('something else') },
    { vendorCode: 'AB1234_APX' },
    { apiKey: '34ffc4587242fa66a03ba8ce6801f3c8' },
    { totp: '' },
    { totp: '12345' },
    { totp: 'abcdef' },
    { userId: 'ZZ9999' },
  ];
  for (const change of changes) {
    const door = await Door.open();
    assert.deepEqual(await door.login(WITH_CODE, change), INVALID, JSON.stringify(change));
    assert.equal(door.accounts.sessions.size, 0);
  }
});

test('an API key that has ended gets the answer to a wrong one, and its successor is let in', async () => {
  const door = await Door.open();
  door.nowMs += DAY_MS;
  assert.equal((await door.login(WITH_CODE)).ok, true, 'on its last day');
  door.nowMs += DAY_MS;
  assert.deepEqual(await door.login(WITH_CODE), INVALID);
  assert.deepEqual(await door.login(WITHOUT_CODE), INVALID);
  const apiKey = 'another key';
  door.accounts.renew(WITH_CODE, apiKey, 365);
  assert.deepEqual(await door.login(WITH_CODE), INVALID, 'the old key');
  assert.equal((await door.login({ ...WITH_CODE, apiKey })).ok, true);
  assert.deepEqual(await door.login({ ...WITH_CODE, apiKey, password: 'x' }), INVALID, 'the password is the same');
});

test('a code works once, and the next one works again', async () => {
  const door = await Door.open();
  const code = door.code();
  assert.equal((await door.login(WITH_CODE, { totp: code })).ok, true);
  assert.deepEqual(await door.login(WITH_CODE, { totp: code }), INVALID);
  door.nowMs += 30_000;
  assert.deepEqual(await door.login(WITH_CODE, { totp: code }), INVALID, 'the old code is still in the window');
  assert.equal((await door.login(WITH_CODE)).ok, true);
});

test('two logins with one code at the same moment open one session', async () => {
  const door = await Door.open();
  const results = await Promise.all([door.login(WITH_CODE), door.login(WITH_CODE)]);
  assert.deepEqual(results.map((result) => result.ok).sort(), [false, true]);
});

test('codes of the steps before and after count, those further off do not', async () => {
  for (const [offMs, ok] of [
    [-60_000, false],
    [-30_000, true],
    [30_000, true],
    [60_000, false],
  ] as const) {
    const door = await Door.open();
    const result = await door.login(WITH_CODE, { totp: door.code(START + offMs) });
    assert.equal(result.ok, ok, `${offMs} ms off`);
  }
});

test('after five failures a wrong try has to wait, and one in which all is right is let in', async () => {
  const door = await Door.open();
  for (let i = 0; i < 5; i += 1) {
    assert.deepEqual(await door.login(WITHOUT_CODE, { vendorCode: 'wrong' }), INVALID);
  }
  const throttled = { ok: false, why: 'Throttled', retryAfterSeconds: 1 };
  assert.deepEqual(await door.login(WITHOUT_CODE, { vendorCode: 'wrong' }), throttled);
  assert.deepEqual(await door.login(WITHOUT_CODE, { passwordDigest: sha256Hex('wrong') }), throttled);
  assert.equal((await door.login(WITHOUT_CODE)).ok, true);
  assert.deepEqual(await door.login(WITHOUT_CODE, { vendorCode: 'wrong' }), INVALID, 'a success forgets the failures');
});

test('guesses that arrive together do not get more tries than guesses one by one', async () => {
  const door = await Door.open();
  const wrong = Array.from({ length: 20 }, () => door.login(WITHOUT_CODE, { apiKey: 'wrong' }));
  const results = await Promise.all(wrong);
  const reasons = results.map((result) => (result.ok ? 'ok' : result.why));
  assert.equal(reasons.filter((why) => why === 'InvalidCredentials').length, 5);
  assert.equal(reasons.filter((why) => why === 'Throttled').length, 15);
});

test('a flood beyond the queue is answered that the service is busy', async () => {
  const door = await Door.open();
  const flood = Array.from({ length: 40 }, (_, i) => door.login(WITHOUT_CODE, { userId: `NO${i}` }));
  const results = await Promise.all(flood);
  assert.equal(results.filter((result) => !result.ok && result.why === 'Busy').length, 7);
});

test('failures from other addresses all day do not slow the owner at the usual address', async () => {
  const door = await Door.open();
  for (let i = 0; i < 60; i += 1) {
    assert.deepEqual(
      await door.login(WITH_CODE, { address: `198.51.100.${i % 6}`, apiKey: 'wrong', totp: '' }),
      INVALID,
    );
    door.nowMs += 60_000;
  }
  assert.equal((await door.login(WITH_CODE)).ok, true);
});

test('a flood from many addresses leaves the owner his turn where he logged in before, or has registered', async () => {
  const door = await Door.open();
  assert.equal((await door.login(WITHOUT_CODE)).ok, true);
  for (const address of ['127.0.0.1', '203.0.113.7']) {
    const flood = Array.from({ length: 200 }, (_, i) => {
      return door.login(WITHOUT_CODE, { address: `2001:db8:0:${i.toString(16)}::1`, apiKey: 'wrong' });
    });
    const order: string[] = [];
    const owner = door.login(WITHOUT_CODE, { address }).then((result) => order.push(result.ok ? 'in' : result.why));
    for (const one of flood) void one.then((result) => order.push(result.ok ? 'guessed' : result.why));
    await Promise.all([...flood, owner]);
    const checked = order.filter((why) => why !== 'Busy');
    assert.ok(checked.indexOf('in') >= 0 && checked.indexOf('in') <= 2, checked.slice(0, 5).join());
    assert.equal(checked.filter((why) => why === 'InvalidCredentials').length, checked.length - 1);
    assert.ok(checked.length < 50);
  }
});

test('a flood from one address leaves a place for a client from another', async () => {
  const door = await Door.open();
  const flood = Array.from({ length: 100 }, (_, i) => {
    return door.login(WITHOUT_CODE, { userId: `NO${i}`, address: '2001:db8::1' });
  });
  const owner = door.login(WITHOUT_CODE, { address: '192.0.2.44' });
  assert.equal((await owner).ok, true);
  await Promise.all(flood);
});
