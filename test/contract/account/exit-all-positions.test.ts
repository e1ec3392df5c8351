import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paise } from '../../../src/base/money.ts';
import { type EpochMs, HOUR_MS } from '../../../src/base/time.ts';
import { OPERATOR } from '../../../src/engine/port.ts';
import { turnDays } from '../../kit/turn-days.ts';
import { IDEA } from '../../kit/wire/fake-instruments.ts';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, ORDER_NUMBER, T1, TEXT } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, holdPlacements, LIMIT_BUY, MARKET_BUY, openWorld, type World } from '../../kit/wire/world.ts';

const PATH = '/exitAllPositions';
const MESSAGE = 'Positions exited';
const ROW = { exchange: /^(NSE|BSE|NFO|BFO)$/, tradingSymbol: TEXT, product: /^[CMI]$/ };

type Row = Readonly<Record<string, string>>;
interface Answer {
  readonly orders: readonly Row[];
  readonly refused: readonly Row[];
  readonly cancelled: readonly Row[];
  readonly left: string;
}

contractOf({
  path: PATH,
  message: MESSAGE,
  request: { product: 'I' },
  prepare: async (world) => {
    await world.place(ALICE, { ...MARKET_BUY, product: 'I' });
    return undefined;
  },
  fields: { product: 'text' },
  data: {
    orders: [{ ...ROW, orderNumber: ORDER_NUMBER }],
    refused: [{ ...ROW, orderNumber: /^(\d{16})?$/, reason: /./ }],
    cancelled: [{ orderNumber: ORDER_NUMBER }],
    left: /^0$/,
    requestTime: T1,
  },
});

const DAY_BUY = { ...MARKET_BUY, product: 'I' };
const FUTURE_SALE = {
  ...MARKET_BUY,
  exchange: 'NFO',
  tradingSymbol: 'NIFTY29DEC26F',
  product: 'M',
  transactionType: 'S',
  quantity: '65',
};

async function exitAll(world: World, fields: object = {}): Promise<Answer> {
  return assertSuccess(await world.call(PATH, ALICE, fields), MESSAGE) as Answer;
}

/** The open positions as `symbol product units`. */
async function positions(world: World): Promise<string[]> {
  const rows = assertSuccess(await world.call('/positionBook', ALICE), 'Positions retrieved successfully') as Row[];
  const open = rows.filter(({ netQuantity }) => netQuantity !== '0');
  return open.map(({ tradingSymbol, product, netQuantity }) => `${tradingSymbol} ${product} ${netQuantity}`);
}

const wordsOf = ({ tradingSymbol, product }: Row): string => `${tradingSymbol} ${product}`;

test('exitAllPositions closes longs and shorts at the market, purchases first, and nothing of others', async () => {
  const world = await openWorld();
  for (const fields of [DAY_BUY, MARKET_BUY, FUTURE_SALE]) await world.place(ALICE, fields);
  await world.place(BOB, DAY_BUY);
  const { orders, refused, cancelled, left } = await exitAll(world);
  assert.deepEqual(orders.map(wordsOf), ['NIFTY29DEC26F M', 'IDEA-EQ I', 'IDEA-EQ C']);
  assert.deepEqual([refused, cancelled, left], [[], [], '0']);
  assert.deepEqual(await positions(world), []);
  const seen = await world.call('/positionBook', BOB);
  assert.equal((assertSuccess(seen, 'Positions retrieved successfully') as Row[])[0]?.netQuantity, '10');
  assert.deepEqual((await exitAll(world)).orders, [], 'twice is once');
  await world.close();
});

test('exitAllPositions keeps to the product that it is given', async () => {
  const world = await openWorld();
  for (const fields of [DAY_BUY, MARKET_BUY]) await world.place(ALICE, fields);
  assert.deepEqual((await exitAll(world, { product: 'I' })).orders.map(wordsOf), ['IDEA-EQ I']);
  assert.deepEqual(await positions(world), ['IDEA-EQ C 10']);
  await world.close();
});

test('exitAllPositions cancels the open orders of the rows that it closes, and leaves others open', async () => {
  const world = await openWorld();
  await world.place(ALICE, DAY_BUY);
  const exit = await world.place(ALICE, { ...LIMIT_BUY, product: 'I', transactionType: 'S', price: '7.50' });
  const more = await world.place(ALICE, { ...LIMIT_BUY, product: 'I' });
  const other = await world.place(ALICE, LIMIT_BUY);
  const { orders, cancelled } = await exitAll(world);
  assert.deepEqual(
    cancelled.map(({ orderNumber }) => orderNumber),
    [exit, more],
  );
  assert.equal(orders.length, 1);
  assert.deepEqual(await positions(world), []);
  const open = assertSuccess(await world.call('/orderBook', ALICE), 'Order book') as Row[];
  assert.equal(open.find(({ orderNumber }) => orderNumber === other)?.status, 'OPEN');
  await world.close();
});

