import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { WebSocket } from 'ws';
import { ManualClock } from '../../../test/kit/wire/manual-clock.ts';
import type { CountedConnection } from '../http/connections/connection-gate.ts';
import { Turns } from '../turns.ts';
import type { OpenSocket } from './open-socket.ts';
import { SOCKET_LIMITS, type SocketLimits } from './socket-limits.ts';
import { Sockets } from './sockets.ts';
import { textFrame } from './text-frame.ts';

const closers: (() => void)[] = [];
after(() => {
  for (const close of closers) close();
});

const counted = { beBusy: () => undefined, belongTo: () => true } as unknown as CountedConnection;

/** Sockets on a server of their own, with a dialect that keeps what it gets. */
class Bench {
  readonly clock = new ManualClock();
  readonly sockets: Sockets;
  readonly opened: OpenSocket[] = [];
  readonly texts: string[] = [];
  readonly ended: OpenSocket[] = [];
  private readonly server = createServer({ shouldUpgradeCallback: (request) => this.sockets.asks(request) });
  private readonly clients: WebSocket[] = [];

  constructor(limits: Partial<SocketLimits> = {}, turns = new Turns()) {
    const refuse = (): void => assert.fail('every request here is a handshake');
    this.sockets = new Sockets({
      clock: this.clock,
      limits: { ...SOCKET_LIMITS, ...limits },
      turns,
      refuse,
    });
    this.sockets.speak({
      paths: ['/test'],
      open: (socket) => {
        this.opened.push(socket);
        socket.onText((text) => {
          this.texts.push(text);
          return undefined;
        });
        socket.onClose(() => this.ended.push(socket));
      },
    });
    this.server.on('upgrade', (request, _stream, head) => {
      this.sockets.upgrade({ request, head, address: '127.0.0.1', counted });
    });
    closers.push(() => {
      for (const client of this.clients) client.terminate();
      this.server.close();
    });
  }

  /** A client with an open socket. */
  async open(options: object = {}): Promise<WebSocket> {
    if (!this.server.listening) await once(this.server.listen(0, '127.0.0.1'), 'listening');
    const client = new WebSocket(`ws://127.0.0.1:${(this.server.address() as AddressInfo).port}/test`, options);
    client.on('error', () => undefined);
    this.clients.push(client);
    await once(client, 'open');
    return client;
  }

  /** The service's side of the socket that was opened last. */
  get last(): OpenSocket {
    const socket = this.opened.at(-1);
    assert.ok(socket);
    return socket;
  }

