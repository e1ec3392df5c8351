import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { stateHash } from '../../../src/core/snapshot/hash.ts';
import { OPERATIONS } from '../../../src/gateway/operations.ts';
import { RawConnection, seenOf } from '../../kit/wire/raw-connection.ts';
import { assertAnyBody, assertFailure, type Seen } from '../../kit/wire/wire-checks.ts';
import { ALICE, LIMIT_BUY, openWorld, type World } from '../../kit/wire/world.ts';

/* Bodies of requests. Each is sent whole and in pieces, so that both ways of reading a request meet it. */

const { userId, jKey } = ALICE.credentials;
const SIGNED_IN = JSON.stringify(ALICE.credentials).slice(1, -1);

let world: World;
before(async () => {
  world = await openWorld();
});
after(() => world.close());

/** Sends a body as it is, whole and in pieces, with more headers at times; both are answered with the same bytes. */
async function send(path: string, body: string | Buffer, ...headers: string[]): Promise<Seen> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const head = [
    `POST /V1${path} HTTP/1.1`,
    'Host: x',
    'Content-Type: application/json',
    `Content-Length: ${bytes.length}`,
    ...headers,
  ];
  const responses: string[] = [];
  for (const inPieces of [false, true]) {
    const connection = await RawConnection.open(world.port);
    await connection.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]), inPieces);
    responses.push((await connection.next()).replaceAll(/\d\d:\d\d:\d\d \d\d-\d\d-\d{4}|\d{16}/g, 'now'));
    connection.socket.destroy();
  }
  assert.equal(responses[0], responses[1]);
  return seenOf(responses[0] ?? '');
}

function order(fields: object): string {
  return JSON.stringify({ ...ALICE.credentials, ...LIMIT_BUY, ...fields });
}

test('bytes that are not UTF-8 are refused, the character for them is not', async () => {
  const around = (...bytes: number[]): Buffer =>
    Buffer.concat([Buffer.from(`{${SIGNED_IN},"pad":"`), Buffer.from(bytes), Buffer.from('"}')]);
  // A lone continuation, a sequence cut short, too long a form, half of a pair, beyond the last character, Latin-1.
  for (const bytes of [
    [0x80],
    [0xe0, 0xa4],
    [0xc0, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0x63, 0xe9],
  ]) {
    assertFailure(await send('/limit', around(...bytes)), 400, 'BAD_REQUEST', 'body', 'the body must be UTF-8');
  }
  assert.equal((await send('/limit', around(0xef, 0xbf, 0xbd))).status, 200);
  assert.equal((await send('/limit', around(0xe0, 0xa4, 0xb8))).status, 200);
});

test('a body that is encoded, or said to be, is 415 and names the encoding', async () => {
  const plain = Buffer.from(JSON.stringify(ALICE.credentials));
  const codings = ['gzip', 'GZIP', 'deflate', 'br', 'gzip, identity', 'utf-8'];
  for (const coding of codings) {
    for (const body of [gzipSync(plain), plain]) {
      const seen = await send('/limit', body, `Content-Encoding: ${coding}`);
      const reason = 'the body must be sent as it is, without a Content-Encoding';
      assertFailure(seen, 415, 'UNSUPPORTED_MEDIA_TYPE', 'Content-Encoding', reason);
    }
  }
  for (const header of ['Content-Encoding: identity', 'content-encoding:\tIdentity ', 'Content-Encoding:']) {
    assert.equal((await send('/limit', plain, header)).status, 200, header);
    assert.equal((await send('/limit', plain, header, header)).status, 200, `twice ${header}`);
  }
  const mixed = await send('/limit', plain, 'Content-Encoding: identity', 'Content-Encoding: gzip');
  assertFailure(mixed, 415, 'UNSUPPORTED_MEDIA_TYPE', 'Content-Encoding');
});