test('exitAllPositions does not buy back held shares that were sold', async () => {
  const world = await openWorld();
  await world.place(ALICE, { ...MARKET_BUY, transactionType: 'S' });
  await world.place(ALICE, DAY_BUY);
  assert.deepEqual((await exitAll(world)).orders.map(wordsOf), ['IDEA-EQ I']);
  assert.deepEqual(await positions(world), ['IDEA-EQ C -10']);
  await world.close();
});

test('exitAllPositions sends slices of the freeze quantity', async () => {
  const world = await openWorld();
  const deposit = { account: ALICE.account, amount: paise(10_000_000_000), opening: true };
  await world.engine.submit({ command: { type: 'DepositCash', ...deposit }, origin: OPERATOR });
  for (const quantity of ['1755', '1755']) {
    await world.place(ALICE, { ...FUTURE_SALE, transactionType: 'B', quantity, product: 'I' });
  }
  const held = await positions(world);
  const { orders, refused } = await exitAll(world);
  assert.deepEqual([held, refused], [['NIFTY29DEC26F I 3510'], []]);
  assert.equal(orders.length, 2);
  assert.deepEqual(await positions(world), []);
  await world.close();
});

test('exitAllPositions answers what the desk refused, and the books are as they were', async () => {
  const world = await openWorld();
  await world.place(ALICE, DAY_BUY);
  const target = { kind: 'Suspension', instrument: IDEA.id } as const;
  await world.engine.submit({ command: { type: 'SetSwitch', target, on: true, by: 'x', why: 'y' }, origin: OPERATOR });
  const { orders, refused } = await exitAll(world);
  assert.deepEqual(orders, []);
  assert.equal(refused.length, 1);
  assert.match(refused[0]?.orderNumber ?? '', /^\d{16}$/);
  assert.match(refused[0]?.reason ?? '', /suspended/i);
  assert.deepEqual(await positions(world), ['IDEA-EQ I 10']);
  await world.close();
});

test('exitAllPositions at night leaves one order a position for the next session, however often it is asked', async () => {
  const world = await openWorld();
  await world.place(ALICE, DAY_BUY);
  world.now = (world.now + 11.75 * HOUR_MS) as EpochMs;
  const user = await world.logIn(ALICE);
  const first = assertSuccess(await world.call(PATH, user), MESSAGE) as Answer;
  const second = assertSuccess(await world.call(PATH, user), MESSAGE) as Answer;
  assert.deepEqual(
    second.cancelled.map(({ orderNumber }) => orderNumber),
    first.orders.map(({ orderNumber }) => orderNumber),
  );
  const rows = assertSuccess(await world.call('/orderBook', user), 'Order book') as Row[];
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['COMPLETE', 'CANCELED', 'AMO OPEN'],
  );
  await world.close();
});

test('exitAllPositions answers its orders, though days turn before they are durable', async () => {
  for (const days of [1, 10]) {
    const world = await openWorld();
    await world.place(ALICE, { ...MARKET_BUY, product: 'I' });
    const { engine } = world;
    const { read } = engine;
    const { day } = engine.state;
    engine.read = (query) => {
      turnDays(
        world,
        Array.from({ length: days }, (_, place) => day + 3 + place),
      );
      engine.read = read;
      return read.call(engine, query) as ReturnType<typeof query>;
    };
    const { orders, refused } = await exitAll(world);
    assert.ok(engine.state.day > day);
    assert.deepEqual([orders.length, refused.length], [1, 0]);
    await world.close();
  }
});

test('a second exitAllPositions that comes while the first runs is refused, so no position is turned over', async () => {
  const world = await openWorld();
  await world.place(ALICE, DAY_BUY);
  const held = holdPlacements(world);
  const first = world.call(PATH, ALICE);
  await held.taken;
  assertFailure(await world.call(PATH, ALICE), 429, 'RATE_LIMIT_EXCEEDED', 'rate');
  held.release();
  assert.equal((assertSuccess(await first, MESSAGE) as Answer).orders.length, 1);
  assert.deepEqual(await positions(world), []);
  assert.deepEqual((await exitAll(world)).orders, [], 'the next one is taken again');
  await world.close();
});

test('the orders of exitAllPositions count against the rate of their segments, and the answer says which had no room', async () => {
  const world = await openWorld({ rateLimit: 'exchange' });
  await world.place(ALICE, DAY_BUY);
  await world.place(ALICE, FUTURE_SALE);
  const legs = Array(9).fill({ ...LIMIT_BUY, quantity: '1' });
  await world.call('/basketOrder', ALICE, { legs });
  const { orders, refused } = await exitAll(world);
  assert.deepEqual(orders.map(wordsOf), ['NIFTY29DEC26F M']);
  assert.deepEqual(
    refused.map((row) => `${wordsOf(row)}: ${row.reason}`),
    ['IDEA-EQ I: rate limit exceeded'],
  );
  world.now = (world.now + 1_000) as EpochMs;
  assert.deepEqual((await exitAll(world)).orders.map(wordsOf), ['IDEA-EQ I']);
  await world.close();
});
