import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderRate } from '../../src/core/access/access.ts';
import { assertFailure } from './wire-checks.ts';
import { ALICE, BOB, LIMIT_BUY, openWorld, type TestUser, type World } from './world.ts';

const GROUNDS = { by: 'desk', why: 'asked' };

async function fix(world: World, { account }: TestUser, ...addresses: string[]): Promise<void> {
  await world.engine.submit({ type: 'SetAddresses', account, addresses, ...GROUNDS });
}

async function setRate(world: World, { account }: TestUser, rate: OrderRate): Promise<void> {
  await world.engine.submit({ type: 'SetOrderRate', account, rate, ...GROUNDS });
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
