import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  AuthError,
  InvalidRequest,
  RateLimited,
  RequestError,
  TransportError,
  Unavailable,
} from '../../client/src/errors.ts';
import { orderNumber } from '../../client/src/order-number.ts';
import { Sauda } from '../../client/src/sauda.ts';
import { must } from '../../src/base/assert.ts';
import { ORDER } from './an-order.ts';
import { failureOf } from './failure-of.ts';
import { type Answer, cut, fails, lost, ScriptedService, silent, succeeds } from './scripted-service.ts';

const PLACED = { orderNumber: '26112300000001', requestTime: '10:15:00 23-11-2026' };
const NUMBER = orderNumber(PLACED.orderNumber);

let service: ScriptedService;
let sauda: Sauda;

before(async () => {
  service = await ScriptedService.start();
  sauda = clientOf(service.url);
});
after(() => service.close());

function clientOf(url: string): Sauda {
  return new Sauda({ url, userId: 'SD1001', token: 'token', timeoutMs: 2_000 });
}

describe('a call', () => {
  it('carries user and token, and goes to the address with or without the version', async () => {
    for (const url of [service.url, `${service.url}/`, `${service.url}/V1`, `${service.url}/V1/`]) {
      service.next(succeeds([]));
      assert.deepEqual(await clientOf(url).orders.list(), []);
      assert.deepEqual(service.taken, [
        { path: '/V1/orderBook', key: undefined, body: { userId: 'SD1001', jKey: 'token' } },
      ]);
    }
    assert.throws(() => clientOf('ftp://127.0.0.1'), TypeError);
    assert.throws(() => clientOf('nowhere'), TypeError);
  });

  it('is refused without a session, and nothing is sent', async () => {
    service.next();
    const failure = await failureOf(new Sauda({ url: service.url, userId: 'SD1001' }).orders.place(ORDER));
    assert.ok(failure instanceof AuthError);
    assert.equal(service.taken.length, 0);
  });

  it('has an error of its own kind for each failure', async () => {
    const kinds: [status: number, kind: typeof RequestError][] = [
      [400, InvalidRequest],
      [401, AuthError],
      [403, AuthError],
      [404, InvalidRequest],
      [413, InvalidRequest],
      [429, RateLimited],
      [500, Unavailable],
    ];
    for (const [status, kind] of kinds) {
      service.next(fails(status, 'NAME', { 'retry-after': '7' }));
      const failure = await failureOf(sauda.orders.cancel(NUMBER));
      assert.ok(failure instanceof kind && failure instanceof RequestError, `${status}: ${failure.name}`);
      const { code, field, retryAfterMs, ambiguous } = failure;
      assert.deepEqual({ code, field, retryAfterMs }, { code: 'NAME', field: 'field', retryAfterMs: 7_000 });
      assert.equal(failure.status, status);
      assert.equal(ambiguous, status === 500, `${status}`);
    }
  });
});

describe('a read', () => {
  it('is sent again after a lost answer, a cut one and a 503', async () => {
    service.next(lost, cut, fails(503, 'SERVICE_UNAVAILABLE'), succeeds([{ orderNumber: '1' }]));
    assert.equal((await sauda.orders.list()).length, 1);
    assert.equal(service.taken.length, 4);
  });

  it('fails in the end, and is never in doubt', async () => {
    service.next(lost, lost, lost, lost);
    const failure = await failureOf(sauda.orders.list());
    assert.ok(failure instanceof TransportError);
    assert.equal(failure.reason, 'lost');
    assert.equal(failure.ambiguous, false);
    assert.equal(service.taken.length, 4);
  });

  it('is not sent again after a refusal', async () => {
    for (const status of [400, 401, 429]) {
      service.next(fails(status, 'NAME'), succeeds([]));
      await failureOf(sauda.orders.list());
      assert.equal(service.taken.length, 1, `${status}`);
    }
  });
});

