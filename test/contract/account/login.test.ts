import assert from 'node:assert/strict';
import { test } from 'node:test';
import { login } from '../../../src/gateway/endpoints/account/login.ts';
import { assertFailure, assertShape, assertSuccess, TEXT } from '../../kit/wire/wire-checks.ts';
import { ALICE, CAROL_ID, openWorld, PASSWORD, TOTP, type World } from '../../kit/wire/world.ts';

const MESSAGE = 'Login successful';

function attempt(userId: string): Record<string, unknown> {
  return { userId, password: PASSWORD, TOTP, vendorCode: `${userId}_API`, apiKey: 'key' };
}

const ALICES = attempt(ALICE.credentials.userId);

const LOGIN_FIELDS = ['userId', 'password', 'TOTP', 'vendorCode', 'apiKey'] as const;

async function inWorld(run: (world: World) => Promise<void>): Promise<void> {
  const world = await openWorld();
  try {
    await run(world);
  } finally {
    await world.close();
  }
}

test('login answers the session in its documented shape, and the token opens the other operations', () =>
  inWorld(async (world) => {
    const data = assertSuccess(await world.post('/login', ALICES), MESSAGE);
    assertShape(data, { actid: /^AB1234$/, userName: TEXT, susertoken: /^[0-9a-f]{64}$/, email: /@/ });
    const { susertoken: jKey } = data as { susertoken: string };
    assert.equal((await world.post('/tradeBook', { userId: 'AB1234', jKey })).status, 200);
  }));

for (const field of LOGIN_FIELDS) {
  test(`login refuses a missing ${field}`, () =>
    inWorld(async (world) => {
      const { [field]: _left, ...rest } = ALICES;
      assertFailure(await world.post('/login', rest), 400, 'MISSING_FIELD', field, `${field} cannot be empty`);
      const blank = await world.post('/login', { ...rest, [field]: '' });
      assertFailure(blank, 400, 'MISSING_FIELD', field, `${field} cannot be empty`);
    }));

  test(`login refuses values of a wrong kind in ${field}`, () =>
    inWorld(async (world) => {
      for (const wrong of [true, {}, [], 'x'.repeat(300)]) {
        assertFailure(await world.post('/login', { ...ALICES, [field]: wrong }), 400, 'BAD_REQUEST', field);
      }
    }));
}

const STATES = ['right', 'left out', 'of a wrong kind'] as const;

/** All combinations of the states of the fields of a login. */
function combinations(count: number): (typeof STATES)[number][][] {
  if (count === 0) return [[]];
  return combinations(count - 1).flatMap((before) => STATES.map((state) => [...before, state]));
}

test('login names the first field that is missing, then the first of a wrong kind, in the order of its fields', () =>
  inWorld(async (world) => {
    for (const userId of [ALICE.credentials.userId, CAROL_ID, 'NOBODY']) {
      for (const states of combinations(LOGIN_FIELDS.length)) {
        const body: Record<string, unknown> = attempt(userId);
        for (const [place, state] of states.entries()) {
          if (state === 'left out') delete body[LOGIN_FIELDS[place] ?? ''];
          if (state === 'of a wrong kind') body[LOGIN_FIELDS[place] ?? ''] = true;
        }
        const hasNoCodes = body.userId === CAROL_ID;
        const missing = LOGIN_FIELDS.find((field) => !(field in body) && !(field === 'TOTP' && hasNoCodes));
        const wrong = LOGIN_FIELDS.find((field) => body[field] === true);
        const seen = await world.post('/login', body);
        if (missing !== undefined) {
          assertFailure(seen, 400, 'MISSING_FIELD', missing, `${missing} cannot be empty`);
        } else if (wrong !== undefined) assertFailure(seen, 400, 'BAD_REQUEST', wrong);
        else assert.equal(seen.status, userId === 'NOBODY' ? 401 : 200);
      }
    }
  }));

test('login answers the same bytes whichever factor was wrong', () =>
  inWorld(async (world) => {
    const wrong = { userId: 'NOBODY', password: 'f'.repeat(64), TOTP: '000000', vendorCode: 'x', apiKey: 'x' };
    const texts = new Set<string>();
    for (const [field, value] of Object.entries(wrong)) {
      const seen = await world.post('/login', { ...ALICES, [field]: value });
      assertFailure(seen, 401, 'INVALID_CREDENTIALS', 'password');
      texts.add(seen.text);
    }
    assert.equal(texts.size, 1);
  }));

test('login takes the password digest in capitals too', () =>
  inWorld(async (world) => {
    assertSuccess(await world.post('/login', { ...ALICES, password: PASSWORD.toUpperCase() }), MESSAGE);
  }));

test('login needs no TOTP of an account without it, absent or empty', () =>
  inWorld(async (world) => {
    const { TOTP: _none, ...carols } = attempt(CAROL_ID);
    assertSuccess(await world.post('/login', carols), MESSAGE);
    assertSuccess(await world.post('/login', { ...carols, TOTP: '' }), MESSAGE);
  }));

test('login asks an unknown user for a TOTP as it asks a known one', () =>
  inWorld(async (world) => {
    const { TOTP: _none, ...rest } = ALICES;
    const known = await world.post('/login', rest);
    const unknown = await world.post('/login', { ...rest, userId: 'NOBODY' });
    assert.equal(known.text, unknown.text);
  }));

test('login says how long to wait after too many failures, and 503 when password checks queue up', () =>
  inWorld(async (world) => {
    const throttled = await world.post('/login', attempt('THROTTLED1'));
    assertFailure(throttled, 429, 'RATE_LIMIT_EXCEEDED', 'rate');
    assert.equal(throttled.headers['retry-after'], '30');
    assertFailure(await world.post('/login', attempt('BUSY1')), 503, 'SERVICE_UNAVAILABLE', 'server');
  }));

test('login matches body keys in any letter case, as the Go client sends them', () =>
  inWorld(async (world) => {
    const { TOTP: totp, ...rest } = ALICES;
    assertSuccess(await world.post('/login', { ...rest, totp }), MESSAGE);
  }));

test('login takes a one-time code as a number, with the zeros that it begins with', () => {
  for (const [sent, read] of [
    [123456, '123456'],
    [22755, '022755'],
    [0, '000000'],
    ['22755', '22755'],
  ] as const) {
    assert.equal(login.pick({ ...ALICES, TOTP: sent })?.TOTP, read);
  }
});
