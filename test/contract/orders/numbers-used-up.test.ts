import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GttNumber, OrderNumber } from '../../../src/base/ids.ts';
import { assertFailure } from '../../kit/wire/wire-checks.ts';
import { ALICE, LIMIT_BUY, openWorld } from '../../kit/wire/world.ts';
import { ONE_LEG, placed } from '../gtt/gtt-requests.ts';

/** A date whose numbers have been given out refuses placements and changes nothing. Source: market-rules R0.8. */

const WORDS = 'no number is left for today; nothing was done';
const [LAST_OF_CLIENTS, LAST_OF_GTTS] = [2_611_200_080_000_000 as OrderNumber, 2_611_200_099_999_999 as GttNumber];

test('an order of a client is refused with 503 when the numbers of the date are used up, and leaves no record', async () => {
  const world = await openWorld();
  const { state } = world.engine;
  state.lastOrder = (LAST_OF_CLIENTS - 1) as OrderNumber;
  assert.equal(await world.place(ALICE, {}), String(LAST_OF_CLIENTS));
  const { seq } = state;
  const key = { 'idempotency-key': 'the-same' };
  for (const [path, body] of [
    ['/placeOrder', LIMIT_BUY],
    ['/basketOrder', { legs: [LIMIT_BUY, LIMIT_BUY] }],
  ] as const) {
    const seen = await world.call(path, ALICE, body, key);
    assertFailure(seen, 503, 'SERVICE_UNAVAILABLE', 'server', WORDS);
    assert.equal(seen.headers['retry-after'], '1');
  }
  assert.deepEqual([state.seq, state.lastOrder, state.replies.size], [seq, LAST_OF_CLIENTS, 0]);
  await world.close();
});

test('a GTT is refused with 503 when the numbers of the date are used up, and leaves no record', async () => {
  const world = await openWorld();
  const { state } = world.engine;
  state.gtts.last = (LAST_OF_GTTS - 1) as GttNumber;
  assert.equal(await placed(world), String(LAST_OF_GTTS));
  const { seq } = state;
  const seen = await world.call('/placeGttOrder', ALICE, ONE_LEG);
  assertFailure(seen, 503, 'SERVICE_UNAVAILABLE', 'server', WORDS);
  assert.deepEqual([state.seq, state.gtts.last], [seq, LAST_OF_GTTS]);
  await world.close();
});