describe('a change other than a placement', () => {
  const changes: [name: string, change: () => Promise<unknown>][] = [
    ['cancel', () => sauda.orders.cancel(NUMBER)],
    ['convert', () => sauda.portfolio.convert({ instrument: 'NSE:ITC-EQ', to: 'I' })],
    ['login', () => sauda.login({ password: 'secret' })],
    ['cancelAll', () => sauda.orders.cancelAll()],
    ['deleteWatchlist', () => sauda.watchlists.delete('mine')],
  ];
  const endings: [ending: Answer, reason: string][] = [
    [lost, 'lost'],
    [cut, 'lost'],
    [(response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>'), 'not understood'],
    [(response) => response.writeHead(302, { location: '/elsewhere' }).end(), 'lost'],
  ];
  for (const [name, change] of changes) {
    it(`is sent once, whatever happens: ${name}`, async () => {
      for (const [ending, reason] of endings) {
        service.next(ending, succeeds({}));
        const failure = await failureOf(change());
        assert.ok(failure instanceof TransportError && failure.reason === reason, String(failure));
        assert.equal(failure.ambiguous, true);
        assert.equal(service.taken.length, 1);
      }
      service.next(fails(503, 'SERVICE_UNAVAILABLE'), succeeds({}));
      assert.equal((await failureOf(change())).ambiguous, false);
      assert.equal(service.taken.length, 1);
    });
  }

  it('is not in doubt when the service was not reached', async () => {
    const gone = await ScriptedService.start();
    await gone.close();
    const failure = await failureOf(clientOf(gone.url).orders.cancel(NUMBER));
    assert.ok(failure instanceof TransportError);
    assert.equal(failure.reason, 'not sent');
    assert.equal(failure.ambiguous, false);
  });

  it('ends in time, in doubt', async () => {
    service.next(silent);
    const failure = await failureOf(sauda.orders.cancel(NUMBER, { timeoutMs: 50 }));
    assert.ok(failure instanceof TransportError && failure.reason === 'timeout');
    assert.equal(failure.ambiguous, true);
  });

  it('waits as long as it may: for ever, or longer than a timer can', async () => {
    for (const timeoutMs of [Number.POSITIVE_INFINITY, 2 ** 31]) {
      service.next((response, request) => setTimeout(() => succeeds({})(response, request), 50));
      await sauda.orders.cancel(NUMBER, { timeoutMs });
    }
  });

  it('ends by a signal: in doubt on its way, and not when it was not sent', async () => {
    service.next(silent);
    const stop = new AbortController();
    const sent = failureOf(sauda.orders.cancel(NUMBER, { signal: stop.signal }));
    setTimeout(() => stop.abort(new Error('enough')), 30);
    const failure = await sent;
    assert.ok(failure instanceof TransportError && failure.reason === 'aborted');
    assert.equal((failure.cause as Error).message, 'enough');
    assert.equal(failure.ambiguous, true);
    service.next(succeeds({}));
    const unsent = await failureOf(sauda.orders.cancel(NUMBER, { signal: stop.signal }));
    assert.equal(unsent.ambiguous, false);
    assert.equal(service.taken.length, 0);
  });
});

describe('a call by another fetch', () => {
  /** A fetch that takes the answer and fails after it, each time with the next one of these. */
  function failing(...failures: readonly unknown[]): Sauda {
    const left = [...failures];
    const through: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      if (String(request[0]).endsWith('getMarketStatus') || left.length === 0) return response;
      throw left.shift();
    };
    return new Sauda({ url: service.url, userId: 'SD1001', token: 'token', timeoutMs: 2_000, fetch: through });
  }

  it('is repeated under its key after a failure of any kind', async () => {
    service.next(succeeds(PLACED), succeeds(PLACED), succeeds(PLACED), succeeds(PLACED));
    const failures = [new Error('ECONNRESET'), undefined, new DOMException('its own limit', 'AbortError')];
    assert.equal((await failing(...failures).orders.place(ORDER)).orderNumber, NUMBER);
    assert.equal(new Set(service.taken.map(({ key }) => key)).size, 1);
    assert.equal(service.taken.length, 4);
  });

  it('is in doubt in the end, with its key and the error beneath', async () => {
    const refused = new Error('failed', { cause: { code: 'ECONNREFUSED' } });
    const beneath = new Error('the proxy is gone');
    service.next(...[1, 2, 3, 4].map(() => succeeds(PLACED)));
    const failure = await failureOf(failing(refused, refused, refused, beneath).orders.place(ORDER));
    assert.ok(failure instanceof TransportError && failure.reason === 'lost', String(failure));
    assert.equal(failure.cause, beneath);
    assert.equal(failure.ambiguous, true);
    assert.equal(failure.idempotencyKey, must(service.taken[0], 'a sending').key);
  });

  it('is in doubt when it may not be repeated', async () => {
    service.next(succeeds({}));
    const failure = await failureOf(failing(new Error('gone')).orders.cancel(NUMBER));
    assert.equal(failure.ambiguous, true);
    service.next(succeeds({}));
    const refused = new Error('failed', { cause: { code: 'ECONNREFUSED' } });
    assert.equal((await failureOf(failing(refused).orders.cancel(NUMBER))).ambiguous, true);
    assert.equal(service.taken.length, 1);
  });
});

describe('a basket', () => {
  it('is sent under one key until its outcome is known, each order with the fields that it may leave out', async () => {
    service.next(lost, succeeds([PLACED, { orderNumber: '', rejreason: 'no', requestTime: '' }]));
    const rows = await sauda.orders.placeBasket([ORDER, { ...ORDER, priceType: 'LMT', price: '405.00' }]);
    assert.deepEqual(
      rows.map((row) => row.orderNumber),
      [PLACED.orderNumber, ''],
    );
    const [first, second] = service.taken;
    assert.equal(first?.path, '/V1/basketOrder');
    assert.equal(first?.key, second?.key);
    assert.deepEqual(first?.body, second?.body);
    assert.ok(first !== undefined);
    const { legs } = first.body as { readonly legs: readonly Readonly<Record<string, unknown>>[] };
    assert.deepEqual(
      legs.map(({ price, retention, remarks }) => [price, retention, remarks]),
      [
        ['0', 'DAY', ''],
        ['405.00', 'DAY', ''],
      ],
    );
  });
});

describe('a look for a placement', () => {
  it('gives the orders of a key, and with them the time of the market', async () => {
    const found = { orders: [{ orderNumber: NUMBER }], requestTime: PLACED.requestTime };
    const none = { ...found, orders: [] };
    service.next(succeeds(found), succeeds(found), succeeds(none));
    assert.deepEqual(await sauda.orders.placedUnder('mine'), [NUMBER]);
    assert.deepEqual(await sauda.orders.placement('mine'), found);
    assert.deepEqual(await sauda.orders.placement('mine'), none);
    const { path, key, body } = must(service.taken[1], 'a look');
    assert.deepEqual([path, key, body.idempotencyKey], ['/V1/getPlacement', undefined, 'mine']);
  });
});

describe('a placement', () => {
  it('is sent again under one key until its answer comes', async () => {
    service.next(lost, cut, fails(503, 'SERVICE_UNAVAILABLE'), succeeds(PLACED));
    const placed = await sauda.orders.place(ORDER);
    assert.equal(placed.orderNumber, NUMBER);
    const [first] = service.taken;
    assert.match(must(first, 'a sending').key ?? '', /^[!-~]{1,128}$/);
    assert.equal(service.taken.length, 4);
    for (const taken of service.taken) assert.deepEqual(taken, first);
  });

  it('has another key each time, and the key of the caller when there is one', async () => {
    service.next(succeeds(PLACED), succeeds(PLACED), succeeds(PLACED));
    await sauda.orders.place(ORDER);
    await sauda.orders.place(ORDER);
    await sauda.orders.place(ORDER, { idempotencyKey: 'mine' });
    const keys = service.taken.map(({ key }) => key);
    assert.equal(new Set(keys).size, 3);
    assert.equal(keys[2], 'mine');
  });

  it('stays in doubt when a later sending fails for another reason, and names its key', async () => {
    const endings: Answer[][] = [
      [lost, fails(401, 'INVALID_JKEY')],
      [lost, fails(400, 'BAD_REQUEST')],
      [lost, lost, lost, fails(503, 'SERVICE_UNAVAILABLE')],
      [fails(500, 'INTERNAL_SERVER_ERROR'), fails(401, 'INVALID_JKEY')],
    ];
    for (const ending of endings) {
      service.next(...ending);
      const failure = await failureOf(sauda.orders.place(ORDER));
      assert.equal(failure.ambiguous, true);
      assert.equal(failure.idempotencyKey, must(service.taken[0], 'a sending').key);
      assert.equal(service.taken.length, ending.length);
    }
  });

  it('is not in doubt after a refusal, which is not asked for again', async () => {
    for (const status of [400, 401, 403, 429]) {
      service.next(fails(status, 'NAME'), succeeds(PLACED));
      assert.equal((await failureOf(sauda.orders.place(ORDER))).ambiguous, false);
      assert.equal(service.taken.length, 1, `${status}`);
    }
  });

  it('waits for the rate when it is in doubt', async () => {
    service.next(lost, fails(429, 'RATE_LIMIT_EXCEEDED'), succeeds(PLACED));
    assert.equal((await sauda.orders.place(ORDER)).orderNumber, NUMBER);
  });

  it('ends by a signal between two sendings, in doubt', async () => {
    const stop = new AbortController();
    service.next((response) => {
      response.destroy();
      stop.abort();
    }, succeeds(PLACED));
    const failure = await failureOf(sauda.orders.place(ORDER, { signal: stop.signal }));
    assert.equal(failure.ambiguous, true);
    assert.equal(service.taken.length, 1);
  });

  it('is sent again on the same day of the market alone, while that lasts until it has arrived', async () => {
    const cases: [placedAt: string, seenAt: string, speed: string, sendings: number][] = [
      ['10:15:00 23-11-2026', '23:59:40 23-11-2026', '1', 2],
      ['23:59:40 23-11-2026', '00:00:30 24-11-2026', '1', 1],
      // The market's time, 2 s for the answer and 10 s on the way.
      ['10:15:00 23-11-2026', '23:59:55 23-11-2026', '1', 1],
      ['10:15:00 23-11-2026', '23:59:55 23-11-2026', '0', 2],
      ['10:15:00 23-11-2026', '23:40:00 23-11-2026', '60', 2],
      ['10:15:00 23-11-2026', '23:50:00 23-11-2026', '60', 1],
      ['10:15:00 23-11-2026', '10:15:00 23-11-2026', 'max', 1],
    ];
    for (const [placedAt, seenAt, speed, sendings] of cases) {
      service.marketTimes = [placedAt, seenAt];
      service.marketSpeed = speed;
      service.next(lost, succeeds(PLACED));
      const placing = clientOf(service.url).orders.place(ORDER);
      const where = `${placedAt}, then ${seenAt} at ${speed}`;
      if (sendings > 1) assert.equal((await placing).orderNumber, NUMBER, where);
      else assert.equal((await failureOf(placing)).ambiguous, true, where);
      assert.equal(service.taken.length, sendings, where);
    }
    service.marketTimes = [PLACED.requestTime];
    service.marketSpeed = '1';
  });

  it('knows the day of the market by the answers before it', async () => {
    const client = clientOf(service.url);
    service.marketTimes = ['10:15:00 23-11-2026', '00:00:30 24-11-2026'];
    service.next(
      succeeds(PLACED),
      succeeds([{ ...PLACED, requestTime: '00:00:10 24-11-2026' }]),
      lost,
      succeeds(PLACED),
    );
    await client.orders.place(ORDER);
    await client.orders.list();
    assert.equal((await client.orders.place(ORDER)).orderNumber, NUMBER);
    assert.equal(service.taken.length, 4);
    service.marketTimes = [PLACED.requestTime];
  });

  it('has a key of its own each time, also in a page without a secure context', async (t) => {
    t.mock.method(crypto, 'randomUUID', () => assert.fail('it is not there'));
    service.next(succeeds(PLACED), succeeds(PLACED));
    for (let count = 0; count < 2; count++) await sauda.orders.place(ORDER);
    const keys = service.taken.map(({ key = '' }) => key);
    for (const key of keys) assert.match(key, /^[0-9a-f]{32}$/);
    assert.notEqual(keys[0], keys[1]);
  });

  it('asks for the day of the market again when it has heard nothing for a quarter of an hour', async (t) => {
    const client = clientOf(service.url);
    service.marketTimes = ['23:50:00 23-11-2026', '09:20:00 24-11-2026'];
    service.next(succeeds(PLACED), lost, succeeds(PLACED));
    await client.orders.place(ORDER);
    const { now } = performance;
    t.mock.method(performance, 'now', () => now.call(performance) + 15 * 60_000);
    assert.equal((await client.orders.place(ORDER)).orderNumber, NUMBER);
    assert.equal(service.taken.length, 3);
    service.marketTimes = [PLACED.requestTime];
  });

  it('asks for the day of the market again after a login', async () => {
    const client = clientOf(service.url);
    service.marketTimes = ['23:50:00 23-11-2026', '09:20:00 24-11-2026'];
    service.next(succeeds(PLACED), succeeds({ susertoken: 'new' }), lost, succeeds(PLACED));
    await client.orders.place(ORDER);
    await client.demoLogin();
    assert.equal((await client.orders.place(ORDER)).orderNumber, NUMBER);
    assert.equal(service.taken.length, 4);
    service.marketTimes = [PLACED.requestTime];
  });

  it('that became slices names them all', async () => {
    service.next(
      succeeds([
        { ...PLACED, quantity: '6' },
        { ...PLACED, orderNumber: '26112300000002', quantity: '4' },
      ]),
    );
    const { orderNumber: first, slices } = await sauda.orders.place(ORDER);
    assert.equal(first, NUMBER);
    assert.deepEqual(
      slices.map(({ quantity }) => quantity),
      ['6', '4'],
    );
  });
});
