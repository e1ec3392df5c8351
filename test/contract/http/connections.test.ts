import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { assertFailure, type Seen } from '../../kit/wire/wire-checks.ts';
import { ALICE, holdPlacements, LIMIT_BUY, openWorld, type World } from '../../kit/wire/world.ts';

const BODY = JSON.stringify(ALICE.credentials);

/** A request as bytes; `lines` are its first line and the headers beside type and length. */
function bytesOf(lines: readonly string[], body = BODY): string {
  const length = Buffer.byteLength(body);
  const headers = ['Content-Type: application/json', `Content-Length: ${length}`, 'Connection: close'];
  return `${[...lines, ...headers].join('\r\n')}\r\n\r\n${body}`;
}

/** The bytes that come back on a connection until it ends. */
async function answerOf(socket: Socket): Promise<Seen> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers), text: text.slice(end + 4) };
}

/** True while somebody listens on the port. */
function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

async function exchange(world: World, bytes: string): Promise<Seen> {
  const socket = connect(world.port, '127.0.0.1');
  socket.write(bytes);
  const seen = await answerOf(socket);
  await world.close();
  return seen;
}

test('an expectation that the service does not know is not a reason to refuse', async () => {
  const seen = await exchange(await openWorld(), bytesOf(['POST /V1/limit HTTP/1.1', 'Host: x', 'Expect: 200-ok']));
  assert.equal(seen.status, 200);
  assert.equal(seen.headers['x-market'], 'simulated');
});

test('a request for a tunnel gets an envelope', async () => {
  const seen = await exchange(await openWorld(), 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n');
  assertFailure(seen, 400, 'BAD_REQUEST', 'request');
});

test('a client that asks for a tunnel and goes away harms nobody, whether or not an answer waits', async () => {
  const world = await openWorld();
  const { taken, release } = holdPlacements(world);
  const placement = bytesOf(
    ['POST /V1/placeOrder HTTP/1.1', 'Host: x'],
    JSON.stringify({ ...ALICE.credentials, ...LIMIT_BUY }),
  ).replace('Connection: close\r\n', '');
  for (const before of ['', '', '', placement]) {
    const socket = connect(world.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`${before}CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n`);
    if (before !== '') await taken;
    socket.resetAndDestroy();
    while (world.connections.open > 0) await setImmediate();
  }
  release();
  assert.equal((await world.call('/limit', ALICE)).status, 200);
  assert.deepEqual(world.failures, []);
  await world.close();
});

test('an answer that leaves while the gateway closes says that the connection closes', async () => {
  const world = await openWorld();
  const { taken, release } = holdPlacements(world);
  const { port } = world;
  const socket = connect(port, '127.0.0.1');
  const body = JSON.stringify({ ...ALICE.credentials, ...LIMIT_BUY });
  socket.write(bytesOf(['POST /V1/placeOrder HTTP/1.1', 'Host: x'], body).replace('Connection: close\r\n', ''));
  await taken;
  const closed = world.close();
  while (await accepts(port)) await setImmediate();
  release();
  const seen = await answerOf(socket);
  await closed;
  assert.equal(seen.status, 200);
  assert.equal(seen.headers.connection, 'close');
});
