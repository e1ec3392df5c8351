import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, INTEGER, ORDER_NUMBER, RUPEES } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, LIMIT_BUY, MARKET_BUY, openWorld, type TestUser, type World } from '../../kit/wire/world.ts';

const PATH = '/getQueuePlaces';
const MESSAGE = 'Queue places';

contractOf({
  path: PATH,
  message: MESSAGE,
  request: { exchange: 'NSE', tradingSymbol: 'IDEA-EQ' },
  prepare: async (world) => {
    await world.place(ALICE, {});
    return undefined;
  },
  fields: { exchange: 'text', tradingSymbol: 'text' },
  data: [
    {
      orderNumber: ORDER_NUMBER,
      exchange: /^NSE$/,
      tradingSymbol: /^IDEA-EQ$/,
      transactionType: /^B$/,
      price: RUPEES,
      quantity: INTEGER,
      ahead: INTEGER,
    },
  ],
});

type Row = Readonly<Record<'orderNumber' | 'tradingSymbol' | 'quantity' | 'ahead', string>>;

async function places(world: World, user: TestUser, fields: object = {}): Promise<readonly Row[]> {
  return assertSuccess(await world.call(PATH, user, fields), MESSAGE) as readonly Row[];
}

test("an order stands behind the market's units and older orders of users, and moves up as these leave", async () => {
  const world = await openWorld();
  const first = await world.place(ALICE, { quantity: '30' });
  await world.place(BOB, { quantity: '5' });
  const [alices] = await places(world, ALICE);
  const [bobs] = await places(world, BOB);
  assert.deepEqual([alices?.orderNumber, alices?.quantity], [first, '30']);
  assert.equal(Number(bobs?.ahead), Number(alices?.ahead) + 30);
  await world.call('/cancelOrder', ALICE, { orderNumber: first });
  assert.deepEqual(await places(world, ALICE), []);
  assert.equal((await places(world, BOB))[0]?.ahead, alices?.ahead);
  await world.close();
});

test('stops, orders that ended and those of other users have no place', async () => {
  const world = await openWorld();
  await world.place(ALICE, MARKET_BUY);
  await world.place(ALICE, { ...LIMIT_BUY, priceType: 'SL-LMT', price: '7.60', triggerPrice: '7.55' });
  await world.place(BOB, LIMIT_BUY);
  assert.deepEqual(await places(world, ALICE), []);
  await world.close();
});

test('the rows are those of the exchange and the instrument that are named', async () => {
  const world = await openWorld();
  await world.place(ALICE, LIMIT_BUY);
  await world.place(ALICE, { ...LIMIT_BUY, tradingSymbol: 'RELIANCE-EQ', price: '1250.00' });
  await world.place(ALICE, { ...LIMIT_BUY, exchange: 'BSE', tradingSymbol: 'IDEA' });
  const symbols = async (fields: object) => (await places(world, ALICE, fields)).map((row) => row.tradingSymbol);
  assert.deepEqual(await symbols({}), ['IDEA-EQ', 'RELIANCE-EQ', 'IDEA']);
  assert.deepEqual(await symbols({ exchange: 'NSE' }), ['IDEA-EQ', 'RELIANCE-EQ']);
  assert.deepEqual(await symbols({ exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ' }), ['RELIANCE-EQ']);
  const unknown = await world.call(PATH, ALICE, { exchange: 'NSE', tradingSymbol: 'NOPE-EQ' });
  assertFailure(unknown, 400, 'BAD_REQUEST', 'tradingSymbol', 'Security not found');
  assert.equal((await world.call(PATH, ALICE, { tradingSymbol: 'IDEA-EQ' })).status, 400);
  await world.close();
});

test('an answer of many rows has each of them', async () => {
  const world = await openWorld();
  const numbers: string[] = [];
  for (let count = 0; count < 120; count += 1) numbers.push(await world.place(ALICE, { quantity: '1' }));
  const rows = await places(world, ALICE);
  assert.deepEqual(
    rows.map(({ orderNumber }) => orderNumber),
    numbers,
  );
  const first = Number(rows[0]?.ahead);
  assert.deepEqual(
    rows.map(({ ahead }) => Number(ahead) - first),
    numbers.map((_, index) => index),
  );
  await world.close();
});
