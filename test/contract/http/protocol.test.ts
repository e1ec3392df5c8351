import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { EpochMs } from '../../../src/base/time.ts';
import { Unavailable } from '../../../src/engine/port.ts';
import { INTERFACE_OPERATIONS, OPERATIONS } from '../../../src/gateway/operations.ts';
import { seenOf } from '../../kit/wire/raw-connection.ts';
import { assertAnyBody, assertFailure } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, LIMIT_BUY, openWorld } from '../../kit/wire/world.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

test('the interface has its 21 operations, and every operation has a path of its own', () => {
  assert.equal(INTERFACE_OPERATIONS.length, 21);
  assert.equal(new Set(OPERATIONS.map(({ path }) => path)).size, OPERATIONS.length);
});

test('an unknown path is 404 and a wrong method 405, before anything else is looked at', async () => {
  const world = await openWorld();
  for (const path of [
    '/V1/nothing',
    '/V1/placeorder',
    '/V2/login',
    '/V1/placeOrder/x',
    '/V1/%zz',
    '/V1/%c3%28',
    '/V1/%ff?%zz',
  ]) {
    assertFailure(await world.send('POST', path, {}, 'no json'), 404, 'NOT_FOUND', 'path');
  }
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const seen = await world.send(method, '/V1/placeOrder?x=1', {});
    assertFailure(seen, 405, 'METHOD_NOT_ALLOWED', 'method');
    assert.equal(seen.headers.allow, 'POST');
  }
  assertFailure(await world.send('POST', '/V1/symbols/NSE', JSON_TYPE, '{}'), 405, 'METHOD_NOT_ALLOWED', 'method');
  assertFailure(await world.send('POST', '/', JSON_TYPE, '{}'), 405, 'METHOD_NOT_ALLOWED', 'method');
  assertFailure(await world.send('GET', '/V1/l%69mit', {}), 405, 'METHOD_NOT_ALLOWED', 'method');
  const large = 'x'.repeat(65_537);
  assertFailure(await world.send('POST', '/V1/nothing', JSON_TYPE, large), 404, 'NOT_FOUND', 'path');
  assertFailure(await world.send('PUT', '/V1/limit', JSON_TYPE, large), 405, 'METHOD_NOT_ALLOWED', 'method');
  await world.close();
});

test('a body that is not sent as JSON is 415, one that is not a JSON object 400', async () => {
  const world = await openWorld();
  for (const headers of [
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
  ]) {
    const seen = await world.send('POST', '/V1/limit', headers, '{}');
    assertFailure(seen, 415, 'UNSUPPORTED_MEDIA_TYPE', 'Content-Type');
  }
  assertFailure(await world.send('POST', '/V1/limit', {}), 415, 'UNSUPPORTED_MEDIA_TYPE', 'Content-Type');
  for (const body of ['', '{', 'null', '[]', '"x"', '7', '{"a":1}x', '\ufeff{}', "{'a':1}"]) {
    assertFailure(await world.send('POST', '/V1/limit', JSON_TYPE, body), 400, 'BAD_REQUEST', 'body');
  }
  const charset = { 'content-type': 'Application/JSON; charset=utf-8', authorization: 'Bearer x', cookie: 'a=b' };
  const seen = await world.send('POST', '/V1/limit', charset, JSON.stringify(ALICE.credentials));
  assert.equal(seen.status, 200);
  await world.close();
});

test('a body over 64 KiB is 413', async () => {
  const world = await openWorld();
  const body = (size: number) => {
    const rest = JSON.stringify({ ...ALICE.credentials, pad: '' }).length;
    return JSON.stringify({ ...ALICE.credentials, pad: 'x'.repeat(size - rest) });
  };
  assert.equal((await world.send('POST', '/V1/limit', JSON_TYPE, body(65_536))).status, 200);
  const seen = await world.send('POST', '/V1/limit', JSON_TYPE, body(65_537));
  assertFailure(seen, 413, 'PAYLOAD_TOO_LARGE', 'body');
  await world.close();
});

test('keys that name parts of every object do nothing', async () => {
  const world = await openWorld();
  const { userId, jKey } = ALICE.credentials;
  const body = `{"__proto__":{"jKey":"${jKey}","isAdmin":1},"constructor":{"prototype":{"x":1}},"userId":"${userId}"}`;
  assertFailure(await world.send('POST', '/V1/limit', JSON_TYPE, body), 401, 'INVALID_JKEY', 'jKey');
  const whole = body.replace('"userId"', `"toString":"x","hasOwnProperty":1,"jKey":"${jKey}","userId"`);
  assert.equal((await world.send('POST', '/V1/limit', JSON_TYPE, whole)).status, 200);
  assert.equal(({} as Record<string, unknown>).isAdmin, undefined);
  await world.close();
});

