import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { TransportError, Unavailable } from '../../client/src/errors.ts';
import { Places } from '../../client/src/places.ts';
import { Sauda } from '../../client/src/sauda.ts';
import { Transport } from '../../client/src/transport.ts';
import { createStandbyServer, type StandbyServer } from '../../src/gateway/standby/standby-server.ts';
import { failureOf } from './failure-of.ts';
import { FakeStream } from './fake-stream.ts';
import { fails, lost, ScriptedService, succeeds } from './scripted-service.ts';

const ORDER = {
  exchange: 'NSE',
  tradingSymbol: 'ITC-EQ',
  transactionType: 'B',
  priceType: 'MKT',
  product: 'I',
  quantity: 10,
} as const;
const PLACED = { requestTime: '10:00:00 23-11-2026', orderNumber: '26112300000001' };
const CLOSED = 'http://127.0.0.1:9';

interface Follower {
  readonly url: string;
  readonly close: StandbyServer['close'];
}

/** A real follower's address, which names a leader. */
async function follower(leader: () => string | undefined): Promise<Follower> {
  const standby = createStandbyServer({
    standby: {
      leader,
      words: () => 'follows another',
      isReady: () => true,
      sharedFiles: () => ({}),
      awaitsLeader: () => false,
    },
    marketLabel: 'simulated',
    scenarios: 'off',
  });
  await standby.listen({ host: '127.0.0.1', port: 0 });
  const { port } = standby.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: standby.close };
}

function clientOf(url: string | readonly string[], follows = true): Sauda {
  return new Sauda({ url, userId: 'SD1001', token: 'token', follows });
}

