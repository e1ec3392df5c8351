import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EpochMs } from '../../../src/base/time.ts';
import { Results } from '../../../src/gateway/endpoints/money/results.ts';
import { DayCharges } from '../../../src/views/day/day-charges.ts';
import { RULES } from '../../kit/rules.ts';
import { fakeInstruments, OPTIONS } from '../../kit/wire/fake-instruments.ts';
import { fakeMarket } from '../../kit/wire/fake-market.ts';
import { RESULTS_SHAPE } from '../../kit/wire/shapes/money-shapes.ts';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertShape, assertSuccess, paiseOf } from '../../kit/wire/wire-checks.ts';
import { ALICE, BOB, MARKET_BUY, openWorld, type World } from '../../kit/wire/world.ts';

const PATH = '/getResults';
const MESSAGE = 'Results';

interface Answered {
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly underlyings: readonly Readonly<Record<string, string>>[];
  readonly realised: string;
  readonly open: string;
  readonly total: string;
  readonly charges: string;
  readonly net: string;
}

contractOf({
  path: PATH,
  message: MESSAGE,
  request: {},
  prepare: async (world) => {
    await world.place(ALICE, MARKET_BUY);
    return undefined;
  },
  data: RESULTS_SHAPE,
});

async function resultsOf(world: World, user = ALICE): Promise<Answered> {
  return assertSuccess(await world.call(PATH, user), MESSAGE) as Answered;
}

/** A share bought and partly sold, the same share on the other exchange, and a contract. */
async function tradeSome(world: World): Promise<void> {
  await world.place(ALICE, { ...MARKET_BUY, product: 'I', quantity: '10' });
  await world.place(ALICE, { ...MARKET_BUY, product: 'I', transactionType: 'S', quantity: '4' });
  await world.place(ALICE, { ...MARKET_BUY, exchange: 'BSE', tradingSymbol: 'IDEA', product: 'I', quantity: '3' });
  const contract = { exchange: 'NFO', tradingSymbol: 'NIFTY29DEC26F', product: 'M', quantity: '65' };
  await world.place(ALICE, { ...MARKET_BUY, ...contract });
}

test('getResults answers the figures of positionBook, and their sums by underlying and together', async () => {
  const world = await openWorld();
  await tradeSome(world);
  const book = JSON.parse((await world.call('/positionBook', ALICE)).text).data as Record<string, string>[];
  const results = await resultsOf(world);
  assert.ok(book.length >= 2, 'there is more than one position');
  assert.deepEqual(
    results.rows.map((row) => [
      row.tradingSymbol,
      row.netQuantity,
      row.averagePrice,
      row.realised,
      row.open,
      row.total,
    ]),
    book.map((row) => [
      row.tradingSymbol,
      row.netQuantity,
      row.netAveragePrice,
      row.RealizedPNL,
      row.unrealizedMTOM,
      row.totalMTM,
    ]),
  );
  for (const name of ['realised', 'open', 'total'] as const) {
    const sumOf = (rows: Answered['rows']) => rows.reduce((sum, row) => sum + paiseOf(row[name]), 0);
    assert.equal(sumOf(results.rows), paiseOf(results[name]), name);
    assert.equal(sumOf(results.underlyings), paiseOf(results[name]), name);
  }
  assert.equal(new Set(results.underlyings.map(({ underlying }) => underlying)).size, results.underlyings.length);
  assert.equal(results.net, results.total, 'nothing is charged here');
  await world.close();
});

