import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket as WsSocket } from 'ws';
import { AuthError } from '../../client/src/errors.ts';
import { Sauda } from '../../client/src/sauda.ts';
import type { SocketClass } from '../../client/src/stream/socket.ts';
import type { SaudaStream } from '../../client/src/stream/stream.ts';
import { must } from '../../src/base/assert.ts';
import { FakeStream } from './fake-stream.ts';

let fake: FakeStream;
let sauda: Sauda;
let stream: SaudaStream;

function clientOf(more: { readonly WebSocket?: SocketClass; readonly silenceMs?: number; token?: string } = {}): Sauda {
  return new Sauda({ url: fake.url, userId: 'SD1001', token: 'token', ...more });
}

beforeEach(async () => {
  fake = await FakeStream.start();
  sauda = clientOf();
  stream = sauda.stream();
});
afterEach(async () => {
  stream.close();
  await fake.close();
});

async function take(events: AsyncIterator<{ readonly data: unknown }>, count: number): Promise<unknown[]> {
  const taken: unknown[] = [];
  while (taken.length < count) {
    const { value, done } = await events.next();
    assert.ok(!done, 'the events go on');
    taken.push(value.data);
  }
  return taken;
}

describe('the connection', () => {
  it('logs in by its first frame, and has nothing of it in its address', async () => {
    await stream.orders().ready;
    assert.deepEqual(must(fake.frames[0], 'a frame'), { login: { userId: 'SD1001', jKey: 'token' } });
  });

  it('ends with an AuthError when the session ends, and is not opened again', async () => {
    const ended = new Promise((resolve) => stream.on('ended', resolve));
    const orders = stream.orders();
    await orders.ready;
    fake.change('orders', 'order', 'last');
    fake.cut(4401);
    await ended;
    assert.deepEqual(await take(orders, 1), ['last'], 'events that came before are taken');
    await assert.rejects(orders.next(), AuthError);
    await sleep(400);
    assert.equal(fake.sockets, 0);
    assert.throws(() => stream.trades(), RangeError);
  });

  it('ends with an AuthError for a wrong token', async () => {
    const outsider = clientOf({ token: 'wrong' }).stream();
    await assert.rejects(outsider.orders().ready, AuthError);
  });

  it('has no more frames nor timers once it was closed, also where its socket brings a frame after that', async (t) => {
    class LateSocket extends WsSocket {
      override close(): void {
        if (this.readyState === WsSocket.OPEN) this.emit('message', Buffer.from(LOGIN), false);
        super.close();
      }
    }
    const LOGIN = JSON.stringify({ type: 'login', data: { userId: 'SD1001', seq: '1' } });
    const other = clientOf({ WebSocket: LateSocket, silenceMs: 12_345 }).stream();
    const occasions: string[] = [];
    for (const name of ['up', 'ended'] as const) other.on(name, () => occasions.push(name));
    const isUp = new Promise<void>((resolve) => void other.on('up', () => resolve()));
    await isUp;
    const timers = t.mock.method(globalThis, 'setTimeout');
    other.close();
    await sleep(50);
    assert.deepEqual(occasions, ['up', 'ended']);
    const waits = timers.mock.calls.map(({ arguments: [, ms] }) => ms);
    assert.ok(!waits.includes(12_345), String(waits));
  });

  it('is opened again when it falls silent', async () => {
    await using own = clientOf({ silenceMs: 100 });
    const other = own.stream();
    const downs: string[] = [];
    const down = new Promise<void>((resolve) => {
      other.on('down', ({ reason }) => {
        downs.push(reason);
        resolve();
      });
    });
    const orders = other.orders();
    await orders.ready;
    assert.equal((await fake.sent('subscribe', 'clock')).subscribe, 'clock');
    await down;
    fake.change('orders', 'order', 'while away');
    assert.deepEqual(await take(orders, 1), ['while away']);
    assert.equal(downs.length, 1);
    assert.match(String(downs), /too long/);
  });

  it('says when it is up and down, and survives a service that is away', async () => {
    const occasions: string[] = [];
    stream.on('up', () => occasions.push('up'));
    const stop = stream.on('down', ({ code }) => occasions.push(`down ${code}`));
    const orders = stream.orders();
    await orders.ready;
    fake.cut(1001);
    while (occasions.filter((one) => one === 'up').length < 2) await sleep(5);
    stop();
    fake.cut();
    fake.change('orders', 'order', 'back');
    assert.deepEqual(await take(orders, 1), ['back']);
    assert.deepEqual(occasions.slice(0, 3), ['up', 'down 1001', 'up']);
  });

  it('ends by a signal and by the end of the client', async () => {
    const stop = new AbortController();
    const other = sauda.stream({ signal: stop.signal });
    const orders = other.orders();
    await orders.ready;
    stop.abort();
    assert.equal((await orders.next()).done, true);
    await sauda[Symbol.asyncDispose]();
    assert.throws(() => stream.orders(), RangeError);
  });

  it('passes over frames that it does not know', async () => {
    const orders = stream.orders();
    await orders.ready;
    fake.send({ type: 'news', data: 'of a later release' });
    fake.change('orders', 'order', 'one');
    assert.deepEqual(await take(orders, 1), ['one']);
  });
});