test('an exact key wins over the same key in other letters', async () => {
  const world = await openWorld();
  const seen = await world.post('/limit', { JKEY: 'wrong', ...ALICE.credentials, USERID: 'NOBODY' });
  assert.equal(seen.status, 200);
  await world.close();
});

test('a body with more than 256 fields is refused, before anything else is read in it', async () => {
  const world = await openWorld();
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'x']));
  assert.equal((await world.call('/limit', ALICE, keys(254))).status, 200);
  for (const path of ['/limit', '/placeOrder', '/login']) {
    const seen = await world.call(path, ALICE, keys(255));
    assertFailure(seen, 400, 'BAD_REQUEST', 'body', 'the body has more than 256 fields');
  }
  await world.close();
});

test('the first failure answers: user, token, owner, then fields', async () => {
  const world = await openWorld();
  assertFailure(await world.post('/placeOrder', { jKey: 'x', exchange: 7 }), 401, 'INVALID_USERID', 'userId');
  assertFailure(await world.post('/placeOrder', { userId: 'NOBODY', jKey: 'x' }), 401, 'INVALID_JKEY', 'jKey');
  const { jKey } = ALICE.credentials;
  assertFailure(await world.post('/placeOrder', { userId: 'NOBODY', jKey }), 401, 'INVALID_USERID', 'userId');
  assertFailure(await world.call('/placeOrder', ALICE), 400, 'BAD_REQUEST', 'exchange');
  await world.close();
});

test('no answer shows a token', async () => {
  const world = await openWorld();
  const wrong = 'deadbeef'.repeat(8);
  for (const { path } of OPERATIONS) {
    const seen = await world.post(path, { userId: 'AB1234', jKey: wrong, stext: wrong, orderNumber: wrong });
    assert.ok(!seen.text.includes(wrong), path);
    assertAnyBody(seen);
  }
  await world.close();
});

test('a session ends after 12 idle hours, and at 06:00 however busy it was', async () => {
  const world = await openWorld();
  const alive = async () => (await world.call('/limit', ALICE)).status === 200;
  const hours = (count: number) => {
    world.now = (world.now + count * 3_600_000) as EpochMs;
  };
  hours(11.9);
  assert.ok(await alive(), '22:54, idle for less than 12 hours');
  hours(7);
  assert.ok(await alive(), '05:54, used since');
  hours(0.2);
  assert.ok(!(await alive()), '06:06');
  const later = await world.logIn(BOB);
  hours(12);
  assertFailure(await world.call('/limit', later), 401, 'INVALID_JKEY', 'jKey');
  await world.close();
});

test('a user has at most 20 sessions, and the oldest ends first', async () => {
  const world = await openWorld();
  const second = await world.logIn(ALICE);
  for (let i = 0; i < 18; i += 1) await world.logIn(ALICE);
  assert.equal((await world.call('/limit', ALICE)).status, 200);
  await world.logIn(ALICE);
  assertFailure(await world.call('/limit', ALICE), 401, 'INVALID_JKEY', 'jKey');
  assert.equal((await world.call('/limit', second)).status, 200);
  assert.equal((await world.call('/limit', BOB)).status, 200);
  await world.close();
});

test('the use of a session is journaled at most every ten minutes', async () => {
  const world = await openWorld();
  const before = world.engine.state.seq;
  for (let minute = 0; minute < 30; minute += 1) {
    world.now = (world.now + 60_000) as EpochMs;
    await world.call('/limit', ALICE);
  }
  assert.equal(world.engine.state.seq - before, 3);
  await world.close();
});

