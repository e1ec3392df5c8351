import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GttNumber } from '../../../src/base/ids.ts';
import { unasked } from '../../kit/unasked.ts';
import { StreamClient } from '../../kit/wire/stream-client.ts';
import { ALICE, BOB, openWorld } from '../../kit/wire/world.ts';
import { ONE_LEG, ORDER, placed, rowOf } from '../gtt/gtt-requests.ts';

/** The last price of IDEA-EQ is 7.10; a purchase at market trades at 7.15, which is 0.7 % above. */
const IDEA = { tradingSymbol: 'IDEA-EQ', value: '7.15' };
const OrderParams = { ...ORDER, tradingSymbol: 'IDEA-EQ', price: '7.20' };

test('a GTT reaches its user on the channel of GTTs as it is placed, triggered, fired, with the row of the book', async () => {
  const world = await openWorld();
  const [alice, bob] = [await StreamClient.logIn(world, ALICE), await StreamClient.logIn(world, BOB)];
  for (const client of [alice, bob]) await client.ask({ subscribe: ['gtt', 'orders'] });
  const gtt = await placed(world, { ...IDEA, OrderParams });
  const buy = { ...ORDER, tradingSymbol: 'IDEA-EQ', priceType: 'MKT', price: '0' };
  await world.call('/placeOrder', BOB, buy);
  assert.equal((await rowOf(world, gtt)).status, 'TRIGGERED');
  await alice.settle();
  await world.engine.submit(unasked({ type: 'FireGtt', gtt: Number(gtt) as GttNumber }));
  await alice.settle();
  const shown = alice.of('gtt').map(({ data }) => [data?.GTTid, data?.status]);
  assert.deepEqual(shown, [
    [gtt, 'ACTIVE'],
    [gtt, 'TRIGGERED'],
    [gtt, 'FIRED'],
  ]);
  const last = alice.of('gtt').at(-1);
  assert.deepEqual(last?.data, await rowOf(world, gtt));
  assert.equal(alice.of('order').at(-1)?.data?.orderNumber, last?.data?.orderNumber);
  assert.deepEqual(bob.of('gtt'), []);
  await world.close();
});

test('GTTs of the past come again with since, as they stand now', async () => {
  const world = await openWorld();
  const start = String(world.engine.state.seq);
  const gtt = await placed(world, ONE_LEG);
  await world.call('/cancelGttOrder', ALICE, { GTTid: gtt });
  const client = await StreamClient.logIn(world, ALICE);
  await client.ask({ subscribe: 'gtt', since: start });
  await client.next('gtt');
  await client.settle();
  const statuses = client.of('gtt').map(({ data }) => data?.status);
  assert.deepEqual(statuses, ['CANCELLED', 'CANCELLED']);
  await world.close();
});
