import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EpochMs, MINUTE_MS } from '../../../src/base/time.ts';
import { DAY_END_STEPS } from '../../../src/core/broker/settlement/day-end-steps.ts';
import { unasked } from '../../kit/unasked.ts';
import { StreamClient, type StreamFrame } from '../../kit/wire/stream-client.ts';
import { ALICE, BOB, LIMIT_BUY, MARKET_BUY, openWorld, type TestUser, type World } from '../../kit/wire/world.ts';

const ALL = ['orders', 'trades', 'positions', 'limits'];

/** The data of a question, as the client reads it. */
async function answered<T = object>(world: World, path: string, user: TestUser = ALICE): Promise<T> {
  return JSON.parse((await world.call(path, user)).text).data;
}

function keys(frames: readonly StreamFrame[]): string[] {
  return frames
    .filter(({ seq, data }) => seq !== undefined && data !== undefined && seq.includes('-'))
    .map(({ type, seq }) => `${type} ${seq}`);
}

test('an order sends its row, its trade, its position and the limits, as the operations answer them', async () => {
  const world = await openWorld();
  const client = await StreamClient.logIn(world, ALICE);
  const before = String(world.engine.state.seq);
  assert.deepEqual(await client.ask({ subscribe: ALL }), { type: 'subscribed', channels: ALL, seq: before, id: 'q1' });
  await world.place(ALICE, MARKET_BUY);
  await client.settle();
  const seq = world.engine.state.seq;
  assert.deepEqual(keys(client.frames), [`order ${seq}-0`, `trade ${seq}-1`, `position ${seq}-2`, `limit ${seq}-3`]);
  assert.deepEqual(client.of('order')[0]?.data, (await answered<object[]>(world, '/orderBook'))[0]);
  assert.deepEqual(client.of('trade')[0]?.data, (await answered<object[]>(world, '/tradeBook'))[0]);
  assert.deepEqual(client.of('position')[0]?.data, (await answered<object[]>(world, '/positionBook'))[0]);
  assert.deepEqual(client.of('limit')[0]?.data, await answered(world, '/limit'));
  assert.equal(client.of('order')[0]?.at, '2026-11-20T11:00:00.000+05:30');
  await world.close();
});

test('a channel has its own events only, and nobody else has them', async () => {
  const world = await openWorld();
  const alice = await StreamClient.logIn(world, ALICE);
  const bob = await StreamClient.logIn(world, BOB);
  await alice.ask({ subscribe: 'trades' });
  await bob.ask({ subscribe: ALL });
  await world.place(ALICE, MARKET_BUY);
  await alice.settle();
  await bob.settle();
  assert.deepEqual(keys(alice.frames), [`trade ${world.engine.state.seq}-1`]);
  assert.deepEqual(keys(bob.frames), []);
  await alice.ask({ unsubscribe: ['trades', 'orders'] });
  await world.place(ALICE, MARKET_BUY);
  await alice.settle();
  assert.equal(alice.of('trade').length, 1);
  await world.close();
});

test('every change of an order is an event: modified, cancelled, refused', async () => {
  const world = await openWorld();
  const client = await StreamClient.logIn(world, ALICE);
  await client.ask({ subscribe: 'orders' });
  const orderNumber = await world.place(ALICE, LIMIT_BUY);
  const modified = { ...LIMIT_BUY, orderNumber, quantity: '12' };
  await world.call('/modifyOrder', ALICE, modified);
  await world.call('/cancelOrder', ALICE, { orderNumber });
  await world.place(ALICE, { ...LIMIT_BUY, price: '7.00', quantity: '99000000' });
  await client.settle();
  const rows = client.of('order').map(({ data }) => `${data?.status} ${data?.quantity}`);
  assert.deepEqual(rows.slice(0, 3), ['OPEN 10', 'OPEN 12', 'CANCELED 12']);
  await world.close();
});

