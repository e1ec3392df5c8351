import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderNumber } from '../../../src/base/ids.ts';
import { dueBoundary } from '../../../src/core/broker/settlement/boundary.ts';
import { EVERY_DAY } from '../../../src/core/trading-days.ts';
import { unasked } from '../../kit/unasked.ts';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, INTEGER, ORDER_NUMBER, RUPEES, T1, T3 } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, LIMIT_BUY, MARKET_BUY, NOW, openWorld, type World } from '../../kit/wire/world.ts';

const PATH = '/singleOrderHistory';
const MESSAGE = 'Order history data received';

contractOf({
  path: PATH,
  message: MESSAGE,
  request: {},
  prepare: async (world) => ({ orderNumber: await world.place(ALICE, MARKET_BUY) }),
  required: badRequestFields('orderNumber'),
  fields: { orderNumber: 'number' },
  data: [
    {
      averagePrice: RUPEES,
      exchange: /^NSE$/,
      exchangeOrderNum: /^(\d{16})?$/,
      exchangeTime: T3,
      fillShares: INTEGER,
      orderNumber: ORDER_NUMBER,
      orderTime: T1,
      price: RUPEES,
      priceType: /^(MKT|LMT)$/,
      product: /^C$/,
      quantity: INTEGER,
      rejectReason: /^.+$/,
      remarks: /^Test$/,
      reportType: /^(Pending New|New Ack|Fill)$/,
      retention: /^DAY$/,
      status: /^(PENDING|OPEN|COMPLETE)$/,
      tickSize: RUPEES,
      token: /^14366$/,
      tradingSymbol: /^IDEA-EQ$/,
      transactionType: /^B$/,
      userId: /^AB1234$/,
    },
  ],
});

async function history(world: World, orderNumber: string): Promise<Record<string, string>[]> {
  return assertSuccess(await world.call(PATH, ALICE, { orderNumber }), MESSAGE) as Record<string, string>[];
}

async function steps(world: World, orderNumber: string): Promise<string[]> {
  return (await history(world, orderNumber)).map(({ reportType, status }) => `${reportType}/${status}`);
}

test('singleOrderHistory has an order that filled at once, newest first', async () => {
  const world = await openWorld();
  const rows = await history(world, await world.place(ALICE, MARKET_BUY));
  assert.deepEqual(
    rows.map(({ reportType, status }) => `${reportType}/${status}`),
    ['Fill/COMPLETE', 'New Ack/OPEN', 'Pending New/PENDING'],
  );
  const [fill, , pending] = rows;
  assert.deepEqual([fill?.averagePrice, fill?.fillShares, fill?.rejectReason], ['7.15', '10', ' ']);
  assert.equal(fill?.exchangeTime, '20-Nov-2026 11:00:00');
  assert.deepEqual(
    [pending?.exchangeOrderNum, pending?.exchangeTime, pending?.averagePrice, pending?.fillShares],
    ['', '01-Jan-1970 05:30:00', '0.00', '0'],
  );
  await world.close();
});

test('singleOrderHistory has modifications, cancellations, refusals and stops', async () => {
  const world = await openWorld();
  const open = await world.place(ALICE, LIMIT_BUY);
  const terms = { tradingSymbol: 'IDEA-EQ', product: 'C', priceType: 'LMT', retention: 'DAY', orderNumber: open };
  await world.call('/modifyOrder', ALICE, { ...terms, price: '7.05' });
  await world.call('/modifyOrder', ALICE, { ...terms, price: '7.03' });
  await world.call('/cancelOrder', ALICE, { orderNumber: open });
  await world.call('/cancelOrder', ALICE, { orderNumber: open });
  assert.deepEqual(await steps(world, open), [
    'Cancel Rejected/CANCELED',
    'Cancelled/CANCELED',
    'Replace Rejected/OPEN',
    'Replaced/OPEN',
    'New Ack/OPEN',
    'Pending New/PENDING',
  ]);
  const rejected = await world.place(ALICE, { price: '7.03' });
  assert.deepEqual(await steps(world, rejected), ['Rejected/REJECTED', 'Pending New/PENDING']);
  const stop = await world.place(ALICE, { priceType: 'SL-LMT', triggerPrice: '7.50', price: '7.60' });
  assert.deepEqual(await steps(world, stop), ['New Ack/TRIGGER_PENDING', 'Pending New/PENDING']);
  await world.close();
});

