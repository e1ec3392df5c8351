import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { AuthError, TransportError } from '../../client/src/errors.ts';
import { orderNumber } from '../../client/src/order-number.ts';
import { Sauda } from '../../client/src/sauda.ts';
import { must } from '../../src/base/assert.ts';
import { ORDER } from './an-order.ts';
import { failureOf } from './failure-of.ts';
import { fails, lost, ScriptedService, succeeds } from './scripted-service.ts';

const NUMBER = orderNumber('26112300000001');
const PLACED = succeeds({ orderNumber: NUMBER, requestTime: '10:15:00 23-11-2026' });
const BOOK = succeeds([{ orderNumber: NUMBER, status: 'OPEN', rejectReason: ' ' }]);
const LIMITED = fails(429, 'RATE_LIMIT_EXCEEDED');
const UNTIL = { until: 'accepted' } as const;

let service: ScriptedService;
let sauda: Sauda;

before(async () => {
  service = await ScriptedService.start();
});
after(() => service.close());
beforeEach(() => {
  sauda = new Sauda({ url: service.url, userId: 'SD1001', token: 'token', timeoutMs: 2_000 });
});

function keyOfPlacement(): string | undefined {
  return must(service.taken[0], 'a placement').key;
}

describe('a wait for an order', () => {
  it('goes on after a refusal for the rate, and while the service is away', async () => {
    service.next(PLACED, LIMITED, lost, lost, lost, lost, BOOK);
    const { outcome, orderNumber } = await sauda.orders.placeAndWait(ORDER, UNTIL);
    assert.deepEqual([outcome, orderNumber], ['accepted', NUMBER]);
    const placements = service.taken.filter(({ path }) => path === '/V1/placeOrder');
    assert.equal(placements.length, 1);
  });

  it('keeps the time that the service asks for', async () => {
    service.next(fails(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '2' }), BOOK);
    const from = performance.now();
    await sauda.orders.wait(NUMBER, UNTIL);
    assert.ok(performance.now() - from > 1_900);
  });

  it('is ended by its signal between two looks', async () => {
    const stop = new AbortController();
    service.next((response, request) => {
      LIMITED(response, request);
      setTimeout(() => stop.abort(), 50);
    }, BOOK);
    const failure = await failureOf(sauda.orders.wait(NUMBER, { ...UNTIL, signal: stop.signal }));
    assert.ok(failure instanceof TransportError && failure.reason === 'aborted', String(failure));
    assert.equal(service.taken.length, 1);
  });
});

describe('a failed wait for an order that was placed', () => {
  it('names the order and its key, and is in doubt', async () => {
    for (const key of [undefined, 'mine']) {
      service.next(PLACED, fails(401, 'INVALID_JKEY'));
      const options = key === undefined ? UNTIL : { ...UNTIL, idempotencyKey: key };
      const failure = await failureOf(sauda.orders.placeAndWait(ORDER, options));
      assert.ok(failure instanceof AuthError);
      assert.equal(failure.ambiguous, true);
      assert.equal(failure.orderNumber, NUMBER);
      assert.equal(failure.idempotencyKey, key ?? keyOfPlacement());
      assert.match(failure.idempotencyKey ?? '', /^[!-~]{1,128}$/);
    }
  });

  it('does so when the signal ends it', async () => {
    const stop = new AbortController();
    service.next(PLACED, (response, request) => {
      LIMITED(response, request);
      setTimeout(() => stop.abort(), 50);
    });
    const failure = await failureOf(sauda.orders.placeAndWait(ORDER, { ...UNTIL, signal: stop.signal }));
    assert.ok(failure instanceof TransportError && failure.reason === 'aborted', String(failure));
    const { ambiguous, orderNumber, idempotencyKey } = failure;
    assert.deepEqual({ ambiguous, orderNumber }, { ambiguous: true, orderNumber: NUMBER });
    assert.equal(idempotencyKey, keyOfPlacement());
  });

  it('does so when the book of today does not have the order', async () => {
    service.next(PLACED, succeeds([]));
    await assert.rejects(sauda.orders.placeAndWait(ORDER, UNTIL), (failure: object) => {
      assert.ok(failure instanceof RangeError);
      const { ambiguous, orderNumber } = failure as { readonly ambiguous?: boolean; readonly orderNumber?: string };
      assert.deepEqual({ ambiguous, orderNumber }, { ambiguous: true, orderNumber: NUMBER });
      return true;
    });
  });
});

describe('a placement that is refused', () => {
  it('is not in doubt and names no order', async () => {
    service.next(LIMITED);
    const { ambiguous, orderNumber } = await failureOf(sauda.orders.placeAndWait(ORDER, UNTIL));
    assert.deepEqual({ ambiguous, orderNumber }, { ambiguous: false, orderNumber: undefined });
    assert.equal(service.taken.length, 1);
  });
});
