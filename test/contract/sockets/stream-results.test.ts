import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockedWorld } from '../../kit/wire/clocked-world.ts';
import { StreamClient } from '../../kit/wire/stream-client.ts';
import { ALICE, BOB, MARKET_BUY, type TestUser, type World } from '../../kit/wire/world.ts';

async function resultsOf(world: World, user: TestUser = ALICE): Promise<Record<string, unknown>> {
  return JSON.parse((await world.call('/getResults', user)).text).data;
}

test('results come at once, with the answer of getResults, and after each second in which they changed', async () => {
  const { world, second } = await clockedWorld();
  await world.place(ALICE, { ...MARKET_BUY, product: 'I' });
  const client = await StreamClient.logIn(world, ALICE);
  await client.ask({ subscribe: 'results' });
  const first = await client.next('results');
  assert.deepEqual(first.data, await resultsOf(world));
  assert.deepEqual(Object.keys(first), ['type', 'data']);
  await second();
  const moved = await client.next('results', 1);
  assert.notEqual(moved.data?.open, first.data?.open, 'the market printed behind the trade');
  for (let count = 0; count < 5; count += 1) await second();
  await client.settle();
  assert.equal(client.of('results').length, 2, 'nothing changed');
  await world.place(ALICE, { ...MARKET_BUY, product: 'I', transactionType: 'S' });
  await second();
  const closed = await client.next('results', 2);
  assert.deepEqual(closed.data, await resultsOf(world));
  assert.equal(closed.data?.open, '0.00');
  await world.close();
});

test('results of one user go to his own sockets and to nobody else, and end when he leaves the channel', async () => {
  const { world, second, clock } = await clockedWorld();
  const [one, two, other] = await Promise.all([ALICE, ALICE, BOB].map((user) => StreamClient.logIn(world, user)));
  assert.ok(one && two && other);
  const idle = clock.waiting;
  for (const client of [one, two, other]) await client.ask({ subscribe: 'results' });
  for (const client of [one, two, other]) await client.next('results');
  await world.place(ALICE, { ...MARKET_BUY, product: 'I' });
  await second();
  for (const client of [one, two]) assert.deepEqual((await client.next('results', 1)).data, await resultsOf(world));
  await other.settle();
  assert.equal(other.of('results').length, 1);
  await one.ask({ unsubscribe: 'results' });
  await world.place(ALICE, { ...MARKET_BUY, product: 'I' });
  await second();
  await two.next('results', 2);
  await one.settle();
  assert.equal(one.of('results').length, 2);
  for (const client of [two, other]) await client.ask({ unsubscribe: 'results' });
  assert.ok(clock.waiting <= idle, 'no timer runs for results that nobody follows');
  await world.close();
});

test('results that were asked for twice come once, and take neither instruments nor since', async () => {
  const { world } = await clockedWorld();
  const client = await StreamClient.logIn(world, ALICE);
  await client.ask({ subscribe: ['results', 'results'] });
  await client.ask({ subscribe: 'results' });
  await client.next('results');
  await client.settle();
  assert.equal(client.of('results').length, 1);
  for (const wrong of [{ instruments: ['NSE:IDEA-EQ'] }, { since: '0' }]) {
    assert.equal((await client.ask({ subscribe: 'results', ...wrong })).type, 'error');
  }
  await world.close();
});