test('singleOrderHistory has a stop that fires as it comes like any stop that fired', async () => {
  const world = await openWorld();
  const crossed = { priceType: 'SL-LMT', triggerPrice: '7.00', price: '7.20' };
  const refused = await world.place(ALICE, crossed);
  assert.deepEqual(await steps(world, refused), ['Rejected/REJECTED', 'Pending New/PENDING']);
  assert.equal((await history(world, refused))[0]?.rejectReason, '16423:Invalid trigger price.');
  world.engine.ports = { ...world.engine.ports, strictTrigger: false };
  assert.deepEqual(await steps(world, await world.place(ALICE, crossed)), [
    'Fill/COMPLETE',
    'Triggered/OPEN',
    'New Ack/TRIGGER_PENDING',
    'Pending New/PENDING',
  ]);
  const order = await world.place(ALICE, LIMIT_BUY);
  const terms = { tradingSymbol: 'IDEA-EQ', product: 'C', retention: 'DAY', orderNumber: order };
  await world.call('/modifyOrder', ALICE, { ...terms, ...crossed, price: '7.05' });
  assert.deepEqual((await steps(world, order)).slice(0, 2), ['Triggered/OPEN', 'Replaced/TRIGGER_PENDING']);
  await world.close();
});

test('singleOrderHistory has an order that waits for a session in words of its own', async () => {
  const world = await openWorld();
  const after = (hours: number) => (NOW + hours * 3_600_000) as typeof world.now;
  world.now = after(11.6);
  const [kept, dropped] = [await world.place(ALICE, LIMIT_BUY), await world.place(ALICE, LIMIT_BUY)];
  assert.deepEqual(await steps(world, kept), ['New Ack/AMO OPEN', 'Pending New/PENDING']);
  const terms = { tradingSymbol: 'IDEA-EQ', product: 'C', priceType: 'LMT', retention: 'DAY', orderNumber: kept };
  assertSuccess(await world.call('/modifyOrder', ALICE, { ...terms, price: '7.05' }), 'Order modification details');
  assertSuccess(await world.call('/cancelOrder', ALICE, { orderNumber: dropped }), 'Order cancellation details');
  const book = assertSuccess(await world.call('/orderBook', ALICE, {}), 'Order book') as Record<string, string>[];
  assert.deepEqual(
    book.map(({ status, price }) => `${status} ${price}`),
    ['AMO OPEN 7.05', 'CANCELED 7.00'],
  );
  assert.equal((await steps(world, dropped))[0], 'Cancelled/AMO CANCELED');
  assertSuccess(await world.call('/cancelOrder', ALICE, { orderNumber: dropped }), 'Order cancellation details');
  assert.equal((await steps(world, dropped))[0], 'Cancel Rejected/AMO CANCELED');
  world.now = after(12.1);
  await world.engine.submit(unasked({ type: 'ReleaseOrder', order: Number(kept) as OrderNumber }));
  assert.deepEqual(await steps(world, kept), [
    'New Ack/OPEN',
    'Pending New/PENDING',
    'Replaced/AMO MODIFIED',
    'New Ack/AMO OPEN',
    'Pending New/PENDING',
  ]);
  await world.close();
});

test('singleOrderHistory grows with each part that fills', async () => {
  const world = await openWorld();
  const resting = await world.place(ALICE, { price: '7.10', quantity: '10' });
  await world.place(BOB, { transactionType: 'S', product: 'I', price: '7.10', quantity: '4' });
  await world.place(BOB, { transactionType: 'S', product: 'I', price: '7.10', quantity: '6' });
  const rows = await history(world, resting);
  assert.deepEqual(
    rows.map(({ reportType, status, fillShares }) => `${reportType}/${status} ${fillShares}`),
    ['Fill/COMPLETE 10', 'Fill/OPEN 4', 'New Ack/OPEN 0', 'Pending New/PENDING 0'],
  );
  await world.close();
});

test('singleOrderHistory answers the same bytes for an order of another user and for none', async () => {
  const world = await openWorld();
  const bobs = await world.place(BOB, {});
  const own = await world.place(ALICE, {});
  const texts = new Set<string>();
  for (const orderNumber of [bobs, '26112099999999', '1', 'abc', `0${own}`, '0']) {
    const seen = await world.call(PATH, ALICE, { orderNumber });
    assertFailure(seen, 400, 'BAD_REQUEST', 'orderNumber', 'order not found or invalid');
    texts.add(seen.text);
  }
  assert.equal(texts.size, 1);
  await world.close();
});

test('singleOrderHistory knows an order on its day and on the seven trading days after it', async () => {
  const world = await openWorld();
  const orderNumber = await world.place(ALICE, MARKET_BUY);
  const statusAfter = async (days: number) => {
    world.now = (NOW + days * 86_400_000) as typeof world.now;
    const due = () => world.engine.read((state) => dueBoundary(state, EVERY_DAY, world.now));
    for (let next = await due(); next !== undefined; next = await due())
      await world.engine.submit(unasked(next.command));
    return (await world.call(PATH, await world.logIn(ALICE), { orderNumber })).status;
  };
  for (let day = 1; day <= 7; day += 1) assert.equal(await statusAfter(day), 200, `day ${day}`);
  assert.equal(await statusAfter(8), 400);
  await world.close();
});
