import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPlainHead, startOfBody } from './plain-request.ts';

const LINE = 'POST /V1/limit HTTP/1.1';
const HOST = 'Host: localhost:8080';
const TYPE = 'Content-Type: application/json';
const LENGTH = 'Content-Length: 17';

function read(...lines: string[]) {
  return readPlainHead(`${lines.join('\r\n')}\r\n\r\n`, 10);
}

test('a plain head says path, length and key, whatever the letter case of its headers', () => {
  const plain = {
    path: '/V1/limit',
    host: 'localhost:8080',
    length: 17,
    idempotencyKey: undefined,
    origin: undefined,
    forwardedFor: undefined,
  };
  assert.deepEqual(read(LINE, HOST, TYPE, LENGTH), plain);
  const shouted = [LINE, HOST.toUpperCase(), 'CONTENT-TYPE:Application/JSON; charset=UTF-8 ', 'content-length:\t17'];
  const more = ['IDEMPOTENCY-KEY: a b', 'x-Forwarded-For: 10.0.0.1', 'content-encoding: Identity'];
  assert.deepEqual(read(...shouted, ...more), {
    ...plain,
    host: 'LOCALHOST:8080',
    idempotencyKey: 'a b',
    origin: undefined,
    forwardedFor: '10.0.0.1',
  });
});

test('as many headers as are allowed pass, and one more does not', () => {
  const others = (count: number) => Array.from({ length: count }, () => 'X: 1');
  assert.equal(read(LINE, HOST, TYPE, LENGTH, ...others(7))?.length, 17);
  assert.equal(read(LINE, HOST, TYPE, LENGTH, ...others(8)), undefined);
});

test('a head is plain up to 8 kB', () => {
  const head = (bytes: number) => Buffer.from(`${'x'.repeat(bytes)}\r\n\r\n{}`);
  assert.equal(startOfBody(head(8_192)), 8_196);
  assert.equal(startOfBody(head(8_193)), -1);
});

test('headers that mean nothing here pass, empty ones too', () => {
  const more = [
    'Accept: */*',
    'User-Agent: x/1 (y; z) \xe9',
    'Cookie:',
    'Authorization: Bearer x',
    'Connection: Keep-Alive',
  ];
  assert.equal(read(LINE, HOST, TYPE, ...more, LENGTH)?.length, 17);
});

test('a line of blanks is looked at once, however long it is and whatever it ends with', { timeout: 10_000 }, () => {
  const blanks = ' \t'.repeat(200_000);
  assert.equal(read(LINE, HOST, TYPE, LENGTH, `X:${blanks}`)?.length, 17);
  assert.equal(read(LINE, HOST, TYPE, LENGTH, `X:${blanks}y${blanks}z${blanks}`)?.length, 17);
  for (const end of ['\x01', 'y\x01', '\rz'])
    assert.equal(read(LINE, HOST, TYPE, LENGTH, `X:${blanks}${end}`), undefined);
});

const NOT_PLAIN: readonly (readonly [what: string, lines: readonly string[]])[] = [
  ['another method', [LINE.replace('POST', 'PUT'), HOST, TYPE, LENGTH]],
  ['another version', [LINE.replace('1.1', '1.0'), HOST, TYPE, LENGTH]],
  ['a query', [LINE.replace('limit', 'limit?x'), HOST, TYPE, LENGTH]],
  ['an encoded path', [LINE.replace('limit', 'l%69mit'), HOST, TYPE, LENGTH]],
  ['a whole URL', [LINE.replace('/V1', 'http://x/V1'), HOST, TYPE, LENGTH]],
  ['no host', [LINE, TYPE, LENGTH]],
  ['a host that is none', [LINE, `${HOST}/x`, TYPE, LENGTH]],
  ['too many headers', [LINE, HOST, TYPE, LENGTH, ...Array.from({ length: 8 }, () => 'X: 1')]],
  ['no type', [LINE, HOST, LENGTH]],
  ['another type', [LINE, HOST, 'Content-Type: text/json', LENGTH]],
  ['a type with other parameters', [LINE, HOST, `${TYPE}; charset=latin1`, LENGTH]],
  ['no length', [LINE, HOST, TYPE]],
  ['a length of 0', [LINE, HOST, TYPE, 'Content-Length: 0']],
  ['a length that is no number', [LINE, HOST, TYPE, 'Content-Length: 0x11']],
  ['a signed length', [LINE, HOST, TYPE, 'Content-Length: +17']],
  ['two lengths', [LINE, HOST, TYPE, LENGTH, LENGTH]],
  ['two lengths in one', [LINE, HOST, TYPE, 'Content-Length: 17, 17']],
  ['two types', [LINE, HOST, TYPE, TYPE, LENGTH]],
  ['an encoding', [LINE, HOST, TYPE, LENGTH, 'Content-Encoding: gzip']],
  ['a blank encoding', [LINE, HOST, TYPE, LENGTH, 'Content-Encoding: ']],
  ['two encodings', [LINE, HOST, TYPE, LENGTH, 'Content-Encoding: identity', 'Content-Encoding: identity']],
  ['two keys', [LINE, HOST, TYPE, LENGTH, 'Idempotency-Key: a', 'Idempotency-Key: b']],
  ['chunks', [LINE, HOST, TYPE, LENGTH, 'Transfer-Encoding: chunked']],
  ['chunks in other letters', [LINE, HOST, TYPE, 'tRANSFER-eNCODING: chunked', LENGTH]],
  ['an expectation', [LINE, HOST, TYPE, LENGTH, 'Expect: 100-continue']],
  ['an upgrade', [LINE, HOST, TYPE, LENGTH, 'Upgrade: websocket']],
  ['a connection that closes', [LINE, HOST, TYPE, LENGTH, 'Connection: close']],
  ['a connection with other words', [LINE, HOST, TYPE, LENGTH, 'Connection: keep-alive, x']],
  ['a blank before the colon', [LINE, HOST, TYPE, 'Content-Length : 17']],
  ['a folded header', [LINE, HOST, TYPE, LENGTH, 'X-A: a', ' b']],
  ['a header without a name', [LINE, HOST, TYPE, LENGTH, ': x']],
  ['a header without a colon', [LINE, HOST, TYPE, LENGTH, 'nothing']],
  ['a control character', [LINE, HOST, TYPE, LENGTH, 'X-A: a\u0001b']],
  ['a bare end of line', [LINE, HOST, TYPE, `X-A: a\n${LENGTH}`]],
  ['a bare return', [LINE, HOST, TYPE, LENGTH, 'X-A: a\rb']],
  ['an empty line before it', ['', LINE, HOST, TYPE, LENGTH]],
];
for (const [what, lines] of NOT_PLAIN) {
  test(`not a plain head: ${what}`, () => assert.equal(read(...lines), undefined));
}

test('a body begins behind the first empty line of a head of moderate size', () => {
  assert.equal(startOfBody(Buffer.from('a\r\nb\r\n\r\nc\r\n\r\n')), 8);
  assert.equal(startOfBody(Buffer.from('a\r\nb\r\n\r')), -1);
  assert.equal(startOfBody(Buffer.from(`${'a'.repeat(8_193)}\r\n\r\n`)), -1);
});
