import assert from 'node:assert/strict';
import { test } from 'node:test';
import { price, quantity } from '../../../src/base/money.ts';
import type { EpochMs } from '../../../src/base/time.ts';
import type { OrderRate } from '../../../src/core/access/access-terms.ts';
import { unasked } from '../../kit/unasked.ts';
import { IDEA } from '../../kit/wire/fake-instruments.ts';
import { assertFailure, assertSuccess } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, LIMIT_BUY, openWorld, type TestUser, type World } from '../../kit/wire/world.ts';

const GROUNDS = { by: 'desk', why: 'asked' };

async function fix(world: World, { account }: TestUser, ...addresses: string[]): Promise<void> {
  await world.engine.submit(unasked({ type: 'SetAddresses', account, addresses, ...GROUNDS }));
}

async function setRate(world: World, { account }: TestUser, rate: OrderRate): Promise<void> {
  await world.engine.submit(unasked({ type: 'SetOrderRate', account, rate, ...GROUNDS }));
}

test('orders of an account with fixed addresses come from these only; reading and logging in go on from anywhere', async () => {
  const world = await openWorld();
  const orderNumber = await world.place(ALICE, {});
  await fix(world, ALICE, '203.0.113.1');
  for (const [path, body] of [
    ['/placeOrder', LIMIT_BUY],
    ['/modifyOrder', { orderNumber, quantity: '20' }],
    ['/cancelOrder', { orderNumber }],
  ] as const) {
    const seen = await world.call(path, ALICE, body);
    assertFailure(seen, 403, 'FORBIDDEN', 'ip', 'Invalid IP Address');
  }
  assert.equal(world.engine.state.orders.size, 1);
  assert.equal((await world.call('/orderBook', ALICE)).status, 200);
  assert.ok((await world.logIn(ALICE)).credentials.jKey);
  assert.equal((await world.call('/placeOrder', BOB, LIMIT_BUY)).status, 200);
  assertFailure(await world.call('/placeOrder', ALICE), 403, 'FORBIDDEN', 'ip');
  await fix(world, ALICE);
  assert.equal((await world.call('/placeOrder', ALICE, LIMIT_BUY)).status, 200);
  await fix(world, BOB, '198.51.100.1', '127.0.0.1');
  assert.equal((await world.call('/placeOrder', BOB, LIMIT_BUY)).status, 200);
  await world.close();
});

test('the address is what a trusted proxy says it is, and nobody else', async () => {
  for (const [proxies, header, status] of [
    [[], '203.0.113.1', 403],
    [['10.0.0.0/8'], '203.0.113.1', 403],
    [['127.0.0.1'], '203.0.113.1', 200],
    [['127.0.0.1'], '203.0.113.1, 198.51.100.1', 403],
    [['127.0.0.1'], '198.51.100.1, 203.0.113.1', 200],
    [['127.0.0.1'], '2001:DB8:0::1', 200],
  ] as const) {
    const world = await openWorld({ proxies });
    await fix(world, ALICE, '203.0.113.1', '2001:db8::1');
    // Plain, and with a header that Node's server is asked for.
    for (const more of [{}, { expect: '200-ok' }]) {
      const seen = await world.call('/placeOrder', ALICE, LIMIT_BUY, { 'x-forwarded-for': header, ...more });
      assert.equal(seen.status, status, `${proxies} ${header}`);
    }
    await world.close();
  }
});

async function placed(world: World, user: TestUser, count: number, fields: object = {}): Promise<number> {
  let taken = 0;
  for (let i = 0; i < count; i += 1) {
    const seen = await world.call('/placeOrder', user, { ...LIMIT_BUY, ...fields });
    if (seen.status === 200) taken += 1;
    else {
      assertFailure(seen, 429, 'RATE_LIMIT_EXCEEDED', 'rate');
      assert.equal(seen.headers['retry-after'], '1');
    }
  }
  return taken;
}

test('an account at the threshold sends ten orders a second to a segment, others as many as they like', async () => {
  const world = await openWorld();
  await setRate(world, ALICE, { perSecond: 10 });
  assert.equal(await placed(world, ALICE, 12), 10);
  assert.equal(await placed(world, ALICE, 12, { exchange: 'BSE', tradingSymbol: 'IDEA' }), 10);
  assert.equal(await placed(world, BOB, 12), 12);
  for (let i = 0; i < 20; i += 1) assert.equal((await world.call('/limit', ALICE)).status, 200);
  await world.close();
});