test('rate limits are off by default and follow the exchange when they are on', async () => {
  const burst = async (world: Awaited<ReturnType<typeof openWorld>>, path: string, body: object, count: number) => {
    const statuses: number[] = [];
    for (let i = 0; i < count; i += 1) statuses.push((await world.call(path, ALICE, body)).status);
    return statuses.filter((status) => status === 429).length;
  };
  const quote = { exchange: 'NSE', tradingSymbol: 'IDEA-EQ' };
  const free = await openWorld();
  assert.equal(await burst(free, '/getQuote/ltp', quote, 20), 0);
  await free.close();
  const limited = await openWorld({ rateLimit: 'exchange' });
  assert.equal(await burst(limited, '/getQuote/ltp', quote, 4), 1);
  assert.equal(await burst(limited, '/timePriceSeries', quote, 4), 1);
  assert.equal(await burst(limited, '/placeOrder', LIMIT_BUY, 12), 2);
  assert.equal(await burst(limited, '/placeOrder', { ...LIMIT_BUY, exchange: 'BSE', tradingSymbol: 'IDEA' }, 10), 0);
  assert.equal(await burst(limited, '/limit', {}, 11), 1);
  const refused = await limited.call('/limit', ALICE);
  assertFailure(refused, 429, 'RATE_LIMIT_EXCEEDED', 'rate');
  assert.equal(refused.headers['retry-after'], '1');
  assert.equal((await limited.call('/limit', BOB)).status, 200);
  limited.now = (limited.now + 1_000) as EpochMs;
  assert.equal((await limited.call('/limit', ALICE)).status, 200);
  await limited.close();
});

test('cancellations count with the placements of their segment', async () => {
  const world = await openWorld({ rateLimit: 'exchange' });
  const orderNumber = await world.place(ALICE, {});
  for (let i = 0; i < 9; i += 1) await world.place(ALICE, {});
  assertFailure(await world.call('/cancelOrder', ALICE, { orderNumber }), 429, 'RATE_LIMIT_EXCEEDED', 'rate');
  await world.close();
});

test('a command that the engine cannot take is 503, a failure of our own is 500 and reported to the process', async () => {
  const world = await openWorld();
  world.engine.failure = new Unavailable('draining');
  const refused = await world.call('/placeOrder', ALICE, LIMIT_BUY);
  assertFailure(refused, 503, 'SERVICE_UNAVAILABLE', 'server');
  assert.equal((await world.call('/limit', ALICE)).status, 200);
  assert.deepEqual(world.failures, []);
  const failure = new Error('a bug');
  world.engine.failure = failure;
  const failed = await world.call('/cancelOrder', ALICE, { orderNumber: '26112000000001' });
  assertFailure(failed, 500, 'INTERNAL_SERVER_ERROR', 'server', 'internal server error');
  assert.deepEqual(world.failures, [failure]);
  await world.close();
});

test('livez and readyz say how the service is', async () => {
  const world = await openWorld();
  const live = await world.send('GET', '/livez', {});
  assert.deepEqual([live.status, assertAnyBody(live)], [200, { status: 'success', message: 'alive' }]);
  assert.equal((await world.send('GET', '/readyz', {})).status, 200);
  world.missing = ['journal'];
  const seen = await world.send('GET', '/readyz', {});
  assertFailure(seen, 503, 'SERVICE_UNAVAILABLE', 'readiness', 'not ready: journal');
  assertFailure(await world.send('POST', '/readyz', JSON_TYPE, '{}'), 405, 'METHOD_NOT_ALLOWED', 'method');
  await world.close();
});

test('bytes that are not HTTP get an envelope too', async () => {
  const world = await openWorld();
  const { port } = world;
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('HELLO\r\n\r\n'));
    let seen = '';
    socket.on('data', (chunk) => {
      seen += chunk.toString();
    });
    socket.on('end', () => resolve(seen));
    socket.on('error', reject);
  });
  const [head = '', body = ''] = text.split('\r\n\r\n');
  assert.match(head, /^HTTP\/1\.1 400 /);
  assert.match(head, /^x-market: simulated$/m);
  const headers = { ...seenOf(text).headers, 'content-type': 'application/json' };
  assertFailure({ status: 400, headers, text: body }, 400, 'BAD_REQUEST', 'request');
  await world.close();
});

test('the published document knows every operation with its fields and its answer', async () => {
  const world = await openWorld();
  const seen = await world.send('GET', '/openapi.json', {});
  const document = JSON.parse(seen.text);
  assert.equal(document.openapi, '3.1.0');
  for (const { path, request } of OPERATIONS) {
    const operation = document.paths[path].post;
    const schema = operation.requestBody.content['application/json'].schema;
    assert.deepEqual(Object.keys(schema.properties), Object.keys(request.properties), path);
    assert.ok(operation.responses['200'].content['application/json'].schema.properties.status);
    assert.ok(operation.responses['400']);
  }
  const place = document.paths['/placeOrder'].post.requestBody.content['application/json'].schema;
  assert.deepEqual(place.properties.quantity.type, ['string', 'number']);
  assert.deepEqual(place.required.slice(0, 4), ['userId', 'jKey', 'exchange', 'retention']);
  assert.ok(!seen.text.includes('"x-'), 'no word that only this service reads');
  await world.close();
});
