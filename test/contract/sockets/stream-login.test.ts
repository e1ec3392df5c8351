import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import type { RefusedRequest } from '../../../src/audit/port.ts';
import { OwnHosts } from '../../../src/base/net/own-hosts.ts';
import { ManualClock } from '../../kit/wire/manual-clock.ts';
import { StreamClient } from '../../kit/wire/stream-client.ts';
import { ALICE, BOB, openWorld, type World } from '../../kit/wire/world.ts';

function failureOf(client: StreamClient): unknown[] {
  const [frame] = client.of('error');
  const { status, code, name, error } = frame?.data ?? {};
  return [status, code, name, error];
}

test('the first frame logs in, and the answer says which record is the last', async () => {
  const world = await openWorld();
  const client = await StreamClient.open(world);
  client.send({ login: ALICE.credentials, id: 'hello' });
  const { userId } = ALICE.credentials;
  assert.deepEqual(await client.next('login'), {
    type: 'login',
    data: { userId, seq: String(world.engine.state.seq) },
    id: 'hello',
  });
  await world.close();
});

test('a login that REST would refuse gets the same failure, is noted in the audit trail, and ends with 4401', async () => {
  const refused: RefusedRequest[] = [];
  const world = await openWorld({ trail: { refuse: (_who, request) => refused.push(request) } });
  const { userId, jKey } = ALICE.credentials;
  for (const login of [
    { jKey },
    { userId },
    { userId, jKey: 7 },
    { userId, jKey: 'x' },
    { userId: BOB.credentials.userId, jKey },
    { userId: ['AB1234'], jKey },
    {},
  ]) {
    const client = await StreamClient.open(world);
    client.send({ login });
    assert.equal((await client.socket.untilClosed()).code, 4401);
    const body = JSON.parse((await world.post('/limit', login)).text);
    assert.deepEqual(client.of('error')[0]?.data, body, JSON.stringify(login));
    assert.equal(client.frames.length, 1);
    assert.equal(refused.filter(({ op }) => op === 'stream').length, refused.filter(({ op }) => op === 'limit').length);
  }
  await world.close();
});

test('a first frame without a login is refused and ends with 4401', async () => {
  const world = await openWorld();
  for (const [frame, name] of [
    [{ subscribe: 'orders' }, 'INVALID_USERID'],
    [{}, 'BAD_REQUEST'],
    ['orders', 'BAD_REQUEST'],
    ['[]', 'BAD_REQUEST'],
    ['null', 'BAD_REQUEST'],
    ['', 'BAD_REQUEST'],
    [{ login: 'AB1234' }, 'BAD_REQUEST'],
    [{ login: null }, 'BAD_REQUEST'],
    [{ login: ALICE.credentials, subscribe: 'orders' }, 'BAD_REQUEST'],
  ] as const) {
    const client = await StreamClient.open(world);
    client.send(frame);
    client.send({ login: ALICE.credentials });
    assert.equal((await client.socket.untilClosed()).code, 4401);
    assert.equal(failureOf(client)[2], name, JSON.stringify(frame));
    assert.equal(client.frames.length, 1);
  }
  await world.close();
});

test('a socket without a login is closed after ten seconds', async () => {
  const clock = new ManualClock();
  const world = await openWorld({ socketClock: clock });
  const silent = await StreamClient.open(world);
  const other = await StreamClient.logIn(world, ALICE);
  await clock.pass(9_999);
  assert.equal(silent.socket.closed, undefined);
  await clock.pass(1);
  assert.equal((await silent.socket.untilClosed()).code, 4408);
  await other.settle();
  await world.close();
});

test('the end of its session ends a socket with 4401', async () => {
  const clock = new ManualClock();
  const world = await openWorld({ socketClock: clock });
  const client = await StreamClient.logIn(world, ALICE);
  const other = await StreamClient.logIn(world, BOB);
  await world.call('/logout', ALICE);
  await clock.pass(2_000);
  assert.equal((await client.socket.untilClosed()).code, 4401);
  await other.settle();
  await world.close();
});

test('a second login on a socket is refused, and the socket stays', async () => {
  const world = await openWorld();
  const client = await StreamClient.logIn(world, ALICE);
  const answer = await client.ask({ login: BOB.credentials });
  assert.deepEqual([answer.type, answer.data?.code], ['error', '400']);
  await client.settle();
  await world.close();
});

test('a user has twenty sockets; one more is closed with 4409, and others have theirs', async () => {
  const world = await openWorld();
  const clients: StreamClient[] = [];
  for (let count = 0; count < 20; count += 1) clients.push(await StreamClient.logIn(world, ALICE));
  const extra = await StreamClient.open(world);
  extra.send({ login: ALICE.credentials });
  assert.equal((await extra.socket.untilClosed()).code, 4409);
  await StreamClient.logIn(world, BOB);
  clients[3]?.end();
  await clients[3]?.socket.untilClosed();
  await StreamClient.logIn(world, ALICE);
  await world.close();
});

async function upgrade(world: World, origin: string | undefined): Promise<number> {
  const options = origin === undefined ? {} : { headers: { origin } };
  const socket = new WebSocket(`ws://127.0.0.1:${world.port}/stream`, options);
  // A refused one says so again when it is let go.
  socket.on('error', () => undefined);
  const status = await new Promise<number>((resolve) => {
    socket.on('open', () => resolve(101));
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
  });
  socket.terminate();
  return status;
}

test('pages of the service and programs may open a socket, pages of other sites may not', async () => {
  const world = await openWorld({ hosts: new OwnHosts(['localhost', 'sauda.example.org']) });
  for (const [origin, status] of [
    [undefined, 101],
    [`http://127.0.0.1:${world.port}`, 101],
    ['http://localhost:5173', 101],
    ['https://sauda.example.org', 101],
    ['https://evil.example.com', 403],
    ['https://sauda.example.org.evil.example.com', 403],
    ['null', 403],
    ['file://', 403],
    ['chrome-extension://abcdef', 403],
    ['nonsense', 403],
    ['', 403],
  ] as const) {
    assert.equal(await upgrade(world, origin), status, String(origin));
  }
  await world.close();
});
