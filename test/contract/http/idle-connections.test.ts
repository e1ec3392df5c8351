import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server as TlsServer } from 'node:tls';
import type { GatewayDeps } from '../../../src/gateway/deps.ts';
import { loopTurns } from '../../kit/wire/loop-turns.ts';
import { RawConnection, seenOf } from '../../kit/wire/raw-connection.ts';
import { secure, TLS } from '../../kit/wire/secure.ts';
import { assertFailure } from '../../kit/wire/wire-checks.ts';
import {
  ALICE,
  BOB,
  holdPlacements,
  LIMIT_BUY,
  openWorld,
  PASSWORD,
  type TestUser,
  TOTP,
  type World,
} from '../../kit/wire/world.ts';

/*
 * An address, or a user behind loopback or a trusted proxy, has at most this number of connections. A new one beyond
 * them takes the place of the one that has been idle for longest; only connections that are owed an answer keep theirs.
 */

const MOST = 4;
const FULL = { limits: { connectionsPerAddress: MOST } };
const ALIVE = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';
const TOO_MANY = [503, 'SERVICE_UNAVAILABLE', 'server', 'too many connections'] as const;

function bytesOf(path: string, user: TestUser, fields: object = {}): string {
  const body = JSON.stringify({ ...user.credentials, ...fields });
  const head = `POST /V1${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
  return `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
}

/** As bytes that the lane leaves to Node's server. */
function unusual(bytes: string): string {
  return bytes.replace('Host', 'Expect: 200-ok\r\nHost');
}

const LIMIT = bytesOf('/limit', ALICE);
const ORDER = bytesOf('/placeOrder', ALICE, LIMIT_BUY);
const LOGIN = bytesOf('/login', ALICE, {
  password: PASSWORD,
  TOTP,
  vendorCode: `${ALICE.credentials.userId}_API`,
  apiKey: 'key',
});
/** A request of nobody: answered 401. */
const STRANGE = bytesOf('/limit', { ...ALICE, credentials: { userId: 'NOBODY', jKey: 'x' } });

async function inWorld(settings: Partial<GatewayDeps>, run: (world: World) => Promise<void>): Promise<void> {
  const world = await openWorld(settings);
  try {
    await run(world);
  } finally {
    await world.close();
  }
}

/** Opens a connection, and waits until the gateway has taken it in: the last of them is the youngest. */
async function open(world: World): Promise<RawConnection> {
  const come = () => world.connections.open + world.connections.turnedAway + world.connections.letGo;
  const before = come();
  const isSecure = world.server instanceof TlsServer;
  const connection = isSecure ? new RawConnection(await secure(world)) : await RawConnection.open(world.port);
  while (come() === before) await sleep(1);
  return connection;
}

async function openSome(world: World, count: number, sent = ''): Promise<RawConnection[]> {
  const opened: RawConnection[] = [];
  for (let index = 0; index < count; index += 1) {
    const connection = await open(world);
    if (sent !== '') connection.socket.write(sent);
    opened.push(connection);
  }
  return opened;
}

async function ask(connection: RawConnection, bytes: string): Promise<number> {
  connection.socket.write(bytes);
  return seenOf(await connection.next()).status;
}

/** Opens connections of a user: each has been answered one request of his. */
async function openOf(world: World, user: TestUser, count: number, headers = ''): Promise<RawConnection[]> {
  const opened: RawConnection[] = [];
  const bytes = bytesOf('/limit', user).replace('Host', `${headers}Host`);
  for (let index = 0; index < count; index += 1) {
    const connection = await open(world);
    assert.equal(await ask(connection, bytes), 200);
    opened.push(connection);
  }
  return opened;
}

function seenBy({ connections: { open, turnedAway, letGo } }: World): object {
  return { open, turnedAway, letGo };
}

async function hasEnded(connection: RawConnection): Promise<boolean> {
  return await Promise.race([connection.ended.then(() => true), loopTurns().then(() => false)]);
}

async function areOpen(connections: readonly RawConnection[]): Promise<boolean[]> {
  return await Promise.all(connections.map(async (connection) => !(await hasEnded(connection))));
}

function closeAll(...connections: RawConnection[]): void {
  for (const { socket } of connections) socket.destroy();
}

