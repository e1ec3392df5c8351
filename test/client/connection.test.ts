import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket as WsSocket } from 'ws';
import { AuthError } from '../../client/src/errors.ts';
import { must } from '../../src/base/assert.ts';
import { StreamScene, take } from './stream-scene.ts';

const scene = StreamScene.ofEachTest();

describe('the connection', () => {
  it('logs in by its first frame, and has nothing of it in its address', async () => {
    await scene.stream.orders().ready;
    assert.deepEqual(must(scene.fake.frames[0], 'a frame'), { login: { userId: 'SD1001', jKey: 'token' } });
  });

  it('ends with an AuthError when the session ends, and is not opened again', async () => {
    const ended = new Promise((resolve) => scene.stream.on('ended', resolve));
    const orders = scene.stream.orders();
    await orders.ready;
    scene.fake.change('orders', 'order', 'last');
    scene.fake.cut(4401);
    await ended;
    assert.deepEqual(await take(orders, 1), ['last'], 'events that came before are taken');
    await assert.rejects(orders.next(), AuthError);
    await sleep(400);
    assert.equal(scene.fake.sockets, 0);
    assert.throws(() => scene.stream.trades(), RangeError);
  });

  it('ends with an AuthError for a wrong token', async () => {
    const outsider = scene.clientOf({ token: 'wrong' }).stream();
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
    const other = scene.clientOf({ WebSocket: LateSocket, silenceMs: 12_345 }).stream();
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
    await using own = scene.clientOf({ silenceMs: 100 });
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
    assert.equal((await scene.fake.sent('subscribe', 'clock')).subscribe, 'clock');
    await down;
    scene.fake.change('orders', 'order', 'while away');
    assert.deepEqual(await take(orders, 1), ['while away']);
    assert.equal(downs.length, 1);
    assert.match(String(downs), /too long/);
  });

  it('may be silent for ever', async () => {
    await using own = scene.clientOf({ silenceMs: Number.POSITIVE_INFINITY });
    const other = own.stream();
    let downs = 0;
    other.on('down', () => downs++);
    await other.orders().ready;
    await sleep(50);
    assert.equal(downs, 0);
  });

  it('says when it is up and down, and survives a service that is away', async () => {
    const occasions: string[] = [];
    scene.stream.on('up', () => occasions.push('up'));
    const stop = scene.stream.on('down', ({ code }) => occasions.push(`down ${code}`));
    const orders = scene.stream.orders();
    await orders.ready;
    scene.fake.cut(1001);
    while (occasions.filter((one) => one === 'up').length < 2) await sleep(5);
    stop();
    scene.fake.cut();
    scene.fake.change('orders', 'order', 'back');
    assert.deepEqual(await take(orders, 1), ['back']);
    assert.deepEqual(occasions.slice(0, 3), ['up', 'down 1001', 'up']);
  });

  it('ends by a signal and by the end of the client', async () => {
    const stop = new AbortController();
    const other = scene.sauda.stream({ signal: stop.signal });
    const orders = other.orders();
    await orders.ready;
    stop.abort();
    assert.equal((await orders.next()).done, true);
    await scene.sauda[Symbol.asyncDispose]();
    assert.throws(() => scene.stream.orders(), RangeError);
  });

  it('is closed in peace while its socket is made, by a class that reports that as an error', async () => {
    const closed = Promise.withResolvers<void>();
    class WatchedSocket extends WsSocket {
      constructor(url: string) {
        super(url);
        this.once('close', closed.resolve);
      }
    }
    scene.clientOf({ WebSocket: WatchedSocket }).stream().close();
    await closed.promise;
  });

  it('passes over frames that it does not know', async () => {
    const orders = scene.stream.orders();
    await orders.ready;
    scene.fake.send({ type: 'news', data: 'of a later release' });
    scene.fake.change('orders', 'order', 'one');
    assert.deepEqual(await take(orders, 1), ['one']);
  });
});
