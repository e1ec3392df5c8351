import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paise } from '../../../src/base/money.ts';
import type { SetRiskGroup } from '../../../src/core/command.ts';
import { unasked } from '../../kit/unasked.ts';
import { FUTURE } from '../../kit/wire/fake-instruments.ts';
import { assertFailure, assertSuccess } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, LIMIT_BUY, MARKET_BUY, openWorld, type TestUser, type World } from '../../kit/wire/world.ts';

const QUESTION = {
  exchange: 'NSE',
  transactionType: 'B',
  product: 'C',
  tradingSymbol: 'IDEA-EQ',
  quantity: '10',
  priceType: 'LMT',
  price: '7.00',
};
const FUTURE_QUESTION = { ...QUESTION, exchange: 'NFO', tradingSymbol: FUTURE.tradingSymbol, product: 'M' };
const INTRADAY = 'ORA:Product Intraday not enabled on exchange NSE';

async function setGroup(world: World, change: SetRiskGroup['change']): Promise<void> {
  const { account } = ALICE;
  await world.engine.submit(
    unasked({ type: 'SetRiskGroup', account, ...(change && { change }), by: 'desk', why: 'asked' }),
  );
}

/** The order book, oldest first, as `status rejectReason`. */
async function book(world: World, user: TestUser = ALICE): Promise<string[]> {
  const rows = assertSuccess(await world.call('/orderBook', user), 'Order book') as Record<string, string>[];
  return rows.map(({ status, rejectReason }) => `${status} ${rejectReason}`.trim());
}

test('orders above the cap of the client are rejected in the name of his group, and of nobody else', async () => {
  const world = await openWorld({ slicing: 'on' });
  const orderNumber = await world.place(ALICE, { quantity: '20' });
  await setGroup(world, { name: 'HNI', orderValueCap: paise(70_00) });
  await world.place(ALICE, {});
  await world.place(ALICE, { quantity: '11' });
  await world.place(BOB, { quantity: '11' });
  const cap = (value: string) =>
    `RED:RULE:{Check single order value}Current:INR ${value} Set:INR 70.00 for C-AB1234 [HNI]`;
  assert.deepEqual(await book(world), ['OPEN', 'OPEN', `REJECTED ${cap('77.00')}`]);
  assert.deepEqual(await book(world, BOB), ['OPEN']);
  const change = { orderNumber, product: 'C', priceType: 'LMT', tradingSymbol: 'IDEA-EQ', retention: 'DAY' };
  const seen = await world.call('/modifyOrder', ALICE, { ...change, quantity: '15' });
  const data = assertSuccess(seen, 'Order modification details') as Record<string, string>;
  assert.equal(data.rejreason, cap('105.00'));
  assertSuccess(await world.call('/placeOrder', ALICE, { ...LIMIT_BUY, quantity: '200000' }), 'Order details');
  assert.deepEqual((await book(world)).slice(3), [`REJECTED ${cap('700000.00')}`, `REJECTED ${cap('700000.00')}`]);
  await setGroup(world, { name: 'DESK' });
  assert.equal((await book(world))[2], `REJECTED ${cap('77.00')}`, 'a given answer stays as it was given');
  await world.close();
});

test('orders in a segment that is not enabled for the client are rejected, also in slices, while its orders stay and are cancelled', async () => {
  const world = await openWorld({ slicing: 'on' });
  const orderNumber = await world.place(ALICE, { product: 'I' });
  await setGroup(world, { products: ['C', 'M'], exchanges: ['NSE'] });
  await world.place(ALICE, { product: 'I' });
  await world.place(ALICE, { exchange: 'BSE', tradingSymbol: 'IDEA' });
  assertSuccess(
    await world.call('/placeOrder', ALICE, { ...LIMIT_BUY, product: 'I', quantity: '200000' }),
    'Order details',
  );
  assert.deepEqual(await book(world), [
    'OPEN',
    `REJECTED ${INTRADAY}`,
    'REJECTED ORA:Product Delivery not enabled on exchange BSE',
    `REJECTED ${INTRADAY}`,
    `REJECTED ${INTRADAY}`,
  ]);
  const words = { orderNumber, priceType: 'LMT', tradingSymbol: 'IDEA-EQ', retention: 'DAY' };
  const changed = await world.call('/modifyOrder', ALICE, { ...words, product: 'I', price: '7.05' });
  const data = assertSuccess(changed, 'Order modification details') as Record<string, string>;
  assert.equal(data.rejreason, INTRADAY);
  assertSuccess(await world.call('/cancelOrder', ALICE, { orderNumber }), 'Order cancellation details');
  assert.match((await book(world))[0] ?? '', /^CANCELED/);
  await setGroup(world, undefined);
  await world.place(ALICE, { product: 'I' });
  assert.equal((await book(world)).at(-1), 'OPEN');
  await world.close();
});