describe('an address that fills its room', () => {
  for (const [what, sent, answers] of [
    ['on which nothing came', '', 0],
    ['with half a head', STRANGE.slice(0, 40), 0],
    ['with half a body', STRANGE.slice(0, -5), 0],
    ['with a whole request before half a body', `${unusual(STRANGE)}${STRANGE.slice(0, -5)}`, 1],
    ['that were answered', STRANGE, 1],
    ["that were answered by Node's server", unusual(STRANGE), 1],
    ['that were answered a document', ALIVE, 1],
    ['that were answered many times at once', STRANGE.repeat(9), 9],
    ['that asked for nothing that there is', 'POST /V1/nothing HTTP/1.1\r\nHost: x\r\n\r\n', 1],
  ] as const) {
    for (const tls of [undefined, TLS]) {
      test(`by connections ${what}${tls ? ', over TLS,' : ''} gets its next ones all the same`, () =>
        inWorld({ ...FULL, ...(tls && { tls }) }, async (world) => {
          const filled = await openSome(world, MOST, sent);
          for (const connection of filled) assert.ok(await connection.comesTo(answers), 'all are answered');
          await loopTurns();
          const next: RawConnection[] = [];
          for (const [bytes, status] of [
            [STRANGE, 401],
            [unusual(STRANGE), 401],
            [ALIVE, 200],
          ] as const) {
            const connection = await open(world);
            assert.equal(await ask(connection, bytes), status);
            next.push(connection);
          }
          assert.equal((await areOpen(filled)).filter(Boolean).length, MOST - next.length);
          assert.deepEqual(await areOpen(next), [true, true, true]);
          assert.deepEqual(seenBy(world), { open: MOST, turnedAway: 0, letGo: 3 });
          closeAll(...filled, ...next);
        }));
    }
  }

  test('loses the connection that has been idle for longest, not the oldest', () =>
    inWorld(FULL, async (world) => {
      const filled = await openSome(world, MOST);
      for (const [index, bytes] of [STRANGE, unusual(STRANGE)].entries()) {
        assert.equal(await ask(filled[index] as RawConnection, bytes), 401);
      }
      filled.push(...(await openSome(world, 3)));
      assert.deepEqual(await areOpen(filled), [false, true, false, false, true, true, true]);
      closeAll(...filled);
    }));

  for (const bytes of [LOGIN, unusual(LOGIN)]) {
    for (const tls of [undefined, TLS]) {
      const how = `${bytes === LOGIN ? '' : " by Node's server"}${tls ? ' over TLS' : ''}`;
      test(`keeps those that are owed an answer${how}, and is refused when all of them are`, () =>
        inWorld({ ...FULL, ...(tls && { tls }) }, async (world) => {
          const { taken, release, waiting } = holdPlacements(world);
          const [first, ...rest] = (await openSome(world, MOST)) as [RawConnection, ...RawConnection[]];
          first.socket.write(bytes);
          await taken;
          const second = await open(world);
          assert.deepEqual(await areOpen([first, ...rest, second]), [true, false, true, true, true]);
          for (const { socket } of [...rest, second]) socket.write(bytes);
          while (waiting() < MOST) await sleep(1);
          const refused = await RawConnection.open(world.port);
          await refused.ended;
          if (!tls) assertFailure(seenOf(await refused.next()), ...TOO_MANY);
          assert.deepEqual(seenBy(world), { open: MOST, turnedAway: 1, letGo: 1 });
          release();
          for (const connection of [first, second]) assert.equal(seenOf(await connection.next()).status, 200);
          closeAll(first, second, ...rest);
        }));
    }
  }
});

