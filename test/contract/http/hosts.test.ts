import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OwnHosts } from '../../../src/base/net/own-hosts.ts';
import { RawConnection, seenOf } from '../../kit/wire/raw-connection.ts';
import { assertFailure } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld, type World } from '../../kit/wire/world.ts';

/*
 * DNS rebinding: a page of a stranger, whose name leads to this machine, asks the service with a browser's help and
 * says its own name in Host. Each request is sent whole, so that the lane sees it first, and in pieces, so that only
 * Node's server does: both give the same bytes.
 */

const BODY = JSON.stringify(ALICE.credentials);
const REST = ['Content-Type: application/json', `Content-Length: ${BODY.length}`];

function request(host: string, target = '/V1/limit'): string {
  return [`POST ${target} HTTP/1.1`, `Host: ${host}`, ...REST, '', BODY].join('\r\n');
}

let guarded: World;
let open: World;
before(async () => {
  guarded = await openWorld({ hosts: new OwnHosts(['localhost', '127.0.0.1', 'Trade.Example', 'fe80::1']) });
  open = await openWorld();
});
after(() => Promise.all([guarded.close(), open.close()]));

async function answers(world: World, bytes: string): Promise<string> {
  const seen: string[] = [];
  for (const inPieces of [false, true]) {
    const connection = await RawConnection.open(world.port);
    await connection.write(Buffer.from(bytes, 'latin1'), inPieces);
    seen.push(await connection.next());
    connection.socket.destroy();
  }
  assert.equal(seen[0], seen[1], 'whole and in pieces');
  return seen[0] ?? '';
}

for (const host of [
  'localhost',
  'localhost:8080',
  'LOCALHOST:1',
  'localhost.',
  '127.0.0.1',
  '127.0.0.1:8080',
  '[::ffff:127.0.0.1]:8080',
  '[::FFFF:7f00:1]',
  'trade.example',
  'trade.example.:443',
  '[fe80::1]:80',
  '[FE80:0:0:0:0:0:0:1]',
]) {
  test(`a request that says ${host} is answered`, async () => {
    assert.equal(seenOf(await answers(guarded, request(host))).status, 200);
  });
}

for (const host of [
  'rebind.attacker.example',
  'rebind.attacker.example:8080',
  'localhost.attacker.example',
  'xlocalhost',
  '127.0.0.1.attacker.example',
  '10.1.2.3',
  '127.0.0.2',
  '0.0.0.0:8080',
  '[::1]',
  'sub.trade.example',
  'localhost..',
  '127.1',
]) {
  test(`a request that says ${host} is refused, and answered where names are not asked for`, async () => {
    assertFailure(seenOf(await answers(guarded, request(host))), 400, 'BAD_REQUEST', 'Host');
    assert.equal(seenOf(await answers(open, request(host))).status, 200);
  });
}

test('the target counts as the header does', async () => {
  const own = seenOf(await answers(guarded, request('localhost', 'http://localhost:8080/V1/limit')));
  assert.equal(own.status, 200);
  for (const [host, target] of [
    ['localhost', 'http://rebind.example/V1/limit'],
    ['rebind.example', 'http://localhost/V1/limit'],
    ['localhost', 'http://localhost@rebind.example/V1/limit'],
    ['localhost', 'HTTPS://rebind.example:8080/V1/limit'],
  ] as const) {
    assertFailure(seenOf(await answers(guarded, request(host, target))), 400, 'BAD_REQUEST', 'Host');
  }
});

test('a document is refused to a foreign name too, and what names nobody is answered', async () => {
  const ask = async (...lines: string[]) => seenOf(await answers(guarded, `${lines.join('\r\n')}\r\n\r\n`));
  for (const path of ['/openapi.json', '/livez', '/readyz', '/V1/symbols/NSE', '/nothing']) {
    assertFailure(await ask(`GET ${path} HTTP/1.1`, 'Host: rebind.example'), 400, 'BAD_REQUEST', 'Host');
  }
  assert.equal((await ask('GET /livez HTTP/1.0')).status, 200);
  assert.equal((await ask('GET /livez HTTP/1.1', 'Host:')).status, 200);
  assertFailure(await ask('GET /livez HTTP/1.0', 'Host: rebind.example'), 400, 'BAD_REQUEST', 'Host');
  assertFailure(await ask('GET /livez HTTP/1.1'), 400, 'BAD_REQUEST', 'request');
  assertFailure(await ask('GET /livez HTTP/1.1', 'Host: localhost', 'Host: localhost'), 400, 'BAD_REQUEST', 'request');
});

test('a connection that was answered under a right name is asked again for each other head', async () => {
  const connection = await RawConnection.open(guarded.port);
  connection.socket.write(request('localhost'));
  assert.equal(seenOf(await connection.next()).status, 200);
  connection.socket.write(request('rebind.example'));
  assertFailure(seenOf(await connection.next()), 400, 'BAD_REQUEST', 'Host');
  await connection.ended;
});
