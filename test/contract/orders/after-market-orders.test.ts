import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EpochMs, HOUR_MS } from '../../../src/base/time.ts';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, ORDER_NUMBER, T1 } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, LIMIT_BUY, MARKET_BUY, openWorld, type World } from '../../kit/wire/world.ts';

/* The market of these tests takes orders from 22:30 to 23:00 for 23:00. */

const PLACED = 'Order details';
const MODIFIED = 'Order modification details';
const CHANGE = { quantity: '12', price: '7.05', priceType: 'LMT', product: 'C', triggerPrice: '0' };
type Row = Readonly<Record<string, string>>;

const DATA = { orderNumber: ORDER_NUMBER, requestTime: T1 };
const prepare = async (world: World) => ({ orderNumber: await world.place(ALICE, {}) });

for (const path of ['/placeAMO', '/placeAfterMarketOrder']) {
  contractOf({ path, message: PLACED, request: LIMIT_BUY, required: badRequestFields('quantity'), data: DATA });
}

contractOf({
  path: '/modifyAMO',
  message: MODIFIED,
  request: CHANGE,
  prepare,
  required: badRequestFields('orderNumber', 'product', 'priceType'),
  fields: { orderNumber: 'number', product: 'text', priceType: 'text', price: 'number', quantity: 'number' },
  data: DATA,
});

contractOf({ path: '/modifyAfterMarketOrder', message: MODIFIED, request: CHANGE, prepare, data: DATA });

/** A world in which everything is closed and orders are taken for the next session. */
async function openAtNight(): Promise<World> {
  const world = await openWorld();
  world.now = (world.now + 11.75 * HOUR_MS) as EpochMs;
  return world;
}

async function placeAMO(world: World, fields: object): Promise<string> {
  const data = assertSuccess(await world.call('/placeAMO', ALICE, fields), PLACED) as Row;
  return data.orderNumber ?? '';
}

async function modifyAMO(world: World, fields: object): Promise<Row> {
  return assertSuccess(await world.call('/modifyAMO', ALICE, fields), MODIFIED) as Row;
}

async function stepsOf(world: World, orderNumber: string): Promise<readonly Row[]> {
  const seen = await world.call('/singleOrderHistory', ALICE, { orderNumber });
  return (assertSuccess(seen, 'Order history data received') as Row[]).reverse();
}

test('placeAMO while the instrument is closed waits for its session, and is modified and cancelled there', async () => {
  const world = await openAtNight();
  const orderNumber = await placeAMO(world, LIMIT_BUY);
  assert.deepEqual(Object.keys(await modifyAMO(world, { ...CHANGE, orderNumber })), ['orderNumber', 'requestTime']);
  await world.call('/cancelOrder', ALICE, { orderNumber });
  const steps = await stepsOf(world, orderNumber);
  assert.deepEqual(
    steps.map(({ reportType, status, price, quantity }) => `${reportType}/${status} ${quantity} at ${price}`),
    ['Pending New/PENDING 10 at 7.00', 'New Ack/AMO OPEN 10 at 7.00', 'AMO MODIFIED', 'AMO CANCELED'].map((text, i) =>
      i < 2 ? text : `${i === 2 ? 'Replaced' : 'Cancelled'}/${text} 12 at 7.05`,
    ),
  );
  await world.close();
});

test('placeAMO while the instrument trades is an order like any other', async () => {
  const world = await openWorld();
  const orderNumber = await placeAMO(world, MARKET_BUY);
  const steps = await stepsOf(world, orderNumber);
  assert.equal(steps.at(-1)?.status, 'COMPLETE');
  await world.close();
});

test('placeAMO under an Idempotency-Key is one order, by whichever of its names', async () => {
  const world = await openAtNight();
  const headers = { 'idempotency-key': 'night' };
  const first = await world.call('/placeAMO', ALICE, LIMIT_BUY, headers);
  const again = await world.call('/placeAfterMarketOrder', ALICE, LIMIT_BUY, headers);
  assert.equal(again.text, first.text);
  await world.close();
});

test('modifyAMO keeps what it does not name, and holds what it names to the order', async () => {
  const world = await openAtNight();
  const orderNumber = await placeAMO(world, { ...LIMIT_BUY, retention: 'IOC' });
  await modifyAMO(world, { orderNumber, priceType: 'LMT', product: 'C' });
  const newest = (await stepsOf(world, orderNumber)).at(-1);
  assert.deepEqual([newest?.price, newest?.quantity, newest?.retention], ['7.00', '10', 'IOC']);
  const base = { ...CHANGE, orderNumber };
  const wrong: [change: object, field: string][] = [
    [{ tradingSymbol: 'RELIANCE-EQ' }, 'tradingSymbol'],
    [{ exchange: 'BSE' }, 'exchange'],
    [{ product: 'I' }, 'product'],
    [{ priceType: 'SL-LMT', triggerPrice: '' }, 'triggerPrice'],
    [{ priceType: 'SL-LMT', triggerPrice: '7.05' }, 'retention'],
    [{ priceType: 'MKT', price: '0', mkt_protection: '0' }, 'mkt_protection'],
  ];
  for (const [change, field] of wrong) {
    assertFailure(await world.call('/modifyAMO', ALICE, { ...base, ...change }), 400, 'BAD_REQUEST', field);
  }
  await modifyAMO(world, { ...base, priceType: 'MKT', price: '0' });
  assert.equal((await stepsOf(world, orderNumber)).at(-1)?.priceType, 'MKT');
  await world.close();
});

test('modifyAMO answers why an order that is over stays as it was, and nothing about the orders of others', async () => {
  const world = await openAtNight();
  const orderNumber = await placeAMO(world, LIMIT_BUY);
  const others = await world.call('/modifyAMO', BOB, { ...CHANGE, orderNumber });
  assertFailure(others, 400, 'BAD_REQUEST', 'orderNumber', 'order not found or invalid');
  const unknown = await world.call('/modifyAMO', BOB, { ...CHANGE, orderNumber: '26112099999999' });
  assert.equal(unknown.text, others.text);
  await world.call('/cancelOrder', ALICE, { orderNumber });
  const { rejreason } = await modifyAMO(world, { ...CHANGE, orderNumber });
  assert.equal(rejreason, 'SAF:order is not open to modify');
  await world.close();
});
