import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFailure } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld } from '../../kit/wire/world.ts';
import { nested } from './naughty.ts';

/* The faults that generated requests found, each as a test of its own. */

test('an order number that is a list of lists of lists is 400 under rate limits, too', async (context) => {
  const world = await openWorld({ rateLimit: 'exchange' });
  context.after(() => world.close());
  const { userId, jKey } = ALICE.credentials;
  for (const path of ['/cancelOrder', '/modifyOrder']) {
    const body = `{"userId":"${userId}","jKey":"${jKey}","orderNumber":${nested(5_000, '[', '1', ']')}}`;
    const seen = await world.send('POST', `/V1${path}`, { 'content-type': 'application/json' }, body);
    assertFailure(seen, 400, 'BAD_REQUEST', path === '/cancelOrder' ? 'orderNumber' : 'product');
  }
});

test('the margin of an order in an index is 400: nobody can place one', async (context) => {
  const world = await openWorld();
  context.after(() => world.close());
  const index = {
    exchange: 'NSE',
    transactionType: 'B',
    product: 'I',
    tradingSymbol: 'NIFTY',
    quantity: '1',
    priceType: 'LMT',
    price: '24000',
  };
  const share = { ...index, tradingSymbol: 'IDEA-EQ', price: '7.00' };
  const requests: readonly (readonly [path: string, body: object])[] = [
    ['/orderMargin', index],
    ['/basketMargin', { ...index, BasketList_Params: [] }],
    ['/basketMargin', { ...share, BasketList_Params: [share, index] }],
  ];
  for (const [path, body] of requests) {
    assertFailure(await world.call(path, ALICE, body), 400, 'BAD_REQUEST', 'tradingSymbol');
  }
  assert.deepEqual(world.failures, []);
});
