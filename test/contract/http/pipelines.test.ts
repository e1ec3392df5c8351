import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { loopTurns } from '../../kit/wire/loop-turns.ts';
import { RawConnection, seenOf } from '../../kit/wire/raw-connection.ts';
import { secure, TLS } from '../../kit/wire/secure.ts';
import { ALICE, BOB, LIMIT_BUY, openWorld, type TestUser, type World } from '../../kit/wire/world.ts';

/* Requests that come one after the other on one connection before the first is answered. */

/** As few bytes on the wire as a request may have, in a form that only Node's server takes. */
function request(path: string, user: TestUser, fields: object = {}): string {
  const body = JSON.stringify({ ...user.credentials, ...fields });
  const head = `POST /V1${path}?x HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
  return `${head}\r\n\r\n${body}`;
}

/** Gives ALICE an order book of half a megabyte, and counts how often the books are asked. */
async function withLongBook(): Promise<{ world: World; asked: () => number }> {
  const world = await openWorld();
  for (let count = 0; count < 400; count += 1) await world.place(ALICE, { ...LIMIT_BUY, remarks: '😀'.repeat(256) });
  const read = world.engine.read.bind(world.engine);
  let asked = 0;
  world.engine.read = (query) => {
    asked += 1;
    return read(query);
  };
  return { world, asked: () => asked };
}

test('a client that asks for much and reads nothing is given no more than it may hold, and the rest when it reads', async () => {
  const { world, asked } = await withLongBook();
  const count = 200;
  const connection = await RawConnection.open(world.port);
  connection.socket.pause();
  connection.socket.write(request('/orderBook', ALICE).repeat(count));
  await setTimeout(1_000);
  const unread = asked();
  assert.ok(unread < count / 2, `${unread} of ${count} answers wait for their client`);
  connection.socket.resume();
  for (let index = 0; index < count; index += 1) assert.equal(seenOf(await connection.next()).status, 200);
  connection.socket.destroy();
  await world.close();
});

test('orders that come together on a connection are placed one after the other, in their order', async () => {
  const world = await openWorld();
  const connection = await RawConnection.open(world.port);
  const remarks = Array.from({ length: 150 }, (_, index) => `order ${index}`);
  connection.socket.write(remarks.map((text) => request('/placeOrder', BOB, { ...LIMIT_BUY, remarks: text })).join(''));
  for (const text of remarks) assert.equal(seenOf(await connection.next()).status, 200, text);
  const book = JSON.parse((await world.call('/orderBook', BOB)).text).data as readonly { readonly remarks: string }[];
  assert.deepEqual(
    book.map((row) => row.remarks).filter((text) => text.startsWith('order ')),
    remarks,
  );
  connection.socket.destroy();
  await world.close();
});

test('requests that wait behind an answer when their connection breaks are not done', async () => {
  const world = await openWorld();
  const submit = world.engine.submit.bind(world.engine);
  const durable = Promise.withResolvers<void>();
  let placed = 0;
  world.engine.submit = async (submission) => {
    if (submission.command.type === 'PlaceOrder') placed += 1;
    await durable.promise;
    return submit(submission);
  };
  const connection = await RawConnection.open(world.port);
  connection.socket.write(request('/placeOrder', BOB, LIMIT_BUY).repeat(3));
  while (placed === 0) await setTimeout(1);
  connection.socket.resetAndDestroy();
  await loopTurns();
  durable.resolve();
  await loopTurns();
  assert.equal(placed, 1);
  await world.close();
});

/** Counts the orders that are placed, each of which takes a while to be durable. */
function placing(world: World): { count: number } {
  const submit = world.engine.submit.bind(world.engine);
  const placed = { count: 0 };
  world.engine.submit = async (submission) => {
    if (submission.command.type === 'PlaceOrder') placed.count += 1;
    await setTimeout(5);
    return submit(submission);
  };
  return placed;
}

test('requests behind the last answer of a connection are not done, over TLS neither', async () => {
  for (const tls of [undefined, TLS]) {
    const world = await openWorld({ ...(tls && { tls }), limits: { requestsPerConnection: 2 } });
    const placed = placing(world);
    for (const path of ['/placeOrder', '/limit']) {
      placed.count = 0;
      const connection = tls ? new RawConnection(await secure(world)) : await RawConnection.open(world.port);
      const order = request('/placeOrder', BOB, LIMIT_BUY);
      connection.socket.write(order + request(path, BOB, LIMIT_BUY) + order + order);
      for (let index = 0; index < 2; index += 1) assert.equal(seenOf(await connection.next()).status, 200);
      await connection.ended;
      await setTimeout(20);
      assert.equal(placed.count, path === '/placeOrder' ? 2 : 1, path);
      connection.socket.destroy();
    }
    await world.close();
  }
});

test('a client that half-closes its connection gets all answers, then the end', async () => {
  const world = await openWorld();
  const placed = placing(world);
  const connection = await RawConnection.open(world.port);
  connection.socket.end(request('/placeOrder', BOB, LIMIT_BUY).repeat(3));
  for (let index = 0; index < 3; index += 1) assert.equal(seenOf(await connection.next()).status, 200, `${index}`);
  await connection.ended;
  assert.equal(placed.count, 3);
  await world.close();
});

test('of requests that wait on all connections there is a limit: a client that sends more is cut off, one with few is served', async () => {
  const world = await openWorld();
  const greedy = [];
  for (let count = 0; count < 900; count += 1) {
    const connection = await RawConnection.open(world.port);
    connection.socket.pause();
    greedy.push(connection);
  }
  for (const { socket } of greedy) socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(80));
  const modest = await RawConnection.open(world.port);
  modest.socket.write(request('/limit', BOB).repeat(10));
  for (let index = 0; index < 10; index += 1) assert.equal(seenOf(await modest.next()).status, 200);
  for (const { socket } of greedy) socket.resume();
  const answered = await Promise.all(greedy.map((connection) => connection.comesTo(80)));
  assert.ok(answered.includes(false) && answered.includes(true), `${answered.filter((whole) => whole).length}`);
  for (const { socket } of [...greedy, modest]) socket.destroy();
  await world.close();
});
