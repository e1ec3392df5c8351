import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FUTURE } from '../../kit/wire/fake-instruments.ts';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, RUPEES, T1 } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld } from '../../kit/wire/world.ts';

const PATH = '/orderMargin';
const MESSAGE = 'Fetched order margin successfully';
const REQUEST = {
  exchange: 'NSE',
  transactionType: 'B',
  product: 'C',
  tradingSymbol: 'RELIANCE-EQ',
  quantity: '1',
  priceType: 'LMT',
  price: '1200',
};

contractOf({
  path: PATH,
  message: MESSAGE,
  request: { ...REQUEST, actid: 'AB1234' },
  required: badRequestFields(
    'exchange',
    'transactionType',
    'product',
    'tradingSymbol',
    'quantity',
    'priceType',
    'price',
  ),
  fields: {
    exchange: 'text',
    transactionType: 'text',
    product: 'text',
    tradingSymbol: 'text',
    quantity: 'number',
    priceType: 'text',
    price: 'number',
  },
  data: {
    availableMargin: RUPEES,
    cash: RUPEES,
    marginOnNewOrder: RUPEES,
    remarks: /^$/,
    requestTime: T1,
  },
});

test('orderMargin says what an order would need, in rupees, and changes nothing', async () => {
  const world = await openWorld();
  const ask = async (change: object) =>
    assertSuccess(await world.call(PATH, ALICE, { ...REQUEST, ...change }), MESSAGE) as Record<string, string>;
  const seq = world.engine.state.seq;
  assert.equal((await ask({})).marginOnNewOrder, '1200.00');
  assert.equal((await ask({ product: 'I' })).marginOnNewOrder, '240.00');
  assert.equal((await ask({ quantity: '1000' })).remarks, 'Insufficient Balance');
  assert.equal(world.engine.state.seq, seq);
  assertFailure(await world.call(PATH, ALICE, { ...REQUEST, price: '0' }), 400, 'BAD_REQUEST', 'price');
  await world.close();
});

test('orderMargin passes over the price of a market order, and looks at that of a limit before the instrument', async () => {
  const world = await openWorld();
  const ask = (change: object) => world.call(PATH, ALICE, { ...REQUEST, ...change });
  const atMarket = assertSuccess(await ask({ priceType: 'MKT', price: '0' }), MESSAGE);
  for (const price of ['0.01', '1260', 5, '1.005']) {
    assert.deepEqual(assertSuccess(await ask({ priceType: 'MKT', price }), MESSAGE), atMarket);
    assert.deepEqual(assertSuccess(await ask({ priceType: 'SL-MKT', price }), MESSAGE), atMarket);
  }
  assertFailure(await ask({ priceType: 'MKT', price: 'much' }), 400, 'BAD_REQUEST', 'price');
  assertFailure(await ask({ price: 'much', tradingSymbol: 'NONE-EQ' }), 400, 'BAD_REQUEST', 'price');
  assertFailure(await ask({ price: '1.005', tradingSymbol: 'NONE-EQ' }), 400, 'BAD_REQUEST', 'price');
  await world.close();
});

test('orderMargin measures a stop with its trigger as placing it would, and without one as the order that it becomes', async () => {
  const world = await openWorld();
  const ask = async (change: object) =>
    assertSuccess(await world.call(PATH, ALICE, { ...REQUEST, ...change }), MESSAGE) as Record<string, string>;
  const stop = { priceType: 'SL-MKT', price: '0', triggerPrice: '1300' };
  const order = { ...REQUEST, ...stop, retention: 'DAY', remarks: '' };
  const previewed = assertSuccess(
    await world.call('/previewOrders', ALICE, { orders: [order] }),
    'Orders previewed',
  ) as {
    readonly orders: readonly Record<string, string>[];
  };
  const { marginOnNewOrder } = await ask(stop);
  assert.equal(marginOnNewOrder, previewed.orders[0]?.marginAlone);
  assert.ok(Number(marginOnNewOrder) > 1300, 'the trigger with its protection');
  const atMarket = await ask({ priceType: 'MKT', price: '0' });
  for (const triggerPrice of ['0', '', undefined]) {
    assert.deepEqual(await ask({ ...stop, triggerPrice }), atMarket, `trigger ${triggerPrice}`);
  }
  assert.deepEqual(await ask({ triggerPrice: '1300' }), await ask({}), 'only a stop has a trigger');
  const before = availableOf(await ask({}));
  assertSuccess(await world.call('/placeOrder', ALICE, order), 'Order details');
  assert.equal((before - availableOf(await ask({}))).toFixed(2), marginOnNewOrder, 'the margin that placing blocks');
  for (const triggerPrice of ['much', '1300.005']) {
    assertFailure(
      await world.call(PATH, ALICE, { ...REQUEST, ...stop, triggerPrice }),
      400,
      'BAD_REQUEST',
      'triggerPrice',
    );
  }
  await world.close();
});

function availableOf({ availableMargin = '' }: Readonly<Record<string, string>>): number {
  return Number(availableMargin);
}

test('orderMargin refuses a delivery of a contract, and looks at the instrument before the product', async () => {
  const world = await openWorld();
  const ask = (change: object) => world.call(PATH, ALICE, { ...REQUEST, exchange: 'NFO', quantity: '65', ...change });
  const words = 'ORA:Product Delivery not enabled on exchange NFO';
  assertFailure(await ask({ tradingSymbol: FUTURE.tradingSymbol }), 400, 'BAD_REQUEST', 'product', words);
  assertFailure(await ask({ tradingSymbol: 'NONE26F' }), 400, 'BAD_REQUEST', 'tradingSymbol');
  assertSuccess(await ask({ tradingSymbol: FUTURE.tradingSymbol, product: 'M' }), MESSAGE);
  await world.close();
});