test('a body that is more or less than one JSON object is refused', async () => {
  const whole = `{${SIGNED_IN}}`;
  for (const body of [
    `\ufeff${whole}`,
    `${whole}x`,
    `${whole}${whole}`,
    `${whole}\0`,
    whole.slice(0, -1),
    `{${SIGNED_IN},}`,
    `{${SIGNED_IN},"a":01}`,
    `{${SIGNED_IN},"a":+1}`,
    `{${SIGNED_IN},"a":.5}`,
    `{${SIGNED_IN},"a":NaN}`,
    `{${SIGNED_IN},"a":'x'}`,
    `{${SIGNED_IN},"a":"\u0001"}`,
    `{${SIGNED_IN},"a":"\\x"}`,
    `{${SIGNED_IN}} // comment`,
    `[${whole}]`,
    'true',
  ]) {
    assertFailure(await send('/limit', body), 400, 'BAD_REQUEST', 'body');
  }
  assert.equal((await send('/limit', ` \r\n\t${whole} \n`)).status, 200);
});

test('of a key that comes twice the last value counts', async () => {
  assert.equal((await send('/limit', `{"userId":"NOBODY",${SIGNED_IN}}`)).status, 200);
  assertFailure(await send('/limit', `{${SIGNED_IN},"jKey":"x"}`), 401, 'INVALID_JKEY', 'jKey');
});

