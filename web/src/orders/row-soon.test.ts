/** Tests of the wait for the row of a placed order. */
import { equal } from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { orderNumber } from '../../../client/src/order-number.ts';
import type { OrderRow } from '../../../client/src/wire.ts';
import { link } from '../store/link.ts';
import { type Desk, desk } from '../store/session.ts';
import { rowSoon } from './row-soon.ts';

const NUMBER = orderNumber('26112300000001');
const ROW_MS = 2_000;

/** A session whose service answers for an order as a test says. */
function openDesk(get: () => Promise<OrderRow>): void {
  desk.value = { userId: 'SD1001', sauda: { orders: { get } }, stream: {} } as unknown as Desk;
  link.value = 'live';
}

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));

afterEach(() => {
  desk.value = undefined;
  mock.timers.reset();
});

test('a row that does not come by the stream is asked for', async () => {
  openDesk(async () => ({ orderNumber: NUMBER, status: 'OPEN' }) as OrderRow);
  const row = rowSoon(NUMBER);
  mock.timers.tick(ROW_MS);
  equal((await row)?.status, 'OPEN');
});

test('a session that ends before the row came ends the wait for it', async () => {
  openDesk(() => Promise.reject(new Error('not asked')));
  const row = rowSoon(NUMBER);
  desk.value = undefined;
  equal(await row, undefined);
});

test('a session that ends before the wait begins, or while the service is asked, ends it too', async () => {
  equal(await rowSoon(NUMBER), undefined);
  openDesk(() => new Promise(() => undefined));
  link.value = 'cut';
  const row = rowSoon(NUMBER);
  desk.value = undefined;
  equal(await row, undefined);
});
