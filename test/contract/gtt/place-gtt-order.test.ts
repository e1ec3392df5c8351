import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expiring } from '../../kit/wire/expiring-instruments.ts';
import { FUTURE } from '../../kit/wire/fake-instruments.ts';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, ORDER_NUMBER, T1 } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, openWorld } from '../../kit/wire/world.ts';
import { bookOf, ONE_LEG, ORDER, placed, type Row, rowOf, TWO_LEGS } from './gtt-requests.ts';

const PATH = '/placeGttOrder';
const MESSAGE = 'GTT order placed successfully';

contractOf({
  path: PATH,
  message: MESSAGE,
  request: ONE_LEG,
  required: badRequestFields('tradingSymbol', 'exchange', 'validity', 'OrderParams', 'value'),
  fields: {
    tradingSymbol: 'text',
    exchange: 'text',
    validity: 'text',
    value: 'number',
    value2: 'number',
    remarks: 'blank',
  },
  data: { GTTid: ORDER_NUMBER, requestTime: T1 },
});

test('placeGttOrder blocks no money, and the GTT waits with all that was asked', async () => {
  const world = await openWorld();
  const { text: before } = await world.call('/limit', ALICE, {});
  const row = await rowOf(world, await placed(world));
  const { text: after } = await world.call('/limit', ALICE, {});
  const marginOf = (text: string) => JSON.parse(text).data.marginused;
  assert.equal(marginOf(after), marginOf(before));
  assert.deepEqual(
    [row.status, row.reason, row.legs, row.value, row.condition],
    ['ACTIVE', '', '1', '1100.00', 'BELOW'],
  );
  assert.deepEqual(row.OrderParams, { ...row.OrderParams, priceType: 'LMT', price: '1200.00', remarks: 'the order' });
  assert.deepEqual(
    [row.remarks, row.createdAt, row.validTill],
    ['the GTT', '11:00:00 20-11-2026', '23:59:59 20-11-2027'],
  );
  assert.equal('OrderParams2' in row, false);
  await world.close();
});

test('placeGttOrder takes two legs, one on each side of the last price', async () => {
  const world = await openWorld();
  const row = await rowOf(world, await placed(world, TWO_LEGS));
  assert.deepEqual(
    [row.legs, row.condition, row.value2, row.condition2, row.OrderParams2?.priceType],
    ['2', 'BELOW', '1500.00', 'ABOVE', 'MKT'],
  );
  const refused = async (change: object, field: string, words: RegExp) => {
    const seen = await world.call(PATH, ALICE, { ...TWO_LEGS, ...change });
    assertFailure(seen, 400, 'BAD_REQUEST', field);
    assert.match(seen.text, words);
  };
  await refused({ value2: '1000.00' }, 'value', /one below the last price INR 1260.00/);
  await refused({ value2: undefined }, 'value2', /missing: value2/);
  await refused({ OrderParams2: undefined }, 'OrderParams2', /missing: OrderParams2/);
  await world.close();
});

test('placeGttOrder refuses a trigger within 0.25 % of the last price, and takes one that is 0.25 % away', async () => {
  const world = await openWorld();
  for (const value of ['1260.00', '1260.05', '1263.10', '1256.90']) {
    const seen = await world.call(PATH, ALICE, { ...ONE_LEG, value });
    const words = `GTT:Trigger INR ${value} is too close to the last price INR 1260.00`;
    assertFailure(seen, 400, 'BAD_REQUEST', 'value', words);
  }
  for (const [value, condition] of [
    ['1263.15', 'ABOVE'],
    ['1256.85', 'BELOW'],
    [900, 'BELOW'],
  ]) {
    assert.equal((await rowOf(world, await placed(world, { value }))).condition, condition);
  }
  await world.close();
});

