import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket as WsSocket } from 'ws';
import { InvalidRequest, RateLimited } from '../../client/src/errors.ts';
import { orderNumber } from '../../client/src/order-number.ts';
import { NodeSocket } from '../../client/src/stream/node-socket.ts';
import type { SocketClass } from '../../client/src/stream/socket.ts';
import { must } from '../../src/base/assert.ts';
import { Random } from '../../src/base/random.ts';
import { StreamScene, take } from './stream-scene.ts';

const scene = StreamScene.ofEachTest();

const SOCKETS: [name: string, given: SocketClass][] = [
  ["the platform's own", WebSocket],
  ['that of Node 20', NodeSocket],
  ['that of ws', WsSocket],
];

it('sends nothing to a socket that is closing, and asks for it on the next one', async () => {
  let isClosing = false;
  const late: string[] = [];
  class ClosingSocket extends WsSocket {
    constructor(url: string) {
      super(url);
      Object.defineProperty(this, 'readyState', {
        get: () => (isClosing ? WsSocket.CLOSING : Reflect.get(WsSocket.prototype, 'readyState', this)),
      });
    }

    override send(text: string): void {
      if (isClosing) late.push(text);
      super.send(text);
    }
  }
  await using own = scene.clientOf({ WebSocket: ClosingSocket });
  const events = own.stream();
  await events.orders().ready;
  isClosing = true;
  const positions = events.positions();
  assert.deepEqual(late, []);
  isClosing = false;
  scene.fake.cut(1001);
  await positions.ready;
});

for (const [name, given] of SOCKETS) {
  describe(`the stream over a socket: ${name}`, () => {
    it('hands over orders in their sequence, and connects after a cut without loss and without repetition', async () => {
      await using own = scene.clientOf({ WebSocket: given });
      const orders = own.stream().orders();
      await orders.ready;
      const numbers = Array.from({ length: 60 }, (_, index) => index);
      const sent = (async () => {
        for (const number of numbers) {
          scene.fake.change('orders', 'order', number);
          if (number % 20 === 7) scene.fake.cut(number % 40 === 7 ? undefined : 1001);
          await sleep(2);
        }
      })();
      assert.deepEqual(await take(orders, numbers.length), numbers);
      assert.equal(orders.seq, '160-0');
      await sent;
    });

    it('carries long texts of any language, and ends in order', async () => {
      await using own = scene.clientOf({ WebSocket: given });
      const other = own.stream();
      const orders = other.orders();
      await orders.ready;
      const texts = [70, 126, 70_000, 300_000].map((length) => '₹ नमस्ते 😀 '.repeat(length).slice(0, length));
      for (const text of texts) scene.fake.change('orders', 'order', text);
      assert.deepEqual(await take(orders, texts.length), texts);
      const remarks = other.ticks(
        Array.from({ length: 1_200 }, (_, index) => `NSE:LONG-NAME-OF-A-SHARE-${index}` as const),
      );
      await remarks.ready;
      other.close();
      assert.deepEqual(await orders.next(), { done: true, value: undefined });
      while (scene.fake.sockets > 1) await sleep(5);
    });
  });
}

