/** Readers that are slower than their events, and readers that ask for too much. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId } from '../../../src/base/ids.ts';
import type { Price, Quantity } from '../../../src/base/money.ts';
import { AccountEvents, type EventFeed } from '../../../src/gateway/stream/account-events.ts';
import { placeOf } from '../../../src/gateway/stream/place.ts';
import { MOST_RECORDS_BACK, UserStream, type UserStreamParts } from '../../../src/gateway/stream/user-stream.ts';
import { EQUITIES } from '../../kit/journal/small-market.ts';
import { opening } from '../../kit/journal/trading.ts';
import { unasked } from '../../kit/unasked.ts';
import { FakeSocket } from './fake-socket.ts';
import { StreamReader } from './stream-reader.ts';
import { StreamWorld } from './stream-world.ts';

const ACCOUNT = 0 as AccountId;
const OTHER = 1 as AccountId;

async function openWorld(): Promise<StreamWorld> {
  const world = new StreamWorld();
  for (const command of opening()) {
    const done = world.engine.submit(unasked(command));
    await world.commit();
    await done;
  }
  return world;
}

/** Buys that rest, all in one group, which the disk takes. */
async function placeAtOnce(world: StreamWorld, count: number): Promise<void> {
  place(world, count);
  await world.commit();
}

const RESTING_BUY = { account: ACCOUNT, side: 'B', product: 'C', quantity: 1, price: 90_00 } as const;

function place(world: StreamWorld, count: number): void {
  for (let number = 0; number < count; number += 1) submit(world, RESTING_BUY);
}

interface Order {
  readonly account: AccountId;
  readonly side: 'B' | 'S';
  readonly product: 'C' | 'I';
  readonly quantity: number;
  readonly price: number;
}

function submit(world: StreamWorld, { account, side, product, quantity, price }: Order): void {
  const [share] = EQUITIES;
  assert.ok(share);
  const terms = {
    priceType: 'LMT',
    retention: 'DAY',
    quantity: quantity as Quantity,
    price: price as Price,
    trigger: 0 as Price,
  } as const;
  void world.engine.submit(
    unasked({ type: 'PlaceOrder', account, instrument: share.id, side, product, terms, remarks: '' }),
  );
}

/** An order that takes this number of resting orders of a user of one share each, in one record. */
async function fillAtOnce(world: StreamWorld, count: number): Promise<void> {
  const before = world.journal.head().seq;
  submit(world, { account: OTHER, side: 'B', product: 'I', quantity: count, price: 110_00 });
  await world.commit();
  assert.equal(world.journal.head().seq, before + 1);
}

/** Sells of one share each, of a user who has seen them rest, in a market that has no depth of its own. */
async function withSellsAtRest(
  count: number,
  sockets: number,
): Promise<{ world: StreamWorld; readers: StreamReader[] }> {
  const world = await openWorld();
  const noDepth = { depth: () => ({ bids: [], asks: [] }), quantityAt: () => 0 as Quantity };
  Object.assign(world.market, noDepth);
  for (let number = 0; number < count; number += 1) {
    submit(world, { account: ACCOUNT, side: 'S', product: 'I', quantity: 1, price: 110_00 });
  }
  await world.commit();
  const readers = Array.from({ length: sockets }, () => new StreamReader(world, ACCOUNT, world.journal.head().seq));
  for (const reader of readers) reader.connect();
  return { world, readers };
}

/** The reader reads all, now and in later turns, until nothing comes any more. */
async function readAll(world: StreamWorld, reader: StreamReader): Promise<void> {
  for (let quiet = 0, before = -1; quiet < 3; ) {
    await world.commit();
    reader.read(Number.POSITIVE_INFINITY);
    quiet = reader.events.length === before ? quiet + 1 : 0;
    before = reader.events.length;
  }
}

test('a burst of more events than may wait comes whole, each event once', async () => {
  const world = await openWorld();
  const reader = new StreamReader(world, ACCOUNT, world.journal.head().seq);
  reader.connect();
  await placeAtOnce(world, 3_000);
  await readAll(world, reader);
  assert.deepEqual([reader.events.length, reader.gaps, reader.closes], [6_000, [], []]);
  await placeAtOnce(world, 10);
  await readAll(world, reader);
  assert.equal(reader.events.length, 6_020, 'it is live again');
});

for (const sockets of [1, 2]) {
  test(`one record with more events than may wait comes whole to ${sockets} sockets of its user`, async () => {
    const { world, readers } = await withSellsAtRest(1_000, sockets);
    await fillAtOnce(world, 1_000);
    for (const reader of readers) {
      await readAll(world, reader);
      // An order and a trade of each, the position and the limits.
      assert.deepEqual([reader.events.length, reader.gaps, reader.closes], [2_002, [], []]);
    }
    await placeAtOnce(world, 1);
    for (const reader of readers) {
      await readAll(world, reader);
      assert.equal(reader.events.length, 2_004, 'it is live again');
    }
  });
}

