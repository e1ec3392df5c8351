import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StreamClient } from '../../kit/wire/stream-client.ts';
import { ALICE, BOB, MARKET_BUY, openWorld, type TestUser, type World } from '../../kit/wire/world.ts';

/** The last price of IDEA-EQ is 7.10; a purchase at market trades at 7.15. */
const ABOVE = { exchange: 'NSE', tradingSymbol: 'IDEA-EQ', condition: 'ABOVE', price: '7.15' };

async function placed(world: World, user: TestUser, more: object = {}): Promise<string> {
  return JSON.parse((await world.call('/placeAlert', user, { ...ABOVE, ...more })).text).data.alertId;
}

test('an alert that fires reaches its user on the channel of alerts, with the row of getAlerts', async () => {
  const world = await openWorld();
  const alice = await StreamClient.logIn(world, ALICE);
  const bob = await StreamClient.logIn(world, BOB);
  for (const client of [alice, bob]) await client.ask({ subscribe: ['alerts'] });
  const alertId = await placed(world, ALICE);
  const cancelled = await placed(world, ALICE);
  await world.call('/cancelAlert', ALICE, { alertId: cancelled });
  await world.place(BOB, MARKET_BUY);
  await alice.settle();
  await bob.settle();
  const shown = alice.of('alert').map(({ data }) => [data?.alertId, data?.status]);
  assert.deepEqual(shown.slice(-2), [
    [cancelled, 'CANCELLED'],
    [alertId, 'FIRED'],
  ]);
  const [row] = JSON.parse((await world.call('/getAlerts', ALICE)).text).data;
  const last = alice.of('alert').at(-1);
  assert.deepEqual(last?.data, row);
  assert.equal(last?.seq, `${world.engine.state.seq}-0`);
  assert.deepEqual(bob.of('alert'), []);
  await world.close();
});

test('an alert that fires as it comes is one event, and since gives it again', async () => {
  const world = await openWorld();
  const start = String(world.engine.state.seq);
  const alertId = await placed(world, ALICE, { price: '7.10' });
  const client = await StreamClient.logIn(world, ALICE);
  await client.ask({ subscribe: 'alerts', since: start });
  const { data, seq } = await client.next('alert');
  await client.settle();
  assert.deepEqual([data?.alertId, data?.status, data?.firedPrice, seq], [alertId, 'FIRED', '7.10', `${alertId}-0`]);
  assert.equal(client.of('alert').length, 1);
  await world.close();
});
