import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unavailable } from '../../../src/engine/port.ts';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, ORDER_NUMBER, T1 } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, LIMIT_BUY, MARKET_BUY, openWorld, type World } from '../../kit/wire/world.ts';

const PATH = '/cancelAllOrders';
const MESSAGE = 'Orders cancelled';

interface Answer {
  readonly cancelled: readonly { readonly orderNumber: string }[];
  readonly refused: readonly { readonly orderNumber: string; readonly reason: string }[];
  readonly left: string;
}

contractOf({
  path: PATH,
  message: MESSAGE,
  request: { exchange: 'NSE', tradingSymbol: 'IDEA-EQ' },
  prepare: async (world) => {
    await world.place(ALICE, {});
    return undefined;
  },
  fields: { exchange: 'text', tradingSymbol: 'text' },
  data: {
    cancelled: [{ orderNumber: ORDER_NUMBER }],
    refused: [{ orderNumber: ORDER_NUMBER, reason: /./ }],
    left: /^0$/,
    requestTime: T1,
  },
});

async function cancelAll(world: World, fields: object = {}): Promise<Answer> {
  return assertSuccess(await world.call(PATH, ALICE, fields), MESSAGE) as Answer;
}

const numbers = (rows: readonly { readonly orderNumber: string }[]): string[] =>
  rows.map(({ orderNumber }) => orderNumber);

async function statusesOf(world: World): Promise<string[]> {
  const rows = assertSuccess(await world.call('/orderBook', ALICE), 'Order book') as Record<string, string>[];
  return rows.map(({ status = '' }) => status);
}

const BSE_BUY = { ...LIMIT_BUY, exchange: 'BSE', tradingSymbol: 'IDEA' };
const RELIANCE_BUY = { ...LIMIT_BUY, tradingSymbol: 'RELIANCE-EQ', price: '1250.00' };
const STOP_BUY = { ...LIMIT_BUY, priceType: 'SL-LMT', price: '7.60', triggerPrice: '7.55' };

test('cancelAllOrders cancels every open order of the caller, stops among them, and no other', async () => {
  const world = await openWorld();
  const filled = await world.place(ALICE, MARKET_BUY);
  const open = [];
  for (const fields of [LIMIT_BUY, BSE_BUY, STOP_BUY]) open.push(await world.place(ALICE, fields));
  await world.place(BOB, LIMIT_BUY);
  const { cancelled, refused, left } = await cancelAll(world);
  assert.deepEqual([numbers(cancelled), refused, left], [open, [], '0']);
  assert.ok(!numbers(cancelled).includes(filled));
  assert.deepEqual(await statusesOf(world), ['COMPLETE', 'CANCELED', 'CANCELED', 'CANCELED']);
  const bobs = assertSuccess(await world.call('/orderBook', BOB), 'Order book') as Record<string, string>[];
  assert.equal(bobs[0]?.status, 'OPEN');
  assert.deepEqual(await cancelAll(world).then(({ cancelled }) => cancelled), [], 'twice is once');
  await world.close();
});

test('cancelAllOrders keeps to the exchange and the instrument that it is given', async () => {
  const world = await openWorld();
  const nse = await world.place(ALICE, LIMIT_BUY);
  const bse = await world.place(ALICE, BSE_BUY);
  const reliance = await world.place(ALICE, RELIANCE_BUY);
  const one = await cancelAll(world, { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ' });
  assert.deepEqual(numbers(one.cancelled), [reliance]);
  assert.deepEqual(numbers((await cancelAll(world, { exchange: 'BSE' })).cancelled), [bse]);
  assert.deepEqual(numbers((await cancelAll(world, { exchange: '' })).cancelled), [nse]);
  const unknown = await world.call(PATH, ALICE, { exchange: 'NSE', tradingSymbol: 'NOSUCH-EQ' });
  assertFailure(unknown, 400, 'BAD_REQUEST', 'tradingSymbol', 'Security not found');
  const alone = await world.call(PATH, ALICE, { tradingSymbol: 'IDEA-EQ' });
  assertFailure(alone, 400, 'BAD_REQUEST', 'exchange', 'required field is empty or missing: exchange');
  await world.close();
});

test('cancelAllOrders answers the orders that it could not cancel, with the reason', async () => {
  const world = await openWorld();
  const [first, second] = [await world.place(ALICE, LIMIT_BUY), await world.place(ALICE, LIMIT_BUY)];
  const { submit } = world.engine;
  let count = 0;
  world.engine.submit = async (submission) => {
    count += 1;
    if (count === 1) throw new Unavailable('full');
    // Another request of the client cancels the second order a moment before.
    await submit.call(world.engine, submission);
    return submit.call(world.engine, submission);
  };
  const { cancelled, refused } = await cancelAll(world);
  assert.deepEqual(cancelled, []);
  assert.deepEqual(refused, [
    { orderNumber: first, reason: 'the service takes no commands now; nothing was done' },
    { orderNumber: second, reason: 'SAF:order is not open to cancel' },
  ]);
  await world.close();
});

test('cancelAllOrders takes a thousand orders a request, and says how many are left', async () => {
  const world = await openWorld();
  for (let basket = 0; basket < 21; basket += 1) {
    await world.call('/basketOrder', ALICE, { legs: Array(50).fill({ ...LIMIT_BUY, quantity: '1' }) });
  }
  const first = await cancelAll(world);
  assert.deepEqual([first.cancelled.length, first.left], [1000, '50']);
  const second = await cancelAll(world);
  assert.deepEqual([second.cancelled.length, second.left], [50, '0']);
  await world.close();
});

test('cancelAllOrders is one amendment of the account, however many orders it cancels', async () => {
  const world = await openWorld({ rateLimit: 'exchange' });
  for (let i = 0; i < 10; i += 1) await world.place(ALICE, LIMIT_BUY);
  assertFailure(await world.call('/placeOrder', ALICE, LIMIT_BUY), 429, 'RATE_LIMIT_EXCEEDED', 'rate');
  assert.equal((await cancelAll(world)).cancelled.length, 10);
  await world.close();
});
