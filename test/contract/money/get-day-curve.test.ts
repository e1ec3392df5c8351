import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EpochMs, HOUR_MS, MINUTE_MS } from '../../../src/base/time.ts';
import { CURVE_SHAPE } from '../../kit/wire/shapes/money-shapes.ts';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertShape, assertSuccess } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, MARKET_BUY, openWorld, type World } from '../../kit/wire/world.ts';

const PATH = '/getDayCurve';
const MESSAGE = 'Curve of the day';

interface Curve {
  readonly points: readonly Readonly<Record<string, string>>[];
  readonly interval: string;
  readonly underlyings: readonly {
    readonly underlying: string;
    readonly points: readonly { readonly time: string; readonly total: string }[];
  }[];
  readonly greatestDrawdown: string;
}

contractOf({
  path: PATH,
  message: MESSAGE,
  request: { interval: '5mi' },
  fields: { interval: 'text' },
  prepare: async (world) => {
    await world.place(ALICE, MARKET_BUY);
    return undefined;
  },
  data: CURVE_SHAPE,
});

async function curveOf(world: World, fields: object = {}, user = ALICE): Promise<Curve> {
  const data = assertSuccess(await world.call(PATH, user, fields), MESSAGE);
  assertShape(data, CURVE_SHAPE);
  return data as Curve;
}

function pass(world: World, ms: number): void {
  world.now = (world.now + ms) as EpochMs;
}

const DAY_TRADE = { ...MARKET_BUY, product: 'I' };

test('getDayCurve has a point a minute from the first trade on, and its last one is the result of getResults', async () => {
  const world = await openWorld();
  pass(world, 30_000);
  await world.place(ALICE, { ...DAY_TRADE, quantity: '10' });
  pass(world, 2 * MINUTE_MS);
  await world.place(ALICE, { ...DAY_TRADE, quantity: '4', transactionType: 'S' });
  pass(world, 2 * MINUTE_MS);
  await world.place(BOB, { ...DAY_TRADE, quantity: '1' });
  const { points, interval, greatestDrawdown, underlyings } = await curveOf(world);
  assert.equal(interval, '1mi');
  assert.deepEqual(
    points.map(({ time, realised, open, total, drawdown }) => [time?.slice(0, 8), realised, open, total, drawdown]),
    [
      ['11:00:00', '0.00', '0.00', '0.00', '0.00'],
      ['11:01:00', '0.00', '-0.50', '-0.50', '0.50'],
      ['11:02:00', '0.00', '-0.50', '-0.50', '0.50'],
      ['11:03:00', '-0.40', '-0.30', '-0.70', '0.70'],
      ['11:04:00', '-0.40', '-0.30', '-0.70', '0.70'],
      ['11:04:30', '-0.40', '0.00', '-0.40', '0.40'],
    ],
  );
  assert.equal(greatestDrawdown, '0.70');
  assert.deepEqual(underlyings, [{ underlying: 'IDEA', points: points.map(({ time, total }) => ({ time, total })) }]);
  const results = JSON.parse((await world.call('/getResults', ALICE)).text).data;
  const last = points.at(-1);
  assert.deepEqual([last?.realised, last?.open, last?.total], [results.realised, results.open, results.total]);
  await world.close();
});

test('getDayCurve takes a longer interval than was asked for where there would be too many points', async () => {
  const world = await openWorld();
  await world.place(ALICE, DAY_TRADE);
  pass(world, 11 * HOUR_MS);
  const long = await curveOf(world, { interval: '1mi' });
  assert.deepEqual([long.interval, long.points.length], ['2mi', 331]);
  const asked = await curveOf(world, { interval: '15mi' });
  assert.deepEqual([asked.interval, asked.points.length], ['15mi', 45]);
  await world.close();
});

test('getDayCurve of a user who did not trade is one point at nothing', async () => {
  const world = await openWorld();
  const { points, underlyings } = await curveOf(world, {}, BOB);
  const nothing = { realised: '0.00', open: '0.00', total: '0.00', drawdown: '0.00' };
  assert.deepEqual(points, [{ time: '11:00:00 20-11-2026', ...nothing }]);
  assert.deepEqual(underlyings, []);
  await world.close();
});

test('getDayCurve follows a conversion from one product to another without a step in the total', async () => {
  const world = await openWorld();
  await world.place(ALICE, DAY_TRADE);
  pass(world, MINUTE_MS + 500);
  const conversion = { tradingSymbol: 'IDEA-EQ', exchange: 'NSE', quantity: '10', msgFlag: '1' };
  await world.call('/productConversion', ALICE, { ...conversion, previousProduct: 'I', product: 'C' });
  pass(world, MINUTE_MS);
  const { points } = await curveOf(world);
  const totals = new Set(points.slice(1).map(({ total }) => total));
  assert.equal(totals.size, 1, [...totals].join(' '));
  await world.close();
});

test('getDayCurve refuses an interval that is none of a day', async () => {
  const world = await openWorld();
  for (const interval of ['1d', '7mi'])
    assertFailure(await world.call(PATH, ALICE, { interval }), 400, 'BAD_REQUEST', 'interval');
  await world.close();
});
