import assert from 'node:assert/strict';
import { test } from 'node:test';
import { price } from '../../../src/base/money.ts';
import { type SpanFile, spanKey } from '../../../src/core/margin/rates/span-file.ts';
import { unasked } from '../../kit/unasked.ts';
import { EXPIRY, FUTURE } from '../../kit/wire/fake-instruments.ts';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld, type World } from '../../kit/wire/world.ts';

const PATH = '/basketMargin';
const MESSAGE = 'Fetched basket margin successfully';
const FIRST = {
  exchange: 'NSE',
  transactionType: 'B',
  product: 'C',
  tradingSymbol: 'RELIANCE-EQ',
  quantity: '1',
  priceType: 'LMT',
  price: '1200',
};
const SECOND = { ...FIRST, tradingSymbol: 'IDEA-EQ', price: '7' };
const REQUEST = { ...FIRST, BasketList_Params: [SECOND] };

contractOf({
  path: PATH,
  message: MESSAGE,
  request: REQUEST,
  required: badRequestFields(
    'exchange',
    'transactionType',
    'product',
    'tradingSymbol',
    'quantity',
    'priceType',
    'price',
    'BasketList_Params',
  ),
  fields: {
    exchange: 'text',
    transactionType: 'text',
    product: 'text',
    tradingSymbol: 'text',
    quantity: 'number',
    priceType: 'text',
    price: 'number',
    BasketList_Params: 'list',
  },
  data: {
    BasketMargin: ['number'],
    MarginOnNewOrder: 'number',
    PreviousMargin: 'number',
    Remarks: /^$/,
    TradedMargin: 'number',
  },
});

async function basket(world: World, change: object): Promise<Record<string, unknown>> {
  const seen = await world.call(PATH, ALICE, { ...REQUEST, ...change });
  return assertSuccess(seen, MESSAGE) as Record<string, unknown>;
}

test('basketMargin adds up order by order in rupees, and counts the orders last', async () => {
  const world = await openWorld();
  assert.deepEqual(await basket(world, {}), {
    BasketMargin: [1200, 1207, 2],
    MarginOnNewOrder: 1207,
    PreviousMargin: 0,
    Remarks: '',
    TradedMargin: 1207,
  });
  assert.deepEqual((await basket(world, { BasketList_Params: [] })).BasketMargin, [1200, 1]);
  await world.place(ALICE, {});
  assert.deepEqual((await basket(world, {})).BasketMargin, [1270, 1277, 2]);
  await world.close();
});

test('basketMargin takes legs as clients send them and says when the money does not reach', async () => {
  const world = await openWorld();
  const leg = { ...SECOND, quantity: 2, price: 7, triggerPrice: '0', source: 'API' };
  assert.deepEqual((await basket(world, { BasketList_Params: [leg] })).BasketMargin, [1200, 1214, 2]);
  assert.equal((await basket(world, { quantity: '1000' })).Remarks, 'Insufficient Balance');
  await world.close();
});

test('basketMargin passes over the price of a market order', async () => {
  const world = await openWorld();
  const legs = (price: string) => ({ BasketList_Params: [{ ...SECOND, priceType: 'MKT', price }] });
  assert.deepEqual(await basket(world, legs('5.55')), await basket(world, legs('0')));
  const first = { ...FIRST, priceType: 'SL-MKT' };
  assert.deepEqual(await basket(world, { ...first, price: '1.005' }), await basket(world, { ...first, price: '0' }));
  await world.close();
});

test('basketMargin counts a list of null as an empty one, under its name and without the underline', async () => {
  const world = await openWorld();
  const { BasketList_Params: _list, ...alone } = REQUEST;
  const empty = await basket(world, { BasketList_Params: [] });
  const ask = async (list: object) => assertSuccess(await world.call(PATH, ALICE, { ...alone, ...list }), MESSAGE);
  for (const name of ['BasketList_Params', 'BasketListParams', 'basketlist_params']) {
    assert.deepEqual(await ask({ [name]: null }), empty);
    assert.deepEqual(await ask({ [name]: [] }), empty);
    assert.deepEqual(await ask({ [name]: [SECOND] }), await basket(world, {}));
  }
  assertFailure(await world.call(PATH, ALICE, alone), 400, 'BAD_REQUEST', 'BasketList_Params');
  await world.close();
});

