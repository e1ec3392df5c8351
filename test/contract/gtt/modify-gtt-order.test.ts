import assert from 'node:assert/strict';
import { test } from 'node:test';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, ORDER_NUMBER, T1 } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, openWorld, type World } from '../../kit/wire/world.ts';
import { ONE_LEG, ORDER, placed, rowOf, TWO_LEGS } from './gtt-requests.ts';

const PATH = '/modifyGttOrder';
const MESSAGE = 'GTT order modified successfully';

contractOf({
  path: PATH,
  message: MESSAGE,
  request: ONE_LEG,
  prepare: async (world) => ({ GTTid: await placed(world) }),
  required: badRequestFields('GTTid', 'tradingSymbol', 'exchange', 'validity', 'OrderParams'),
  fields: { GTTid: 'number', tradingSymbol: 'text', exchange: 'text', validity: 'text', value: 'number' },
  data: { GTTid: ORDER_NUMBER, requestTime: T1 },
});

async function modified(world: World, GTTid: string, change: object): Promise<void> {
  assertSuccess(await world.call(PATH, ALICE, { ...ONE_LEG, GTTid, ...change }), MESSAGE);
}

test('modifyGttOrder gives another order and another trigger, whose way the last price decides', async () => {
  const world = await openWorld();
  const gtt = await placed(world);
  await modified(world, gtt, {
    value: '1400',
    remarks: 'later',
    OrderParams: { ...ORDER, price: '1410', quantity: '3' },
  });
  const row = await rowOf(world, gtt);
  assert.deepEqual([row.value, row.condition, row.remarks, row.status], ['1400.00', 'ABOVE', 'later', 'ACTIVE']);
  assert.deepEqual([row.OrderParams.price, row.OrderParams.quantity], ['1410.00', '3']);
  await world.close();
});

test('modifyGttOrder without a trigger and without a second leg, as the vendor sends it, leaves both as they are', async () => {
  const world = await openWorld();
  const gtt = await placed(world, TWO_LEGS);
  const before = await rowOf(world, gtt);
  await modified(world, gtt, { value: undefined, OrderParams: { ...ORDER, quantity: '9' } });
  const after = await rowOf(world, gtt);
  assert.equal(after.OrderParams.quantity, '9');
  for (const field of ['value', 'condition', 'value2', 'condition2', 'legs'])
    assert.equal(after[field], before[field], field);
  assert.deepEqual(after.OrderParams2, before.OrderParams2);
  await world.close();
});

test('modifyGttOrder adds a second leg, which then needs a trigger', async () => {
  const world = await openWorld();
  const gtt = await placed(world);
  const second = { ...ONE_LEG, GTTid: gtt, OrderParams2: ORDER };
  assertFailure(await world.call(PATH, ALICE, second), 400, 'BAD_REQUEST', 'value2');
  assertFailure(await world.call(PATH, ALICE, { ...second, value2: '1000' }), 400, 'BAD_REQUEST', 'value');
  await modified(world, gtt, { ...second, value2: '1500' });
  assert.equal((await rowOf(world, gtt)).legs, '2');
  await world.close();
});

test('modifyGttOrder refuses another instrument, a GTT that has ended, and one that is not there', async () => {
  const world = await openWorld();
  const gtt = await placed(world);
  const before = await rowOf(world, gtt);
  const ask = (change: object, by = ALICE) => world.call(PATH, by, { ...ONE_LEG, GTTid: gtt, ...change });
  const idea = {
    tradingSymbol: 'IDEA-EQ',
    value: '6',
    OrderParams: { ...ORDER, tradingSymbol: 'IDEA-EQ', price: '6' },
  };
  assertFailure(await ask(idea), 400, 'BAD_REQUEST', 'tradingSymbol', 'GTT is for another instrument');
  assertFailure(await ask({ value: '1260.05' }), 400, 'BAD_REQUEST', 'value');
  assertFailure(await ask({ OrderParams: { ...ORDER, price: '1200.03' } }), 400, 'BAD_REQUEST', 'body');
  assert.deepEqual(await rowOf(world, gtt), before);
  const unknown = await ask({ GTTid: '26112099999999' });
  assertFailure(unknown, 400, 'BAD_REQUEST', 'GTTid', 'GTT not found or invalid');
  assert.equal((await ask({}, BOB)).text, unknown.text);
  assert.equal((await ask({ GTTid: 'abc' })).text, unknown.text);
  assertSuccess(await world.call('/cancelGttOrder', ALICE, { GTTid: gtt }), 'GTT order cancelled successfully');
  assertFailure(await ask({}), 400, 'BAD_REQUEST', 'GTTid', 'GTT is not active');
  await world.close();
});
