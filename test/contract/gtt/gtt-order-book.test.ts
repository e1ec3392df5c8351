import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import type { GttNumber, InstrumentId } from '../../../src/base/ids.ts';
import { unasked } from '../../kit/unasked.ts';
import { StreamClient } from '../../kit/wire/stream-client.ts';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertSuccess } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, openWorld } from '../../kit/wire/world.ts';
import { GTT } from '../../property/fuzz/shapes.ts';
import { bookOf, placed, rowOf, TWO_LEGS } from './gtt-requests.ts';

const PATH = '/GttOrderBook';

contractOf({
  path: PATH,
  message: 'GTT order book',
  request: {},
  prepare: async (world) => {
    await placed(world);
    await placed(world, TWO_LEGS);
    return undefined;
  },
  data: [GTT],
});

test("GttOrderBook has the user's own GTTs, oldest first, and is an empty list without any", async () => {
  const world = await openWorld();
  assert.deepEqual(await bookOf(world), []);
  const own = [await placed(world), await placed(world, TWO_LEGS)];
  await placed(world, {}, BOB);
  assert.deepEqual(
    (await bookOf(world)).map(({ GTTid }) => GTTid),
    own,
  );
  await world.close();
});

test('GttOrderBook keeps the newest hundred that have ended', async () => {
  const world = await openWorld();
  const all: string[] = [];
  for (let count = 0; count < 103; count += 1) {
    const GTTid = await placed(world);
    all.push(GTTid);
    assertSuccess(await world.call('/cancelGttOrder', ALICE, { GTTid }), 'GTT order cancelled successfully');
  }
  const shown = (await bookOf(world)).map(({ GTTid }) => GTTid);
  assert.deepEqual(shown, all.slice(3));
  await world.close();
});

test('a GTT that waited longer than a hundred others stays in the book as it ends', async () => {
  const world = await openWorld();
  const client = await StreamClient.logIn(world, ALICE);
  await client.ask({ subscribe: 'gtt' });
  const waiting = await placed(world);
  for (let count = 0; count < 100; count += 1)
    await world.call('/cancelGttOrder', ALICE, { GTTid: await placed(world) });
  await world.call('/cancelGttOrder', ALICE, { GTTid: waiting });
  assert.equal((await rowOf(world, waiting)).status, 'CANCELLED');
  assert.equal((await bookOf(world)).length, 100);
  await client.settle();
  assert.deepEqual(client.of('gtt').at(-1)?.data, await rowOf(world, waiting));
  await world.close();
});

test('a GTT that ended on a contract that nobody knows any more is left out', async () => {
  const world = await openWorld();
  const waiting = await placed(world);
  const { gtts } = world.engine.state;
  const known = must(gtts.get(Number(waiting) as GttNumber), 'the GTT that was placed');
  const number = (known.number + 1) as GttNumber;
  gtts.add({ ...known, number, instrument: 8_000_000 as InstrumentId, status: 'Expired', end: 'YearOver' });
  assert.deepEqual(
    (await bookOf(world)).map(({ GTTid }) => GTTid),
    [waiting],
  );
  await world.close();
});

test('GttOrderBook shows nothing of a firing while no price has come to a trigger', async () => {
  const world = await openWorld();
  const gtt = await placed(world, TWO_LEGS);
  await world.engine.submit(unasked({ type: 'FireGtt', gtt: Number(gtt) as GttNumber }));
  const [row] = await bookOf(world);
  assert.deepEqual(
    [row?.status, row?.firedLeg, row?.firedPrice, row?.firedAt, row?.orderNumber],
    ['ACTIVE', '', '', '', ''],
  );
  await world.close();
});