  async until(holds: () => boolean): Promise<void> {
    const end = performance.now() + 60_000;
    while (!holds()) {
      assert.ok(performance.now() < end, 'it did not happen');
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}

async function closed(client: WebSocket): Promise<number> {
  const [code] = (await once(client, 'close')) as [number];
  return code;
}

test('texts of every length arrive as they were sent, in their order', async () => {
  const bench = new Bench();
  const client = await bench.open();
  const got: string[] = [];
  client.on('message', (data) => got.push(String(data)));
  const texts = ['', 'a', 'रुपये ₹', 'b'.repeat(125), 'c'.repeat(126), 'd'.repeat(65_535), '₹'.repeat(65_536)];
  for (const text of texts) bench.last.send(text);
  await bench.until(() => got.length === texts.length);
  assert.deepEqual(got, texts);
  assert.equal(bench.sockets.figures.frames, texts.length);
  client.send('to the service');
  await bench.until(() => bench.texts.length === 1);
  assert.deepEqual(bench.texts, ['to the service']);
});

test('a socket is pinged every 25 seconds, and cut off when it is silent for 10 more', async () => {
  const bench = new Bench();
  const client = await bench.open();
  const silent = await bench.open({ autoPong: false });
  let pings = 0;
  client.on('ping', () => {
    pings += 1;
  });
  await bench.clock.pass(24_000);
  assert.equal(pings, 0);
  const cut = closed(silent);
  await bench.clock.pass(2_000);
  await bench.until(() => pings === 1);
  await pongSeen(bench, client);
  await bench.clock.pass(11_000);
  assert.equal(await cut, 1006);
  assert.equal(bench.sockets.figures.cutOff.silent, 1);
  for (let round = 0; round < 3; round += 1) {
    await bench.clock.pass(26_000);
    await bench.until(() => pings === round + 2);
    await pongSeen(bench, client);
  }
  assert.equal(client.readyState, WebSocket.OPEN);
  assert.equal(bench.sockets.count, 1);
});

/** Waits until the service has a text of a client, and with it the pong that went before. */
async function pongSeen(bench: Bench, client: WebSocket): Promise<void> {
  const before = bench.texts.length;
  client.send('behind the pong');
  await bench.until(() => bench.texts.length > before);
}

test('texts that wait for their turn are few, and a socket is not cut off for its silence behind them', async () => {
  const turns = new Turns();
  const { take } = turns;
  const held: (() => void)[] = [];
  turns.take = (client, work) => void held.push(() => take.call(turns, client, work));
  const bench = new Bench({}, turns);
  const client = await bench.open();
  const sent = Array.from({ length: 100 }, (_, n) => `${n} ${'x'.repeat(60_000)}`);
  for (const text of sent) client.send(text);
  await bench.until(() => bench.sockets.figures.received > 1);
  for (let second = 0; second < 40; second += 1) await bench.clock.pass(1_000);
  const { received, cutOff } = bench.sockets.figures;
  assert.ok(received <= 5, `${received} texts are read`);
  assert.equal(cutOff.silent, 0);
  turns.take = take;
  for (const work of held) work();
  await bench.until(() => bench.texts.length === sent.length);
  assert.deepEqual(bench.texts, sent);
  for (let second = 0; second < 12; second += 1) await bench.clock.pass(1_000);
  assert.equal(cutOff.silent, 0, 'its answer has come');
});

test('a text above 64 KiB closes its socket with 4413, in one frame and in pieces', async () => {
  const bench = new Bench();
  const largest = 'x'.repeat(64 * 1024);
  const client = await bench.open();
  client.send(largest);
  await bench.until(() => bench.texts.length === 1);
  client.send(`${largest}x`);
  assert.equal(await closed(client), 4413);
  const other = await bench.open();
  for (let piece = 0; piece < 5; piece += 1) other.send('x'.repeat(16 * 1024), { fin: false });
  assert.equal(await closed(other), 4413);
  assert.deepEqual(bench.texts.length, 1);
  assert.equal(bench.sockets.figures.cutOff.tooLarge, 2);
});

test('bytes that are not text close a socket', async () => {
  const bench = new Bench();
  const client = await bench.open();
  client.send(Buffer.from([1, 2, 3]));
  assert.equal(await closed(client), 1003);
  const other = await bench.open();
  other.send(Buffer.from([0xff, 0xfe]), { binary: false });
  assert.equal(await closed(other), 1007);
  assert.deepEqual(bench.texts, []);
  await bench.until(() => bench.ended.length === 2);
});

test('compression is not taken, although it is offered', async () => {
  const client = await new Bench().open({ perMessageDeflate: true });
  assert.equal(client.extensions, '');
});

test('a client may send a burst of frames, and then as many as a second brings', async () => {
  const bench = new Bench({ framesAtOnce: 50, framesPerSecond: 10 });
  const client = await bench.open();
  for (let frame = 0; frame < 50; frame += 1) client.send('.');
  await bench.until(() => bench.texts.length === 50);
  await bench.clock.pass(1_000);
  for (let frame = 0; frame < 10; frame += 1) client.send('.');
  await bench.until(() => bench.texts.length === 60);
  client.send('.');
  assert.equal(await closed(client), 4429);
  assert.equal(bench.texts.length, 60);
  const pinging = await bench.open();
  for (let frame = 0; frame < 51; frame += 1) pinging.ping();
  assert.equal(await closed(pinging), 4429);
  assert.equal(bench.sockets.figures.cutOff.frames, 2);
});

test('a reader that stops costs at most its bound, and is cut off', async () => {
  const bench = new Bench({ waitingBytes: 256 * 1024 });
  const client = await bench.open();
  const socket = bench.last;
  client.pause();
  const text = 'x'.repeat(64 * 1024);
  let most = 0;
  for (let turn = 0; turn < 1_000 && bench.ended.length === 0; turn += 1) {
    socket.send(text);
    most = Math.max(most, socket.waiting);
    await new Promise(setImmediate);
  }
  assert.ok(most <= 256 * 1024 + 2 * text.length, `${most} bytes`);
  assert.deepEqual(bench.ended, [socket]);
  assert.equal(bench.sockets.figures.cutOff.slow, 1);
  socket.send(text);
  await bench.clock.pass(3_000);
  await bench.until(() => bench.sockets.count === 0);
  assert.equal(bench.sockets.waitingBytes, 0);
});

/** The texts of a client as they come. */
function textsOf(client: WebSocket): string[] {
  const texts: string[] = [];
  client.on('message', (data) => texts.push(String(data)));
  return texts;
}

test('frames that are held back leave when they are let go, in one write, and in front of what is sent later', async () => {
  const bench = new Bench();
  const texts = textsOf(await bench.open());
  const { last, sockets } = bench;
  const frames = ['one', 'two', 'ü'.repeat(300)];
  for (const text of frames) last.sendWithOthers(textFrame(text));
  assert.ok(last.waiting > 600, 'they are counted among those that wait');
  assert.equal(sockets.heldBack.heldSince, 0);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(texts, []);
  assert.ok(sockets.heldBack.release(Number.POSITIVE_INFINITY));
  assert.deepEqual([last.waiting, sockets.heldBack.heldSince], [0, undefined]);
  await bench.until(() => texts.length === frames.length);
  last.sendWithOthers(textFrame('price'));
  last.send('answer');
  await bench.until(() => texts.length === frames.length + 2);
  assert.deepEqual(texts, [...frames, 'price', 'answer']);
});

test('a socket holds back 64 KiB and a frame at most, and a slice lets go of one socket at least', async () => {
  const bench = new Bench();
  const clients = [textsOf(await bench.open()), textsOf(await bench.open())];
  const text = 'x'.repeat(30_000);
  for (const socket of bench.opened) for (let count = 0; count < 4; count += 1) socket.sendWithOthers(textFrame(text));
  await bench.until(() => clients.every(({ length }) => length === 3));
  assert.ok(!bench.sockets.heldBack.release(0), 'the other one holds a frame');
  assert.ok(bench.sockets.heldBack.release(0));
  await bench.until(() => clients.every(({ length }) => length === 4));
  assert.ok(clients.flat().every((came) => came === text));
});

test('bytes that a client has not taken stay as they were while others leave', async () => {
  const bench = new Bench();
  const client = await bench.open();
  const texts = textsOf(client);
  const slow = bench.last;
  client.pause();
  const sent: string[] = [];
  for (let count = 0; slow.waiting <= 64 * 1024 && count < 1_000; count += 1) {
    sent.push(String(count).padEnd(40_000, 'x'));
    slow.sendWithOthers(textFrame(sent.at(-1) ?? ''));
    bench.sockets.heldBack.release(Number.POSITIVE_INFINITY);
  }
  assert.ok(slow.waiting > 0, 'the client is behind');
  const others = textsOf(await bench.open());
  bench.last.sendWithOthers(textFrame('y'.repeat(60_000)));
  bench.sockets.heldBack.release(Number.POSITIVE_INFINITY);
  await bench.until(() => others.length === 1);
  client.resume();
  await bench.until(() => texts.length === sent.length);
  assert.ok(texts.every((text, place) => text === sent[place]));
});

test('frames that are held back leave before a socket is closed, and never after', async () => {
  const bench = new Bench();
  const client = await bench.open();
  const texts = textsOf(client);
  bench.last.sendWithOthers(textFrame('price'));
  bench.last.close(4401, 'the session has ended');
  bench.last.sendWithOthers(textFrame('late'));
  assert.equal(bench.sockets.heldBack.heldSince, undefined);
  assert.equal(await closed(client), 4401);
  assert.deepEqual(texts, ['price']);
  await bench.open();
  bench.last.sendWithOthers(textFrame('price'));
  bench.last.drop();
  assert.equal(bench.sockets.heldBack.heldSince, undefined);
});

test('when all sockets together need too much, the one with most waiting is cut off', async () => {
  const bench = new Bench({ waitingBytesOfAll: 512 * 1024 });
  const text = 'x'.repeat(32 * 1024);
  const sockets: OpenSocket[] = [];
  for (let index = 0; index < 3; index += 1) {
    (await bench.open()).pause();
    sockets.push(bench.last);
  }
  const [first, second, third] = sockets as [OpenSocket, OpenSocket, OpenSocket];
  for (let turn = 0; turn < 2_000 && bench.ended.length === 0; turn += 1) {
    first.send(text);
    if (turn % 2 === 0) second.send(text);
    await new Promise(setImmediate);
    assert.ok(bench.sockets.waitingBytes <= 512 * 1024);
  }
  assert.deepEqual(bench.ended, [first]);
  assert.equal(bench.sockets.figures.cutOff.memory, 1);
  third.send(text);
});

test('a dialect hears of it when a reader that paused has taken everything', async () => {
  const bench = new Bench();
  const client = await bench.open();
  let drained = 0;
  bench.last.onDrain(() => {
    drained += 1;
  });
  client.pause();
  while (bench.last.waiting < 256 * 1024) {
    bench.last.send('x'.repeat(64 * 1024));
    await new Promise(setImmediate);
  }
  client.resume();
  await bench.until(() => drained > 0 && bench.last.waiting === 0);
});

test('the end of the service closes every socket with 1001, and cuts off those that do not answer', async () => {
  const bench = new Bench();
  const [client, deaf] = [await bench.open(), await bench.open()];
  deaf.pause();
  bench.sockets.close();
  assert.equal(await closed(client), 1001);
  await bench.until(() => bench.sockets.count === 1);
  await bench.clock.pass(3_000);
  await bench.until(() => bench.sockets.count === 0);
  assert.equal(bench.clock.waiting, 0, 'nothing looks at sockets when there is none');
});
