import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockedWorld } from '../../kit/wire/clocked-world.ts';
import type { ManualClock } from '../../kit/wire/manual-clock.ts';
import { SocketClient } from '../../kit/wire/socket-client.ts';
import { StreamClient } from '../../kit/wire/stream-client.ts';
import { ALICE, LIMIT_BUY, type World } from '../../kit/wire/world.ts';

/** Places an order whose frames are written 7 ms after it is durable. */
async function placeSlowly(world: World, clock: ManualClock, client: SocketClient): Promise<void> {
  const durable = Promise.withResolvers<void>();
  const { read } = world.engine;
  world.engine.read = ((query: Parameters<typeof read>[0]) => {
    const value = read.call(world.engine, query);
    return durable.promise.then(() => value);
  }) as typeof read;
  const orders = world.engine.state.orders.size;
  const had = client.texts.length;
  const placed = world.call('/placeOrder', ALICE, LIMIT_BUY);
  await client.until(() => world.engine.state.orders.size === orders + 1);
  await clock.pass(7);
  durable.resolve();
  world.engine.read = read;
  await placed;
  await client.until(() => client.texts.length > had);
}

/** The delays that are counted, by their upper bound in milliseconds. */
function delaysOf(world: World): Record<string, number> {
  const { boundsMs, counts } = world.sockets.delays;
  return Object.fromEntries(
    counts.flatMap((count, place) => (count === 0 ? [] : [[boundsMs[place] ?? 'above', count]])),
  );
}

test('the delay of an event on the V2 socket is from durable to written, and is counted once a change', async () => {
  const { world, clock } = await clockedWorld();
  const client = await SocketClient.open(world, `/V2/ws?${new URLSearchParams(ALICE.credentials)}`);
  await clock.pass(200);
  await client.texted(1);
  await clock.pass(600);
  await placeSlowly(world, clock, client);
  assert.deepEqual(delaysOf(world), { 10: 1 });
  assert.equal(world.sockets.delays.sumMs, 7);
});

test('the delay of an event on the stream is counted when it is live, and not when it is asked for again', async () => {
  const { world, clock } = await clockedWorld();
  const client = await StreamClient.logIn(world, ALICE);
  const since = String(world.engine.state.seq);
  await client.ask({ subscribe: 'orders' });
  await placeSlowly(world, clock, client.socket);
  assert.deepEqual(delaysOf(world), { 10: 1 });
  await client.ask({ subscribe: 'orders', since });
  await client.next('order', 1);
  await client.settle();
  assert.deepEqual(delaysOf(world), { 10: 1 });
});
