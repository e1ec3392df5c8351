import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpLimits } from '../../../src/gateway/http/connections/http-limits.ts';
import { RawConnection, seenOf } from '../../kit/wire/raw-connection.ts';
import { assertFailure } from '../../kit/wire/wire-checks.ts';
import { ALICE, holdPlacements, LIMIT_BUY, openWorld, type World } from '../../kit/wire/world.ts';

const BODY = JSON.stringify(ALICE.credentials);
const HEAD = ['POST /V1/limit HTTP/1.1', 'Host: x', 'Content-Type: application/json', `Content-Length: ${BODY.length}`];
const REQUEST = `${HEAD.join('\r\n')}\r\n\r\n${BODY}`;
const ORDER_BODY = JSON.stringify({ ...ALICE.credentials, ...LIMIT_BUY });
const ORDER = `${HEAD.slice(0, 3).join('\r\n').replace('limit', 'placeOrder')}\r\nContent-Length: ${ORDER_BODY.length}\r\n\r\n${ORDER_BODY}`;
/** Long enough for what is written at once, also on a machine that stands still for a moment. */
const SHORT = { headMs: 200, requestMs: 400 };
const CANDLES = { exchange: 'NSE', tradingSymbol: 'IDEA-EQ', interval: '1mi' };

async function inWorld(limits: Partial<HttpLimits>, run: (world: World) => Promise<void>): Promise<void> {
  const world = await openWorld({ limits });
  try {
    await run(world);
  } finally {
    await world.close();
  }
}

for (const [what, sent] of [
  ['a head', REQUEST.slice(0, 30)],
  ['a body', REQUEST.slice(0, -5)],
  ['a chunked body', `${HEAD.slice(0, 3).join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab`],
] as const) {
  test(`${what} that does not come to its end is refused, and its connection ends`, () =>
    inWorld(SHORT, async (world) => {
      const connection = await RawConnection.open(world.port);
      connection.socket.write(sent);
      assertFailure(
        seenOf(await connection.next()),
        400,
        'BAD_REQUEST',
        'request',
        'the request took too long to arrive',
      );
      await connection.ended;
      assert.equal(world.engine.state.orders.size, 0);
    }));
}

test('a body that comes drop by drop is cut off all the same', () =>
  inWorld(SHORT, async (world) => {
    const connection = await RawConnection.open(world.port);
    connection.socket.write(`${HEAD.slice(0, 3).join('\r\n')}\r\nContent-Length: 60000\r\n\r\n`);
    const drops = setInterval(() => connection.socket.write(' '), 3);
    assertFailure(seenOf(await connection.next()), 400, 'BAD_REQUEST', 'request');
    await connection.ended;
    clearInterval(drops);
  }));

test('a connection on which nothing comes ends without a word', () =>
  inWorld({ headMs: 10 }, async (world) => {
    const connection = await RawConnection.open(world.port);
    await connection.ended;
    assert.equal(await connection.next(), '');
  }));

