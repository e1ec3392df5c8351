import assert from 'node:assert/strict';
import { test } from 'node:test';
import { turnDays } from '../../kit/turn-days.ts';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, ORDER_NUMBER, T1 } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, openWorld } from '../../kit/wire/world.ts';

const PATH = '/cancelOrder';
const MESSAGE = 'Order cancellation details';

contractOf({
  path: PATH,
  message: MESSAGE,
  request: {},
  prepare: async (world) => ({ orderNumber: await world.place(ALICE, {}) }),
  required: badRequestFields('orderNumber'),
  fields: { orderNumber: 'number' },
  data: { orderNumber: ORDER_NUMBER, rejreason: /^$/, requestTime: T1 },
});

test('cancelOrder answers a success with a blank rejreason', async () => {
  const world = await openWorld();
  const orderNumber = await world.place(ALICE, {});
  const data = assertSuccess(await world.call(PATH, ALICE, { orderNumber }), MESSAGE) as Record<string, string>;
  assert.deepEqual([Object.keys(data), data.rejreason], [['orderNumber', 'rejreason', 'requestTime'], '']);
  await world.close();
});

test('cancelOrder of an order that is not open says so in the data', async () => {
  const world = await openWorld();
  const orderNumber = await world.place(ALICE, {});
  assertSuccess(await world.call(PATH, ALICE, { orderNumber: Number(orderNumber) }), MESSAGE);
  const data = assertSuccess(await world.call(PATH, ALICE, { orderNumber }), MESSAGE) as Record<string, string>;
  assert.deepEqual(Object.keys(data), ['orderNumber', 'rejreason', 'requestTime']);
  assert.equal(data.rejreason, 'SAF:order is not open to cancel');
  await world.close();
});

test('cancelOrder answers the same bytes for an order of another user and for none', async () => {
  const world = await openWorld();
  const bobs = await world.place(BOB, {});
  const own = await world.place(ALICE, {});
  const texts = new Set<string>();
  for (const orderNumber of [bobs, '26112099999999', '1', 'abc', `0${own}`, '0']) {
    const seen = await world.call(PATH, ALICE, { orderNumber });
    assertFailure(seen, 400, 'BAD_REQUEST', 'orderNumber', 'order not found or invalid');
    texts.add(seen.text);
  }
  assert.equal(texts.size, 1);
  assert.equal((await world.call(PATH, BOB, { orderNumber: bobs })).status, 200);
  assertSuccess(await world.call(PATH, ALICE, { orderNumber: own }), MESSAGE);
  await world.close();
});

test('cancelOrder of an own order of an earlier day says that it is not open, for as long as its history is kept', async () => {
  const world = await openWorld();
  const orderNumber = await world.place(ALICE, {});
  const bobs = await world.place(BOB, {});
  const { day } = world.engine.state;
  for (let later = 1; later <= 7; later += 1) {
    turnDays(world, [day + later]);
    const before = world.engine.state.seq;
    const data = assertSuccess(await world.call(PATH, ALICE, { orderNumber }), MESSAGE) as Record<string, string>;
    assert.equal(data.rejreason, 'SAF:order is not open to cancel', `${later} days later`);
    assert.match(String(data.requestTime), T1);
    assert.equal((await world.call(PATH, ALICE, { orderNumber: bobs })).status, 400);
    assert.equal(world.engine.state.seq, before, 'nothing is recorded');
  }
  turnDays(world, [day + 8]);
  const seen = await world.call(PATH, ALICE, { orderNumber });
  assertFailure(seen, 400, 'BAD_REQUEST', 'orderNumber', 'order not found or invalid');
  await world.close();
});