test('a registered algorithm sends more, also where the service limits everybody', async () => {
  const world = await openWorld({ rateLimit: 'exchange' });
  await setRate(world, ALICE, { perSecond: 15, algoId: '123456789012' });
  assert.equal(await placed(world, ALICE, 17), 15);
  assert.equal(await placed(world, BOB, 12), 10);
  await world.close();
});

test('an exchange that there is not has no bucket of its own', async () => {
  const world = await openWorld();
  await setRate(world, ALICE, { perSecond: 2 });
  const statuses: number[] = [];
  for (const exchange of ['AAA', 'AAB', 'AAC', 'toString']) {
    statuses.push((await world.call('/placeOrder', ALICE, { ...LIMIT_BUY, exchange })).status);
  }
  assert.deepEqual(statuses, [400, 400, 429, 429]);
  await world.close();
});

const NIFTY_FUTURE = { exchange: 'NFO', tradingSymbol: 'NIFTY29DEC26F', product: 'M', price: '24000' };

/** As many orders as the answers of one request after the other placed, `undefined` for what was 429. */
async function slicesPlaced(world: World, user: TestUser, ...quantities: number[]): Promise<(number | undefined)[]> {
  const counts: (number | undefined)[] = [];
  for (const quantity of quantities) {
    const seen = await world.call('/placeOrder', user, { ...LIMIT_BUY, ...NIFTY_FUTURE, quantity: String(quantity) });
    if (seen.status === 429) {
      assertFailure(seen, 429, 'RATE_LIMIT_EXCEEDED', 'rate');
      assert.equal(seen.headers['retry-after'], '1');
      counts.push(undefined);
    } else {
      const data = assertSuccess(seen, 'Order details');
      counts.push(Array.isArray(data) ? data.length : 1);
    }
  }
  return counts;
}

test('each slice of an order counts as an order, and one with too many for what is left is refused as a whole', async () => {
  const world = await openWorld({ rateLimit: 'exchange', slicing: 'on' });
  assert.deepEqual(await slicesPlaced(world, ALICE, 17_550, 65), [10, undefined], 'ten slices are the whole burst');
  assert.equal(world.engine.state.orders.size, 10);
  world.now = (world.now + 1_000) as EpochMs;
  assert.deepEqual(await slicesPlaced(world, ALICE, 6_500, 6_500, 6_500), [4, 4, undefined]);
  assert.equal(world.engine.state.orders.size, 18, 'nothing was placed of what was refused');
  assert.deepEqual(await slicesPlaced(world, ALICE, 6_500, 65, 65, 65), [undefined, 1, 1, undefined]);
  assert.deepEqual(await slicesPlaced(world, BOB, 6_500), [4]);
  world.now = (world.now + 399) as EpochMs;
  assert.deepEqual(await slicesPlaced(world, ALICE, 6_500), [undefined]);
  world.now = (world.now + 1) as EpochMs;
  assert.deepEqual(await slicesPlaced(world, ALICE, 6_500, 65), [4, undefined]);
  await world.close();
});

test('an order of more slices than its account may ever send at once is 400, whatever is left', async () => {
  const world = await openWorld({ slicing: 'on' });
  await setRate(world, ALICE, { perSecond: 3 });
  const seen = await world.call('/placeOrder', ALICE, { ...LIMIT_BUY, ...NIFTY_FUTURE, quantity: '6500' });
  assertFailure(seen, 400, 'BAD_REQUEST', 'quantity', 'quantity needs 4 slices, and 3 orders a second may be sent');
  assert.equal(world.engine.state.orders.size, 0);
  assert.deepEqual(await slicesPlaced(world, ALICE, 65, 65, 65), [1, 1, undefined], 'the request counted as one');
  world.now = (world.now + 1_000) as EpochMs;
  assert.deepEqual(await slicesPlaced(world, ALICE, 5_265, 65), [3, undefined]);
  await setRate(world, ALICE, { perSecond: 15, algoId: '123456789012' });
  assert.deepEqual(await slicesPlaced(world, ALICE, 17_550, 8_775, 65), [10, 5, undefined]);
  assert.deepEqual(await slicesPlaced(world, BOB, 17_550, 17_550), [10, 10], 'who has no rate is not limited');
  await world.close();
});