for (const [what, more] of [
  ['the lane', ''],
  ["Node's server", 'X-Trailer: 1\r\nExpect: 200-ok\r\n'],
] as const) {
  test(`a connection that is idle after an answer of ${what} is kept for its time, then ends`, () =>
    inWorld({ keepAliveMs: 30 }, async (world) => {
      const connection = await RawConnection.open(world.port);
      connection.socket.write(REQUEST.replace('Host', `${more}Host`));
      assert.equal(seenOf(await connection.next()).status, 200);
      await connection.ended;
      assert.equal(await connection.next(), '');
    }));

  test(`a client that reads nothing of an answer of ${what} does not keep its connection`, () =>
    inWorld({ keepAliveMs: 40 }, async (world) => {
      const connection = await RawConnection.open(world.port);
      connection.socket.pause();
      const body = JSON.stringify({
        ...ALICE.credentials,
        ...CANDLES,
        startTime: '09:15:00 01-11-2026',
        endTime: '15:30:00 20-11-2026',
      });
      const head = [
        HEAD[0]?.replace('limit', 'timePriceSeries'),
        ...HEAD.slice(1, 3),
        `Content-Length: ${body.length}`,
      ];
      // More answers than the buffers between the two can hold.
      for (let i = 0; i < 20; i += 1) connection.socket.write(`${head.join('\r\n')}\r\n${more}\r\n${body}`);
      while ((await connectionsOf(world)) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
      connection.socket.destroy();
    }));
}

function connectionsOf(world: World): Promise<number> {
  return new Promise((resolve, reject) => {
    world.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

test('connections beyond the limit are answered 503 and end, and there is room again when others have gone', () =>
  inWorld({ connections: 2 }, async (world) => {
    const { release, waiting } = holdPlacements(world);
    const first = await RawConnection.open(world.port);
    const second = await RawConnection.open(world.port);
    for (const { socket } of [first, second]) socket.write(ORDER);
    while (waiting() < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    const third = await RawConnection.open(world.port);
    const refusal = seenOf(await third.next());
    assertFailure(refusal, 503, 'SERVICE_UNAVAILABLE', 'server', 'too many connections');
    assert.equal(refusal.headers['retry-after'], '1');
    await third.ended;
    assert.deepEqual([world.connections.open, world.connections.turnedAway], [2, 1]);
    second.socket.resetAndDestroy();
    while ((await connectionsOf(world)) > 1) await new Promise((resolve) => setTimeout(resolve, 1));
    const fourth = await RawConnection.open(world.port);
    fourth.socket.write(REQUEST);
    assert.equal(seenOf(await fourth.next()).status, 200);
    release();
    assert.equal(seenOf(await first.next()).status, 200);
    for (const { socket } of [first, fourth]) socket.destroy();
  }));

test('an address has its own limit of connections, a trusted proxy only that of the service', async () => {
  for (const [proxies, isOpen] of [
    [[], false],
    [['127.0.0.0/8'], true],
  ] as const) {
    const world = await openWorld({ limits: { connectionsPerAddress: 1 }, proxies });
    const first = await RawConnection.open(world.port);
    const second = await RawConnection.open(world.port);
    second.socket.write(REQUEST);
    assert.equal(seenOf(await second.next()).status, 200);
    first.socket.write(REQUEST);
    assert.equal((await first.next()) !== '', isOpen);
    for (const { socket } of [first, second]) socket.destroy();
    await world.close();
  }
});

test('the last request that a connection may bring is answered as the last, whoever answers', () =>
  inWorld({ requestsPerConnection: 3 }, async (world) => {
    for (const second of [REQUEST, REQUEST.replace('Host', 'Expect: 200-ok\r\nHost')]) {
      const connection = await RawConnection.open(world.port);
      for (const [request, last] of [
        [REQUEST, false],
        [second, false],
        [REQUEST, true],
      ] as const) {
        connection.socket.write(request);
        const response = await connection.next();
        assert.equal(seenOf(response).status, 200);
        assert.equal(/^connection: close\r$/im.test(response), last);
      }
      await connection.ended;
    }
  }));

test('a client that has said all that it will say is answered before the connection ends', () =>
  inWorld({}, async (world) => {
    for (const request of [REQUEST, REQUEST.replace('Host', 'Expect: 200-ok\r\nHost')]) {
      const connection = await RawConnection.open(world.port);
      connection.socket.end(request);
      assert.equal(seenOf(await connection.next()).status, 200);
      await connection.ended;
    }
  }));

test('a client that ends in the middle of a request is answered that it did', () =>
  inWorld({}, async (world) => {
    for (const sent of [REQUEST.slice(0, 30), REQUEST.slice(0, -5)]) {
      const connection = await RawConnection.open(world.port);
      connection.socket.end(sent);
      assertFailure(seenOf(await connection.next()), 400, 'BAD_REQUEST', 'request');
      await connection.ended;
    }
  }));
