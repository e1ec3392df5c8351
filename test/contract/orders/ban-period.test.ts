import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unasked } from '../../kit/unasked.ts';
import { RELIANCE, STOCK_FUTURE } from '../../kit/wire/fake-instruments.ts';
import { assertSuccess } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld, type World } from '../../kit/wire/world.ts';

const ORDER = {
  exchange: 'NFO',
  tradingSymbol: STOCK_FUTURE.tradingSymbol,
  product: 'M',
  priceType: 'MKT',
  price: '0',
  quantity: '500',
};

/** The order book, oldest first, as `side status rejectReason`. */
async function book(world: World): Promise<string[]> {
  const rows = assertSuccess(await world.call('/orderBook', ALICE), 'Order book') as Record<string, string>[];
  return rows.map(({ transactionType, status, rejectReason }) => `${transactionType} ${status} ${rejectReason}`.trim());
}

test('the order book shows that the contracts of a share beyond its limit are only reduced', async () => {
  const world = await openWorld();
  await world.place(ALICE, { ...ORDER, transactionType: 'B' });
  await world.engine.submit(unasked({ type: 'ReviewBan', underlying: RELIANCE.id }));
  await world.place(ALICE, { ...ORDER, transactionType: 'B' });
  await world.place(ALICE, { ...ORDER, transactionType: 'S', quantity: '1000' });
  await world.place(ALICE, { ...ORDER, transactionType: 'S' });
  await world.place(ALICE, { tradingSymbol: RELIANCE.tradingSymbol, quantity: '1', price: '1200.00' });
  const text = 'RED:RULE:{Check ban period}Only reduction of position allowed for C-AB1234 [ONLINE]';
  assert.deepEqual(await book(world), [
    'B COMPLETE',
    `B REJECTED ${text}`,
    `S REJECTED ${text}`,
    'S COMPLETE',
    'B OPEN',
  ]);
  await world.close();
});