test('basketMargin names the field of a bad leg, and holds at most 50 orders', async () => {
  const world = await openWorld();
  const wrong: [legs: unknown, field: string, message?: string][] = [
    [[{}], 'exchange', 'required field is empty or missing: exchange'],
    [[{ ...SECOND, quantity: '' }], 'quantity', 'required field is empty or missing: quantity'],
    [[{ ...SECOND, product: 'X' }], 'product'],
    [[{ ...SECOND, price: '0' }], 'price'],
    [[{ ...SECOND, tradingSymbol: 'NOSUCH-EQ' }], 'tradingSymbol'],
    ...[[5], [[]], [null], ['IDEA-EQ'], [SECOND, 5]].map((legs): [unknown, string, string] => [
      legs,
      'BasketList_Params',
      'each element of BasketList_Params must be an object',
    ]),
    [Array(50).fill(SECOND), 'BasketList_Params', 'BasketList_Params must be an array of at most 49 orders'],
    [{}, 'BasketList_Params', 'BasketList_Params must be an array of at most 49 orders'],
  ];
  for (const [BasketList_Params, field, message] of wrong) {
    const seen = await world.call(PATH, ALICE, { ...REQUEST, BasketList_Params });
    assertFailure(seen, 400, 'BAD_REQUEST', field, message);
  }
  assert.equal(((await basket(world, { BasketList_Params: Array(49).fill(SECOND) })).BasketMargin as number[])[50], 50);
  await world.close();
});

test('basketMargin refuses a delivery of contracts in any order, in the words of placeOrder, and measures it as margin', async () => {
  const world = await openWorld();
  const future = { ...FIRST, exchange: 'NFO', tradingSymbol: FUTURE.tradingSymbol, quantity: '65', price: '24100' };
  const words = 'ORA:Product Delivery not enabled on exchange NFO';
  for (const transactionType of ['B', 'S']) {
    const delivery = { ...future, transactionType };
    const seen = await world.call(PATH, ALICE, { ...delivery, BasketList_Params: [] });
    assertFailure(seen, 400, 'BAD_REQUEST', 'product', words);
    const asLeg = await world.call(PATH, ALICE, { ...FIRST, BasketList_Params: [SECOND, delivery] });
    assertFailure(asLeg, 400, 'BAD_REQUEST', 'product', words);
  }
  const number = await world.place(ALICE, { ...future, transactionType: 'S' });
  const history = await world.call('/singleOrderHistory', ALICE, { orderNumber: number });
  assert.equal((JSON.parse(history.text).data as Record<string, string>[])[0]?.rejectReason, words);
  for (const product of ['M', 'I']) {
    const margin = await basket(world, { ...future, product, BasketList_Params: [] });
    assert.ok((margin.MarginOnNewOrder as number) > 0);
  }
  await world.close();
});

test('basketMargin and orderMargin measure by the SPAN file in force, which the gateway itself is not given', async () => {
  const world = await openWorld();
  const order = {
    ...FIRST,
    exchange: 'NFO',
    product: 'M',
    tradingSymbol: 'NIFTY29DEC26F',
    quantity: '65',
    price: '24100',
  };
  const ask = async () => {
    const { MarginOnNewOrder } = await basket(world, { ...order, BasketList_Params: [] });
    const single = assertSuccess(await world.call('/orderMargin', ALICE, order), 'Fetched order margin successfully');
    return [MarginOnNewOrder, Number((single as Record<string, string>).marginOnNewOrder)];
  };
  const before = await ask();
  const { engine } = world;
  const loss = 1_000;
  engine.ports = { ...engine.ports, spanFiles: { get: () => fileWithLoss(loss) } };
  await engine.submit(unasked({ type: 'ReviseMargins', tick: engine.state.riskTick, spanFiles: ['a'] }));
  const after = await ask();
  assert.notDeepEqual(after, before);
  assert.equal(after[0], after[1]);
  const exposure = 0.02 * 24_100 * 65;
  assert.equal(after[0], loss * 65 + exposure);
});

/** A file of NFO whose NIFTY future loses `rupees` a unit in the worst scenario. */
function fileWithLoss(rupees: number): SpanFile {
  const losses = Float64Array.of(...Array(15).fill(0), rupees * 10_000);
  const stated = { price: price(24_100_00), losses, delta: 100_000 };
  const contracts = new Map([[spanKey(EXPIRY), stated]]);
  const nifty = { symbol: 'NIFTY', spot: price(24_000_00), calendarRate: undefined, shortOptionMinimum: 0, contracts };
  return { digest: 'a', exchange: 'NFO', day: EXPIRY, underlyings: new Map([['NIFTY', nifty]]) };
}