describe('events of the user', () => {
  it('begins after a place that the program kept', async () => {
    for (const number of [1, 2, 3]) scene.fake.change('trades', 'trade', number);
    assert.deepEqual(await take(scene.stream.trades({ since: '101-0' }), 2), [2, 3]);
    assert.throws(() => scene.stream.trades({ since: '102' }), RangeError);
  });

  it('begins after its place also where an event of the subscription before it is still on its way', async () => {
    const first = scene.stream.orders();
    await first.ready;
    for (const number of [1, 2, 3]) scene.fake.change('orders', 'order', number);
    assert.deepEqual(await take(first, 1), [1]);
    first.close();
    const second = scene.stream.orders({ since: must(first.seq, 'a place') });
    scene.fake.change('orders', 'order', 4);
    await second.ready;
    scene.fake.change('orders', 'order', 5);
    assert.deepEqual(await take(second, 2), [2, 3]);
    assert.deepEqual(await take(second, 2), [4, 5]);
  });

  it('has a place to begin after before anything has changed', async () => {
    const kept = scene.stream.orders({ since: '99' });
    assert.equal(kept.seq, '99');
    await kept.ready;
    const fresh = scene.stream.trades();
    assert.equal(fresh.seq, undefined);
    await fresh.ready;
    scene.fake.change('trades', 'trade', 'one');
    assert.deepEqual(await take(fresh, 1), ['one']);
    assert.deepEqual([kept.seq, fresh.seq], ['99', '101-0']);
    const second = scene.stream.trades();
    await second.ready;
    assert.equal(second.seq, '101-0');
    const quiet = scene.stream.positions();
    await quiet.ready;
    assert.equal(quiet.seq, '101');
  });

  it('comes with the whole book after a gap, in its place', async () => {
    const gaps: unknown[] = [];
    scene.stream.on('gap', (gap) => gaps.push(gap));
    const orders = scene.stream.orders();
    await orders.ready;
    scene.fake.change('orders', 'order', 'first');
    assert.deepEqual(await take(orders, 1), ['first']);
    scene.fake.cut();
    while (scene.fake.sockets > 0) await sleep(1);
    scene.fake.change('orders', 'order', 'too long ago');
    scene.fake.oldest = 102;
    scene.fake.books = { orderBook: ['the whole', 'book'] };
    const event = await orders.next();
    assert.deepEqual(event.value, { type: 'resync', seq: '102', data: ['the whole', 'book'] });
    scene.fake.change('orders', 'order', 'after');
    assert.deepEqual(await take(orders, 1), ['after']);
    assert.deepEqual(
      gaps,
      [{ type: 'gap', channels: ['orders'], seq: '102' }].map(({ channels, seq }) => ({ channels, seq })),
    );
  });

  it('comes with the whole book when the service knows no such place, as after a restored backup', async () => {
    scene.fake.books = { limit: { cash: '5.00' } };
    const limits = scene.stream.limits({ since: '999' });
    assert.deepEqual((await limits.next()).value, { type: 'resync', seq: '100', data: [{ cash: '5.00' }] });
    scene.fake.change('limits', 'limit', 'after');
    assert.deepEqual(await take(limits, 1), ['after']);
  });

  it('begins with the whole book when that is wished for', async () => {
    scene.fake.books = { positionBook: ['a position'] };
    const first = scene.stream.positions({ snapshot: true });
    assert.deepEqual((await first.next()).value, { type: 'resync', seq: '100', data: ['a position'] });
    const second = scene.stream.positions({ snapshot: true });
    assert.deepEqual((await second.next()).value?.data, ['a position']);
  });

  it('is read again, with bounded memory, when the program takes it too slowly', async () => {
    const orders = scene.stream.orders();
    await orders.ready;
    scene.fake.books = { orderBook: ['book'] };
    for (let number = 0; number < 10_500; number++) scene.fake.change('orders', 'order', number);
    const last = scene.stream.trades();
    await last.ready;
    const { value } = await orders.next();
    assert.deepEqual([value?.type, value?.data], ['resync', ['book']]);
    assert.equal(value?.seq, '10600-0', 'the book has the events that waited');
    scene.fake.change('orders', 'order', 'after');
    assert.deepEqual(await take(orders, 1), ['after']);
  });

  it('reaches a listener and every iterator of its channel', async () => {
    const heard: unknown[] = [];
    const listened = scene.stream.orders().on((event) => heard.push(event.data));
    const iterated = scene.stream.orders();
    await Promise.all([listened.ready, iterated.ready]);
    scene.fake.change('orders', 'order', 'one');
    assert.deepEqual(await take(iterated, 1), ['one']);
    assert.deepEqual(heard, ['one']);
    assert.equal(scene.fake.frames.filter(({ subscribe }) => subscribe === 'orders').length, 1, 'asked for once');
  });

  it('stops when the loop is left', async () => {
    const orders = scene.stream.orders();
    await orders.ready;
    scene.fake.change('orders', 'order', 'one');
    for await (const _event of orders) break;
    await scene.fake.sent('unsubscribe', 'orders');
    assert.deepEqual(await orders.next(), { done: true, value: undefined });
  });
});

