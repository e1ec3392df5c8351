import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, INTEGER, TEXT } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld } from '../../kit/wire/world.ts';

contractOf({
  path: '/searchScrips',
  message: 'Search symbols',
  request: { stext: 'NIFTY' },
  required: { stext: ['BAD_REQUEST', 'stext is required'] },
  fields: { stext: 'text' },
  data: [
    {
      token: INTEGER,
      exchange: /^(NSE|BSE|NFO|BFO)$/,
      companyName: TEXT,
      representationName: TEXT,
      instrumentName: /^(Equity|Options|Futures|Index)$/,
      tradingSymbol: TEXT,
    },
  ],
});

test('searchScrips answers an empty list when nothing matches, and symbols that can be traded when something does', async () => {
  const world = await openWorld();
  const search = async (stext: string) =>
    assertSuccess(await world.call('/searchScrips', ALICE, { stext }), 'Search symbols') as Record<string, string>[];
  assert.deepEqual(await search('no such thing'), []);
  const found = await search('nifty C24000');
  assert.deepEqual(
    found.map(({ tradingSymbol, instrumentName, companyName }) => [tradingSymbol, instrumentName, companyName]),
    [
      ['NIFTY29DEC26C24000', 'Options', 'Monthly'],
      ['NIFTY01DEC26C24000', 'Options', 'Monthly'],
    ],
  );
  await world.close();
});

test('searchScrips takes 64 characters and no more', async () => {
  const world = await openWorld();
  assert.equal((await world.call('/searchScrips', ALICE, { stext: 'x'.repeat(64) })).status, 200);
  assertFailure(await world.call('/searchScrips', ALICE, { stext: 'x'.repeat(65) }), 400, 'BAD_REQUEST', 'stext');
  await world.close();
});
