import assert from 'node:assert/strict';
import { test } from 'node:test';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, INTEGER, T1 } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, openWorld, type TestUser, type World } from '../../kit/wire/world.ts';

const PATH = '/cancelAlert';
const MESSAGE = 'Alert cancellation details';
const ABOVE = { exchange: 'NSE', tradingSymbol: 'IDEA-EQ', condition: 'ABOVE', price: '7.2' };

async function placed(world: World, user: TestUser, price = '7.2'): Promise<string> {
  return JSON.parse((await world.call('/placeAlert', user, { ...ABOVE, price })).text).data.alertId;
}

contractOf({
  path: PATH,
  message: MESSAGE,
  request: {},
  prepare: async (world) => ({ alertId: await placed(world, ALICE) }),
  required: badRequestFields('alertId'),
  fields: { alertId: 'number' },
  data: { alertId: INTEGER, requestTime: T1 },
});

test('an alert that has ended cannot be cancelled, and stays as it is', async () => {
  const world = await openWorld();
  const alertId = await placed(world, ALICE);
  const fired = await placed(world, ALICE, '7');
  assertSuccess(await world.call(PATH, ALICE, { alertId: Number(alertId) }), MESSAGE);
  for (const ended of [alertId, fired]) {
    const seen = await world.call(PATH, ALICE, { alertId: ended });
    assertFailure(seen, 400, 'BAD_REQUEST', 'alertId', 'alert has ended');
  }
  const { data } = JSON.parse((await world.call('/getAlerts', ALICE)).text);
  assert.deepEqual(
    data.map(({ status }: { status: string }) => status),
    ['CANCELLED', 'FIRED'],
  );
  await world.close();
});

test('cancelAlert answers the same bytes for an alert of another user and for none', async () => {
  const world = await openWorld();
  const bobs = await placed(world, BOB);
  const own = await placed(world, ALICE);
  const texts = new Set<string>();
  for (const alertId of [bobs, '999999', 'abc', `0${own}`, '0']) {
    const seen = await world.call(PATH, ALICE, { alertId });
    assertFailure(seen, 400, 'BAD_REQUEST', 'alertId', 'alert not found');
    texts.add(seen.text);
  }
  assert.equal(texts.size, 1);
  assertSuccess(await world.call(PATH, BOB, { alertId: bobs }), MESSAGE);
  await world.close();
});