test('margins of what is not enabled are 400 in the words of placeOrder, after every instrument was found', async () => {
  const world = await openWorld();
  await setGroup(world, { products: ['C', 'M'], exchanges: ['NSE', 'BSE'] });
  const order = (change: object) => world.call('/orderMargin', ALICE, { ...QUESTION, ...change });
  const basket = (...legs: object[]) =>
    world.call('/basketMargin', ALICE, {
      ...QUESTION,
      BasketList_Params: legs.map((leg) => ({ ...QUESTION, ...leg })),
    });
  const refused = { name: 'BAD_REQUEST', field: 'product' };
  const future = 'ORA:Product Regular not enabled on exchange NFO';
  assertFailure(await order({ product: 'I' }), 400, refused.name, refused.field, INTRADAY);
  assertFailure(await order(FUTURE_QUESTION), 400, refused.name, refused.field, future);
  assertFailure(await basket({ product: 'I' }), 400, refused.name, refused.field, INTRADAY);
  assertFailure(await basket({}, FUTURE_QUESTION), 400, refused.name, refused.field, future);
  assertFailure(await basket({ product: 'I' }, { tradingSymbol: 'NONE-EQ' }), 400, 'BAD_REQUEST', 'tradingSymbol');
  assertSuccess(await order({}), 'Fetched order margin successfully');
  assertSuccess(await basket({ product: 'M' }), 'Fetched basket margin successfully');
  assertSuccess(
    await world.call('/orderMargin', BOB, { ...QUESTION, product: 'I' }),
    'Fetched order margin successfully',
  );
  await world.close();
});

test('the margin of an order that only closes is answered where nothing else is enabled', async () => {
  const world = await openWorld();
  await world.place(ALICE, { ...MARKET_BUY, product: 'I', quantity: '10' });
  await setGroup(world, { products: ['C', 'M'] });
  const leg = (change: object) => ({ ...QUESTION, product: 'I', transactionType: 'S', ...change });
  const basket = (...[first, ...legs]: object[]) =>
    world.call('/basketMargin', ALICE, { ...leg(first ?? {}), BasketList_Params: legs.map(leg) });
  const told = 'Fetched basket margin successfully';
  assertSuccess(await world.call('/orderMargin', ALICE, leg({})), 'Fetched order margin successfully');
  assertSuccess(await basket({}, { product: 'C', transactionType: 'B' }), told);
  assertSuccess(await basket({ product: 'M' }, {}), told);
  assertSuccess(await basket({ quantity: '4' }, { quantity: '6' }), told);
  assertFailure(await basket({}, { quantity: '1' }), 400, 'BAD_REQUEST', 'product', INTRADAY);
  assertFailure(
    await world.call('/orderMargin', ALICE, leg({ quantity: '11' })),
    400,
    'BAD_REQUEST',
    'product',
    INTRADAY,
  );
  await world.close();
});

test('productConversion into a product that is not enabled says so, and moves nothing', async () => {
  const world = await openWorld();
  await world.place(ALICE, MARKET_BUY);
  await setGroup(world, { products: ['C', 'M'] });
  const words = { tradingSymbol: 'IDEA-EQ', exchange: 'NSE', previousProduct: 'C', product: 'I', quantity: '4' };
  const convert = async () => {
    const seen = await world.call('/productConversion', ALICE, words);
    return (assertSuccess(seen, 'Partial position conversion info fetched') as Record<string, string>).Status;
  };
  assert.equal(await convert(), INTRADAY);
  await setGroup(world, { products: ['C', 'I'] });
  assert.equal(await convert(), 'ok');
  await world.close();
});

test('userDetails shows the exchanges that are enabled', async () => {
  const world = await openWorld();
  const exchanges = async () => JSON.parse((await world.call('/userDetails', ALICE)).text).data.exchange;
  assert.deepEqual(await exchanges(), ['NSE', 'BSE', 'NFO', 'BFO']);
  await setGroup(world, { exchanges: ['NFO', 'NSE'] });
  assert.deepEqual(await exchanges(), ['NSE', 'NFO']);
  await world.close();
});
