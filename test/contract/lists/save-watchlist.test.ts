import assert from 'node:assert/strict';
import { test } from 'node:test';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, T1, TEXT } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, openWorld, type World } from '../../kit/wire/world.ts';

const PATH = '/saveWatchlist';
const MESSAGE = 'Watchlist saved';
const IDEA = { exchange: 'NSE', tradingSymbol: 'IDEA-EQ' };
const BANKS = { name: 'Banks & \u092c\u0948\u0902\u0915', instruments: [IDEA] };

contractOf({
  path: PATH,
  message: MESSAGE,
  request: BANKS,
  required: badRequestFields('name'),
  fields: { name: 'text', instruments: 'list' },
  data: { name: TEXT, requestTime: T1 },
});

async function listed(world: World): Promise<unknown> {
  return JSON.parse((await world.call('/getWatchlists', ALICE)).text).data;
}

test('saveWatchlist takes a list without instruments, and no field for them is an error', async () => {
  const world = await openWorld();
  assertSuccess(await world.call(PATH, ALICE, { name: 'empty', instruments: [] }), MESSAGE);
  const missing = 'required field is empty or missing: instruments';
  assertFailure(await world.call(PATH, ALICE, { name: 'empty' }), 400, 'BAD_REQUEST', 'instruments', missing);
  await world.close();
});

test('saveWatchlist replaces the list of that very name, and keeps an instrument that is named twice once', async () => {
  const world = await openWorld();
  const bse = { exchange: 'BSE', tradingSymbol: 'IDEA' };
  for (const instruments of [[IDEA], [bse, IDEA, bse, { ...IDEA, tradingSymbol: 'idea-eq' }]]) {
    assertSuccess(await world.call(PATH, ALICE, { ...BANKS, instruments }), MESSAGE);
  }
  await world.call(PATH, ALICE, { name: 'banks', instruments: [] });
  assert.deepEqual(await listed(world), [
    {
      name: BANKS.name,
      instruments: [
        { ...bse, token: '532822' },
        { ...IDEA, token: '14366' },
      ],
    },
    { name: 'banks', instruments: [] },
  ]);
  await world.close();
});

test('saveWatchlist takes names of 1 to 64 visible characters and no others', async () => {
  const world = await openWorld();
  const invalid = 'name must be 1 to 64 visible characters, with blanks only between them';
  const joined = '\u0915\u094d\u200d\u0937';
  for (const name of ['x', 'x'.repeat(64), '\u{1f600}'.repeat(64), 'a b', joined, '\u{1f468}\u200d\u{1f469}']) {
    assertSuccess(await world.call(PATH, ALICE, { name, instruments: [] }), MESSAGE);
  }
  const wrong = [
    'x'.repeat(65),
    ' ',
    ' a',
    'a ',
    'a\nb',
    'a\u0000b',
    '\u200b',
    'a\u202eb',
    '\u200da',
    '\ud800',
    '\u00a0',
  ];
  for (const name of wrong) {
    assertFailure(await world.call(PATH, ALICE, { name, instruments: [] }), 400, 'BAD_REQUEST', 'name', invalid);
  }
  await world.close();
});

test('saveWatchlist refuses an unknown instrument, and more than 500, and changes nothing', async () => {
  const world = await openWorld();
  await world.call(PATH, ALICE, BANKS);
  const before = await listed(world);
  const unknown = { ...BANKS, instruments: [IDEA, { exchange: 'NSE', tradingSymbol: 'NOSUCH-EQ' }] };
  const second = 'instrument 2: Security not found';
  assertFailure(await world.call(PATH, ALICE, unknown), 400, 'BAD_REQUEST', 'tradingSymbol', second);
  const long = { ...BANKS, instruments: Array.from({ length: 501 }, () => IDEA) };
  const most = 'instruments must be an array of at most 500 objects with exchange and tradingSymbol';
  assertFailure(await world.call(PATH, ALICE, long), 400, 'BAD_REQUEST', 'instruments', most);
  const seen = await world.call(PATH, ALICE, { ...BANKS, instruments: [{ exchange: 'XXX', tradingSymbol: 'A' }] });
  assertFailure(seen, 400, 'BAD_REQUEST', 'exchange', 'instrument 1: Invalid exchange provided');
  assert.deepEqual(await listed(world), before);
  await world.close();
});

test('a user has at most 50 watchlists, and may still replace one of them', async () => {
  const world = await openWorld();
  for (let count = 0; count < 50; count += 1) {
    assertSuccess(await world.call(PATH, ALICE, { name: `list ${count}`, instruments: [] }), MESSAGE);
  }
  const full = await world.call(PATH, ALICE, BANKS);
  assertFailure(full, 400, 'BAD_REQUEST', 'name', 'a user has at most 50 watchlists');
  assertSuccess(await world.call(PATH, ALICE, { name: 'list 7', instruments: [IDEA] }), MESSAGE);
  assertSuccess(await world.call(PATH, BOB, BANKS), MESSAGE);
  await world.call('/deleteWatchlist', ALICE, { name: 'list 7' });
  assertSuccess(await world.call(PATH, ALICE, BANKS), MESSAGE);
  await world.close();
});