test('a sale of held shares has an open result in its row, and none in any sum', async () => {
  const world = await openWorld();
  await world.place(ALICE, { ...MARKET_BUY, product: 'C', transactionType: 'S', quantity: '10' });
  await world.place(ALICE, { ...MARKET_BUY, product: 'I', quantity: '2' });
  world.now = (world.now + 5_000) as EpochMs;
  const { rows, underlyings, open, total, net } = await resultsOf(world);
  assert.deepEqual(
    rows.map((row) => [row.product, row.netQuantity, row.open, row.total]),
    [
      ['C', '-10', '-0.50', '-0.50'],
      ['I', '2', '-0.10', '-0.10'],
    ],
  );
  assert.deepEqual([open, total, net], ['-0.10', '-0.10', '-0.10']);
  assert.deepEqual(underlyings, [{ underlying: 'IDEA', realised: '0.00', open: '-0.10', total: '-0.10' }]);
  const curve = JSON.parse((await world.call('/getDayCurve', ALICE)).text).data;
  assert.deepEqual([curve.points.at(-1).open, curve.underlyings[0].points.at(-1).total], ['-0.10', '-0.10']);
  await world.close();
});

test('getResults takes the charges of the day so far from the net result, as the day will charge them', async () => {
  const world = await openWorld();
  world.engine.ports = { ...world.engine.ports, charges: RULES.charges };
  assert.deepEqual((await resultsOf(world)).charges, '0.00');
  await tradeSome(world);
  const first = await resultsOf(world);
  await world.place(ALICE, { ...MARKET_BUY, product: 'I', transactionType: 'S', quantity: '900' });
  const conversion = { tradingSymbol: 'IDEA', exchange: 'BSE', quantity: '3', msgFlag: '1' };
  await world.call('/productConversion', ALICE, { ...conversion, previousProduct: 'I', product: 'C' });
  const second = await resultsOf(world);
  assert.ok(Number(second.charges) > Number(first.charges));
  assert.equal(paiseOf(second.net), paiseOf(second.total) - paiseOf(second.charges));
  const { charges } = JSON.parse((await world.call('/getTradeCharges', ALICE)).text).data;
  assert.equal(second.charges, charges, 'getTradeCharges makes them from the trades');
  await world.close();
});

test('getResults of a user without positions is nothing, and no other user shows in it', async () => {
  const world = await openWorld();
  await tradeSome(world);
  const { rows, underlyings, realised, open, total, net } = await resultsOf(world, BOB);
  assert.deepEqual([rows, underlyings, realised, open, total, net], [[], [], '0.00', '0.00', '0.00', '0.00']);
  await world.close();
});

test('getResults of more positions than are made in one piece has every one of them, with their sums', async () => {
  const world = await openWorld();
  const option = { exchange: 'NFO', quantity: '65', price: '130.50' };
  for (const { tradingSymbol } of OPTIONS) {
    for (const product of ['M', 'I']) await world.place(ALICE, { ...option, tradingSymbol, product });
  }
  const { rows, open, underlyings } = await resultsOf(world);
  assert.ok(rows.length > 50, `${rows.length} rows`);
  const sum = rows.reduce((total, row) => total + paiseOf(row.open), 0);
  assert.deepEqual([open, underlyings.length], [(sum / 100).toFixed(2), 1]);
  await world.close();
});

test('results are made at most fifty rows at a time, and rows that are left out count in the sums', async () => {
  const world = await openWorld();
  const option = { exchange: 'NFO', quantity: '65', price: '130.50' };
  for (const { tradingSymbol } of OPTIONS) {
    for (const product of ['M', 'I']) await world.place(ALICE, { ...option, tradingSymbol, product });
  }
  const parts = {
    engine: world.engine,
    instruments: fakeInstruments,
    market: fakeMarket,
    avgModel: 'aggregate',
  } as const;
  const results = new Results({ ...parts, dayCharges: new DayCharges() }, ALICE.account);
  const positions = await results.positions();
  const counts: number[] = [];
  for (const piece of results.pieces(positions, 52)) {
    const rows = JSON.parse(`[${await piece()}]`) as object[];
    counts.push(rows.length);
  }
  assert.deepEqual(counts, [0, 50, 2]);
  const { open } = JSON.parse(results.sums());
  assert.deepEqual([open, positions.length > 52], [(await resultsOf(world)).open, true]);
  await world.close();
});

test('getResults keeps its shape when there are no rows', async () => {
  const world = await openWorld();
  assertShape(assertSuccess(await world.call(PATH, BOB), MESSAGE), RESULTS_SHAPE);
  await world.close();
});
