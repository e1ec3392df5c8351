import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { RawConnection, seenOf } from '../../kit/wire/raw-connection.ts';
import { assertFailure } from '../../kit/wire/wire-checks.ts';
import { ALICE, LIMIT_BUY, openWorld, type World } from '../../kit/wire/world.ts';

/*
 * Heads of requests. Each is sent whole, so that the lane before Node's server sees it first, and in pieces, so that
 * only that server does: both ways give the same bytes.
 */

const BODY = JSON.stringify(ALICE.credentials);
const LINE = 'POST /V1/limit HTTP/1.1';
const HOST = 'Host: x';
const TYPE = 'Content-Type: application/json';
const LENGTH = `Content-Length: ${BODY.length}`;
const CHUNKS = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked';

/** A request of these lines, with the body of a success. */
function lines(...head: string[]): string {
  return `${head.join('\r\n')}\r\n\r\n${BODY}`;
}

function plainWith(...more: string[]): string {
  return lines(LINE, HOST, TYPE, LENGTH, ...more);
}

function chunked(chunks: string, ...more: string[]): string {
  return `${[LINE, HOST, TYPE, CHUNKED, ...more].join('\r\n')}\r\n\r\n${chunks}`;
}

/** Answered as if nothing were said. */
const TAKEN: Readonly<Record<string, string>> = {
  'a plain request': plainWith(),
  'as many headers as may be': plainWith(...Array.from({ length: 97 }, (_, i) => `X-${i}: 1`)),
  'an absolute target': lines('POST http://sauda.example:8080/V1/limit HTTP/1.1', HOST, TYPE, LENGTH),
  'a target with a query': lines('POST /V1/limit?x=1&y=/../ HTTP/1.1', HOST, TYPE, LENGTH),
  'a letter of the path encoded': lines('POST /V1/%6Cimit HTTP/1.1', HOST, TYPE, LENGTH),
  'an empty host': lines(LINE, 'Host:', TYPE, LENGTH),
  'a host with a port': lines(LINE, 'Host: [::1]:8080', TYPE, LENGTH),
  'an offer to upgrade': plainWith('Connection: Upgrade', 'Upgrade: websocket'),
  'an offer of HTTP/2': plainWith('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'),
  'an unknown expectation': plainWith('Expect: 200-ok'),
  'a value beyond ASCII': plainWith('X: caf\xe9'),
  'a chunked body': chunked(CHUNKS),
  'a chunked body with an extension': chunked(CHUNKS.replace('\r\n', ';a="b"\r\n')),
  'a chunked body with a trailer': chunked(CHUNKS.slice(0, -2).concat('X: y\r\n\r\n')),
  'a length with zeros in front': lines(LINE, HOST, TYPE, `Content-Length: 00${BODY.length}`),
  'empty lines in front': `\r\n\r\n${plainWith()}`,
  'HTTP/1.0 without a host': lines('POST /V1/limit HTTP/1.0', TYPE, LENGTH),
};