test('a reader that reads nothing has little waiting, and is closed after ten seconds', async () => {
  const world = await openWorld();
  const reader = new StreamReader(world, ACCOUNT, world.journal.head().seq);
  reader.connect();
  const { socket } = reader;
  assert.ok(socket);
  let most = 0;
  for (let round = 0; round < 10; round += 1) {
    await placeAtOnce(world, 400);
    most = Math.max(most, socket.waiting);
  }
  assert.ok(most > 100_000 && most < 256 * 1024, `${most} bytes wait`);
  await world.clock.pass(9_900);
  assert.equal(socket.closedWith, undefined);
  await world.clock.pass(200);
  assert.equal(socket.closedWith, 4008);
  reader.read(1);
  reader.connect();
  await readAll(world, reader);
  assert.equal(reader.events.length, 8_000, 'with since it has lost nothing');
});

test('a reader that takes a part of what waits every few seconds keeps its socket', async () => {
  const world = await openWorld();
  const reader = new StreamReader(world, ACCOUNT, world.journal.head().seq);
  reader.connect();
  await placeAtOnce(world, 400);
  for (let round = 0; round < 6; round += 1) {
    await world.clock.pass(8_000);
    reader.read(20);
  }
  assert.deepEqual([reader.closes, reader.socket?.closedWith], [[], undefined]);
  await world.clock.pass(20_000);
  assert.equal(reader.socket?.closedWith, 4008);
});

test('a reader that reads now and then keeps its socket and has every event', async () => {
  const world = await openWorld();
  const reader = new StreamReader(world, ACCOUNT, world.journal.head().seq);
  reader.connect();
  await placeAtOnce(world, 2_500);
  for (let round = 0; round < 60; round += 1) {
    await world.clock.pass(9_000);
    reader.read(Number.POSITIVE_INFINITY);
    await world.commit();
  }
  assert.deepEqual([reader.events.length, reader.closes], [5_000, []]);
});

/** A live socket with an order on its way: the record is durable, and the row waits for the disk with a later one. */
async function withOrderOnItsWay(): Promise<{ world: StreamWorld; socket: FakeSocket; start: string }> {
  const world = await openWorld();
  const start = String(world.journal.head().seq);
  const socket = new FakeSocket();
  world.dialect.open(socket, new URL('http://socket/stream'));
  socket.say({ login: { userId: 'USER0', jKey: 'x' } });
  socket.say({ subscribe: ['orders', 'limits'] });
  await placeAtOnce(world, 1);
  const seq = Number(start);
  assert.deepEqual(typesOf(socket.read(9)), ['login', 'subscribed', `order ${seq + 1}-0`, `limit ${seq + 1}-1`]);
  place(world, 1);
  for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
  // The disk has the first one by now.
  place(world, 1);
  await world.commit();
  assert.deepEqual(socket.read(9), []);
  return { world, socket, start };
}

function typesOf(texts: readonly string[]): string[] {
  return texts.map((text) => JSON.parse(text)).map(({ type, seq }) => (seq?.includes('-') ? `${type} ${seq}` : type));
}

test('an event that is on its way is not sent any more once its channel was left', async () => {
  const { world, socket, start } = await withOrderOnItsWay();
  socket.say({ unsubscribe: 'orders' });
  await world.commit();
  await world.commit();
  const seq = Number(start);
  assert.deepEqual(typesOf(socket.read(99)), ['unsubscribed', `limit ${seq + 2}-1`, `limit ${seq + 3}-1`]);
});

test('an event that is on its way when its channel goes back is sent once, with its own row', async () => {
  const { world, socket, start } = await withOrderOnItsWay();
  socket.say({ unsubscribe: 'limits' });
  socket.say({ subscribe: ['orders'], since: start });
  for (let turn = 0; turn < 3; turn += 1) await world.commit();
  const texts = socket.read(99);
  const seq = Number(start);
  const orders = [1, 2, 3].map((count) => `order ${seq + count}-0`);
  assert.deepEqual(typesOf(texts), ['unsubscribed', 'subscribed', ...orders]);
  const numbers = texts.slice(2).map((text) => Number(JSON.parse(text).data.orderNumber));
  assert.deepEqual(
    numbers,
    [0, 1, 2].map((count) => (numbers[0] ?? 0) + count),
  );
});

test('a place too long ago is a gap at the last record, and the place before it is not', () => {
  const last = MOST_RECORDS_BACK + 10;
  const subscribed: number[] = [];
  const feed: EventFeed = {
    last,
    subscribe: (since) => {
      subscribed.push(since);
      return { ok: true, subscription: { seq: since, close: () => undefined } };
    },
  };
  const accountEvents = new AccountEvents(feed, { glance: () => undefined as never });
  const parts = { accountEvents, feed } as unknown as UserStreamParts;
  const stream = new UserStream(parts, new FakeSocket(), ACCOUNT);
  assert.deepEqual(stream.subscribe(['orders'], placeOf('9')), { place: placeOf(String(last)), isGap: true });
  const begun = stream.subscribe(['orders'], placeOf('10-4'));
  assert.deepEqual(begun, { place: { seq: 10, index: 4 }, isGap: false });
  stream.goOn(begun);
  assert.deepEqual(subscribed, [last, 9]);
});