describe('users behind loopback and trusted proxies', () => {
  for (const [what, proxies, headers] of [
    ['on loopback', [], ''],
    ['behind a proxy', ['127.0.0.0/8'], 'X-Forwarded-For: 10.1.1.1\r\n'],
  ] as const) {
    test(`${what} each have a room, and fill no other's`, () =>
      inWorld({ ...FULL, proxies }, async (world) => {
        const [stranger] = (await openSome(world, 1, ALIVE)) as [RawConnection];
        const [kept] = (await openOf(world, BOB, 1, headers)) as [RawConnection];
        const filled = await openOf(world, ALICE, MOST + 2, headers);
        assert.deepEqual(await areOpen(filled), [false, false, ...Array<boolean>(MOST).fill(true)]);
        assert.deepEqual(await areOpen([stranger, kept]), [true, true]);
        assert.equal(seenOf(await stranger.next()).status, 200);
        assert.equal(await ask(kept, bytesOf('/limit', BOB)), 200);
        closeAll(stranger, kept, ...filled);
      }));
  }

  test('keep the connections of their sessions when strangers fill the room of loopback', () =>
    inWorld(FULL, async (world) => {
      const kept = await openOf(world, ALICE, 2);
      const strangers = await openSome(world, 2 * MOST);
      assert.deepEqual(await areOpen([...kept, ...strangers]), [
        true,
        true,
        ...Array<boolean>(MOST).fill(false),
        ...Array<boolean>(MOST).fill(true),
      ]);
      closeAll(...kept, ...strangers);
    }));

  for (const bytes of [LIMIT, unusual(LIMIT)]) {
    test(`a client that is owed answers on all its connections is refused one more${bytes === LIMIT ? '' : " by Node's server"}`, () =>
      inWorld(FULL, async (world) => {
        const { release, waiting } = holdPlacements(world);
        const busy = await openOf(world, ALICE, MOST);
        for (const { socket } of busy) socket.write(ORDER);
        while (waiting() < MOST) await sleep(1);
        const next = await open(world);
        next.socket.write(bytes);
        const answer = await next.next();
        assertFailure(seenOf(answer), ...TOO_MANY);
        assert.match(answer, /^connection: close\r$/im);
        await next.ended;
        const [other] = (await openOf(world, BOB, 1)) as [RawConnection];
        release();
        for (const connection of busy) assert.equal(seenOf(await connection.next()).status, 200);
        closeAll(other, ...busy);
      }));
  }

  test('have the connection that one of them used last', () =>
    inWorld(FULL, async (world) => {
      const shared = await openOf(world, ALICE, MOST);
      const [first, second] = shared as [RawConnection, RawConnection];
      for (const connection of [first, second]) assert.equal(await ask(connection, bytesOf('/limit', BOB)), 200);
      const more = await openOf(world, ALICE, 2);
      assert.deepEqual(await areOpen([...shared, ...more]), Array<boolean>(MOST + 2).fill(true));
      assert.equal(await ask(first, LIMIT), 200);
      assert.deepEqual(await areOpen([...shared, ...more]), [true, true, false, true, true, true]);
      closeAll(...shared, ...more);
    }));

  test('take no room of another user by his token without his name', () =>
    inWorld(FULL, async (world) => {
      const kept = await openOf(world, ALICE, MOST);
      const forged = bytesOf('/limit', ALICE, { userId: BOB.credentials.userId });
      const others = await openSome(world, MOST);
      for (const connection of others) assert.equal(await ask(connection, forged), 401);
      assert.deepEqual(await areOpen([...kept, ...others]), Array<boolean>(2 * MOST).fill(true));
      closeAll(...kept, ...others);
    }));
});

test('a full service lets go of the longest idle connection of whoever has most', () =>
  inWorld({ limits: { connections: MOST } }, async (world) => {
    const [kept] = (await openOf(world, BOB, 1)) as [RawConnection];
    const filled = await openOf(world, ALICE, MOST - 1);
    const next = await open(world);
    assert.deepEqual(await areOpen([kept, ...filled, next]), [true, false, true, true, true]);
    assert.deepEqual(seenBy(world), { open: MOST, turnedAway: 0, letGo: 1 });
    closeAll(kept, ...filled, next);
  }));

test('a long answer that is being read is not cut off for a newcomer', () =>
  inWorld(FULL, async (world) => {
    // Some 10 MB: more than the system takes off a service's hands.
    const range = { startTime: '09:15:00 16-09-2026', endTime: '15:30:00 20-11-2026' };
    const candles = bytesOf('/timePriceSeries', ALICE, {
      exchange: 'NSE',
      tradingSymbol: 'IDEA-EQ',
      interval: '1mi',
      ...range,
    });
    const slow = await open(world);
    slow.socket.write(candles);
    await once(slow.socket, 'data');
    slow.socket.pause();
    const others = await openOf(world, ALICE, MOST);
    assert.deepEqual(await areOpen(others), [false, true, true, true]);
    slow.socket.resume();
    assert.equal(seenOf(await slow.next()).status, 200);
    closeAll(slow, ...others);
  }));
