import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertSuccess, INTEGER, ORDER_NUMBER, RUPEES } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, MARKET_BUY, openWorld } from '../../kit/wire/world.ts';

const PATH = '/orderBook';
const MESSAGE = 'Order book';

contractOf({
  path: PATH,
  message: MESSAGE,
  request: {},
  prepare: async (world) => {
    await world.place(ALICE, {});
    await world.place(ALICE, MARKET_BUY);
    await world.place(ALICE, { price: '7.03' });
    return undefined;
  },
  data: [
    {
      averagePrice: RUPEES,
      exchange: /^NSE$/,
      fillShares: /^([1-9]\d*)?$/,
      lotSize: INTEGER,
      orderNumber: ORDER_NUMBER,
      orderTime: /^\d{10}$/,
      price: RUPEES,
      priceType: /^(MKT|LMT)$/,
      product: /^C$/,
      quantity: INTEGER,
      rejectReason: /^( |16283:.*)$/,
      remarks: /^Test$/,
      retention: /^DAY$/,
      status: /^(OPEN|COMPLETE|REJECTED)$/,
      tickSize: RUPEES,
      token: /^14366$/,
      tradingSymbol: /^IDEA-EQ$/,
      transactionType: /^B$/,
      triggerPrice: RUPEES,
      userId: /^AB1234$/,
    },
  ],
});

test("orderBook has the caller's orders only, each as it stands", async () => {
  const world = await openWorld();
  await world.place(BOB, {});
  const first = await world.place(ALICE, {});
  const second = await world.place(ALICE, MARKET_BUY);
  await world.call('/cancelOrder', ALICE, { orderNumber: first });
  const rows = assertSuccess(await world.call(PATH, ALICE), MESSAGE) as Record<string, string>[];
  assert.deepEqual(
    rows.map(({ orderNumber, status, fillShares, averagePrice }) => [orderNumber, status, fillShares, averagePrice]),
    [
      [first, 'CANCELED', '', '0.00'],
      [second, 'COMPLETE', '10', '7.15'],
    ],
  );
  await world.close();
});

test('orderBook says why an order was rejected, also after a refused cancellation of it', async () => {
  const world = await openWorld();
  const offTick = await world.place(ALICE, { price: '7.03' });
  await world.call('/cancelOrder', ALICE, { orderNumber: offTick });
  const [row] = assertSuccess(await world.call(PATH, ALICE), MESSAGE) as Record<string, string>[];
  assert.equal(row?.rejectReason, '16283:The order price is not multiple of the tick size.');
  await world.close();
});
