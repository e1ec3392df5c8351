import assert from 'node:assert/strict';
import { test } from 'node:test';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, T1 } from '../../kit/wire/wire-checks.ts';
import { ALICE, MARKET_BUY, openWorld, type World } from '../../kit/wire/world.ts';

const PATH = '/productConversion';
const MESSAGE = 'Partial position conversion info fetched';
const REQUEST = {
  tradingSymbol: 'IDEA-EQ',
  exchange: 'NSE',
  previousProduct: 'I',
  product: 'C',
  quantity: '4',
  msgFlag: '1',
};

async function buyIntraday(world: World): Promise<undefined> {
  await world.place(ALICE, { ...MARKET_BUY, product: 'I' });
  return undefined;
}

contractOf({
  path: PATH,
  message: MESSAGE,
  request: REQUEST,
  prepare: buyIntraday,
  required: badRequestFields('product', 'tradingSymbol', 'exchange'),
  fields: {
    product: 'text',
    tradingSymbol: 'text',
    exchange: 'text',
    previousProduct: 'text',
    quantity: 'number',
    msgFlag: 'number',
  },
  data: { Status: /^ok$/, requestTime: T1 },
});

async function statusOf(world: World, change: object): Promise<string> {
  const data = assertSuccess(await world.call(PATH, ALICE, { ...REQUEST, ...change }), MESSAGE);
  return (data as { Status: string }).Status;
}

async function quantities(world: World): Promise<string[]> {
  const seen = await world.call('/positionBook', ALICE);
  const rows = assertSuccess(seen, 'Positions retrieved successfully') as Record<string, string>[];
  return rows.map(({ product, netQuantity }) => `${product} ${netQuantity}`).sort();
}

test('productConversion moves the quantity from one product to the other', async () => {
  const world = await openWorld();
  await buyIntraday(world);
  assert.equal(await statusOf(world, {}), 'ok');
  assert.deepEqual(await quantities(world), ['C 4', 'I 6']);
  assert.equal(await statusOf(world, { msgFlag: undefined, quantity: 1 }), 'ok');
  assert.equal(await statusOf(world, { msgFlag: '', previousProduct: '', quantity: '' }), 'ok');
  assert.match((await quantities(world)).join(), /^C 10/);
  await world.close();
});

test('productConversion without a quantity converts what is still open of that side and age', async () => {
  const world = await openWorld();
  await buyIntraday(world);
  await world.place(ALICE, { ...MARKET_BUY, product: 'I', transactionType: 'S', quantity: '3' });
  assert.equal(await statusOf(world, { quantity: undefined }), 'ok');
  assert.deepEqual(await quantities(world), ['C 7', 'I 0']);
  assert.equal(await statusOf(world, { quantity: undefined }), 'Invalid Input :  Invalid Position Type');
  await world.close();
});

test('productConversion says in Status why it was refused, and moves nothing', async () => {
  const world = await openWorld();
  await buyIntraday(world);
  for (const change of [{ quantity: '11' }, { msgFlag: '3' }, { msgFlag: 2 }, { previousProduct: 'C' }]) {
    assert.notEqual(await statusOf(world, change), 'ok', JSON.stringify(change));
  }
  assert.deepEqual(await quantities(world), ['I 10']);
  await world.close();
});

test('productConversion refuses wrong words and unknown symbols', async () => {
  const world = await openWorld();
  const wrong: [change: object, field: string][] = [
    [{ product: 'CNC' }, 'product'],
    [{ previousProduct: 'MIS' }, 'previousProduct'],
    [{ msgFlag: '5' }, 'msgFlag'],
    [{ msgFlag: 0 }, 'msgFlag'],
    [{ quantity: '0' }, 'quantity'],
    [{ tradingSymbol: 'NOSUCH-EQ' }, 'tradingSymbol'],
  ];
  for (const [change, field] of wrong) {
    assertFailure(await world.call(PATH, ALICE, { ...REQUEST, ...change }), 400, 'BAD_REQUEST', field);
  }
  await world.close();
});