describe('a wait for an order', () => {
  it('is ended by the stream, without another look by the clock', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const row = { orderNumber: orderNumber('26112300000001'), rejectReason: ' ' };
    scene.fake.books = { orderBook: [{ ...row, status: 'OPEN' }] };
    const waits = [1, 2].map(() => scene.sauda.orders.wait(row.orderNumber, { until: 'final' }));
    // Each looks at first, then before it waits, and again when the stream is there.
    while (scene.fake.reads < 6) await new Promise((resolve) => setImmediate(resolve));
    scene.fake.books = { orderBook: [{ ...row, status: 'COMPLETE' }] };
    scene.fake.change('orders', 'order', { ...row, status: 'COMPLETE' });
    const outcomes = (await Promise.all(waits)).map(({ outcome }) => outcome);
    assert.deepEqual(outcomes, ['filled', 'filled']);
  });
});

describe('a wait that lasts beyond the day', () => {
  it('ends as the history of the order says, which the next book does not have', async () => {
    const row = { orderNumber: orderNumber('26112300000001'), rejectReason: ' ', quantity: '10' };
    scene.fake.books = { orderBook: [{ ...row, status: 'OPEN' }] };
    const waited = scene.sauda.orders.wait(row.orderNumber, { until: 'final' });
    while (scene.fake.reads < 3) await sleep(1);
    const end = { status: 'CANCELED', fillShares: '4', averagePrice: '250.00', rejectReason: ' ' };
    scene.fake.books = { orderBook: [], singleOrderHistory: [end, { ...end, status: 'OPEN' }] };
    scene.fake.change('orders', 'order', { ...row, ...end });
    const { outcome, order } = await waited;
    assert.equal(outcome, 'cancelled');
    assert.deepEqual(order, { ...row, ...end });
  });
});

