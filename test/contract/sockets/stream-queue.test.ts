/** The channel of queue places: whose rows it has, and when they come. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClockedWorld, clockedWorld } from '../../kit/wire/clocked-world.ts';
import { StreamClient, type StreamFrame } from '../../kit/wire/stream-client.ts';
import { ALICE, BOB, LIMIT_BUY, type World } from '../../kit/wire/world.ts';

interface Place {
  readonly orderNumber: string;
  readonly ahead: string;
}

class Followed {
  readonly world: World;
  readonly client: StreamClient;
  private readonly passSecond: ClockedWorld['second'];

  private constructor({ world, second }: ClockedWorld, client: StreamClient) {
    this.world = world;
    this.client = client;
    this.passSecond = second;
  }

  static async open(): Promise<Followed> {
    const clocked = await clockedWorld();
    const client = await StreamClient.logIn(clocked.world, ALICE);
    await client.ask({ subscribe: 'queue', instruments: ['NSE:IDEA-EQ'] });
    const followed = new Followed(clocked, client);
    await clocked.clock.pass(10);
    await client.next('queue');
    return followed;
  }

  async second(): Promise<void> {
    await this.passSecond();
    await this.client.settle();
  }

  get frames(): StreamFrame[] {
    return this.client.of('queue');
  }

  get newest(): readonly Place[] {
    return this.frames.at(-1)?.data as unknown as readonly Place[];
  }

  async close(): Promise<void> {
    await this.world.close();
  }
}

test('the rows of getQueuePlaces come at once, and after each second in which the queue changed', async () => {
  const followed = await Followed.open();
  const { world } = followed;
  assert.equal(followed.newest.length, 0, 'the user has no order');
  await world.place(BOB, { ...LIMIT_BUY, quantity: '25' });
  const orderNumber = await world.place(ALICE, LIMIT_BUY);
  await followed.second();
  const fields = { exchange: 'NSE', tradingSymbol: 'IDEA-EQ' };
  const rows = JSON.parse((await world.call('/getQueuePlaces', ALICE, fields)).text).data;
  assert.deepEqual(followed.newest, rows);
  assert.equal(followed.newest[0]?.orderNumber, orderNumber);
  assert.equal(followed.frames.at(-1)?.instrument, 'NSE:IDEA-EQ');
  const count = followed.frames.length;
  for (let passed = 0; passed < 12; passed += 1) await followed.second();
  assert.equal(followed.frames.length, count, 'nothing moved');
  await world.call('/cancelAllOrders', BOB);
  await followed.second();
  assert.equal(followed.frames.length, count + 1);
  assert.equal(Number(followed.newest[0]?.ahead), Number(rows[0].ahead) - 25);
  await world.call('/cancelAllOrders', ALICE);
  await followed.second();
  assert.equal(followed.newest.length, 0);
  await followed.close();
});

test('a change of a queue far from the touch comes too, although the quote stays as it is', async () => {
  const followed = await Followed.open();
  const { world } = followed;
  const order = { ...LIMIT_BUY, price: '6.50' };
  const [first] = [await world.place(BOB, order), await world.place(ALICE, order)];
  await followed.second();
  const count = followed.frames.length;
  const before = Number(followed.newest[0]?.ahead);
  const { tradingSymbol, product, priceType, retention } = order;
  const moved = { orderNumber: first, tradingSymbol, product, priceType, retention, price: '6.45', quantity: '10' };
  await world.call('/modifyOrder', BOB, moved);
  await followed.second();
  assert.equal(followed.frames.length, count + 1);
  assert.equal(Number(followed.newest[0]?.ahead), before - 10);
  await followed.close();
});

test('nothing comes after the instrument is left, and orders in other instruments are not shown', async () => {
  const followed = await Followed.open();
  const { world, client } = followed;
  await world.place(ALICE, { ...LIMIT_BUY, tradingSymbol: 'RELIANCE-EQ', price: '1250.00' });
  await followed.second();
  assert.equal(followed.newest.length, 0);
  await client.ask({ unsubscribe: 'queue', instruments: ['NSE:IDEA-EQ'] });
  const count = followed.frames.length;
  await world.place(ALICE, LIMIT_BUY);
  await followed.second();
  assert.equal(followed.frames.length, count);
  await followed.close();
});

test('a frame has the hundred oldest orders of an instrument', async () => {
  const followed = await Followed.open();
  const { world } = followed;
  const numbers: string[] = [];
  for (let count = 0; count < 103; count += 1) numbers.push(await world.place(ALICE, { ...LIMIT_BUY, quantity: '1' }));
  await followed.second();
  assert.deepEqual(
    followed.newest.map(({ orderNumber }) => orderNumber),
    numbers.slice(0, 100),
  );
  await world.call('/cancelOrder', ALICE, { orderNumber: numbers[0] });
  await followed.second();
  assert.deepEqual(
    followed.newest.map(({ orderNumber }) => orderNumber),
    numbers.slice(1, 101),
  );
  await followed.close();
});
