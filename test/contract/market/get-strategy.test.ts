/** Contract tests of getStrategy over the market that stands still: NIFTY at 24,000.00, its options at 130.00. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FUTURE } from '../../kit/wire/fake-instruments.ts';
import { STRATEGY_SHAPE } from '../../kit/wire/shapes/trial-shapes.ts';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld, type World } from '../../kit/wire/world.ts';

const PATH = '/getStrategy';
const MESSAGE = 'Strategy computed';

function leg(transactionType: string, contract: string, price?: string) {
  const named = { exchange: 'NFO', tradingSymbol: `NIFTY${contract}`, transactionType, quantity: '65' };
  return price === undefined ? named : { ...named, price };
}

const STRADDLE = [leg('S', '29DEC26C24000', '150.05'), leg('S', '29DEC26P24000', '140')];

contractOf({
  path: PATH,
  message: MESSAGE,
  request: { legs: STRADDLE },
  required: badRequestFields('legs'),
  fields: { legs: 'list' },
  data: STRATEGY_SHAPE,
});

interface Strategy {
  readonly points: readonly Readonly<Record<'price' | 'atExpiry' | 'today', string>>[];
  readonly breakevens: readonly string[];
  readonly legs: readonly Readonly<Record<string, string>>[];
  readonly [figure: string]: unknown;
}

async function strategy(world: World, legs: readonly object[]): Promise<Strategy> {
  return assertSuccess(await world.call(PATH, ALICE, { legs }), MESSAGE) as Strategy;
}

test('a sold straddle: breakevens to the paisa, a bounded profit and a loss without a bound', async () => {
  const world = await openWorld();
  const seen = await strategy(world, STRADDLE);
  assert.equal(seen.spot, '24000.00');
  assert.deepEqual(seen.breakevens, ['23709.95', '24290.05']);
  assert.equal(seen.greatestProfit, '18853.25');
  assert.equal(seen.greatestLoss, '');
  assert.equal(seen.netPremium, '18853.25');
  const atStrike = seen.points.find(({ price }) => price === '24000.00');
  assert.equal(atStrike?.atExpiry, '18853.25');
  assert.equal(atStrike?.today, (65 * (150.05 - 130 + 140 - 130)).toFixed(2), 'both are worth 130.00 now');
  assert.equal(seen.theta, '1625.0000', 'two contracts of 65 units lose 12.50 a day, and are sold');
  await world.close();
});

test('a leg without a price is entered at its last one, and an option shows the greeks of the chain', async () => {
  const world = await openWorld();
  const { legs, netPremium } = await strategy(world, [leg('B', '29DEC26C24000')]);
  assert.equal(legs[0]?.price, '130.00');
  assert.equal(netPremium, '-8450.00');
  const chain = { exchange: 'NFO', symbol: 'NIFTY', expiry: '29DEC26', count: '1', strikePrice: '24000' };
  const seen = await world.call('/optionChainGreeks', ALICE, chain);
  const rows = assertSuccess(seen, 'Option chain with Greeks retrieved successfully') as Record<string, string>[];
  const row = rows.find(({ tradingSymbol }) => tradingSymbol === 'NIFTY29DEC26C24000');
  assert.equal(legs[0]?.impliedVolatility, row?.iv);
  for (const name of ['delta', 'gamma', 'theta', 'vega']) assert.equal(legs[0]?.[name], row?.[name]);
  await world.close();
});

test('a future and a share count one for one, and a bought future has no bound above', async () => {
  const world = await openWorld();
  const future = await strategy(world, [leg('B', FUTURE.tradingSymbol.slice(5), '24000')]);
  assert.deepEqual(future.breakevens, ['24000.00']);
  assert.equal(future.greatestProfit, '');
  assert.equal(future.greatestLoss, '-1560000.00');
  assert.equal(future.delta, '65.0000');
  assert.equal(future.legs[0]?.impliedVolatility, '');
  const share = { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ', transactionType: 'S', quantity: '10', price: '1260' };
  const sold = await strategy(world, [share]);
  assert.equal(sold.nearestExpiry, '');
  assert.equal(sold.greatestLoss, '');
  assert.equal(sold.greatestProfit, '12600.00');
  await world.close();
});

test('a calendar shows the nearer expiry, and values the later leg by the model', async () => {
  const world = await openWorld();
  const seen = await strategy(world, [leg('S', '01DEC26C24000', '100'), leg('B', '29DEC26C24000', '130')]);
  assert.equal(seen.nearestExpiry, '01DEC2026');
  const at = (price: string) => seen.points.find((point) => point.price === price);
  assert.equal(at('24000.00')?.atExpiry, '6500.00', 'the later call keeps its 130.00, the nearer one is worth nothing');
  await world.close();
});

test('legs on two underlyings, an index, a bad price and too large a value are refused by their field', async () => {
  const world = await openWorld();
  const share = { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ', transactionType: 'B', quantity: '1' };
  const many = 'legs must be an array of 1 to 50 legs';
  const wrong: [legs: unknown, field: string, message?: string][] = [
    [[share, leg('B', '29DEC26C24000')], 'legs', 'all legs must be on one underlying'],
    [[{ ...share, tradingSymbol: 'NIFTY' }], 'tradingSymbol', 'Security is not allowed to trade in this market'],
    [[{ ...share, tradingSymbol: 'NOSUCH-EQ' }], 'tradingSymbol', 'Security not found'],
    [[{ ...share, price: '0' }], 'price', 'price must be greater than 0'],
    [[{ ...share, price: '1.005' }], 'price', 'price is finer than a paisa'],
    [[{ ...share, quantity: '999999999', price: '999999999' }], 'quantity', 'the value of the strategy is too large'],
    [Array(51).fill(share), 'legs', many],
    [[5], 'legs', 'each element of legs must be an object'],
    [[{ ...share, transactionType: 'X' }], 'transactionType'],
  ];
  for (const [legs, field, message] of wrong) {
    assertFailure(await world.call(PATH, ALICE, { legs }), 400, 'BAD_REQUEST', field, message);
  }
  await world.close();
});