/** Places orders of ALICE that are refused, which count as any others. */
async function placeOffTick({ engine }: World, count: number): Promise<void> {
  const offTick = {
    priceType: 'LMT',
    retention: 'DAY',
    quantity: quantity(1),
    price: price(703),
    trigger: price(0),
  } as const;
  const order = { instrument: IDEA.id, side: 'B', product: 'C', terms: offTick, remarks: '' } as const;
  for (let i = 0; i < count; i += 1)
    await engine.submit(unasked({ type: 'PlaceOrder', account: ALICE.account, ...order }));
}

test('an account places at most 3,000 orders a day where the service keeps the limits of the exchange', async () => {
  const world = await openWorld({ rateLimit: 'exchange' });
  await placeOffTick(world, 2_999);
  assertSuccess(await world.call('/placeOrder', ALICE, LIMIT_BUY), 'Order details');
  const refused = await world.call('/placeOrder', ALICE, LIMIT_BUY);
  assertFailure(refused, 429, 'RATE_LIMIT_EXCEEDED', 'rate', 'at most 3000 orders a day are placed');
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.equal(world.engine.state.orders.size, 3_000);
  assertSuccess(await world.call('/placeOrder', BOB, LIMIT_BUY), 'Order details');
  await world.close();
});

test('a placement that is sent again under its key is answered as at first when the orders of the day are used up', async () => {
  const world = await openWorld({ rateLimit: 'exchange', slicing: 'on' });
  await placeOffTick(world, 2_995);
  const requests = [
    ['single', '/placeOrder', LIMIT_BUY],
    ['basket', '/basketOrder', { legs: [LIMIT_BUY, LIMIT_BUY] }],
    ['sliced', '/placeOrder', { ...LIMIT_BUY, ...NIFTY_FUTURE, quantity: '3510' }],
  ] as const;
  const send = ([key, path, body]: (typeof requests)[number]) =>
    world.call(path, ALICE, body, { 'idempotency-key': key });
  const first = [];
  for (const request of requests) first.push((await send(request)).text);
  assert.equal(world.engine.state.orders.size, 3_000);
  world.now = (world.now + 5_000) as EpochMs;
  for (const [index, request] of requests.entries()) {
    const again = await send(request);
    assert.deepEqual([again.status, again.text], [200, first[index]]);
  }
  assert.equal(world.engine.state.orders.size, 3_000);
  const other = await world.call('/placeOrder', ALICE, LIMIT_BUY, { 'idempotency-key': 'another' });
  assertFailure(other, 429, 'RATE_LIMIT_EXCEEDED', 'rate', 'at most 3000 orders a day are placed');
  await world.close();
});

test('slices beyond the orders of a day are refused together', async () => {
  const world = await openWorld({ rateLimit: 'exchange', slicing: 'on' });
  await placeOffTick(world, 2_997);
  assert.equal(
    (await world.call('/placeOrder', ALICE, { ...LIMIT_BUY, ...NIFTY_FUTURE, quantity: '6500' })).status,
    429,
  );
  assert.equal(world.engine.state.orders.size, 2_997);
  await world.close();
});

test('an order is modified at most 25 times, refused modifications among them, and can still be cancelled', async () => {
  const world = await openWorld({ rateLimit: 'exchange' });
  const orderNumber = await world.place(ALICE, {});
  const modify = (price: string) => {
    world.now = (world.now + 1_000) as EpochMs;
    return world.call('/modifyOrder', ALICE, { ...LIMIT_BUY, orderNumber, price });
  };
  for (let i = 0; i < 25; i += 1) assert.equal((await modify(i % 2 === 0 ? '7.01' : '6.95')).status, 200);
  const text = 'an order is modified at most 25 times: cancel it and place another';
  assertFailure(await modify('6.90'), 429, 'RATE_LIMIT_EXCEEDED', 'rate', text);
  assertSuccess(await world.call('/cancelOrder', ALICE, { orderNumber }), 'Order cancellation details');
  await world.close();
});

test('orders and modifications have no number of a day while rate limits are off', async () => {
  const world = await openWorld();
  const orderNumber = await world.place(ALICE, {});
  for (let i = 0; i < 30; i += 1) {
    assert.equal((await world.call('/modifyOrder', ALICE, { ...LIMIT_BUY, orderNumber, price: '6.95' })).status, 200);
  }
  await world.close();
});
