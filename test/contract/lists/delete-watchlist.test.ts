import assert from 'node:assert/strict';
import { test } from 'node:test';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, T1, TEXT } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, openWorld } from '../../kit/wire/world.ts';

const PATH = '/deleteWatchlist';
const MESSAGE = 'Watchlist deleted';

contractOf({
  path: PATH,
  message: MESSAGE,
  request: { name: 'Banks' },
  prepare: async (world) => {
    await world.call('/saveWatchlist', ALICE, { name: 'Banks', instruments: [] });
    return {};
  },
  required: badRequestFields('name'),
  fields: { name: 'text' },
  data: { name: TEXT, requestTime: T1 },
});

test('deleteWatchlist answers the same bytes for a list of another user, a deleted one and none', async () => {
  const world = await openWorld();
  await world.call('/saveWatchlist', BOB, { name: 'Banks', instruments: [] });
  await world.call('/saveWatchlist', ALICE, { name: 'Cars', instruments: [] });
  assertSuccess(await world.call(PATH, ALICE, { name: 'Cars' }), MESSAGE);
  const texts = new Set<string>();
  for (const name of ['Banks', 'Cars', 'cars', '__proto__']) {
    const seen = await world.call(PATH, ALICE, { name });
    assertFailure(seen, 400, 'BAD_REQUEST', 'name', 'watchlist not found');
    texts.add(seen.text);
  }
  assert.equal(texts.size, 1);
  assertSuccess(await world.call(PATH, BOB, { name: 'Banks' }), MESSAGE);
  await world.close();
});
