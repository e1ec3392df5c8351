import assert from 'node:assert/strict';
import { test } from 'node:test';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, ORDER_NUMBER, T1 } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, LIMIT_BUY, openWorld, type TestUser, type World } from '../../kit/wire/world.ts';

const MESSAGE = 'Placement retrieved successfully';
const KEY = { 'idempotency-key': 'press-1' };

contractOf({
  path: '/getPlacement',
  message: MESSAGE,
  request: { idempotencyKey: 'press-1' },
  required: badRequestFields('idempotencyKey'),
  fields: { idempotencyKey: 'text' },
  data: { orders: [{ orderNumber: ORDER_NUMBER }], requestTime: T1 },
  prepare: async (world) => {
    await world.call('/placeOrder', ALICE, LIMIT_BUY, KEY);
    return undefined;
  },
});

async function ordersUnder(world: World, user: TestUser, idempotencyKey: string): Promise<readonly string[]> {
  const data = assertSuccess(await world.call('/getPlacement', user, { idempotencyKey }), MESSAGE);
  return (data as { orders: { orderNumber: string }[] }).orders.map(({ orderNumber }) => orderNumber);
}

function numbersOf(text: string): readonly string[] {
  return [JSON.parse(text).data].flat().map(({ orderNumber }: { orderNumber: string }) => orderNumber);
}

test('getPlacement finds the order of a key, for its own user alone, and places none', async () => {
  const world = await openWorld();
  assert.deepEqual(await ordersUnder(world, ALICE, 'press-1'), []);
  const placed = await world.call('/placeOrder', ALICE, LIMIT_BUY, KEY);
  assert.deepEqual(await ordersUnder(world, ALICE, 'press-1'), numbersOf(placed.text));
  assert.deepEqual(await ordersUnder(world, ALICE, 'press-2'), []);
  assert.deepEqual(await ordersUnder(world, BOB, 'press-1'), []);
  assert.equal(JSON.parse((await world.call('/orderBook', ALICE)).text).data.length, 1);
  await world.close();
});

test('getPlacement finds an order that was refused', async () => {
  const world = await openWorld();
  const placed = await world.call('/placeOrder', ALICE, { ...LIMIT_BUY, price: '7.01' }, KEY);
  assert.deepEqual(await ordersUnder(world, ALICE, 'press-1'), numbersOf(placed.text));
  await world.close();
});

test('getPlacement finds all slices of an order and all legs of a basket', async () => {
  const world = await openWorld({ slicing: 'on' });
  const sliced = await world.call('/placeOrder', ALICE, { ...LIMIT_BUY, quantity: '250000' }, KEY);
  assert.equal(numbersOf(sliced.text).length, 3);
  assert.deepEqual(await ordersUnder(world, ALICE, 'press-1'), numbersOf(sliced.text));
  const legs = [LIMIT_BUY, LIMIT_BUY];
  const basket = await world.call('/basketOrder', ALICE, { legs }, { 'idempotency-key': 'press-2' });
  assert.deepEqual(await ordersUnder(world, ALICE, 'press-2'), numbersOf(basket.text));
  await world.close();
});

test('getPlacement refuses a key that no request can have', async () => {
  const world = await openWorld();
  for (const idempotencyKey of ['press-1 slice 2', 'x'.repeat(129), '\u0930']) {
    const seen = await world.call('/getPlacement', ALICE, { idempotencyKey });
    assertFailure(seen, 400, 'BAD_REQUEST', 'idempotencyKey');
  }
  await world.close();
});
