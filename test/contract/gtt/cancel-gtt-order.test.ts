import assert from 'node:assert/strict';
import { test } from 'node:test';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, ORDER_NUMBER, T1 } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, openWorld } from '../../kit/wire/world.ts';
import { placed, rowOf } from './gtt-requests.ts';

const PATH = '/cancelGttOrder';
const MESSAGE = 'GTT order cancelled successfully';

contractOf({
  path: PATH,
  message: MESSAGE,
  request: {},
  prepare: async (world) => ({ GTTid: await placed(world) }),
  required: badRequestFields('GTTid'),
  fields: { GTTid: 'number' },
  data: { GTTid: ORDER_NUMBER, requestTime: T1 },
});

test('cancelGttOrder ends an active GTT once, with the reason in the book', async () => {
  const world = await openWorld();
  const GTTid = await placed(world);
  assertSuccess(await world.call(PATH, ALICE, { GTTid: Number(GTTid) }), MESSAGE);
  const { status, reason } = await rowOf(world, GTTid);
  assert.deepEqual([status, reason], ['CANCELLED', 'Cancelled by the client']);
  assertFailure(await world.call(PATH, ALICE, { GTTid }), 400, 'BAD_REQUEST', 'GTTid', 'GTT is not active');
  await world.close();
});

test('cancelGttOrder answers the same bytes for a GTT of another user and for none', async () => {
  const world = await openWorld();
  const bobs = await placed(world, {}, BOB);
  const texts = new Set<string>();
  for (const GTTid of [bobs, '26112099999999', '1', 'abc', '0']) {
    const seen = await world.call(PATH, ALICE, { GTTid });
    assertFailure(seen, 400, 'BAD_REQUEST', 'GTTid', 'GTT not found or invalid');
    texts.add(seen.text);
  }
  assert.equal(texts.size, 1);
  assert.equal((await rowOf(world, bobs, BOB)).status, 'ACTIVE');
  await world.close();
});
