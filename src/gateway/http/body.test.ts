import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { BODY_LIMIT, hasJsonType, readBody, textOf } from './body.ts';

/** A request as far as its body is read: headers, and the pieces in which the body comes. */
function request(headers: Record<string, string>): { message: IncomingMessage; stream: PassThrough } {
  const stream = new PassThrough();
  return { message: Object.assign(stream, { headers }) as unknown as IncomingMessage, stream };
}

/**
 * The bodies that are handed over when one comes in pieces of these sizes: the length, or `too large`; one entry for
 * each time.
 */
async function taken(pieces: readonly number[], headers: Record<string, string> = {}): Promise<(number | string)[]> {
  const { message, stream } = request(headers);
  const told: (number | string)[] = [];
  readBody(message, (body) => told.push(body === undefined ? 'too large' : body.length));
  for (const size of pieces) stream.write(Buffer.alloc(size, 'x'));
  stream.end();
  stream.resume();
  await new Promise((resolve) => stream.once('close', resolve));
  return told;
}

test('a body of 64 kB is taken whole, in whatever pieces it comes', async () => {
  assert.deepEqual(await taken([65_536]), [65_536]);
  assert.deepEqual(await taken([1, 65_534, 1], { 'content-length': '65536' }), [65_536]);
  assert.deepEqual(await taken([]), [0]);
});

test('a larger body is reported once, by its length before it comes or by the bytes that come', async () => {
  assert.deepEqual(await taken([65_537]), ['too large']);
  assert.deepEqual(await taken([65_536, 1]), ['too large']);
  assert.deepEqual(await taken([65_536, 1, 65_536, 1]), ['too large']);
  assert.deepEqual(await taken([10], { 'content-length': '65537' }), ['too large']);
  assert.equal(BODY_LIMIT, 64 * 1024);
});

test('nothing is handed over when the client goes away', async () => {
  const { message, stream } = request({});
  const told: unknown[] = [];
  readBody(message, (body) => told.push(body));
  stream.write('{');
  stream.destroy();
  await new Promise((resolve) => stream.once('close', resolve));
  assert.deepEqual(told, []);
});

test('JSON is named in any letter case and with any parameters, and nothing else is', () => {
  const isJson = (type?: string) => hasJsonType(request(type === undefined ? {} : { 'content-type': type }).message);
  for (const type of [
    'application/json',
    'Application/JSON',
    ' application/json ; charset=utf-8',
    'application/json;x',
  ]) {
    assert.equal(isJson(type), true, type);
  }
  for (const type of [
    undefined,
    '',
    'text/json',
    'application/jsonx',
    'application/json/x',
    ';application/json',
    ';',
    '; charset=utf-8',
  ]) {
    assert.equal(isJson(type), false, String(type));
  }
});

test('text begins at the given place, and bytes that are not UTF-8 give no text', () => {
  assert.equal(textOf(Buffer.from('head{}'), 4), '{}');
  assert.equal(textOf(Buffer.from('h\ufffd\u0938'), 1), '\ufffd\u0938', 'the character for wrong bytes is one too');
  assert.equal(textOf(Buffer.from([0x61, 0x80]), 0), undefined);
  assert.equal(textOf(Buffer.from([0x80, 0x61]), 1), 'a', 'what is before is not looked at');
});