test('placeGttOrder checks each order as far as time does not change the answer', async () => {
  const world = await openWorld();
  const refused = async (order: object, field: string, change: object = {}) => {
    const seen = await world.call(PATH, ALICE, { ...ONE_LEG, ...change, OrderParams: { ...ORDER, ...order } });
    assertFailure(seen, 400, 'BAD_REQUEST', field);
  };
  await refused({ price: '1200.03' }, 'body');
  await refused({ price: '0' }, 'price');
  await refused({ price: 'much' }, 'price');
  await refused({ priceType: 'MKT' }, 'price');
  await refused({ priceType: 'SL-LMT' }, 'triggerPrice');
  await refused({ priceType: 'STOP' }, 'priceType');
  await refused({ quantity: '0' }, 'quantity');
  await refused({ quantity: undefined }, 'quantity');
  await refused({ transactionType: 'X' }, 'transactionType');
  await refused({ exchange: 'BSE' }, 'exchange');
  await refused({ tradingSymbol: 'IDEA-EQ' }, 'tradingSymbol');
  await refused({}, 'value', { value: '0' });
  await refused({}, 'value', { value: '1100.005' });
  await refused({}, 'body', { value: '1100.03' });
  await refused({ tradingSymbol: 'NONE-EQ' }, 'tradingSymbol', { tradingSymbol: 'NONE-EQ' });
  await refused({ tradingSymbol: 'NIFTY' }, 'body', { tradingSymbol: 'NIFTY', value: '20000' });
  const future = { exchange: 'NFO', tradingSymbol: FUTURE.tradingSymbol };
  await refused({ ...future, product: 'C', quantity: '65' }, 'body', { ...future, value: '20000' });
  await refused({ ...future, product: 'M', quantity: '64' }, 'body', { ...future, value: '20000' });
  for (const OrderParams of ['x', 7, [], [ORDER], true])
    assertFailure(await world.call(PATH, ALICE, { ...ONE_LEG, OrderParams }), 400, 'BAD_REQUEST', 'OrderParams');
  assert.deepEqual(await bookOf(world), []);
  await world.close();
});

test('placeGttOrder passes over the trigger of an order that is not a stop, and takes money that is not there yet', async () => {
  const world = await openWorld();
  await placed(world, { OrderParams: { ...ORDER, triggerPrice: '1100' } });
  await placed(world, { OrderParams: { ...ORDER, triggerPrice: undefined, remarks: undefined, exchange: undefined } });
  await placed(world, { OrderParams: { ...ORDER, quantity: '8000', remarks: '' } });
  await placed(world, { OrderParams: { ...ORDER, priceType: 'SL-LMT', price: '1101', triggerPrice: '1100.5' } });
  assert.equal((await bookOf(world)).length, 4);
  await world.close();
});

test('placeGttOrder under one Idempotency-Key places once, and is another request with another body', async () => {
  const world = await openWorld();
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'gtt-1' };
  const send = (change: object, by = ALICE) =>
    world.send('POST', `/V1${PATH}`, headers, JSON.stringify({ ...by.credentials, ...ONE_LEG, ...change }));
  const first = await send({});
  assert.equal((await send({})).text, first.text);
  assert.equal((await bookOf(world)).length, 1);
  assertFailure(await send({ value: '1000' }), 400, 'BAD_REQUEST', 'Idempotency-Key');
  const another = assertSuccess(await send({}, BOB), MESSAGE) as Row;
  assert.notEqual(another.GTTid, JSON.parse(first.text).data.GTTid);
  await world.close();
});

test('placeGttOrder under a key that was used answers as it did first when the contract has expired since', async () => {
  const { instruments, expireAll } = expiring();
  const world = await openWorld({ instruments });
  const key = { 'idempotency-key': 'gtt-1' };
  const first = await world.call(PATH, ALICE, ONE_LEG, key);
  expireAll();
  assert.equal((await world.call(PATH, ALICE, ONE_LEG, key)).text, first.text);
  const other = await world.call(PATH, ALICE, { ...ONE_LEG, value: '1000' }, key);
  assertFailure(other, 400, 'BAD_REQUEST', 'Idempotency-Key');
  assertFailure(await world.call(PATH, ALICE, ONE_LEG), 400, 'BAD_REQUEST', 'tradingSymbol', 'Security not found');
  assertFailure(await world.call(PATH, BOB, ONE_LEG, key), 400, 'BAD_REQUEST', 'tradingSymbol');
  assert.equal((await bookOf(world)).length, 1);
  await world.close();
});

test('a user has at most 100 active GTTs, and each that ends makes room for another', async () => {
  const world = await openWorld();
  const first = await placed(world);
  for (let count = 1; count < 100; count += 1) await placed(world);
  const full = 'GTT:Maximum active GTTs (100) reached';
  assertFailure(await world.call(PATH, ALICE, ONE_LEG), 400, 'BAD_REQUEST', 'body', full);
  await placed(world, {}, BOB);
  assertSuccess(await world.call('/cancelGttOrder', ALICE, { GTTid: first }), 'GTT order cancelled successfully');
  await placed(world);
  assert.equal((await bookOf(world)).length, 101, 'the cancelled one is still shown');
  await world.close();
});
