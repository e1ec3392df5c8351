import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { OwnHosts } from '../../../src/base/net/own-hosts.ts';
import { loopTurns } from '../../kit/wire/loop-turns.ts';
import { RawConnection } from '../../kit/wire/raw-connection.ts';
import { TLS } from '../../kit/wire/secure.ts';
import { SocketClient } from '../../kit/wire/socket-client.ts';
import { ALICE, BOB, holdPlacements, LIMIT_BUY, openWorld, type TestUser, type World } from '../../kit/wire/world.ts';

/* How a request becomes a WebSocket, on the server that answers all other requests. */

const WELCOME = '{"status":"success","message":"Authentication successful"}';

function addressOf({ credentials }: TestUser): string {
  return `/V2/ws?${new URLSearchParams(credentials)}`;
}

const HANDSHAKE = [
  'Host: localhost',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
];

function upgrade(path: string, headers: readonly string[] = HANDSHAKE): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
}

function post(world: World, path: string, body: object): Buffer {
  const text = JSON.stringify(body);
  const head = [
    `POST /V1${path} HTTP/1.1`,
    `Host: 127.0.0.1:${world.port}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`);
}

test('the two sockets speak over TLS', async () => {
  const world = await openWorld({ tls: TLS });
  const client = await SocketClient.open(world, addressOf(ALICE), { ca: TLS.cert, servername: 'localhost' }, 'wss');
  client.send({ action: 'subscribe', tokens: 'NSE:14366' });
  const [first, price = ''] = await client.texted(2);
  assert.equal(first, WELCOME);
  assert.match(price, /^\{"NSE:14366":\{/);
  await world.close();
  assert.equal((await client.untilClosed()).code, 1001);
});

test('a connection that brought requests before becomes a socket, and bytes behind the handshake are its own', async () => {
  const world = await openWorld();
  const connection = await RawConnection.open(world.port);
  await connection.write(post(world, '/limit', ALICE.credentials), false);
  assert.match(await connection.next(), /^HTTP\/1\.1 200 /);
  // A masked text of two bytes: {}.
  const frame = Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x7b, 0x7d]);
  await connection.write(Buffer.concat([upgrade(addressOf(ALICE)), frame]), true);
  assert.match(await connection.next(), /^HTTP\/1\.1 101 Switching Protocols/);
  connection.socket.destroy();
});

test('a request for a socket behind a request that is not answered yet is one of HTTP', async () => {
  const world = await openWorld();
  const held = holdPlacements(world);
  const connection = await RawConnection.open(world.port);
  const order = post(world, '/placeOrder', { ...ALICE.credentials, ...LIMIT_BUY });
  await connection.write(Buffer.concat([order, upgrade(addressOf(ALICE))]), false);
  await held.taken;
  await loopTurns();
  held.release();
  assert.match(await connection.next(), /^HTTP\/1\.1 200 /);
  assert.match(await connection.next(), /^HTTP\/1\.1 404 /);
  connection.socket.destroy();
});

test('upgrades of other paths, methods and protocols are requests like any other', async () => {
  const world = await openWorld();
  for (const [bytes, answer] of [
    [upgrade('/V2/other'), /^HTTP\/1\.1 404 /],
    [upgrade('/V2/ws/'), /^HTTP\/1\.1 404 /],
    [upgrade('/V2/ws', ['Host: a', 'Connection: Upgrade', 'Upgrade: h2c']), /^HTTP\/1\.1 404 /],
    [upgrade('/V2/ws', ['Host: a']), /^HTTP\/1\.1 404 /],
    [upgrade('/livez', HANDSHAKE), /^HTTP\/1\.1 200 /],
    [upgrade('/V2/ws', HANDSHAKE.slice(0, 4)), /^HTTP\/1\.1 400 [\s\S]*"status":"failed"/],
    [upgrade('/V2/ws', [...HANDSHAKE.slice(0, 3), 'Sec-WebSocket-Version: 7']), /^HTTP\/1\.1 400 /],
    [upgrade('/V2/ws', [...HANDSHAKE, 'Host: b']), /^HTTP\/1\.1 400 /],
  ] as const) {
    const connection = await RawConnection.open(world.port);
    await connection.write(bytes, false);
    assert.match(await connection.next(), answer, bytes.toString());
    connection.socket.destroy();
  }
});

test('a socket that names another host is refused before the upgrade; an Origin may be anything', async () => {
  const world = await openWorld({ hosts: new OwnHosts(['localhost']) });
  const foreign = new WebSocket(`ws://127.0.0.1:${world.port}${addressOf(ALICE)}`, {
    headers: { host: 'evil.example' },
  });
  const [, response] = await once(foreign, 'unexpected-response');
  assert.equal(response.statusCode, 400);
  foreign.on('error', () => undefined).terminate();
  const connection = await RawConnection.open(world.port);
  const origins = ['Origin: https://one.example', 'Origin: https://two.example'];
  await connection.write(upgrade(addressOf(ALICE), [...HANDSHAKE, ...origins]), false);
  assert.match(await connection.next(), /^HTTP\/1\.1 101 /);
  connection.socket.destroy();
});

test('sockets count among the connections of their user, and are never let go for new ones', async () => {
  const world = await openWorld({ limits: { connectionsPerAddress: 2 } });
  const [first, second] = [
    await SocketClient.open(world, addressOf(ALICE)),
    await SocketClient.open(world, addressOf(ALICE)),
  ];
  await Promise.all([first.texted(1), second.texted(1)]);
  assert.equal(world.connections.open, 2);
  const third = await SocketClient.open(world, addressOf(ALICE));
  assert.match((await third.texted(1))[0] ?? '', /Maximum sessions/);
  await third.untilClosed();
  assert.equal(first.closed ?? second.closed, undefined);
  const other = await SocketClient.open(world, addressOf(BOB));
  assert.deepEqual(await other.texted(1), [WELCOME]);
  await world.close();
});

test('the service says good-bye to its sockets, and takes no more of them', async () => {
  const world = await openWorld();
  const client = await SocketClient.open(world, addressOf(ALICE));
  await client.texted(1);
  const late = connect(world.port, '127.0.0.1');
  await once(late, 'connect');
  const bytes = upgrade(addressOf(BOB));
  late.write(bytes.subarray(0, 20));
  await loopTurns();
  const closing = world.close();
  late.write(bytes.subarray(20));
  const [answer] = (await once(late, 'data')) as [Buffer];
  assert.match(String(answer), /^HTTP\/1\.1 503 /);
  assert.deepEqual(await client.untilClosed(), { code: 1001, reason: 'the service ends' });
  await closing;
});
