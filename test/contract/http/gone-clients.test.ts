import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fakeMarket } from '../../kit/wire/fake-market.ts';
import { RawConnection, seenOf } from '../../kit/wire/raw-connection.ts';
import { secure, TLS } from '../../kit/wire/secure.ts';
import { ALICE, openWorld, type World } from '../../kit/wire/world.ts';

/* Clients that close their connection while a long answer is made for them. */

/** Each piece of an answer takes a turn. */
const PIECE_MS = 4;
/** The pieces of the answer below: five days each. */
const PIECES = 504;

/** A plain path goes through the lane, one with a query through Node's server. */
function candles(path: string): string {
  const range = { startTime: '09:15:00 01-01-2020', endTime: '15:30:00 20-11-2026' };
  const terms = { exchange: 'NSE', tradingSymbol: 'IDEA-EQ', interval: '1d', ...range };
  const body = JSON.stringify({ ...ALICE.credentials, ...terms });
  const head = ['Host: localhost', 'Content-Type: application/json', `Content-Length: ${body.length}`];
  return `POST /V1${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`;
}

/** A world in which candles take long, and the count of the pieces that were made. */
async function slowWorld(tls: boolean): Promise<{ world: World; made: () => number; begun: Promise<unknown> }> {
  let made = 0;
  const { promise, resolve } = Promise.withResolvers();
  const daily: typeof fakeMarket.daily = (...asked) => {
    made += 1;
    if (made === 3) resolve(undefined);
    const until = performance.now() + PIECE_MS;
    while (performance.now() < until);
    return fakeMarket.daily(...asked);
  };
  const world = await openWorld({ market: { ...fakeMarket, daily }, ...(tls && { tls: TLS }) });
  return { world, made: () => made, begun: promise };
}

for (const [name, path, tls] of [
  ['plain request', '/timePriceSeries', false],
  ["request of Node's server", '/timePriceSeries?x', false],
  ['request over TLS', '/timePriceSeries', true],
] as const) {
  test(`a long answer is left when its client closes the connection: a ${name}`, async () => {
    const { world, made, begun } = await slowWorld(tls);
    const { socket } = tls ? new RawConnection(await secure(world)) : await RawConnection.open(world.port);
    socket.write(candles(path));
    await begun;
    socket.destroy();
    await once(socket, 'close');
    await setTimeout(20 * PIECE_MS);
    const left = made();
    assert.ok(left < PIECES / 2, `${left} pieces`);
    await setTimeout(20 * PIECE_MS);
    assert.equal(made(), left);
    assert.deepEqual(world.failures, []);
    await world.close();
  });
}

test('a client that closes its side alone reads why it gets no long answer', async () => {
  for (const path of ['/timePriceSeries', '/timePriceSeries?x']) {
    const { world, begun } = await slowWorld(false);
    const connection = await RawConnection.open(world.port);
    connection.socket.write(candles(path));
    await begun;
    connection.socket.end();
    const text = await connection.next();
    assert.equal(seenOf(text).status, 503, path);
    assert.match(text, /the client closed its side of the connection/);
    await connection.ended;
    await world.close();
  }
});
