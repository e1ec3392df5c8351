import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Random } from '../../../src/base/random.ts';
import { ALICE, BOB, holdPlacements, LIMIT_BUY, openWorld, type World } from '../../kit/wire/world.ts';

/*
 * A request that comes whole and plain is answered in the lane before Node's server; in pieces, or with anything
 * unusual, by that server. Nobody may see a difference.
 */

const HEAD = ['Host: localhost', 'Content-Type: application/json'];

function requestOf(path: string, body: string, ...headers: string[]): Buffer {
  const lines = [`POST /V1${path} HTTP/1.1`, ...HEAD, `Content-Length: ${Buffer.byteLength(body)}`, ...headers];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

function limit(...headers: string[]): Buffer {
  return requestOf('/limit', JSON.stringify(ALICE.credentials), ...headers);
}

/** The responses that came on a connection, in their order. */
class Inbox {
  readonly socket: Socket;
  private bytes = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.bytes = Buffer.concat([this.bytes, chunk]);
    });
  }

  /** The next response: head without its date, and body. */
  async next(): Promise<{ head: string; body: string }> {
    for (;;) {
      const end = this.bytes.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(this.bytes.toString('latin1', 0, end))?.[1]);
      if (end >= 0 && this.bytes.length >= end + 4 + length) {
        const head = this.bytes.toString('latin1', 0, end).replace(/Date: [^\r]*\r\n/, '');
        const body = this.bytes.toString('utf8', end + 4, end + 4 + length);
        this.bytes = this.bytes.subarray(end + 4 + length);
        return { head, body };
      }
      await once(this.socket, 'data');
    }
  }
}

async function open(world: World): Promise<Inbox> {
  const socket = connect(world.port, '127.0.0.1').setNoDelay(true);
  await once(socket, 'connect');
  return new Inbox(socket);
}

/** Writes bytes in two pieces, the second when the first was read. */
async function writeInPieces(socket: Socket, bytes: Buffer): Promise<void> {
  socket.write(bytes.subarray(0, 20));
  await setTimeout(5);
  socket.write(bytes.subarray(20));
}

const { userId, jKey } = ALICE.credentials;
const REQUESTS: readonly (readonly [what: string, request: Buffer])[] = [
  ['a success', limit()],
  ['a success beyond ASCII', requestOf('/userDetails', JSON.stringify(ALICE.credentials))],
  ['a failure', requestOf('/limit', JSON.stringify({ userId, jKey: 'x' }))],
  [
    'an order with text beyond ASCII',
    requestOf('/placeOrder', JSON.stringify({ userId, jKey, ...LIMIT_BUY, remarks: 'सौदा' })),
  ],
  ['a body that is not JSON', requestOf('/limit', '{"userId":')],
  ['a body that is not an object', requestOf('/limit', '[]')],
  [
    'a body of wrong bytes',
    Buffer.concat([requestOf('/limit', '{"a":"xx"}').subarray(0, -4), Buffer.from([0xff, 0xfe, 0x22, 0x7d])]),
  ],
  ['a bad key', limit('Idempotency-Key: ')],
  ['a good key', limit('Idempotency-Key: 7')],
  ['a path that is unknown', requestOf('/nothing', '{}')],
  ['a path of another method', requestOf('/symbols/NSE', '{}')],
];
for (const [what, bytes] of REQUESTS) {
  test(`${what} looks the same, whole and in pieces`, async () => {
    const answers: object[] = [];
    for (const pieces of [false, true]) {
      const world = await openWorld();
      const inbox = await open(world);
      if (pieces) await writeInPieces(inbox.socket, bytes);
      else inbox.socket.write(bytes);
      answers.push(await inbox.next());
      inbox.socket.destroy();
      await world.close();
    }
    assert.deepEqual(answers[0], answers[1]);
  });
}

