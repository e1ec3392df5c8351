import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_ACTIVE_ALERTS } from '../../../src/core/lists/alerts.ts';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, INTEGER, T1 } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, MARKET_BUY, openWorld, type World } from '../../kit/wire/world.ts';

const PATH = '/placeAlert';
const MESSAGE = 'Alert details';
/** The last price of IDEA-EQ is 7.10. */
const ABOVE = { exchange: 'NSE', tradingSymbol: 'IDEA-EQ', condition: 'ABOVE', price: '7.15' };
const BELOW = { ...ABOVE, condition: 'BELOW', price: '7.05' };

contractOf({
  path: PATH,
  message: MESSAGE,
  request: { ...ABOVE, remarks: 'Test' },
  required: badRequestFields('exchange', 'tradingSymbol', 'condition', 'price'),
  fields: { exchange: 'text', tradingSymbol: 'text', condition: 'text', price: 'number', remarks: 'blank' },
  data: { alertId: INTEGER, requestTime: T1 },
});

async function statuses(world: World, user = ALICE): Promise<string[]> {
  const { data } = JSON.parse((await world.call('/getAlerts', user)).text);
  return data.map(({ status }: { status: string }) => status);
}

test('an alert fires once, on the trade of a user who comes to its price', async () => {
  const world = await openWorld();
  for (const alert of [ABOVE, { ...ABOVE, price: '7.16' }, BELOW]) {
    assertSuccess(await world.call(PATH, ALICE, alert), MESSAGE);
  }
  assert.deepEqual(await statuses(world), ['ACTIVE', 'ACTIVE', 'ACTIVE']);
  await world.place(BOB, MARKET_BUY);
  assert.deepEqual(await statuses(world), ['FIRED', 'ACTIVE', 'ACTIVE']);
  await world.place(BOB, MARKET_BUY);
  assert.deepEqual(await statuses(world), ['FIRED', 'ACTIVE', 'ACTIVE']);
  assert.deepEqual(await statuses(world, BOB), []);
  await world.close();
});

test('an alert whose condition holds as it comes fires at once, with the last price', async () => {
  const world = await openWorld();
  for (const price of ['7.10', '7.09', 7]) assertSuccess(await world.call(PATH, ALICE, { ...ABOVE, price }), MESSAGE);
  assertSuccess(await world.call(PATH, ALICE, { ...BELOW, price: '7.1' }), MESSAGE);
  const { data } = JSON.parse((await world.call('/getAlerts', ALICE)).text);
  for (const { status, firedPrice, firedAt, createdAt } of data) {
    assert.deepEqual([status, firedPrice, firedAt], ['FIRED', '7.10', createdAt]);
  }
  assert.equal(data.length, 4);
  await world.close();
});

test('an index has alerts, as anything with a last price', async () => {
  const world = await openWorld();
  const nifty = { ...ABOVE, tradingSymbol: 'Nifty 50' };
  assertSuccess(await world.call(PATH, ALICE, { ...nifty, price: '24000.01' }), MESSAGE);
  assertSuccess(await world.call(PATH, ALICE, { ...nifty, price: '24000' }), MESSAGE);
  assert.deepEqual(await statuses(world), ['ACTIVE', 'FIRED']);
  await world.close();
});

test('placeAlert refuses unknown instruments, conditions of its own, and prices that are none', async () => {
  const world = await openWorld();
  const refused: readonly (readonly [change: object, field: string, message: string])[] = [
    [{ tradingSymbol: 'NOSUCH-EQ' }, 'tradingSymbol', 'Security not found'],
    [{ exchange: 'MCX' }, 'exchange', 'Invalid exchange provided'],
    [{ condition: 'above' }, 'condition', 'condition must be ABOVE or BELOW'],
    [{ price: '0' }, 'price', 'price must be greater than 0'],
    [{ price: '0.00' }, 'price', 'price must be greater than 0'],
    [{ price: '7.155' }, 'price', 'price is finer than a paisa'],
    [{ price: '0', tradingSymbol: 'NOSUCH-EQ' }, 'price', 'price must be greater than 0'],
    [{ price: '7.155', tradingSymbol: 'NOSUCH-EQ' }, 'price', 'price is finer than a paisa'],
    [{ price: '-7' }, 'price', 'Invalid price format. Must be a numeric string.'],
    [{ remarks: 'x'.repeat(257) }, 'remarks', 'remarks must be text of at most 256 characters'],
  ];
  for (const [change, field, message] of refused) {
    assertFailure(await world.call(PATH, ALICE, { ...ABOVE, ...change }), 400, 'BAD_REQUEST', field, message);
  }
  assert.deepEqual(await statuses(world), []);
  await world.close();
});

test('a user has at most 200 active alerts', async () => {
  const world = await openWorld();
  for (let count = 0; count < MOST_ACTIVE_ALERTS; count += 1) await world.call(PATH, ALICE, ABOVE);
  const full = await world.call(PATH, ALICE, ABOVE);
  assertFailure(full, 400, 'BAD_REQUEST', 'alert', 'a user has at most 200 active alerts');
  assertSuccess(await world.call(PATH, BOB, ABOVE), MESSAGE);
  const [{ alertId }] = JSON.parse((await world.call('/getAlerts', ALICE)).text).data;
  await world.call('/cancelAlert', ALICE, { alertId });
  assertSuccess(await world.call(PATH, ALICE, ABOVE), MESSAGE);
  await world.close();
});