test('since gives every event after it once, in order, and then what happens', async () => {
  const world = await openWorld();
  const first = await StreamClient.logIn(world, ALICE);
  await first.ask({ subscribe: ALL });
  for (let count = 0; count < 40; count += 1) await world.place(ALICE, count % 3 === 0 ? MARKET_BUY : LIMIT_BUY);
  await first.settle();
  const all = keys(first.frames);
  assert.ok(all.length > 80);
  for (const from of [0, 1, 7, 30, all.length - 1]) {
    const client = await StreamClient.logIn(world, ALICE);
    const since = all[from]?.split(' ')[1] ?? '';
    const answer = await client.ask({ subscribe: ALL, since });
    assert.equal(answer.seq, since);
    await world.place(ALICE, MARKET_BUY);
    await client.socket.until(
      () => keys(client.frames).at(-1)?.startsWith(`limit ${world.engine.state.seq}-`) === true,
    );
    await first.settle();
    assert.deepEqual(keys(client.frames), keys(first.frames).slice(from + 1), since);
    client.end();
  }
  await world.close();
});

test('since of one channel leaves the others as they are', async () => {
  const world = await openWorld();
  const client = await StreamClient.logIn(world, ALICE);
  const start = String(world.engine.state.seq);
  await client.ask({ subscribe: 'orders' });
  await world.place(ALICE, MARKET_BUY);
  await client.ask({ subscribe: ['trades', 'limits'], since: start });
  await world.place(ALICE, MARKET_BUY);
  await client.next('trade', 1);
  await client.next('limit', 1);
  await client.settle();
  const seq = world.engine.state.seq;
  assert.deepEqual(keys(client.of('order')), [`order ${seq - 1}-0`, `order ${seq}-0`]);
  assert.deepEqual(keys(client.of('trade')), [`trade ${seq - 1}-1`, `trade ${seq}-1`]);
  assert.deepEqual(keys(client.of('limit')), [`limit ${seq - 1}-3`, `limit ${seq}-3`]);
  await world.close();
});

test('a subscription that is asked for again, with an earlier since, sends its events again', async () => {
  const world = await openWorld();
  const client = await StreamClient.logIn(world, ALICE);
  const start = String(world.engine.state.seq);
  await client.ask({ subscribe: 'trades', since: start });
  await world.place(ALICE, MARKET_BUY);
  await client.ask({ subscribe: 'trades' });
  await client.ask({ subscribe: 'trades', since: start });
  await client.next('trade', 1);
  await client.settle();
  const seq = world.engine.state.seq;
  assert.deepEqual(keys(client.frames), [`trade ${seq}-1`, `trade ${seq}-1`]);
  await world.close();
});

test('a new trading day is a gap: the books have to be read again', async () => {
  const world = await openWorld();
  const client = await StreamClient.logIn(world, ALICE);
  const start = String(world.engine.state.seq);
  await client.ask({ subscribe: ['orders', 'limits'] });
  await world.place(ALICE, MARKET_BUY);
  const { engine } = world;
  const day = engine.state.day;
  for (const step of DAY_END_STEPS) await engine.submit(unasked({ type: 'EndDay', day, step }));
  await engine.submit(unasked({ type: 'RollDay', day: (day + 1) as typeof day }));
  const gap = await client.next('gap');
  assert.deepEqual(gap, { type: 'gap', channels: ['orders', 'limits'], seq: String(engine.state.seq) });
  world.now = (world.now + MINUTE_MS) as EpochMs;
  const late = await StreamClient.logIn(world, ALICE);
  await late.ask({ subscribe: ['orders', 'limits'], since: start });
  assert.equal((await late.next('gap')).seq, gap.seq);
  assert.deepEqual(late.of('order'), [], 'orders of the day before are in no book');
  await client.ask({ subscribe: 'trades', since: start });
  const again = await client.next('gap', 1);
  assert.deepEqual(again.channels, ['trades'], 'the others were told before');
  await world.close();
});

test('a since that names no place is refused, and the socket stays as it is', async () => {
  const world = await openWorld();
  const client = await StreamClient.logIn(world, ALICE);
  const last = world.engine.state.seq;
  for (const since of [
    '',
    '-1',
    'x',
    '1-',
    '1-x',
    '1843-2-3',
    '9'.repeat(30),
    1843,
    null,
    {},
    [],
    String(last + 1),
    `${last + 1}-0`,
  ]) {
    const answer = await client.ask({ subscribe: 'orders', since });
    assert.deepEqual([answer.type, answer.data?.name], ['error', 'BAD_REQUEST'], JSON.stringify(since));
  }
  assert.equal((await client.ask({ subscribe: 'ticks', instruments: ['NSE:IDEA-EQ'], since: '1' })).type, 'error');
  await world.place(ALICE, MARKET_BUY);
  await client.settle();
  assert.deepEqual(keys(client.frames), []);
  await world.close();
});
