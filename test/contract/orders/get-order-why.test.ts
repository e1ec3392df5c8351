import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderReplay } from '../../../src/gateway/why-questions.ts';
import { fakeReplay } from '../../kit/wire/fake-replay.ts';
import { WHY_SHAPE } from '../../kit/wire/shapes/why-shape.ts';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, openWorld } from '../../kit/wire/world.ts';

const PATH = '/getOrderWhy';
const MESSAGE = 'Order explained';

contractOf({
  path: PATH,
  message: MESSAGE,
  request: {},
  prepare: async (world) => ({ orderNumber: await world.place(ALICE, {}) }),
  required: badRequestFields('orderNumber'),
  fields: { orderNumber: 'number' },
  data: WHY_SHAPE,
});

test('getOrderWhy answers the terms, the checks and the figures of each step', async () => {
  const world = await openWorld();
  const orderNumber = await world.place(ALICE, {});
  const data = assertSuccess(await world.call(PATH, ALICE, { orderNumber }), MESSAGE);
  const { steps, ...about } = data as { steps: readonly Record<string, unknown>[] };
  const order = { orderNumber, userId: 'AB1234', exchange: 'NSE', tradingSymbol: 'IDEA-EQ' };
  assert.deepEqual(about, { ...order, transactionType: 'B', product: 'C' });
  const [placed, changed] = steps;
  assert.deepEqual([placed?.outcome, placed?.reason, placed?.triggerPrice], ['admitted', '', '']);
  assert.deepEqual([changed?.outcome, changed?.reason, changed?.triggerPrice], ['refused', 'out of the band', '6.95']);
  assert.deepEqual((changed?.checks as unknown[] | undefined)?.[1], {
    check: 'price is inside the band',
    rule: 'R1.41',
    outcome: 'refused',
    figures: [{ name: 'upper', value: '8.52' }],
  });
  await world.close();
});

test('getOrderWhy answers the same bytes for an order of another user and an unknown order, and replays neither', async () => {
  let replays = 0;
  const replayOrder = (order: Parameters<typeof fakeReplay>[0]): OrderReplay => {
    replays += 1;
    return fakeReplay(order);
  };
  const world = await openWorld({ replayOrder });
  const orderNumber = await world.place(ALICE, {});
  const others = await world.call(PATH, BOB, { orderNumber });
  assertFailure(others, 400, 'BAD_REQUEST', 'orderNumber', 'order not found or invalid');
  const unknown = await world.call(PATH, BOB, { orderNumber: '26112099999999' });
  assert.equal(unknown.text, others.text);
  assert.equal(replays, 0);
  await world.close();
});

test('getOrderWhy asked a thousand times replays the journal once', async () => {
  let replays = 0;
  const world = await openWorld({
    replayOrder: (order) => {
      replays += 1;
      return fakeReplay(order);
    },
  });
  const orderNumber = await world.place(ALICE, {});
  const first = await world.call(PATH, ALICE, { orderNumber });
  assertSuccess(first, MESSAGE);
  for (let i = 0; i < 1_000; i += 1) assert.equal((await world.call(PATH, ALICE, { orderNumber })).text, first.text);
  assert.equal(replays, 1);
  await world.close();
});

test('getOrderWhy answers its own failure when the replay fails, and goes on with the next question', async () => {
  let isBroken = true;
  const broken: OrderReplay = { report: Promise.reject(new Error('no memory')), stop: () => undefined };
  broken.report.catch(() => undefined);
  const world = await openWorld({ replayOrder: (order) => (isBroken ? broken : fakeReplay(order)) });
  const orderNumber = await world.place(ALICE, {});
  const seen = await world.call(PATH, ALICE, { orderNumber });
  assertFailure(seen, 500, 'INTERNAL_SERVER_ERROR', 'server');
  assert.equal(world.failures.length, 1);
  isBroken = false;
  const bobs = await world.place(BOB, {});
  assertSuccess(await world.call(PATH, BOB, { orderNumber: bobs }), MESSAGE);
  await world.close();
});

test('getOrderWhy does not explain an order that was modified more than a hundred times', async () => {
  const world = await openWorld();
  const orderNumber = await world.place(ALICE, {});
  for (let i = 0; i < 101; i += 1) {
    const quantity = String(11 + (i % 2));
    const change = { priceType: 'LMT', product: 'C', quantity, price: '7.00', triggerPrice: '0' };
    await world.call('/modifyAMO', ALICE, { ...change, orderNumber });
  }
  const seen = await world.call(PATH, ALICE, { orderNumber });
  assertFailure(seen, 400, 'BAD_REQUEST', 'orderNumber');
  await world.close();
});