describe('a client of a service on several machines', () => {
  let leader: ScriptedService;
  beforeEach(async () => {
    leader = await ScriptedService.start();
  });
  afterEach(() => leader.close());

  it('goes to the leader that a follower names, with every kind of call, and stays there', async () => {
    const one = await follower(() => leader.url);
    const sauda = clientOf(one.url);
    leader.next(succeeds(PLACED), succeeds([]), succeeds({}));
    assert.equal((await sauda.orders.place(ORDER)).orderNumber, PLACED.orderNumber);
    await sauda.orders.list();
    await sauda.logout();
    assert.deepEqual(
      leader.taken.map(({ path }) => path),
      ['/V1/placeOrder', '/V1/orderBook', '/V1/logout'],
    );
    await one.close();
  });

  it('moves a change that is sent once, since a follower did nothing', async () => {
    const one = await follower(() => leader.url);
    leader.next(succeeds({}));
    await clientOf(one.url).logout();
    assert.equal(leader.taken.length, 1);
    await one.close();
  });

  it('sends a placement to the next machine under the same key when its answer is lost', async () => {
    const other = await ScriptedService.start();
    leader.next(lost);
    other.next(succeeds(PLACED));
    await clientOf([leader.url, other.url]).orders.place(ORDER);
    assert.equal(leader.taken.length + other.taken.length, 2);
    assert.ok(other.taken[0]?.key);
    assert.equal(other.taken[0]?.key, leader.taken[0]?.key);
    await other.close();
  });

  it('sends no change a second time whose answer is lost', async () => {
    const other = await ScriptedService.start();
    leader.next(lost);
    const failure = await failureOf(clientOf([leader.url, other.url]).logout());
    assert.ok(failure instanceof TransportError && failure.ambiguous);
    assert.equal(other.taken.length, 0);
    await other.close();
  });

  it('asks the next machine while one is down, and while a follower still names it', async () => {
    const pauses: number[] = [];
    const one = await follower(() => (pauses.length < 5 ? CLOSED : leader.url));
    leader.next(succeeds([]));
    const transport = new Transport({
      places: new Places([CLOSED, one.url], { now: Date.now, follows: true }),
      timeoutMs: 2_000,
      fetch,
      pause: async (ms) => void pauses.push(ms),
    });
    transport.session = { userId: 'SD1001', token: 'token' };
    assert.deepEqual(await transport.read('orderBook', {}), []);
    assert.deepEqual(pauses, [25, 50, 100, 200, 400, 800]);
    await one.close();
  });

  it('reads the whole of a long answer that began in time', async () => {
    const other = await ScriptedService.start();
    leader.next((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"status":"success","message":"fine",');
      setTimeout(() => response.end('"data":[]}'), 1_700);
    });
    const read = clientOf([leader.url, other.url]).orders.list();
    assert.deepEqual(await read.finally(() => other.close()), []);
    assert.deepEqual([leader.taken.length, other.taken.length], [1, 0]);
  });

  it('waits longer each time when no answer begins, up to its limit, and gives up', async (t) => {
    let now = 0;
    t.mock.timers.enable({ apis: ['setTimeout'] });
    t.mock.method(performance, 'now', () => now);
    const waits: number[] = [];
    const transport = new Transport({
      places: new Places(['http://a', 'http://b'], { now: () => now, follows: true }),
      timeoutMs: 15_000,
      fetch: (_url, init) =>
        new Promise((_resolve, reject) => {
          const sentAt = now;
          init?.signal?.addEventListener('abort', () => {
            waits.push(now - sentAt);
            reject(new DOMException('ended', 'AbortError'));
          });
        }),
      pause: async () => undefined,
    });
    transport.session = { userId: 'SD1001', token: 'token' };
    let isOver = false;
    const failing = failureOf(transport.read('orderBook', {})).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      now += 500;
      t.mock.timers.tick(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const failure = await failing;
    assert.ok(failure instanceof TransportError && failure.reason === 'timeout');
    assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  });

  it('gives up after some tries when nobody leads', async () => {
    const one = await follower(() => undefined);
    const two = await follower(() => one.url);
    const pauses: number[] = [];
    const transport = new Transport({
      places: new Places([one.url, two.url], { now: Date.now, follows: true }),
      timeoutMs: 2_000,
      fetch,
      pause: async (ms) => void pauses.push(ms),
    });
    transport.session = { userId: 'SD1001', token: 'token' };
    assert.ok((await failureOf(transport.read('orderBook', {}))) instanceof Unavailable);
    assert.deepEqual(pauses, [25, 50, 100, 200, 400, 800, ...Array(11).fill(1_000)]);
    await Promise.all([one.close(), two.close()]);
  });

  it('stays at the given address when it is to, and names the leader', async () => {
    const one = await ScriptedService.start();
    one.next(...Array.from({ length: 4 }, () => fails(503, 'SERVICE_UNAVAILABLE', { 'sauda-leader': leader.url })));
    const failure = await failureOf(clientOf(one.url, false).logout());
    assert.ok(failure instanceof Unavailable);
    assert.equal(failure.leader, leader.url);
    assert.deepEqual([one.taken.length, leader.taken.length], [1, 0]);
    await one.close();
  });

  it('goes from a follower to the stream of the leader, and goes on there by number after the leader is gone', async () => {
    const [first, second] = [await FakeStream.start(), await FakeStream.start()];
    let named = first.url;
    const one = await follower(() => named);
    const stream = clientOf(one.url).stream();
    const orders = stream.orders();
    await orders.ready;
    first.change('orders', 'order', 1);
    assert.deepEqual((await orders.next()).value?.data, 1);
    second.change('orders', 'order', 1);
    second.change('orders', 'order', 2);
    named = second.url;
    const down = new Promise((resolve) => stream.on('down', resolve));
    await first.close();
    await down;
    assert.deepEqual((await orders.next()).value?.data, 2);
    assert.equal((await second.sent('subscribe', 'orders')).since, '101-0');
    stream.close();
    await Promise.all([one.close(), second.close()]);
  });
});

describe('the addresses of a service', () => {
  let now = 0;
  const of = (...origins: string[]): Places => new Places(origins, { now: () => now, follows: true });

  it('never lead from TLS to plain text', () => {
    const places = of('https://a.example');
    assert.equal(places.refused('https://a.example', 'http://b.example'), false);
    assert.equal(places.current, 'https://a.example');
    assert.equal(places.refused('https://a.example', 'https://b.example'), true);
    assert.equal(places.current, 'https://b.example');
  });

  it('are not left for one that has just given no answer', () => {
    const places = of('http://a', 'http://b');
    now = 10_000;
    places.lost('http://a');
    assert.equal(places.current, 'http://b');
    assert.equal(places.refused('http://b', 'http://a'), false);
    places.lost('http://a');
    now += 1_000;
    assert.equal(places.refused('http://b', 'http://a'), true);
  });

  it('are bounded in number, and text that names none leads nowhere', () => {
    const places = of('http://a');
    for (let place = 0; place < 100; place++) places.refused(places.current, `http://h${place}`);
    const names = new Set<string>();
    for (let turn = 0; turn < 100; turn++) {
      places.lost(places.current);
      names.add(places.current);
    }
    assert.equal(names.size, 16);
    for (const text of ['', 'b', 'ftp://b', 'javascript:alert(1)']) {
      const from = places.current;
      assert.equal(places.refused(from, text), false, text);
      assert.match(places.current, /^http:/);
    }
  });
});
