import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../kit/wire/manual-clock.ts';
import { SocketClient } from '../../kit/wire/socket-client.ts';
import { ALICE, BOB, openWorld, type TestUser, type World } from '../../kit/wire/world.ts';

const WELCOME = '{"status":"success","message":"Authentication successful"}';

async function clockedWorld(): Promise<{ world: World; clock: ManualClock }> {
  const clock = new ManualClock();
  return { world: await openWorld({ socketClock: clock }), clock };
}

function addressOf({ credentials: { userId, jKey } }: TestUser, path = '/V2/ws'): string {
  return `${path}?${new URLSearchParams({ userId, jKey, source: 'developer-api' })}`;
}

/** A socket that has read its first frame, and the prices of what it subscribed to. */
async function logIn(world: World, clock: ManualClock, user: TestUser, path?: string): Promise<SocketClient> {
  const client = await SocketClient.open(world, addressOf(user, path));
  await clock.pass(200);
  await client.texted(1);
  return client;
}

test('the first frame comes between 100 and 200 ms after the upgrade', async () => {
  const { world, clock } = await clockedWorld();
  const client = await SocketClient.open(world, addressOf(ALICE));
  await clock.pass(100);
  assert.deepEqual(client.texts, []);
  await clock.pass(100);
  assert.deepEqual(await client.texted(1), [WELCOME]);
  await world.close();
});

test('a bad token or user gets a frame that says so, and is closed', async () => {
  const { world, clock } = await clockedWorld();
  for (const address of [
    '/V2/ws',
    '/ws?userId=AB1234&jKey=nonsense',
    addressOf({ ...ALICE, credentials: { ...ALICE.credentials, userId: 'CD5678' } }),
  ]) {
    const client = await SocketClient.open(world, address);
    client.send({ action: 'subscribe', tokens: 'NSE:2885' });
    await clock.pass(200);
    assert.equal((await client.untilClosed()).code, 4401);
    assert.deepEqual(client.texts, ['{"status":"failed","message":"unauthenticated"}']);
  }
  await world.close();
});

test('the fourth socket of a user gets the bare text, and takes no place', async () => {
  const { world, clock } = await clockedWorld();
  const clients: SocketClient[] = [];
  for (const path of ['/V2/ws', '/ws', '/V2/ws']) clients.push(await logIn(world, clock, ALICE, path));
  const fourth = await logIn(world, clock, ALICE);
  assert.deepEqual(fourth.texts, ['Maximum sessions limit (3) reached']);
  assert.equal((await fourth.untilClosed()).code, 4409);
  assert.deepEqual((await logIn(world, clock, BOB)).texts, [WELCOME]);
  clients[0]?.end();
  await clients[0]?.untilClosed();
  await clock.pass(1);
  assert.deepEqual((await logIn(world, clock, ALICE)).texts, [WELCOME]);
  await world.close();
});

test('prices come whole and as integers, in writes behind the first frame, although the client subscribed before it', async () => {
  const { world, clock } = await clockedWorld();
  const client = await SocketClient.open(world, addressOf(ALICE));
  client.send({ action: 'subscribe', tokens: 'NSE:14366' });
  await clock.pass(200);
  const [first, second = ''] = await client.texted(2);
  assert.equal(first, WELCOME);
  console.log(second);
  await world.close();
});