test('depth and breadth that a body can have harm nobody', async () => {
  const deep = 10_000;
  for (const pad of [
    '['.repeat(deep) + ']'.repeat(deep),
    `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
    `[${'1,'.repeat(20_000)}1]`,
    `{${Array.from({ length: 4_000 }, (_, i) => `"k${i}":1`).join()}}`,
  ]) {
    assert.equal((await send('/limit', `{${SIGNED_IN},"pad":${pad}}`)).status, 200);
    const seen = await send(
      '/placeOrder',
      `{${SIGNED_IN},"remarks":${pad},${order({}).slice(1, -1).replace('remarks', 'x')}}`,
    );
    assertFailure(seen, 400, 'BAD_REQUEST', 'remarks');
  }
  const lists = `{${SIGNED_IN},"data":${'['.repeat(deep)}${']'.repeat(deep)}}`;
  assertFailure(await send('/getMultiQuotes', lists), 400, 'BAD_REQUEST', 'data');
});

/** Names that every object of the language has by inheritance. */
const INHERITED = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];

test('names of parts of every object are not fields and not values, in any operation', async () => {
  const state = stateHash(world.engine.state);
  for (const { path, request } of OPERATIONS) {
    if (path === '/logout') continue;
    const fields = Object.keys(request.properties).filter((field) => field !== 'userId' && field !== 'jKey');
    for (const name of INHERITED) {
      const named = [...fields.map((field) => `"${field}":"${name}"`), `"${name}":{"price":"1"}`];
      const body = `{"userId":"${userId}","jKey":"${jKey}",${named.join()}}`;
      const seen = await world.send('POST', `/V1${path}`, { 'content-type': 'application/json' }, body);
      assertAnyBody(seen);
      assert.ok(seen.status < 500, `${path} with ${name}: ${seen.text}`);
      assert.doesNotMatch(seen.text, /function|native code|\[object/, path);
    }
  }
  assert.equal(stateHash(world.engine.state), state);
  assert.deepEqual(world.failures, []);
});

test('text that is looked up holds no control character, and none holds half of a pair', async () => {
  const controls = ['\0', 'a\nb', 'a\tb', '\x1b[31m', '\x7f'];
  const halves = ['\ud800', 'a\udc00b', '\udc00\ud800'];
  for (const value of [...controls, ...halves]) {
    const placed = await send('/placeOrder', order({ remarks: value }));
    if (controls.includes(value)) assert.equal(placed.status, 200, placed.text);
    else assertFailure(placed, 400, 'BAD_REQUEST', 'remarks');
    const search = JSON.stringify({ ...ALICE.credentials, stext: value });
    const reason = 'stext must be text of at most 64 characters, none of them a control character';
    assertFailure(await send('/searchScrips', search), 400, 'BAD_REQUEST', 'stext', reason);
    const quote = JSON.stringify({ ...ALICE.credentials, exchange: 'NSE', tradingSymbol: value });
    assertFailure(await send('/getQuote/ltp', quote), 400, 'BAD_REQUEST', 'tradingSymbol');
  }
  assert.equal((await send('/placeOrder', order({ remarks: 'सौदा 💹 ~' }))).status, 200);
});

test('numbers that are not prices or quantities are refused, however they are written', async () => {
  const numbers = ['1e999', '-1e999', '-0', '1e-400', '0.00001', '1e21', '9007199254740993', '-7', '1e2.5'];
  for (const number of numbers) {
    const body = order({ price: 'HERE' }).replace('"HERE"', number);
    const seen = await send('/placeOrder', body);
    if (number === '-0') assertFailure(seen, 400, 'BAD_REQUEST', 'price');
    else assert.equal(seen.status, 400, `${number}: ${seen.text}`);
    const units = await send('/placeOrder', order({ quantity: 'HERE' }).replace('"HERE"', number));
    assert.equal(units.status, 400, `${number}: ${units.text}`);
  }
  for (const text of ['1e2', ' 7', '7 ', '+7', '0x7', '٧', '7,00', '07', '7.', '.7', 'Infinity', '9'.repeat(60_000)]) {
    assertFailure(await send('/placeOrder', order({ price: text })), 400, 'BAD_REQUEST', 'price');
    assertFailure(await send('/placeOrder', order({ quantity: text })), 400, 'BAD_REQUEST', 'quantity');
  }
});

test('each limit of size holds to the last one, and not one beyond', async () => {
  const leg = { exchange: 'NSE', tradingSymbol: 'IDEA-EQ' };
  const call = (path: string, body: object) => world.call(path, ALICE, body);
  for (const path of ['/getMultiQuotes', '/getMultiQuotes/ltp']) {
    const data = (count: number) => ({ data: Array.from({ length: count }, () => leg) });
    assert.equal((await call(path, data(100))).status, 200);
    assertFailure(await call(path, data(101)), 400, 'BAD_REQUEST', 'data');
  }
  const { remarks: _, ...basketLeg } = LIMIT_BUY;
  const basket = (legs: number) => ({ ...basketLeg, BasketList_Params: Array.from({ length: legs }, () => basketLeg) });
  assert.equal((await call('/basketMargin', basket(49))).status, 200);
  assertFailure(await call('/basketMargin', basket(50)), 400, 'BAD_REQUEST', 'BasketList_Params');
  assert.equal((await call('/searchScrips', { stext: 'x'.repeat(64) })).status, 200);
  assertFailure(await call('/searchScrips', { stext: 'x'.repeat(65) }), 400, 'BAD_REQUEST', 'stext');
  assert.equal((await call('/placeOrder', { ...LIMIT_BUY, remarks: '💹'.repeat(128) })).status, 200);
  assertFailure(await call('/placeOrder', { ...LIMIT_BUY, remarks: 'x'.repeat(257) }), 400, 'BAD_REQUEST', 'remarks');
});

test('a body of 64 KiB to the byte is read, of one more is not, stated or chunked', async () => {
  for (const [size, status] of [
    [65_536, 200],
    [65_537, 413],
  ] as const) {
    const pad = size - `{${SIGNED_IN},"pad":""}`.length;
    const body = `{${SIGNED_IN},"pad":"${'x'.repeat(pad)}"}`;
    assert.equal((await send('/limit', body)).status, status);
    const connection = await RawConnection.open(world.port);
    const head = ['POST /V1/limit HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Transfer-Encoding: chunked'];
    connection.socket.write(`${head.join('\r\n')}\r\n\r\n${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    assert.equal(seenOf(await connection.next()).status, status);
    connection.socket.destroy();
  }
});
