import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertSuccess, INTEGER, ORDER_NUMBER, RUPEES, T1, T2 } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, MARKET_BUY, openWorld } from '../../kit/wire/world.ts';

const PATH = '/tradeBook';
const MESSAGE = 'Trade history data received';

contractOf({
  path: PATH,
  message: MESSAGE,
  request: {},
  prepare: async (world) => {
    await world.place(ALICE, MARKET_BUY);
    return undefined;
  },
  data: [
    {
      exchange: /^NSE$/,
      exchangeUpdateTime: T2,
      exchordid: /^\d{16}$/,
      fillId: INTEGER,
      fillPrice: 'number',
      fillQuantity: INTEGER,
      fillTime: T2,
      fillshares: INTEGER,
      lotSize: INTEGER,
      orderNumber: ORDER_NUMBER,
      orderTime: T1,
      priceFactor: /^1\.000000$/,
      pricePrecision: /^2$/,
      priceType: /^MKT$/,
      product: /^C$/,
      quantity: INTEGER,
      retention: /^DAY$/,
      tickSize: RUPEES,
      token: /^14366$/,
      tradingSymbol: /^IDEA-EQ$/,
      transactionType: /^B$/,
      userId: /^AB1234$/,
    },
  ],
});

async function trades(world: Awaited<ReturnType<typeof openWorld>>, user = ALICE): Promise<Record<string, unknown>[]> {
  return assertSuccess(await world.call(PATH, user), MESSAGE) as Record<string, unknown>[];
}

test('tradeBook is empty before the first trade and says rupees with two decimals after it', async () => {
  const world = await openWorld();
  assert.deepEqual(await trades(world), []);
  await world.place(ALICE, MARKET_BUY);
  const [trade] = await trades(world);
  assert.deepEqual([trade?.fillPrice, trade?.fillQuantity, trade?.fillshares], [7.15, '10', '10']);
  await world.place(ALICE, { price: '7.10' });
  await world.place(BOB, { transactionType: 'S', product: 'I', price: '7.10' });
  const seen = await world.call(PATH, ALICE);
  assert.deepEqual(seen.text.match(/"fillPrice":[^,]*/g), ['"fillPrice":7.15', '"fillPrice":7.10']);
  await world.close();
});

test('tradeBook keeps the terms under which an order traded, whatever it becomes', async () => {
  const world = await openWorld();
  const orderNumber = await world.place(ALICE, { price: '7.10', quantity: '10' });
  await world.place(BOB, { transactionType: 'S', product: 'I', price: '7.10', quantity: '4' });
  const before = await trades(world);
  const change = { orderNumber, tradingSymbol: 'IDEA-EQ', product: 'C', retention: 'DAY' };
  const stop = { priceType: 'SL-LMT', triggerPrice: '7.40', price: '7.45', quantity: '25' };
  assertSuccess(await world.call('/modifyOrder', ALICE, { ...change, ...stop }), 'Order modification details');
  assert.deepEqual(await trades(world), before);
  await world.place(BOB, { transactionType: 'S', product: 'I', price: '7.00', quantity: '1' });
  assert.deepEqual(await trades(world), before);
  const limit = { priceType: 'LMT', triggerPrice: '0', price: '7.10', quantity: '20' };
  assertSuccess(await world.call('/modifyOrder', ALICE, { ...change, ...limit }), 'Order modification details');
  await world.place(BOB, { transactionType: 'S', product: 'I', price: '7.10', quantity: '5' });
  assert.deepEqual(
    (await trades(world)).map(({ priceType, quantity, fillshares }) => [priceType, quantity, fillshares]),
    [
      ['LMT', '10', '4'],
      ['LMT', '20', '9'],
    ],
  );
  await world.close();
});

test('tradeBook has a row for each fill, with the shares filled so far, and one trade number for both sides', async () => {
  const world = await openWorld();
  await world.place(ALICE, { price: '7.10', quantity: '10' });
  await world.place(BOB, { transactionType: 'S', product: 'I', price: '7.10', quantity: '4' });
  await world.place(BOB, { transactionType: 'S', product: 'I', price: '7.10', quantity: '6' });
  const rows = await trades(world);
  assert.deepEqual(
    rows.map(({ fillQuantity, fillshares, quantity }) => [fillQuantity, fillshares, quantity]),
    [
      ['4', '4', '10'],
      ['6', '10', '10'],
    ],
  );
  const fillIds = (list: Record<string, unknown>[]) => list.map((row) => row.fillId);
  assert.deepEqual(fillIds(await trades(world, BOB)), fillIds(rows));
  await world.close();
});