test('requests on one connection are answered in their order, however they are cut into pieces', async () => {
  const seed = 20_261_121;
  const random = new Random(seed);
  const world = await openWorld();
  for (let round = 0; round < 20; round += 1) {
    const inbox = await open(world);
    const kinds = Array.from({ length: 6 }, () => random.below(4));
    const requests = kinds.map((kind, index) => {
      if (kind === 0) return limit();
      if (kind === 1) return requestOf('/limit', JSON.stringify({ userId, jKey, pad: 'x'.repeat(index * 50) }));
      if (kind === 2) return Buffer.from('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
      return requestOf('/cancelOrder', JSON.stringify({ userId, jKey, orderNumber: '1' }));
    });
    const stream = Buffer.concat(requests);
    for (let at = 0; at < stream.length; ) {
      const whole = requests.find((request) => stream.subarray(at).indexOf(request) === 0)?.length ?? 0;
      const length = random.below(2) === 0 && whole > 0 ? whole : 1 + random.below(300);
      inbox.socket.write(stream.subarray(at, at + length));
      at += length;
      if (random.below(3) === 0) await setTimeout(1);
    }
    const seen: string[] = [];
    for (const _ of kinds) {
      const { body } = await inbox.next();
      const { status, message } = JSON.parse(body);
      seen.push(status === 'failed' ? 'cancel' : message === 'alive' ? 'alive' : 'limit');
    }
    const expected = kinds.map((kind) => ['limit', 'limit', 'alive', 'cancel'][kind]);
    assert.deepEqual(seen, expected, `seed ${seed}, round ${round}`);
    inbox.socket.destroy();
  }
  await world.close();
});

const PLACEMENT = requestOf('/placeOrder', JSON.stringify({ userId, jKey, ...LIMIT_BUY }));

test('another head of the same length is read again', async () => {
  const world = await openWorld();
  const [other, inbox] = [await open(world), await open(world)];
  other.socket.write(PLACEMENT);
  await other.next();
  const seen: string[] = [];
  for (const path of ['/orderBook', '/tradeBook', '/orderBook']) {
    inbox.socket.write(requestOf(path, JSON.stringify(ALICE.credentials)));
    seen.push((await inbox.next()).body);
  }
  assert.match(seen[0] ?? '', /"status":"OPEN"/);
  assert.notEqual(seen[1], seen[0]);
  assert.equal(seen[2], seen[0]);
  for (const { socket } of [other, inbox]) socket.destroy();
  await world.close();
});

test('bytes of different clients never mix, though they are read into one buffer', async () => {
  const world = await openWorld();
  const [alice, bob] = [await open(world), await open(world)];
  const details = ({ credentials }: typeof ALICE, ...headers: string[]): Buffer =>
    requestOf('/userDetails', JSON.stringify(credentials), ...headers);
  const answered = async (inbox: Inbox): Promise<string> => JSON.parse((await inbox.next()).body).data.actid;
  // Their heads have one length, and what each of them says last is not what the other says next.
  for (let turn = 0; turn < 3; turn += 1) {
    alice.socket.write(details(ALICE, 'X-Client: one'));
    assert.equal(await answered(alice), userId);
    bob.socket.write(details(BOB, 'X-Client: two'));
    assert.equal(await answered(bob), BOB.credentials.userId);
  }
  const { taken, release } = holdPlacements(world);
  alice.socket.write(PLACEMENT);
  await taken;
  alice.socket.write(details(ALICE));
  await setTimeout(5);
  bob.socket.write(details(BOB));
  await setTimeout(5);
  release();
  await alice.next();
  assert.equal(await answered(alice), userId);
  assert.equal(await answered(bob), BOB.credentials.userId);
  for (const { socket } of [alice, bob]) socket.destroy();
  await world.close();
});

test('a request that comes while an answer waits is answered after it', async () => {
  const world = await openWorld();
  const inbox = await open(world);
  const { taken, release } = holdPlacements(world);
  inbox.socket.write(PLACEMENT);
  await taken;
  inbox.socket.write(limit());
  await setTimeout(5);
  inbox.socket.write(limit('Connection: close'));
  await setTimeout(5);
  release();
  assert.match((await inbox.next()).body, /orderNumber/);
  assert.match((await inbox.next()).body, /marginused/);
  const last = await inbox.next();
  assert.match(last.head, /connection: close/i);
  await once(inbox.socket, 'end');
  await world.close();
});

test('a client that sends no more still gets its answer, and the connection ends', async () => {
  const world = await openWorld();
  const inbox = await open(world);
  const { taken, release } = holdPlacements(world);
  inbox.socket.end(PLACEMENT);
  await taken;
  await setTimeout(5);
  release();
  assert.match((await inbox.next()).body, /orderNumber/);
  await once(inbox.socket, 'close');
  await world.close();
});

test('a client that sends no more and reads nothing does not keep its connection', { timeout: 60_000 }, async () => {
  const world = await openWorld({ limits: { keepAliveMs: 1_000 } });
  const opened = once(world.server, 'connection') as Promise<[Socket]>;
  const { socket } = await open(world);
  const [served] = await opened;
  socket.pause();
  const times = { startTime: '09:15:00 20-11-2026', endTime: '11:00:00 20-11-2026' };
  const terms = { exchange: 'NSE', tradingSymbol: 'IDEA-EQ', interval: '1mi', ...times };
  const candles = requestOf('/timePriceSeries', JSON.stringify({ userId, jKey, ...terms }));
  // A long answer is timed until all of it was handed over, and a request that comes meanwhile waits.
  const isSending = (): boolean => (served.timeout ?? 0) > 0 && !served.writableNeedDrain;
  // Until the buffers between the two are full and the last answer, which is short enough to go out at once, stays.
  while (served.writableLength === 0) {
    const before = served.bytesWritten;
    socket.write(candles);
    while (served.bytesWritten === before || isSending()) await setImmediate();
  }
  assert.equal(served.writableNeedDrain, false, 'the lane takes another request');
  const { taken, release } = holdPlacements(world);
  socket.end(PLACEMENT);
  await taken;
  await setTimeout(5);
  release();
  while (world.connections.open > 0) await setTimeout(5);
  socket.destroy();
  await world.close();
});

test('a client that goes away before its answer harms nobody', async () => {
  const world = await openWorld();
  const inbox = await open(world);
  const { taken, release } = holdPlacements(world);
  inbox.socket.write(PLACEMENT);
  await taken;
  inbox.socket.resetAndDestroy();
  await setTimeout(5);
  release();
  assert.equal((await world.call('/limit', ALICE)).status, 200);
  assert.deepEqual(world.failures, []);
  await world.close();
});

test('a gateway that closes lets idle connections go, and those with a request when it is answered', async () => {
  const world = await openWorld();
  const idle = await open(world);
  idle.socket.write(limit());
  await idle.next();
  const silent = await open(world);
  const waiting = await open(world);
  const { taken, release } = holdPlacements(world);
  waiting.socket.write(PLACEMENT);
  await taken;
  const closed = world.close();
  await Promise.all([once(idle.socket, 'end'), once(silent.socket, 'end')]);
  release();
  assert.match((await waiting.next()).head, /connection: close/i);
  await closed;
});
