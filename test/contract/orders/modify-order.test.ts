import assert from 'node:assert/strict';
import { test } from 'node:test';
import { turnDays } from '../../kit/turn-days.ts';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, ORDER_NUMBER, T1 } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, LIMIT_BUY, MARKET_BUY, openWorld, type World } from '../../kit/wire/world.ts';

const PATH = '/modifyOrder';
const MESSAGE = 'Order modification details';
const REQUEST = {
  priceType: 'LMT',
  tradingSymbol: 'IDEA-EQ',
  price: '7.05',
  triggerPrice: '0',
  quantity: '12',
  product: 'C',
  retention: 'DAY',
};

contractOf({
  path: PATH,
  message: MESSAGE,
  request: REQUEST,
  prepare: async (world) => ({ orderNumber: await world.place(ALICE, {}) }),
  required: badRequestFields('orderNumber', 'product', 'priceType', 'tradingSymbol', 'retention'),
  fields: {
    orderNumber: 'number',
    exchange: 'text',
    product: 'text',
    priceType: 'text',
    tradingSymbol: 'text',
    mkt_protection: 'number',
    price: 'number',
    quantity: 'number',
    triggerPrice: 'number',
    retention: 'text',
  },
  data: { orderNumber: ORDER_NUMBER, remarks: /^$/, requestTime: T1 },
});

async function modify(world: World, change: object): Promise<Record<string, string>> {
  return assertSuccess(await world.call(PATH, ALICE, { ...REQUEST, ...change }), MESSAGE) as Record<string, string>;
}

async function newest(world: World, orderNumber: string): Promise<Record<string, string>> {
  const seen = await world.call('/singleOrderHistory', ALICE, { orderNumber });
  return (assertSuccess(seen, 'Order history data received') as Record<string, string>[])[0] ?? {};
}

test('modifyOrder changes what it names and leaves the rest', async () => {
  const world = await openWorld();
  const orderNumber = await world.place(ALICE, {});
  await modify(world, { orderNumber });
  const { price, quantity, reportType } = await newest(world, orderNumber);
  assert.deepEqual([price, quantity, reportType], ['7.05', '12', 'Replaced']);
  await modify(world, { orderNumber, price: '', quantity: '', triggerPrice: '', exchange: 'NSE' });
  const after = await newest(world, orderNumber);
  assert.deepEqual([after.price, after.quantity], ['7.05', '12']);
  await modify(world, { orderNumber: Number(orderNumber), price: 7.1, quantity: 13 });
  assert.equal((await newest(world, orderNumber)).price, '7.10');
  await world.close();
});

test('modifyOrder to a market type needs a protection above 0, and becomes a limit order', async () => {
  const world = await openWorld();
  const orderNumber = await world.place(ALICE, {});
  const market = { ...REQUEST, orderNumber, priceType: 'MKT', price: '0' };
  for (const priceType of ['MKT', 'SL-MKT']) {
    const terms = { ...market, priceType, triggerPrice: priceType === 'MKT' ? '0' : '7.20' };
    for (const mkt_protection of [undefined, null, '']) {
      const seen = await world.call(PATH, ALICE, { ...terms, mkt_protection });
      const missing = 'required field is empty or missing: mkt_protection';
      assertFailure(seen, 400, 'BAD_REQUEST', 'mkt_protection', missing);
    }
    for (const mkt_protection of ['0', '-1', 0, '0.0', 'x']) {
      const seen = await world.call(PATH, ALICE, { ...terms, mkt_protection });
      assertFailure(seen, 400, 'BAD_REQUEST', 'mkt_protection', 'mkt_protection must be greater than 0');
    }
  }
  await modify(world, { ...market, mkt_protection: '0.5' });
  const { status, priceType } = await newest(world, orderNumber);
  assert.deepEqual([status, priceType], ['COMPLETE', 'LMT']);
  await world.close();
});

test('modifyOrder names a field that its price type needs before a wrong one', async () => {
  const world = await openWorld();
  const orderNumber = await world.place(ALICE, {});
  const market = { ...REQUEST, orderNumber, priceType: 'MKT', price: '0' };
  const stop = { ...REQUEST, orderNumber, priceType: 'SL-LMT', triggerPrice: undefined };
  const wrong: [body: object, field: string][] = [
    [{ ...market, retention: 'XXX' }, 'mkt_protection'],
    [{ ...market, retention: undefined }, 'mkt_protection'],
    [{ ...market, price: 'abc' }, 'mkt_protection'],
    [{ ...market, product: undefined }, 'product'],
    [{ ...stop, price: 'abc' }, 'triggerPrice'],
    [{ ...stop, retention: undefined }, 'triggerPrice'],
    [{ ...market, priceType: 'XXX', price: 'abc' }, 'price'],
  ];
  for (const [body, field] of wrong) {
    assertFailure(await world.call(PATH, ALICE, body), 400, 'BAD_REQUEST', field);
  }
  await world.close();
});

test('modifyOrder knows the symbol of an order as the master does, with blanks around it', async () => {
  const world = await openWorld();
  const orderNumber = await world.place(ALICE, {});
  await modify(world, { orderNumber, tradingSymbol: ' IDEA-EQ ' });
  await world.close();
});

