import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId, InstrumentId } from '../../../src/base/ids.ts';

import { type EpochMs, SECOND_MS } from '../../../src/base/time.ts';
import { MOST_WATCHED, MOST_WATCHLISTS } from '../../../src/core/lists/watchlist.ts';
import { unasked } from '../../kit/unasked.ts';
import { IDEA, LTFH, NEAR_EXPIRY, NIFTY, OPTIONS } from '../../kit/wire/fake-instruments.ts';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertSuccess, INTEGER, TEXT } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, openWorld } from '../../kit/wire/world.ts';

const PATH = '/getWatchlists';
const MESSAGE = 'Watchlists';

interface Row {
  readonly name: string;
  readonly instruments: readonly {
    readonly exchange: string;
    readonly tradingSymbol: string;
    readonly token: string;
  }[];
}

const IDEA_ROW = { exchange: 'NSE', tradingSymbol: 'IDEA-EQ', token: '14366' };

contractOf({
  path: PATH,
  message: MESSAGE,
  request: {},
  prepare: async (world) => {
    await world.call('/saveWatchlist', ALICE, { name: 'Telecom', instruments: [IDEA_ROW] });
    return {};
  },
  data: [{ name: TEXT, instruments: [{ exchange: /^(NSE|BSE|NFO|BFO)$/, tradingSymbol: TEXT, token: INTEGER }] }],
});

test('getWatchlists answers the lists of its user alone, in the order in which their names came', async () => {
  const world = await openWorld();
  const read = async (user = ALICE) => assertSuccess(await world.call(PATH, user), MESSAGE) as Row[];
  assert.deepEqual(await read(), []);
  for (const name of ['one', 'two']) await world.call('/saveWatchlist', ALICE, { name, instruments: [IDEA_ROW] });
  await world.call('/saveWatchlist', ALICE, { name: 'one', instruments: [] });
  assert.deepEqual(await read(), [
    { name: 'one', instruments: [] },
    { name: 'two', instruments: [IDEA_ROW] },
  ]);
  assert.deepEqual(await read(BOB), []);
  await world.close();
});

test('a contract leaves a watchlist at its last close, so that what is read can be quoted as it is', async () => {
  const world = await openWorld();
  const near = OPTIONS.find((option) => option.expiryDay === NEAR_EXPIRY) ?? assert.fail('an option');
  const instruments = [NIFTY, near, LTFH].map(({ exchange, tradingSymbol }) => ({ exchange, tradingSymbol }));
  await world.call('/saveWatchlist', ALICE, { name: 'mixed', instruments });
  const read = async (user = ALICE) => (assertSuccess(await world.call(PATH, user), MESSAGE) as Row[])[0]?.instruments;
  assert.deepEqual(await read(), [
    { exchange: 'NSE', tradingSymbol: 'NIFTY', token: '26000' },
    { exchange: 'NFO', tradingSymbol: near.tradingSymbol, token: String(near.token) },
    { exchange: 'NSE', tradingSymbol: 'L&TFH-EQ', token: '24948' },
  ]);
  world.now = (near.expiresAt + SECOND_MS) as EpochMs;
  const alice = await world.logIn(ALICE);
  const left = await read(alice);
  assert.deepEqual(
    left?.map(({ tradingSymbol }) => tradingSymbol),
    ['NIFTY', 'L&TFH-EQ'],
  );
  const quotes = await world.call('/getMultiQuotes/ltp', alice, { data: left });
  assert.equal(quotes.status, 200, quotes.text);
  await world.close();
});

test('the longest watchlists that there may be are answered whole', async () => {
  const world = await openWorld();
  const account = ALICE.account as AccountId;
  // Most of these are not in the master: a list may be older than an import.
  const instruments = [IDEA.id, ...Array.from({ length: MOST_WATCHED - 1 }, (_, i) => (8_000_000 + i) as InstrumentId)];
  for (let count = 0; count < MOST_WATCHLISTS; count += 1) {
    await world.engine.submit(unasked({ type: 'SaveWatchlist', account, name: `list ${count}`, instruments }));
  }
  const rows = assertSuccess(await world.call(PATH, ALICE), MESSAGE) as Row[];
  assert.deepEqual([rows.length, rows.at(-1)], [MOST_WATCHLISTS, { name: 'list 49', instruments: [IDEA_ROW] }]);
  await world.close();
});
