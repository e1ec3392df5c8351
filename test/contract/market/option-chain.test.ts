import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, INTEGER, RUPEES } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld, type World } from '../../kit/wire/world.ts';

const MESSAGE = 'Option chain data retrieved successfully';
const REQUEST = { exchange: 'NFO', symbol: 'NIFTY', expiry: '29DEC26', count: '1', strikePrice: '24000' };

contractOf({
  path: '/optionChain',
  message: MESSAGE,
  request: REQUEST,
  required: {
    exchange: ['BAD_REQUEST', 'Invalid exchange provided'],
    symbol: ['BAD_REQUEST', 'Symbol is required'],
    expiry: ['BAD_REQUEST', 'Invalid expiry format'],
    count: ['BAD_REQUEST', 'Count must be a valid positive number or ALL'],
    strikePrice: ['BAD_REQUEST', 'Strike Price is required when count is not ALL'],
  },
  fields: { exchange: 'text', symbol: 'text', expiry: 'text', count: 'number', strikePrice: 'number' },
  data: [
    {
      exchange: /^NFO$/,
      lotSize: INTEGER,
      optionType: /^(CE|PE)$/,
      parentToken: /^26000$/,
      pricePrecision: /^2$/,
      strikePrice: RUPEES,
      tickSize: RUPEES,
      token: INTEGER,
      tradingSymbol: /^NIFTY29DEC26[CP]\d+$/,
      lastTradedPrice: RUPEES,
    },
  ],
});

async function strikes(world: World, change: object): Promise<string[]> {
  const data = assertSuccess(await world.call('/optionChain', ALICE, { ...REQUEST, ...change }), MESSAGE);
  return (data as Record<string, string>[]).map(({ strikePrice, optionType }) => `${strikePrice} ${optionType}`);
}

const NEAR_24000 = ['23950.00 CE', '23950.00 PE', '24000.00 CE', '24000.00 PE', '24050.00 CE', '24050.00 PE'];

test('optionChain answers ascending strikes, call before put, around the nearest strike', async () => {
  const world = await openWorld();
  assert.deepEqual(await strikes(world, {}), NEAR_24000);
  assert.deepEqual(await strikes(world, { strikePrice: '24019.95' }), NEAR_24000);
  assert.deepEqual(await strikes(world, { strikePrice: 24000, count: 1 }), NEAR_24000);
  assert.equal((await strikes(world, { strikePrice: '99000' })).length, 4);
  assert.equal((await strikes(world, { count: '30' })).length, 14);
  await world.close();
});

test('optionChain takes the cash exchange for its derivatives, and the long form of the expiry', async () => {
  const world = await openWorld();
  assert.deepEqual(await strikes(world, { exchange: 'NSE', expiry: '29DEC2026' }), NEAR_24000);
  assert.deepEqual(await strikes(world, { symbol: 'Nifty 50', expiry: '29dec26' }), NEAR_24000);
  await world.close();
});

test('optionChain words each wrong value', async () => {
  const world = await openWorld();
  const wrong: [change: object, field: string, message?: string][] = [
    [{ count: '31' }, 'count', 'Count cannot exceed 30'],
    [{ count: '0' }, 'count', 'Count must be a valid positive number or ALL'],
    [{ count: '-1' }, 'count', 'Count must be a valid positive number or ALL'],
    [{ strikePrice: '0' }, 'strikePrice', 'Strike Price must be a valid positive number'],
    [{ strikePrice: 'x' }, 'strikePrice', 'Strike Price must be a valid positive number'],
    [{ expiry: '31NOV26' }, 'expiry', 'Invalid expiry format'],
    [{ expiry: '30DEC26' }, 'expiry'],
    [{ exchange: 'MCX' }, 'exchange', 'Invalid exchange provided'],
    [{ symbol: 'NOSUCH' }, 'symbol'],
  ];
  for (const [change, field, message] of wrong) {
    const seen = await world.call('/optionChain', ALICE, { ...REQUEST, ...change });
    assertFailure(seen, 400, 'BAD_REQUEST', field, message);
  }
  await world.close();
});