test('modifyOrder holds price and trigger to the price type', async () => {
  const world = await openWorld();
  const orderNumber = await world.place(ALICE, {});
  const wrong: [change: object, field: string][] = [
    [{ price: '0' }, 'price'],
    [{ priceType: 'MKT', mkt_protection: '1' }, 'price'],
    [{ triggerPrice: '7.20' }, 'triggerPrice'],
    [{ priceType: 'SL-LMT', triggerPrice: undefined }, 'triggerPrice'],
    [{ priceType: 'SL-LMT', triggerPrice: '0' }, 'triggerPrice'],
    [{ tradingSymbol: 'RELIANCE-EQ' }, 'tradingSymbol'],
    [{ product: 'I' }, 'product'],
  ];
  for (const [change, field] of wrong) {
    const seen = await world.call(PATH, ALICE, { ...REQUEST, orderNumber, ...change });
    assertFailure(seen, 400, 'BAD_REQUEST', field);
  }
  await world.close();
});

test('modifyOrder answers the same bytes for an order of another user and for none', async () => {
  const world = await openWorld();
  const bobs = await world.place(BOB, {});
  const own = await world.place(ALICE, {});
  const texts = new Set<string>();
  for (const orderNumber of [bobs, '26112099999999', '1', 'abc', `0${own}`, '0']) {
    const seen = await world.call(PATH, ALICE, { ...REQUEST, orderNumber });
    assertFailure(seen, 400, 'BAD_REQUEST', 'orderNumber', 'order not found or invalid');
    texts.add(seen.text);
  }
  assert.equal(texts.size, 1);
  await world.close();
});

test('modifyOrder reports a refusal in the data', async () => {
  const world = await openWorld();
  const orderNumber = await world.place(ALICE, MARKET_BUY);
  const data = await modify(world, { orderNumber });
  assert.deepEqual(Object.keys(data), ['orderNumber', 'rejreason', 'remarks', 'requestTime']);
  assert.equal(data.rejreason, 'SAF:order is not open to modify');
  const open = await world.place(ALICE, LIMIT_BUY);
  assert.match(String((await modify(world, { orderNumber: open, price: '7.03' })).rejreason), /^16283:/);
  assert.equal((await newest(world, open)).price, '7.00');
  await world.close();
});

test('modifyOrder of an own order of an earlier day says that it is not open, for as long as its history is kept', async () => {
  const world = await openWorld({ rateLimit: 'exchange' });
  const orderNumber = await world.place(ALICE, {});
  const bobs = await world.place(BOB, {});
  const { day } = world.engine.state;
  turnDays(world, [day + 1]);
  const before = world.engine.state.seq;
  const data = await modify(world, { orderNumber, quantity: '' });
  assert.deepEqual(Object.keys(data), ['orderNumber', 'rejreason', 'remarks', 'requestTime']);
  assert.equal(data.rejreason, 'SAF:order is not open to modify');
  const another = await world.call(PATH, ALICE, { ...REQUEST, orderNumber, tradingSymbol: 'RELIANCE-EQ' });
  assertFailure(another, 400, 'BAD_REQUEST', 'tradingSymbol');
  assert.equal((await world.call(PATH, ALICE, { ...REQUEST, orderNumber: bobs })).status, 400);
  assert.equal(world.engine.state.seq, before, 'nothing is recorded');
  turnDays(
    world,
    [2, 3, 4, 5, 6, 7, 8].map((later) => day + later),
  );
  const seen = await world.call(PATH, ALICE, { ...REQUEST, orderNumber });
  assertFailure(seen, 400, 'BAD_REQUEST', 'orderNumber', 'order not found or invalid');
  await world.close();
});

test('modifyOrder checks an exchange that is given against that of the order', async () => {
  const world = await openWorld();
  const orderNumber = await world.place(ALICE, {});
  for (const exchange of ['BSE', 'NFO']) {
    const seen = await world.call(PATH, ALICE, { ...REQUEST, orderNumber, exchange });
    assertFailure(seen, 400, 'BAD_REQUEST', 'exchange', 'exchange is not that of the order');
  }
  const unknown = await world.call(PATH, ALICE, { ...REQUEST, orderNumber, exchange: 'MCX' });
  assertFailure(unknown, 400, 'BAD_REQUEST', 'exchange', 'Invalid exchange provided');
  assert.equal((await newest(world, orderNumber)).price, '7.00');
  await modify(world, { orderNumber, exchange: 'NSE' });
  assert.equal((await newest(world, orderNumber)).price, '7.05');
  await world.close();
});

test('modifyOrder takes M and I as one product in cash', async () => {
  const world = await openWorld();
  const orderNumber = await world.place(ALICE, { product: 'M' });
  await modify(world, { orderNumber, product: 'I' });
  await modify(world, { orderNumber, product: 'M', quantity: '13' });
  const seen = await world.call(PATH, ALICE, { ...REQUEST, orderNumber, product: 'C' });
  assertFailure(seen, 400, 'BAD_REQUEST', 'product');
  await world.close();
});