describe('events of the market', () => {
  it('is the newest state of each instrument, however slowly it is taken', async () => {
    const ticks = scene.stream.ticks(['NSE:ITC-EQ', { exchange: 'BSE', tradingSymbol: 'ITC' }]);
    await ticks.ready;
    for (let price = 0; price < 100; price++) {
      scene.fake.move('tick', 'NSE:ITC-EQ', price);
      scene.fake.move('tick', 'BSE:ITC', -price);
    }
    const fence = scene.stream.orders();
    await fence.ready;
    assert.deepEqual(await take(ticks, 2), [99, -99]);
  });

  it('is at once at hand for a second subscription, and is asked for once', async () => {
    const first = scene.stream.depth(['NSE:ITC-EQ']);
    await first.ready;
    scene.fake.move('depth', 'NSE:ITC-EQ', 'now');
    assert.deepEqual(await take(first, 1), ['now']);
    const second = scene.stream.depth(['NSE:ITC-EQ']);
    await second.ready;
    assert.deepEqual(await take(second, 1), ['now']);
    first.close();
    scene.fake.move('depth', 'NSE:ITC-EQ', 'later');
    assert.deepEqual(await take(second, 1), ['later']);
    second.close();
    await scene.fake.sent('unsubscribe', 'depth');
    assert.equal(scene.fake.frames.filter(({ subscribe }) => subscribe === 'depth').length, 1);
  });

  it('has candles by interval, greeks and queue places', async () => {
    const candles = scene.stream.candles(['NSE:ITC-EQ'], '5mi');
    const greeks = scene.stream.greeks(['NFO:NIFTY']);
    const queue = scene.stream.queue(['NSE:ITC-EQ']);
    await Promise.all([candles.ready, greeks.ready, queue.ready]);
    assert.equal((await scene.fake.sent('subscribe', 'candles')).interval, '5mi');
    await scene.fake.move('candle', 'NSE:ITC-EQ', 'other', '1mi');
    scene.fake.move('candle', 'NSE:ITC-EQ', 'candle', '5mi');
    scene.fake.move('greeks', 'NFO:NIFTY', 'greeks');
    scene.fake.move('queue', 'NSE:ITC-EQ', 'queue');
    const taken = [...(await take(candles, 1)), ...(await take(greeks, 1)), ...(await take(queue, 1))];
    assert.deepEqual(taken, ['candle', 'greeks', 'queue']);
  });

  it('has the end of a bar before the bar that follows it, and no third one', async () => {
    const candles = scene.stream.candles(['NSE:ITC-EQ'], '1mi');
    await candles.ready;
    const bar = async (...bars: readonly (readonly [time: string, close: number])[]): Promise<void> => {
      for (const [time, close] of bars) scene.fake.move('candle', 'NSE:ITC-EQ', { time, close }, '1mi');
      const fence = scene.stream.orders();
      await fence.ready;
      fence.close();
    };
    const closes = async (count: number): Promise<string[]> => {
      const taken = (await take(candles, count)) as { time: string; close: number }[];
      return taken.map(({ time, close }) => `${time} ${close}`);
    };
    await bar(['10:00', 100]);
    assert.deepEqual(await closes(1), ['10:00 100']);
    await bar(['10:00', 101], ['10:00', 105], ['10:01', 106], ['10:01', 107]);
    assert.deepEqual(await closes(2), ['10:00 105', '10:01 107']);
    await bar(['10:01', 108], ['10:02', 109], ['10:02', 110], ['10:03', 111]);
    assert.deepEqual(await closes(2), ['10:02 110', '10:03 111']);
    const late = scene.stream.candles(['NSE:ITC-EQ'], '1mi');
    assert.deepEqual(await take(late, 1), [{ time: '10:03', close: 111 }]);
  });

  it('has the results of the user too, the newest ones, and again after a cut', async () => {
    const results = scene.stream.results();
    await results.ready;
    for (const data of ['old', 'new']) scene.fake.send({ type: 'results', data });
    const fence = scene.stream.orders();
    await fence.ready;
    assert.deepEqual(await take(results, 1), ['new']);
    const begun = scene.fake.frames.length;
    scene.fake.cut();
    await new Promise<void>((resolve) => void scene.stream.on('up', () => resolve()));
    while (!scene.fake.frames.slice(begun).some(({ subscribe }) => subscribe === 'results')) await sleep(5);
    scene.fake.send({ type: 'results', data: 'later' });
    assert.deepEqual(await take(results, 1), ['later']);
  });

  it('reaches who named an instrument in another way than the service does', async () => {
    const ticks = scene.stream.ticks(['NSE:ITC-EQ', 'NSE:Nifty 50']);
    await ticks.ready;
    scene.fake.move('tick', 'NSE:NIFTY', 'index');
    assert.deepEqual(await take(ticks, 1), ['index']);
    ticks.close();
    await scene.fake.sent('unsubscribe', 'ticks');
  });

  it('fails for an unknown instrument, without harm to other subscriptions', async () => {
    const good = scene.stream.ticks(['NSE:ITC-EQ']);
    const bad = scene.stream.ticks(['NSE:NOPE']);
    await assert.rejects(bad.ready, InvalidRequest);
    await assert.rejects(bad.next(), InvalidRequest);
    await good.ready;
    scene.fake.cut();
    await sleep(400);
    await good.ready;
    await scene.fake.sent('subscribe', 'ticks');
    const again = scene.stream.ticks(['NSE:ITC-EQ']);
    await again.ready;
    scene.fake.move('tick', 'NSE:ITC-EQ', 1);
    assert.deepEqual([await take(good, 1), await take(again, 1)], [[1], [1]]);
  });

  it('goes on for those who share a request with an unknown instrument', async () => {
    await using own = scene.clientOf();
    const other = own.stream();
    const bad = other.ticks(['NSE:NOPE', 'NSE:ITC-EQ', 'NSE:TCS-EQ']);
    const good = other.ticks(['NSE:ITC-EQ']);
    const worse = other.ticks(['NSE:NOPE', 'NSE:ITC-EQ']);
    const late = other.ticks(['NSE:TCS-EQ', 'NSE:ITC-EQ']);
    await assert.rejects(bad.ready, InvalidRequest);
    await assert.rejects(worse.ready, InvalidRequest);
    await Promise.all([good.ready, late.ready]);
    scene.fake.move('tick', 'NSE:ITC-EQ', 1);
    assert.deepEqual([await take(good, 1), await take(late, 1)], [[1], [1]]);
    scene.fake.move('tick', 'NSE:TCS-EQ', 2);
    assert.deepEqual(await take(late, 1), [2]);
  });

  it('goes on for the others when an instrument has expired while the connection was cut', async () => {
    const old = scene.stream.ticks(['NFO:OLD', 'NSE:ITC-EQ']);
    const good = scene.stream.ticks(['NSE:ITC-EQ']);
    await Promise.all([old.ready, good.ready]);
    scene.fake.unknown.add('NFO:OLD');
    scene.fake.cut();
    await assert.rejects(old.next(), InvalidRequest);
    await scene.fake.sent('instruments', ['NSE:ITC-EQ']);
    const fence = scene.stream.orders();
    await fence.ready;
    scene.fake.move('tick', 'NSE:ITC-EQ', 1);
    assert.deepEqual(await take(good, 1), [1]);
  });

  it('is asked for again while the service still counts the instruments of a connection that is gone', async () => {
    const ticks = scene.stream.ticks(['NSE:ITC-EQ']);
    await ticks.ready;
    const begun = scene.fake.frames.length;
    const asked = () => scene.fake.frames.slice(begun).filter(({ subscribe }) => subscribe === 'ticks').length;
    scene.fake.isFull = true;
    scene.fake.cut();
    while (asked() === 0) await sleep(5);
    await assert.rejects(scene.stream.ticks(['NSE:TCS-EQ']).ready, RateLimited);
    scene.fake.isFull = false;
    while (asked() < 3) await sleep(5);
    const fence = scene.stream.orders();
    await fence.ready;
    scene.fake.move('tick', 'NSE:ITC-EQ', 1);
    assert.deepEqual(await take(ticks, 1), [1]);
  });

  it('goes on for the others when the one that asked is closed before the answer', async () => {
    const up = new Promise<void>((resolve) => void scene.stream.on('up', () => resolve()));
    await up;
    const bad = scene.stream.ticks(['NSE:NOPE', 'NSE:ITC-EQ']);
    const good = scene.stream.ticks(['NSE:ITC-EQ']);
    bad.close();
    await good.ready;
    assert.deepEqual(await bad.next(), { done: true, value: undefined });
    scene.fake.move('tick', 'NSE:ITC-EQ', 1);
    assert.deepEqual(await take(good, 1), [1]);
  });
});

describe('many cuts', () => {
  it('lose no event of any channel and repeat none', async () => {
    const random = new Random(20_261_123);
    const channels = ['orders', 'trades', 'positions'] as const;
    const followed = channels.map((channel) => scene.stream[channel]());
    await Promise.all(followed.map(({ ready }) => ready));
    const sent = new Map<string, number[]>(channels.map((channel) => [channel, []]));
    for (let number = 0; number < 600; number++) {
      const channel = must(channels[random.below(channels.length)], 'a channel');
      scene.fake.change(channel, channel.slice(0, -1), number);
      must(sent.get(channel), 'a list').push(number);
      if (random.below(60) === 0) scene.fake.cut(random.below(2) === 0 ? undefined : 1011);
      if (random.below(5) === 0) await sleep(2);
    }
    for (const [index, channel] of channels.entries()) {
      const wanted = must(sent.get(channel), 'a list');
      assert.deepEqual(await take(must(followed[index], 'a subscription'), wanted.length), wanted);
    }
  });
});