/** Not to be read in two ways: refused, and the connection ends. */
const REFUSED: Readonly<Record<string, string>> = {
  'two hosts': lines(LINE, HOST, 'Host: y', TYPE, LENGTH),
  'the same host twice': lines(LINE, HOST, HOST, TYPE, LENGTH),
  'no host': lines(LINE, TYPE, LENGTH),
  'a host that is none': lines(LINE, 'Host: a b', TYPE, LENGTH),
  'a host with a path': lines(LINE, 'Host: x/y', TYPE, LENGTH),
  'a host with a user': lines(LINE, 'Host: a@x', TYPE, LENGTH),
  'two content types': plainWith('Content-Type: text/plain'),
  'two lengths': plainWith(LENGTH),
  'two different lengths': plainWith('Content-Length: 3'),
  'a list of lengths': lines(LINE, HOST, TYPE, `${LENGTH}, ${BODY.length}`),
  'a negative length': lines(LINE, HOST, TYPE, 'Content-Length: -1'),
  'a length with a plus': lines(LINE, HOST, TYPE, `Content-Length: +${BODY.length}`),
  'a length in hex': lines(LINE, HOST, TYPE, 'Content-Length: 0x10'),
  'no length at all in the header': lines(LINE, HOST, TYPE, 'Content-Length:'),
  'a length beyond all numbers': lines(LINE, HOST, TYPE, 'Content-Length: 99999999999999999999999'),
  'a length and chunks': `${[LINE, HOST, TYPE, LENGTH, CHUNKED].join('\r\n')}\r\n\r\n${CHUNKS}`,
  'chunks and a length': `${[LINE, HOST, TYPE, CHUNKED, LENGTH].join('\r\n')}\r\n\r\n${CHUNKS}`,
  'chunks twice': chunked(CHUNKS, CHUNKED),
  'another encoding before chunks': chunked(CHUNKS).replace('chunked', 'gzip, chunked'),
  'another encoding after chunks': chunked(CHUNKS).replace('chunked', 'chunked, gzip'),
  'an encoding that only looks like chunks': chunked(CHUNKS).replace('chunked', 'xchunked'),
  'an encoding that is none': chunked(CHUNKS).replace('chunked', 'identity'),
  'chunks of HTTP/1.0': chunked(CHUNKS).replace('HTTP/1.1', 'HTTP/1.0'),
  'a chunk size that is not a number': chunked('zz\r\n{}\r\n0\r\n\r\n'),
  'a negative chunk size': chunked('-2\r\n{}\r\n0\r\n\r\n'),
  'a chunk size beyond all numbers': chunked('fffffffffffffffff\r\n{}\r\n0\r\n\r\n'),
  'a chunk that is longer than it says': chunked('2\r\n{}{}\r\n0\r\n\r\n'),
  'a chunk size that ends in LF': chunked('2\n{}\r\n0\r\n\r\n'),
  'a folded header': plainWith('X: a\r\n b'),
  'lines that end in LF': plainWith().replaceAll('\r\n', '\n'),
  'one line that ends in LF': plainWith().replace('Host: x\r\n', 'Host: x\n'),
  'a CR inside a value': plainWith('X: a\rb'),
  'a NUL inside a value': plainWith('X: a\0b'),
  'a control character inside a value': plainWith('X: a\x01b'),
  'a DEL inside a value': plainWith('X: a\x7fb'),
  'a blank before the colon': plainWith('X : a'),
  'a header without a name': plainWith(': a'),
  'a header without a colon': plainWith('Xa'),
  'a NUL inside the target': lines('POST /V1/li\0mit HTTP/1.1', HOST, TYPE, LENGTH),
  'a control character inside the target': lines('POST /V1/li\x01mit HTTP/1.1', HOST, TYPE, LENGTH),
  'a blank inside the target': lines('POST /V1/limit x HTTP/1.1', HOST, TYPE, LENGTH),
  'a target beyond ASCII': lines('POST /V1/l\xefmit HTTP/1.1', HOST, TYPE, LENGTH),
  'an authority for a target': lines('POST x:80 HTTP/1.1', HOST, TYPE, LENGTH),
  'a tunnel': `CONNECT x:80 HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'a method in small letters': lines('post /V1/limit HTTP/1.1', HOST, TYPE, LENGTH),
  'an unknown method': lines('TRADE /V1/limit HTTP/1.1', HOST, TYPE, LENGTH),
  'an unknown version': lines('POST /V1/limit HTTP/1.2', HOST, TYPE, LENGTH),
  'the greeting of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'the greeting of TLS': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00',
};

/** Paths that are others than they may seem, and methods that no path knows. */
const ELSEWHERE: readonly (readonly [what: string, line: string, status: 404 | 405])[] = [
  ['dots', 'POST /V1/x/../limit HTTP/1.1', 404],
  ['encoded dots', 'POST /V1/x/%2e%2e/limit HTTP/1.1', 404],
  ['two slashes', 'POST //V1/limit HTTP/1.1', 404],
  ['two slashes inside', 'POST /V1//limit HTTP/1.1', 404],
  ['a slash at the end', 'POST /V1/limit/ HTTP/1.1', 404],
  ['an encoded slash', 'POST /V1%2Flimit HTTP/1.1', 404],
  ['a letter encoded twice', 'POST /V1/%256Cimit HTTP/1.1', 404],
  ['an encoded NUL', 'POST /V1/limit%00 HTTP/1.1', 404],
  ['a backslash', 'POST /V1\\limit HTTP/1.1', 404],
  ['capitals', 'POST /v1/LIMIT HTTP/1.1', 404],
  ['the target of the whole server', 'OPTIONS * HTTP/1.1', 404],
  ['TRACE', 'TRACE /V1/limit HTTP/1.1', 405],
  ['OPTIONS', 'OPTIONS /V1/limit HTTP/1.1', 405],
  ['PATCH', 'PATCH /V1/limit HTTP/1.1', 405],
];

let world: World;
before(async () => {
  world = await openWorld();
});
after(() => world.close());

/** The same bytes, whole and in pieces; whether the connection is over after them. */
async function bothWays(request: string): Promise<{ response: string; ended: boolean }> {
  const seen = [];
  for (const inPieces of [false, true]) {
    const connection = await RawConnection.open(world.port);
    await connection.write(Buffer.from(request, 'latin1'), inPieces);
    const response = await connection.next();
    const ended = /^connection: close\r$/im.test(response);
    if (ended) await connection.ended;
    connection.socket.destroy();
    seen.push({ response, ended });
  }
  assert.deepEqual(seen[0], seen[1]);
  return seen[0] ?? { response: '', ended: false };
}

for (const [what, request] of Object.entries(TAKEN)) {
  test(`${what} is taken`, async () => {
    const { response } = await bothWays(request);
    const seen = seenOf(response);
    assert.equal(seen.status, 200, response);
    assert.match(seen.text, /^\{"status":"success"/);
  });
}

for (const [what, request] of Object.entries(REFUSED)) {
  test(`${what} is refused with an envelope, and the connection ends`, async () => {
    const { response, ended } = await bothWays(request);
    assertFailure(seenOf(response), 400, 'BAD_REQUEST', 'request');
    assert.ok(ended);
  });
}

for (const [what, line, status] of ELSEWHERE) {
  test(`${what} in the first line is ${status}`, async () => {
    const { response } = await bothWays(lines(line, HOST, TYPE, LENGTH));
    if (status === 404) assertFailure(seenOf(response), 404, 'NOT_FOUND', 'path');
    else assertFailure(seenOf(response), 405, 'METHOD_NOT_ALLOWED', 'method', 'use POST');
  });
}

test('headers that are too many or too large are 413', async () => {
  for (const request of [
    plainWith(...Array.from({ length: 98 }, (_, i) => `X-${i}: 1`)),
    `${LINE}\r\n${'a:\r\n'.repeat(3_000)}${lines(HOST, TYPE, LENGTH)}`,
    plainWith(`X: ${'x'.repeat(17_000)}`),
    lines(`POST /V1/limit?${'x'.repeat(17_000)} HTTP/1.1`, HOST, TYPE, LENGTH),
  ]) {
    const { response, ended } = await bothWays(request);
    assertFailure(seenOf(response), 413, 'PAYLOAD_TOO_LARGE', 'headers');
    assert.ok(ended);
  }
});

test('a client that waits for leave to send its body gets it', async () => {
  const connection = await RawConnection.open(world.port);
  connection.socket.write(`${[LINE, HOST, TYPE, LENGTH, 'Expect: 100-continue'].join('\r\n')}\r\n\r\n`);
  assert.match(await connection.next(), /^HTTP\/1\.1 100 Continue\r\n/);
  connection.socket.write(BODY);
  assert.equal(seenOf(await connection.next()).status, 200);
  connection.socket.destroy();
});

test('a client that waits for leave is refused without it where its body would not be read', async () => {
  for (const [line, length, status] of [
    ['POST /V1/nothing HTTP/1.1', '50', 404],
    ['PUT /V1/limit HTTP/1.1', '50', 405],
    [LINE, '70000', 413],
  ] as const) {
    const connection = await RawConnection.open(world.port);
    const head = [line, HOST, TYPE, `Content-Length: ${length}`, 'Expect: 100-continue'];
    connection.socket.write(`${head.join('\r\n')}\r\n\r\n`);
    const response = await connection.next();
    assert.equal(seenOf(response).status, status);
    assert.match(response, /^connection: close\r$/im);
    await connection.ended;
  }
});

test('a body that a GET brings is passed over, and the request behind it is answered', async () => {
  const connection = await RawConnection.open(world.port);
  connection.socket.write(`GET /livez HTTP/1.1\r\n${HOST}\r\nContent-Length: 5\r\n\r\nhello${plainWith()}`);
  assert.match((await connection.next()).slice(-40), /alive/);
  assert.match(await connection.next(), /marginused/);
  connection.socket.destroy();
});

test('HEAD is answered without a body', async () => {
  const connection = await RawConnection.open(world.port);
  connection.socket.write(`HEAD /livez HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`);
  await connection.ended;
  const response = await connection.next();
  assert.match(response, /^HTTP\/1\.1 405 /);
  assert.ok(response.endsWith('\r\n\r\n'));
});

/** Makes placements wait until the returned function is called. */
function holdPlacements(held: World): { taken: Promise<void>; release: () => void } {
  const { submit } = held.engine;
  const taken = Promise.withResolvers<void>();
  const durable = Promise.withResolvers<void>();
  held.engine.submit = async (submission) => {
    taken.resolve();
    await durable.promise;
    return submit.call(held.engine, submission);
  };
  return { taken: taken.promise, release: () => durable.resolve() };
}

const ORDER = JSON.stringify({ ...ALICE.credentials, ...LIMIT_BUY });
const PLACEMENT = `${['POST /V1/placeOrder HTTP/1.1', HOST, TYPE, `Content-Length: ${ORDER.length}`].join('\r\n')}\r\n\r\n${ORDER}`;

for (const [what, behind] of [
  ['bytes that are no HTTP', 'HELLO\r\n\r\n'],
  ['a request for a tunnel', `CONNECT x:80 HTTP/1.1\r\n${HOST}\r\n\r\n`],
  ['a body of wrong chunks', chunked('zz\r\n{}\r\n0\r\n\r\n')],
  ['a request of two hosts', lines(LINE, HOST, HOST, TYPE, LENGTH)],
  ['headers that are too large', plainWith(`X: ${'x'.repeat(17_000)}`)],
] as const) {
  for (const [how, lead] of [
    ['sent with it', ''],
    ['behind another request', `GET /livez HTTP/1.1\r\n${HOST}\r\n\r\n`],
  ] as const) {
    test(`${what} behind an order that waits, ${how}, are answered after the order`, async () => {
      const waiting = await openWorld();
      const connection = await RawConnection.open(waiting.port);
      const { taken, release } = holdPlacements(waiting);
      connection.socket.write(Buffer.from(lead + PLACEMENT + behind, 'latin1'));
      await taken;
      release();
      if (lead !== '') assert.match(await connection.next(), /alive/);
      const order = await connection.next();
      assert.match(order, /orderNumber/, order);
      const refusal = seenOf(await connection.next());
      assert.ok(refusal.status === 400 || refusal.status === 413, refusal.text);
      await connection.ended;
      assert.equal(waiting.engine.state.orders.size, 1);
      await waiting.close();
    });
  }
}

test('a client that goes away, with good or bad bytes behind an order that waits, harms nobody', async () => {
  const waiting = await openWorld();
  for (const behind of ['', 'HELLO\r\n\r\n', plainWith().slice(0, -5), chunked('zz\r\n'), chunked('5\r\nab')]) {
    const connection = await RawConnection.open(waiting.port);
    const { submit } = waiting.engine;
    const { taken, release } = holdPlacements(waiting);
    connection.socket.write(PLACEMENT.replace(HOST, `${HOST}\r\nExpect: 200-ok`) + behind);
    await taken;
    connection.socket.resetAndDestroy();
    await new Promise((resolve) => setTimeout(resolve, 5));
    release();
    waiting.engine.submit = submit;
  }
  assert.equal((await waiting.call('/limit', ALICE)).status, 200);
  assert.equal(waiting.engine.state.orders.size, 5);
  assert.deepEqual(waiting.failures, []);
  await waiting.close();
});
